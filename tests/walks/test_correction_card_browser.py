"""The cards under a correction that was not understood, in real Chromium: by keyboard, for axe."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, arrive, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser


def correct(page: Page) -> str:
    """A newcomer who has told two things and puts one right in too few words; where."""
    sign_up(page)
    new_conversation(page, "My birthday is 3 May and I drive a red van.")
    say(page, "that birthday and that van are wrong")
    expect(page.locator(".claim")).to_have_count(2)
    return page.url


def test_a_claim_is_edited_removed_and_kept_by_keyboard(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        url = correct(page)
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


def test_without_a_script_the_cards_do_the_same(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        url = correct(page)
        state = page.context.storage_state()
    context = browser.new_context(
        base_url=house.url, java_script_enabled=False, storage_state=state
    )
    page = context.new_page()
    page.goto(url)
    birthday = page.get_by_role("group", name="Birthday")
    birthday.get_by_label("I noted").fill("soon")
    arrive(birthday.get_by_role("button", name="Save"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Correct what I noted")
    expect(birthday.get_by_label("I noted")).to_have_value("soon")
    birthday.get_by_label("I noted").fill("4 June")
    arrive(birthday.get_by_role("button", name="Save"))
    expect(page.locator(".claim .chip")).to_contain_text("4 June")
    arrive(page.get_by_role("button", name="Keep: Vehicle"))
    expect(page.locator(".claim .chip").last).to_contain_text("Kept")
    context.close()
