"""The story in real Chromium, against the whole house: worker, database, streaming and all."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fakes.model_server import ModelServer, cut, slow
from tests.live import (
    PASSPHRASE,
    House,
    an_address,
    arrive,
    last_answer,
    looks_right,
    picture,
    say,
    sign_in,
    sign_up,
    visitor,
)

pytestmark = pytest.mark.browser


def sign_up_by_hand(page: Page) -> None:
    """From the front page through the form, as a newcomer does."""
    page.goto("/")
    page.get_by_role("link", name="Start talking").first.click()
    page.get_by_label("E-mail").fill(an_address())
    page.get_by_label("Password", exact=True).fill(PASSPHRASE)
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url("**/talk/")


def new_conversation(page: Page, text: str) -> None:
    """Open an empty page and say the first thing."""
    page.goto("/talk/")
    page.locator("#id_content").fill(text)
    page.locator("#id_content").press("Enter")
    page.wait_for_url("**/talk/*-*/")
    page.locator("article.answer:not([aria-busy])").first.wait_for(timeout=15_000)


def test_a_newcomer_is_remembered_asked_and_never_overwritten(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up_by_hand(page)
        picture(page, "welcome")
        new_conversation(page, "My name is Nick, I work at Google and live in Seattle")
        expect(page.locator("article.answer")).to_contain_text("Works at Google")
        expect(page.locator("article.answer")).to_contain_text("Noted")
        picture(page, "noted")

        new_conversation(page, "What's my name?")
        assert "Nick" in last_answer(page)
        assert "Using what I know from 1 earlier conversation" in last_answer(page)
        say(page, "Where do I work?")
        assert "Google" in last_answer(page)
        say(page, "call me Nicky in this chat")
        say(page, "What's my name?")
        assert "Nicky" in last_answer(page)

        new_conversation(page, "I work at Microsoft")
        card = page.locator("article.answer").last
        expect(card).to_contain_text("Is your employer Google or Microsoft?")
        expect(page.locator("[data-open-conflicts]").first).to_contain_text("1")
        assert "Nicky" not in page.locator("#log").inner_text()
        picture(page, "two-values")

        page.goto("/notebook/profile/")
        employer = page.locator("main").get_by_text("Microsoft")
        expect(employer).to_be_visible()
        expect(page.locator("main")).to_contain_text("Disputed")
        page.goto("/notebook/conflicts/")
        page.locator("main a[href*='/notebook/conflicts/0']").first.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Where do you work?")
        picture(page, "conflict", whole=True)
        page.get_by_label("Microsoft is right").check()
        page.get_by_role("button", name="Settle it").click()
        expect(page.locator("main")).to_contain_text("No conflicts")

        new_conversation(page, "Where do I work?")
        assert "Microsoft" in last_answer(page)
        assert "Google" not in last_answer(page)


def test_the_profile_is_edited_by_keyboard_alone(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "I live in Bern")
        page.goto("/notebook/profile/")
        page.get_by_role("link", name="Edit").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("input[name=value]")).to_be_focused()
        page.keyboard.press("Control+A")
        page.keyboard.type("Basel")
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_contain_text("Basel")
        expect(page.locator("main")).not_to_contain_text("Bern")


def test_everything_works_without_javascript(browser: Browser, house: House) -> None:
    with visitor(browser, house, script=False) as page:
        sign_up_by_hand(page)
        page.locator("#id_content").fill("I'm Ida and I work at Acme")
        arrive(page.get_by_role("button", name="Send"))
        assert "Works at Acme" in page.locator("#log").inner_text()
        page.locator("#id_content").fill("I work at Initech")
        page.get_by_role("button", name="Send").click()
        arrive(page.get_by_role("button", name="Initech is right"))
        page.goto("/notebook/profile/")
        assert "Initech" in page.locator("main").inner_text()


# --- With a language model -----------------------------------------------------------------------


# Every text that the answer had, one after the other; a look now and then may miss some.
REMEMBER_WHAT_STOOD_THERE = """
window.stoodThere = new Set();
new MutationObserver(() => {
    const text = document.querySelector("article.answer .answer-text");
    if (text) stoodThere.add(text.textContent.trim());
}).observe(document, {subtree: true, childList: true, characterData: true});
"""


def test_a_reply_streams_in_word_by_word_and_stop_keeps_what_came(
    browser: Browser, house_with_model: House, model: ModelServer
) -> None:
    model.play(slow("One two three four five six seven eight nine ten.", pause=0.25))
    with visitor(browser, house_with_model) as page:
        sign_up(page)
        page.add_init_script(REMEMBER_WHAT_STOOD_THERE)
        page.locator("#id_content").fill("Count to ten")
        page.locator("#id_content").press("Enter")
        page.wait_for_url("**/talk/*-*/")
        text = page.locator("article.answer .answer-text").last
        expect(text).to_contain_text("three", timeout=15_000)
        picture(page, "streaming")
        expect(page.locator("article.answer:not([aria-busy])")).to_contain_text("ten.")
        stood_there = page.evaluate("[...stoodThere]")
        assert any("three" in one and "ten" not in one for one in stood_there), stood_there

        model.play(slow("word " * 200, pause=0.1))
        page.locator("#id_content").fill("Talk for long")
        page.locator("#id_content").press("Enter")
        expect(text).to_contain_text("word word", timeout=15_000)
        page.get_by_role("button", name="Stop").first.click()
        stopped = page.locator("article.answer:not([aria-busy])").last
        expect(stopped).to_contain_text("word word")
        assert text.inner_text().count("word") < 200


def test_an_answer_goes_on_as_one_while_its_page_is_reloaded_and_left(
    browser: Browser, house_with_model: House, model: ModelServer
) -> None:
    model.play(slow("Slow and steady wins the race today.", pause=0.3))
    asked = len(model.requests)
    with visitor(browser, house_with_model) as page:
        sign_up(page)
        page.locator("#id_content").fill("Say something slow")
        page.locator("#id_content").press("Enter")
        page.wait_for_url("**/talk/*-*/")
        expect(page.locator("article.answer .answer-text")).to_contain_text("Slow")
        address = page.url
        page.reload()
        page.goto("/notebook/profile/")
        page.goto(address)
        expect(page.locator("article.answer:not([aria-busy])")).to_contain_text("race today.")
        assert page.locator("article.answer").count() == 1
    assert len(model.requests) == asked + 1


def test_a_reply_cut_in_the_middle_keeps_its_text_and_can_be_tried_again(
    browser: Browser, house_with_model: House, model: ModelServer
) -> None:
    model.play(cut("This sentence never reaches its end, whatever it wants.", pieces=4))
    with visitor(browser, house_with_model) as page:
        sign_up(page)
        new_conversation(page, "Tell me something")
        expect(page.locator("article.answer")).to_contain_text("This sentence")
        expect(page.locator("article.answer")).to_contain_text("stopped halfway")
        picture(page, "cut")
        model.play("normal")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("stopped halfway")).to_have_count(0, timeout=15_000)


# --- Looks ---------------------------------------------------------------------------------------

PAGES = {
    "landing": "/",
    "sign-in": "/accounts/login/",
    "sign-up": "/accounts/signup/",
    "talk": "/talk/",
    "conversation": "",
    "profile": "/notebook/profile/",
    "add-fact": "/notebook/profile/add/",
    "conflicts": "/notebook/conflicts/",
    "conflict-page": "",
    "account": "/account/",
    "missing": "/no-such-page/",
}
BEFORE_SIGN_IN = ("landing", "sign-in", "sign-up")


def test_axe_finds_nothing_and_nothing_spills_over(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        for name in BEFORE_SIGN_IN:
            _look_at(page, name, PAGES[name])
        sign_in(page, "nick@example.org")
        page.goto("/notebook/conflicts/")
        conflict = page.locator("main a[href*='/notebook/conflicts/0']").first
        addresses = PAGES | {"conflict-page": str(conflict.get_attribute("href"))}
        page.goto("/talk/")
        talk = page.locator("a[href^='/talk/0']", has_text="Short bio").first
        addresses["conversation"] = str(talk.get_attribute("href"))
        for name, address in addresses.items():
            if name not in BEFORE_SIGN_IN:
                _look_at(page, name, address)


def _look_at(page: Page, name: str, address: str) -> None:
    page.goto(address)
    looks_right(page, name)
