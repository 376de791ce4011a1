"""The cards under a correction that was not understood, in real Chromium: by keyboard, for axe."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser


def test_a_claim_is_edited_removed_and_kept_by_keyboard(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "My birthday is 3 May and I drive a red van.")
        say(page, "that birthday and that van are wrong")
        expect(page.locator(".claim")).to_have_count(2)
        url = page.url
        looks_right(page, "claims")
        birthday = page.get_by_role("group", name="Birthday")
        field = birthday.get_by_label("I noted")
        field.fill("soon")
        field.press("Enter")
        expect(field).to_be_focused()
        expect(field).to_have_value("soon")
        expect(field).to_have_accessible_description("Enter a date, such as 3 May 1990.")
        looks_right(page, "claims-refused")
        field.fill("4 June")
        field.press("Tab")
        save = birthday.get_by_role("button", name="Save: Birthday, 3 May")
        expect(save).to_be_focused()
        save.press("Enter")
        saved = page.locator(".claim .chip").filter(has_text="Changed to")
        expect(saved).to_contain_text("4 June")
        expect(saved).to_be_focused()
        page.get_by_role("button", name="Remove: Vehicle").press("Enter")
        gone = page.locator(".claim .chip").filter(has_text="Forgotten")
        expect(gone).to_be_focused()
        looks_right(page, "claims-settled")
        gone.get_by_role("button", name="Bring back: Vehicle").press("Enter")
        expect(page.get_by_role("group", name="Vehicle").get_by_role("textbox")).to_be_focused()
        page.get_by_role("button", name="Keep: Vehicle").press("Enter")
        kept = page.locator(".claim .chip").filter(has_text="Kept")
        expect(kept).to_be_focused()
        page.goto(url)
        expect(saved).to_be_visible()
        expect(kept).to_be_visible()
