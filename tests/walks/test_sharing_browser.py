"""Sharing in real Chromium: chosen, copied, opened by somebody else, closed."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, arrive, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/notebook/shares/"


def shared(page: Page) -> str:
    """A newcomer who shares two of three lines; the link."""
    sign_up(page)
    new_conversation(page, "I live in Bern, I work at Acme and I speak German")
    page.goto("/notebook/profile/")
    page.get_by_role("link", name="Share a page").click()
    for line in ("Employer Acme", "Languages German"):
        page.get_by_role("checkbox", name=line).press("Space")
    page.get_by_label("Page name").fill("For the fair")
    page.get_by_label("Your name on the page").fill("A newcomer")
    page.get_by_label("30 days").check()
    page.get_by_role("button", name="Create link").press("Enter")
    return page.get_by_label("Link to For the fair").input_value()


def test_somebody_with_the_link_sees_the_chosen_lines_until_it_is_closed(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page, visitor(browser, house) as stranger:
        link = shared(page)
        looks_right(page, "shares")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy link").press("Enter")
        expect(page.locator("#status")).to_contain_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == link

        stranger.goto(link)
        expect(stranger.get_by_role("heading", level=1)).to_have_text("For the fair")
        expect(stranger.locator("main")).to_contain_text("Acme")
        expect(stranger.locator("main")).to_contain_text("German")
        assert "Bern" not in stranger.content()
        looks_right(stranger, "shared")
        stranger.reload()

        page.reload()
        row = page.locator(".share")
        expect(row).to_contain_text("Opened once today")
        row.get_by_role("button", name="Stop sharing").press("Enter")
        expect(row).to_contain_text("Stopped today")
        stranger.reload()
        expect(stranger.get_by_role("heading", level=1)).to_have_text("This link doesn’t work")
        looks_right(stranger, "shared-gone")
        page.goto(PAGE + "new/")
        arrive(page.get_by_role("button", name="Create link"))
        looks_right(page, "shares-missing")
