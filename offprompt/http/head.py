"""The head of a request: its first line and headers, read once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from offprompt.http.accept import takes_gzip, weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_HTML, _JSON = "text/html", "application/json"


@dataclass(frozen=True, slots=True)
class RequestHead:
    """A request without its body. Of a header that must stand once all values are kept, so that a second one shows."""

    method: str
    path: str
    hosts: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    dests: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    content_types: tuple[str, ...] = ()
    lengths: tuple[str, ...] = ()
    accept: str = ""
    languages: str = ""
    encodings: str = ""

    @property
    def navigation(self) -> bool:
        """Whether a person reads the answer. Browsers older than 2023 do not send Sec-Fetch-Mode."""
        return self.modes == ("navigate",) if self.modes else weights(self.accept).get(_HTML, 0) > 0

    @property
    def data(self) -> bool:
        """Whether the client would rather have the request as data than as a page."""
        weight = weights(self.accept)
        return weight.get(_JSON, 0) > weight.get(_HTML, 0)

    @property
    def gzip(self) -> bool:
        """Whether the answer may be compressed."""
        return takes_gzip(self.encodings)


def read_head(method: bytes, target: bytes, values: Callable[[bytes], Sequence[bytes] | None]) -> RequestHead:
    """Return the head of a request for `target`; `values(name)` gives all values of a header, or None.

    Each byte becomes the character of the same number, so that any header can be read.
    """

    def every(name: bytes) -> tuple[str, ...]:
        return tuple(value.decode("latin-1") for value in values(name) or ())

    return RequestHead(
        method=method.decode("latin-1"),
        path=target.partition(b"?")[0].decode("latin-1"),
        hosts=every(b"host"),
        sites=every(b"sec-fetch-site"),
        modes=every(b"sec-fetch-mode"),
        dests=every(b"sec-fetch-dest"),
        origins=every(b"origin"),
        content_types=every(b"content-type"),
        lengths=every(b"content-length"),
        accept=", ".join(every(b"accept")),
        languages=", ".join(every(b"accept-language")),
        encodings=", ".join(every(b"accept-encoding")),
    )
