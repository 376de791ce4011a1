"""A long conversation in real Chromium: read upwards without losing the place, and summed up."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.live import PASSPHRASE, House, looks_right, sign_in, sign_up, visitor

pytestmark = pytest.mark.browser
EXCHANGES = 90
PLANS = {
    3: ("My sister Anna lives in Leeds and we want to see Lisbon.", "Noted."),
    9: ("I booked the cabin in Åre for 12 May 2026.", "Good, I have that."),
    20: ("Which train goes there on a Sunday?", "I have no note about that."),
}


@pytest.fixture(scope="module")
def walker(browser: Browser, house: House, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of somebody who has talked for long in one conversation."""
    with visitor(browser, house) as page:
        email = sign_up(page)
    talk = [
        PLANS.get(n, (f"This is line {2 * n - 1}.", f"This is line {2 * n}."))
        for n in range(1, EXCHANGES + 1)
    ]
    recorded = [{"query": asked, "response": answered} for asked, answered in talk]
    file = Path(tmp_path_factory.mktemp("long")) / "long.json"
    file.write_text(json.dumps({"Ada": {"history": {"2026-03-02": recorded}}}))
    house.manage("replay", str(file), "--user", email)
    return email


def open_talk(page: Page, email: str) -> str:
    sign_in(page, email, PASSPHRASE)
    page.locator("#side nav a[href^='/talk/0'], #side a[href^='/talk/0']").first.evaluate(
        "link => link.click()"
    )
    page.wait_for_url("**/talk/*-*/")
    return page.url


def messages(page: Page) -> Locator:
    return page.locator("#log > .question, #log > .answer")


def top_of(message: Locator) -> float:
    return float(message.evaluate("one => one.getBoundingClientRect().top"))


def test_earlier_messages_come_in_above_and_the_place_is_kept(
    browser: Browser, house: House, walker: str
) -> None:
    with visitor(browser, house) as page:
        open_talk(page, walker)
        expect(messages(page)).to_have_count(50)
        page.wait_for_function("innerHeight + scrollY >= document.documentElement.scrollHeight - 2")
        page.evaluate("scrollTo(0, 0)")
        link = page.get_by_role("link", name="Earlier messages")
        first = page.locator("#m131")
        before = top_of(first)
        link.press("Enter")
        expect(messages(page)).to_have_count(100)
        assert abs(top_of(first) - before) <= 2
        expect(link).to_be_focused()
        expect(page.locator("#read-aloud")).to_have_text("50 earlier messages loaded.")
        link.press("Enter")
        expect(messages(page)).to_have_count(150)
        link.press("Enter")
        expect(messages(page)).to_have_count(180)
        expect(link).to_have_count(0)
        expect(page.locator(":focus")).to_contain_text("This is line 31.")
        expect(page.locator("#read-aloud")).to_contain_text("where the conversation begins")
        numbers = page.locator("#log [id^='m']").evaluate_all("all => all.map(one => one.id)")
        assert numbers == [f"m{n}" for n in range(1, 181)]


def test_the_summary_can_be_read_and_axe_finds_nothing(
    browser: Browser, house: House, walker: str
) -> None:
    with visitor(browser, house, size="390") as page:
        address = open_talk(page, walker)
        summary = page.locator(".summed-up")
        expect(summary).to_have_count(1)
        summary.locator("summary").press("Enter")
        expect(summary).to_contain_text("I booked the cabin in Åre")
        expect(summary).to_contain_text("2 March 2026")
        summary.scroll_into_view_if_needed()
        looks_right(page, "long-summary", whole=False)
        page.goto(f"{address}?at=40#m40")
        looks_right(page, "long-middle")
