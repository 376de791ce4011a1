"""Insights and an opened answer in real Chromium: by keyboard, for axe."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
TWO_FRAMES = "() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))"
AT_END = "innerHeight + scrollY >= document.documentElement.scrollHeight - 2"


def test_an_answer_is_opened_in_its_place_and_insights_are_read_by_keyboard(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        page.set_viewport_size({"width": 1280, "height": 420})
        sign_up(page)
        new_conversation(page, "I live in Lisbon and my dog is called Wilhelmina")
        new_conversation(page, "Where do I live?")
        page.wait_for_function(AT_END)
        before = page.evaluate("scrollY")
        opener = page.locator("details.opened > summary").last
        opener.click()
        page.locator(".opened-took").wait_for()
        expect(page.locator(".opened-used")).to_contain_text("Lisbon")
        # The page has grown and been drawn twice: a jump to the end would have come.
        page.evaluate(TWO_FRAMES)
        assert page.evaluate("scrollY") == before
        assert not page.evaluate(AT_END)
        say(page, "What is my dog called?")
        page.wait_for_function(AT_END)
        # An answer that has just been written opens too.
        opener.press("Enter")
        used = page.locator(".opened-used").last
        expect(used).to_contain_text("Wilhelmina")
        looks_right(page, "opened")
        address = str(page.locator("details.opened > div").last.get_attribute("hx-get"))
        opener.press("Enter")
        expect(used).to_be_hidden()
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text("How I answered")
        looks_right(page, "how-i-answered")

        page.goto("/notebook/history/")
        page.locator(".side").get_by_role("link", name="Insights").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Insights")
        page.get_by_role("link", name="30 days").press("Enter")
        page.wait_for_url("**/insights/?period=month")
        expect(page.locator(".periods [aria-current]")).to_have_text("30 days")
        expect(page.locator(".chart-bar")).to_have_count(1)
        for summary in page.locator(".chart-table > summary").all():
            summary.press("Enter")
        looks_right(page, "insights")
