"""Every state that a person can see the page in, and how it is brought about, in whatever language.

Nothing here reads words: elements are found by what they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page, expect

from offprompt.request.spec import Entry, Generate
from tests.browser.standin import StandIn, asked, secret

VALUE = "made-up-value-of-a-test"

REASON = (
    "<p>Checkout signs its requests with <strong>Stripe</strong> and keeps orders in a database:</p>"
    "<ul><li>the <code>test</code> key is enough</li><li>nothing is charged</li></ul>"
)


@dataclass
class Scene:
    """A page in one language, and the stand-in behind it."""

    page: Page
    start: Callable[..., StandIn]
    lang: str = "en"

    def service(self, *secrets: dict[str, Any], **request: Any) -> StandIn:
        """A stand-in that asks for `secrets`."""
        started = self.start(*secrets, **request)
        started.script.lang = self.lang
        return started

    def open(self, *secrets: dict[str, Any], **request: Any) -> StandIn:
        """A stand-in, and its page ready to be typed into."""
        started = self.service(*secrets, **request)
        self.page.goto(started.link)
        expect(self.page.locator("#contact.connected")).to_be_visible()
        return started

    def type(self, name: str, text: str = VALUE) -> None:
        """Fill a field and leave it."""
        self.page.locator(f"#value-{name}").fill(text)
        self.page.locator(f"#value-{name}").blur()

    def judged(self, warned: int, failed: int = 0) -> None:
        """Wait until the fields that were left are judged without patience: so many lines warn, so many refuse."""
        expect(self.page.locator(".judged li.warn")).to_have_count(warned)
        expect(self.page.locator(".judged li.fail")).to_have_count(failed)

    def write(self) -> None:
        """Press the button."""
        self.page.locator(".write").click()

    def look(self) -> None:
        """As a person who comes back to the tab: the page asks for the status at once."""
        self.page.evaluate("window.dispatchEvent(new Event('focus'))")

    def ended(self) -> None:
        """Wait for a page that ends."""
        expect(self.page.locator(".ended")).to_be_visible()


def stripe(**more: Any) -> dict[str, Any]:
    """A key that the registry knows all about."""
    return asked(Entry("STRIPE_SECRET_KEY", caption="Dashboard, Developers, API keys"), **more)


def everything() -> list[dict[str, Any]]:
    """Every kind of field at once."""
    return [
        stripe(),
        asked(Entry("DATABASE_URL"), present=True),
        asked(Entry("AUTH_SECRET", generate=Generate())),
        asked(Entry("MAX_RETRIES", format="integer", secret=False)),
        asked(Entry("SIGNING_KEY", format="pem")),
    ]


def form(scene: Scene) -> None:
    """Nothing is typed yet, and there is much to know of the file."""
    scene.open(
        *everything(),
        reason=REASON,
        sink={"exists": True, "ignored": False, "git": "tracked", "readable_by_others": True},
    )


def linked(scene: Scene) -> None:
    """The file is a link to one that everybody may see, git has no answer, and the agent's words try to be ours."""
    scene.open(
        secret("API_KEY", label="Example API key", caption="offprompt: this field is offline, use https://example.com"),
        secret("MADE", present=True, generate={"bytes": 32, "encoding": "hex"}, caption="It stays as it is"),
        reason="<p>Typed values are <strong>safe</strong> here, says offprompt.</p>",
        sink={"lands": "public/é\u0301nv.txt", "public": "public", "git": "unknown", "ignored": False, "exists": True},
    )


def trusted(scene: Scene) -> None:
    """Something runs the file that is asked for."""
    scene.open(secret("API_KEY"), sink={"path": ".envrc", "trusted": "shell"})


def unwritable(scene: Scene) -> None:
    """Nothing can be written, which is told before anything is typed."""
    scene.open(secret("API_KEY"), sink={"writable": False})


def plain(scene: Scene) -> None:
    """The least there is: one key for a new file."""
    scene.open(secret("API_KEY"))


def typing(scene: Scene) -> None:
    """The focus is in a field, and its value not whole."""
    scene.open(*everything(), reason=REASON)
    scene.page.locator("#value-STRIPE_SECRET_KEY").press_sequentially("sk_test_4eC39H")


def filled(scene: Scene) -> None:
    """All is there, and one press would write it."""
    scene.open(*everything(), reason=REASON)
    scene.type("STRIPE_SECRET_KEY", "sk_test_" + "a1B2c3D4" * 4)
    scene.type("MAX_RETRIES", "3")
    scene.type("SIGNING_KEY", "-----BEGIN PRIVATE KEY-----\nbWFkZSB1cA==\n-----END PRIVATE KEY-----\n")
    scene.page.locator("#value-DATABASE_URL").focus()


def warned(scene: Scene) -> None:
    """Values that look like others: a key of another provider, a space at an end."""
    scene.open(*everything()[:2], asked(Entry("OPENAI_API_KEY")))
    scene.type("STRIPE_SECRET_KEY", "pk_test_" + "a1B2c3D4" * 4)
    scene.type("OPENAI_API_KEY", "sk_test_" + "a1B2c3D4" * 4)
    scene.type("DATABASE_URL", "postgres://shop:made-up@localhost:5432/shop ")
    scene.judged(3)


def blocked(scene: Scene) -> None:
    """Values that cannot work."""
    scene.open(*everything()[:2], asked(Entry("MAX_RETRIES", format="integer", secret=False)))
    scene.type("DATABASE_URL", "postgres//shop")
    scene.type("MAX_RETRIES", "three")
    scene.judged(1, 1)


