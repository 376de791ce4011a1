"""Topics in real Chromium: found while talking, led to by keyboard, renamed, taken off."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
TOLD = [
    "The chamber choir meets again on Sunday",
    "We sing Bach in the chamber choir",
    "I bought a new score for the chamber choir",
    "The chamber choir sings in a cold church",
]


def test_a_topic_is_found_followed_renamed_and_taken_off_by_keyboard(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, TOLD[0])
        for text in TOLD[1:]:
            say(page, text)
        # The worker looks a moment later.
        chips = page.get_by_role("navigation", name="Topics of this conversation")
        for _ in range(40):
            page.reload()
            if chips.count():
                break
            page.wait_for_timeout(500)
        looks_right(page, "topic-chips", whole=False)
        page.get_by_role("link", name="Chamber choir", exact=True).press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Chamber choir")
        expect(page.locator(".topic-talks .topic")).to_have_count(1)
        looks_right(page, "topic", whole=False)
        page.get_by_role("link", name="Rename").press("Enter")
        name = page.get_by_label("New name")
        expect(name).to_be_focused()
        name.fill("Singing")
        name.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Singing")
        page.locator("#side").get_by_role("link", name="Topics", exact=True).press("Enter")
        singing = page.locator("main").get_by_role("link", name="Singing", exact=True)
        expect(singing).to_be_visible()
        looks_right(page, "topics", whole=False)
        singing.press("Enter")
        page.get_by_role("button", name="Remove from the list").press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Singing is off the list.")
        expect(page.get_by_role("heading", name="No topics yet")).to_be_visible()
