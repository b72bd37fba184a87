"""Nothing of a request is logged, wherever in it a secret may stand."""

from __future__ import annotations

from twisted.logger import LogEvent, globalLogPublisher

from tests.page.world import World


def test_a_request_leaves_no_line_and_no_clock_behind(world: World) -> None:
    record = world.record()
    seen: list[LogEvent] = []
    globalLogPublisher.addObserver(seen.append)
    try:
        world.site.startFactory()
        client = world.client()
        client.send(
            f"GET /r/{record.token}?query HTTP/1.1\r\nHost: 127.0.0.1\r\nReferer: http://x/{record.token}\r\n\r\n".encode()
        )
        (reply,) = client.replies()
        world.site.stopFactory()
    finally:
        globalLogPublisher.removeObserver(seen.append)
    assert reply.status == 200
    assert [event for event in seen if record.token in repr(event)] == []
    assert world.site._logDateTimeCall is None