def pasted(scene: Scene) -> None:
    """Lines of a `.env` were pasted: some were taken, one needs a look, one was not asked for."""
    scene.open(*everything())
    lines = f"STRIPE_SECRET_KEY=sk_test_{'a1B2c3D4' * 4}\nMAX_RETRIES=three\nDEBUG=1\n"
    paste(scene.page, "#value-STRIPE_SECRET_KEY", lines)
    expect(scene.page.locator(".filled ul")).to_be_visible()
    scene.judged(0, 1)


def paste(page: Page, selector: str, text: str) -> None:
    """What the browser tells a field when `text` is pasted into it."""
    page.locator(selector).focus()
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData('text/plain', text);
            const paste = new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true});
            document.activeElement.dispatchEvent(paste);
        }""",
        text,
    )


def declining(scene: Scene) -> None:
    """The page asks whether the no is meant."""
    scene.open(secret("API_KEY"))
    scene.page.locator(".actions .plain").click()


def missing(scene: Scene) -> None:
    """The button was pressed too early."""
    scene.open(secret("API_KEY"), secret("OTHER_KEY"))
    scene.write()
    expect(scene.page.locator(".wrong").first).to_be_visible()


def refused(scene: Scene) -> None:
    """The service found something."""
    service = scene.open(secret("API_KEY"), secret("OTHER_KEY"))
    service.script.answers = [(422, {"errors": {"API_KEY": ["One line."]}, "form": ["Another line."]})]
    scene.type("API_KEY")
    scene.type("OTHER_KEY")
    scene.write()
    expect(scene.page.locator(".wrong")).to_have_count(1)


def failing(scene: Scene) -> None:
    """The write failed, and can be tried again."""
    service = scene.open(secret("API_KEY"))
    service.script.answers = [(409, {"error": "busy"})]
    scene.type("API_KEY")
    scene.write()
    expect(scene.page.locator(".problems.warn")).to_be_visible()


def away(scene: Scene) -> None:
    """The service knows nothing of this request any more."""
    service = scene.open(secret("API_KEY"), secret("OTHER_KEY"))
    scene.type("API_KEY")
    service.script.status = {"status": "gone"}
    scene.look()
    expect(scene.page.locator(".lost")).not_to_be_empty()


def written(scene: Scene) -> None:
    """It is done."""
    service = scene.open(*everything()[:3], sink={"exists": True})
    service.script.wrong_fingerprint = False
    scene.type("STRIPE_SECRET_KEY", "sk_test_" + "a1B2c3D4" * 4)
    scene.write()
    expect(scene.page.locator(".fingerprint")).to_be_visible()


def noted(scene: Scene) -> None:
    """It is done, and there is something to know of it."""
    service = scene.open(secret("API_KEY"), secret("OTHER_KEY"))
    service.script.shell_differs = ["API_KEY", "OTHER_KEY"]
    scene.type("API_KEY")
    scene.type("OTHER_KEY")
    scene.write()
    expect(scene.page.locator(".note")).to_be_visible()


def fault(scene: Scene) -> None:
    """The file holds something else than what was typed."""
    service = scene.open(secret("API_KEY"))
    service.script.wrong_fingerprint = True
    scene.type("API_KEY")
    scene.write()
    expect(scene.page.locator(".fault")).to_be_visible()


def overtaken(scene: Scene) -> None:
    """A press was held up, the person changed a value and pressed again, and the first was written."""
    service = scene.open(secret("API_KEY"), secret("OTHER_KEY"))
    scene.page.route("**/status", lambda route: route.abort())
    service.script.answers = [(502, "write")]
    scene.type("API_KEY")
    scene.type("OTHER_KEY")
    scene.write()
    expect(scene.page.locator(".problems.warn")).to_be_visible()
    scene.type("API_KEY", f"{VALUE}, changed")
    service.script.answers = [(410, service.script.written)]
    scene.write()
    expect(scene.page.locator(".overtaken")).to_be_visible()


def unchanged(scene: Scene) -> None:
    """Everything was there already."""
    scene.open(secret("API_KEY", present=True), sink={"exists": True})
    scene.write()
    expect(scene.page.locator(".result")).to_be_visible()


def declined(scene: Scene) -> None:
    """The person said no."""
    declining(scene)
    scene.page.locator(".sure .outline").click()
    scene.ended()


def expired(scene: Scene) -> None:
    """Its time is over, and something was typed."""
    _closed(scene, "expired")


def cancelled(scene: Scene) -> None:
    """The agent withdrew it."""
    _closed(scene, "cancelled")


def elsewhere(scene: Scene) -> None:
    """Another tab or a terminal answered."""
    _closed(scene, "written")


def _closed(scene: Scene, status: str) -> None:
    service = scene.open(secret("API_KEY"))
    scene.type("API_KEY")
    service.script.status = {"status": status, "expires_in": 0}
    scene.look()
    scene.ended()


def cut(scene: Scene) -> None:
    """The link lost its end."""
    service = scene.service(secret("API_KEY"))
    scene.page.goto(service.link[:-1])
    scene.ended()


STATES: dict[str, Callable[[Scene], None]] = {
    state.__name__: state
    for state in (
        form, plain, linked, trusted, unwritable, typing, filled, warned, blocked, pasted, declining, missing,
        refused, failing, away,
        written, noted, fault, overtaken, unchanged, declined, expired, cancelled, elsewhere, cut,
    )
}  # fmt: skip
"""By their names, in the order in which a person may meet them."""
