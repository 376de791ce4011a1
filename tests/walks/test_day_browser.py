"""A first day's talk without a language model in real Chromium: by keyboard, for axe."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser


def test_a_day_is_talked_through_by_keyboard(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto("/talk/")
        looks_right(page, "welcome")
        new_conversation(page, "The dentist is on Monday the 8th at 9:20, the one on Wells Road.")
        say(page, "what a morning, the kettle and the toaster at once")
        quiet = page.locator(".answer-quiet").last
        quiet.get_by_role("button", name="Note this").press("Enter")
        noted = page.locator(".chip").filter(has_text="the kettle and the toaster")
        expect(noted).to_be_focused()
        noted.get_by_role("button", name="Undo").press("Enter")
        expect(page.locator(".chip").filter(has_text="Forgotten")).to_be_focused()
        say(page, "The dentist rang, they've moved me to Wednesday, same time.")
        heard = re.compile("Thanks for the correction|as a correction|This replaces")
        expect(page.locator(".answer").last).to_contain_text(heard)
        say(page, "When is my dentist appointment?")
        expect(page.locator(".answer").last).to_contain_text("Wednesday")
        say(page, "Can you write a poem about teeth?")
        expect(page.locator(".answer").last).to_contain_text("need a language model")
        say(page, "Thanks, that's all for today. Good night!")
        expect(page.locator(".answer").last).not_to_contain_text("Noted")
        looks_right(page, "day")
