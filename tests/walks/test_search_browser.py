"""Search in real Chromium: live results, the keyboard alone, and axe."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/search/"


def talked(page: Page) -> None:
    """A newcomer with two conversations."""
    sign_up(page)
    new_conversation(page, "My sister Anna bought a red kayak and paddles on the lake in Zürich")
    new_conversation(page, "Anna's kayaks need new paint before the summer, she thinks of blue")


def test_results_come_while_typing_and_lead_to_the_very_message(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        talked(page)
        page.locator("#side-q").fill("kayak")
        page.locator("#side-q").press("Enter")
        page.wait_for_url("**/search/?q=kayak")
        finds = page.locator(".find")
        expect(finds).to_have_count(2)
        expect(page.locator(".find mark").first).to_have_text("kayak")
        page.get_by_label("Search for words, a question or a time").fill("anna red")
        expect(page.locator(".find mark").filter(has_text="red")).to_have_count(1)
        expect(page).to_have_url(f"{house.url}{PAGE}?q=anna%20red&role=&since=&until=&group=")
        page.get_by_label("Search for words, a question or a time").fill('"anna sleeps"')
        expect(page.get_by_role("status").filter(has_text="Nothing found")).to_be_visible()
        page.get_by_role("link", name="Search without the quotes").click()
        expect(finds.first).to_be_visible()
        looks_right(page, "search")
        finds.first.get_by_text("Why this").click()
        expect(finds.first.locator("li").first).to_be_visible()
        finds.filter(has_text="red").locator("a").click()
        page.wait_for_url("**/talk/**#m1")
        expect(page.locator("#m1")).to_contain_text("red kayak")


def test_the_keyboard_is_enough(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        talked(page)
        page.goto("/notebook/profile/")
        page.goto(PAGE)
        expect(page.locator("#id_q")).to_be_focused()
        page.keyboard.press("Tab")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("/")
        expect(page.locator("#id_q")).to_be_focused()
        page.keyboard.type("a/b paint")
        expect(page.locator("#id_q")).to_have_value("a/b paint")
        page.keyboard.press("Enter")
        expect(page.locator(".find").first).to_contain_text("paint")
        page.keyboard.press("Tab")
        expect(page.locator(".seek-more summary")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Said by")).to_be_visible()
        page.locator(".find a").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/talk/**")
        page.locator("summary[aria-label='Conversation menu']").press("Enter")
        page.get_by_role("link", name="Find in this conversation").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Find in this conversation")
        page.keyboard.type("summer")
        expect(page.locator(".find")).to_have_count(1)
        for name, address in {
            "search-more": "?q=kayak&role=both&group=conversation",
            "search-none": '?q="nobody said this" last May',
            "search-refused": "?q=kayak&since=2026-02-30",
            "search-new": "",
        }.items():
            page.goto(PAGE + address)
            looks_right(page, name)
