"""Copying, rewording, printing and taking out in real Chromium, by mouse and by keyboard."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fakes.model_server import ModelServer, normal
from tests.live import House, complaints_of_axe, picture, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
CODE = "Here it is:\n\n```py\nprint('one')\n```\n"


def no_complaints(page: Page, name: str) -> None:
    picture(page, name, whole=True)
    assert complaints_of_axe(page) == [], name
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), name


def test_an_answer_and_its_code_are_copied(
    browser: Browser, house_with_model: House, model: ModelServer
) -> None:
    model.play(normal(CODE))
    with visitor(browser, house_with_model) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        sign_up(page)
        new_conversation(page, "Show me some code")
        page.get_by_role("button", name="Copy this code").click()
        expect(page.locator("#status")).to_contain_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()").strip() == "print('one')"
        page.get_by_role("button", name="Copy answer 2").click()
        expect(page.locator("#status [data-toast]")).to_have_count(2)
        assert "Here it is:" in page.evaluate("navigator.clipboard.readText()")


def test_a_message_is_reworded_in_its_place_by_keyboard(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390", dark=True) as page:
        sign_up(page)
        new_conversation(page, "I live in Bern, I work at Acme, I speak Danish and I like old maps")
        folded = page.locator(".notes-more .note").first
        expect(folded).to_be_hidden()
        page.emulate_media(media="print")
        expect(folded).to_be_visible()
        page.emulate_media(media="screen")
        say(page, "I like tea")
        opener = page.locator(".question .deeds summary").first
        opener.focus()
        page.keyboard.press("Enter")
        no_complaints(page, "turn-menu")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        editor = page.locator("[data-editor]")
        expect(editor).to_contain_text("The 3 messages after this will be deleted too")
        expect(editor.locator("textarea")).to_be_focused()
        no_complaints(page, "reword")
        page.keyboard.press("Escape")
        expect(editor).to_have_count(0)
        expect(opener).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(editor.locator("textarea")).to_be_focused()
        page.keyboard.press("Control+A")
        page.keyboard.type("I live in Basel")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".question")).to_have_count(1, timeout=15_000)
        expect(page.locator("article.answer:not([aria-busy])")).to_contain_text("Lives in Basel")


def test_a_turn_and_then_the_conversation_are_taken_out(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)
        page.goto("/talk/")
        page.locator("#id_content").fill("I live in Bern")
        page.get_by_role("button", name="Send").click()
        page.wait_for_url("**/talk/*-*/**")
        page.locator("article.answer:not([aria-busy])").wait_for(timeout=15_000)
        page.locator(".question .deeds summary").click()
        page.get_by_role("link", name="Delete message and reply").click()
        expect(page.get_by_label("Lives in Bern")).to_be_checked()
        no_complaints(page, "take-a-turn-out")
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.locator("#log")).to_contain_text("Message and reply deleted")
        page.get_by_label("Conversation menu").click()
        page.get_by_role("button", name="Archive").click()
        no_complaints(page, "archived")
        page.get_by_role("button", name="Bring back").click()
        page.get_by_label("Conversation menu").click()
        page.get_by_role("link", name="Delete").click()
        no_complaints(page, "delete-conversation")
        page.get_by_role("button", name="Delete it").click()
        expect(page.locator("#status")).to_contain_text("Conversation deleted.")
