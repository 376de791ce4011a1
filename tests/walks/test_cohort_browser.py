"""A role in real Chromium: being asked, its lessons, one's own part in them, and the way out."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, arrive, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
COHORT = "/notebook/cohort/"
LESSON = "Ask who decides before you build a long table."


def joins(page: Page) -> None:
    """A newcomer says what they do, and says yes by keyboard."""
    sign_up(page)
    new_conversation(page, "I'm a real estate analyst for quick-service restaurants.")
    card = page.get_by_role("region", name="Do you work in this role")
    expect(card).to_be_visible()
    looks_right(page, "role-asked")
    card.get_by_role("button", name=re.compile("^Yes.+I work in")).press("Enter")
    said = page.locator(".chip").filter(has_text="You work in this role")
    expect(said).to_be_focused()


def test_a_newcomer_joins_reads_contributes_objects_and_leaves(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        joins(page)
        page.goto(COHORT)
        expect(page.locator(".lesson")).not_to_have_count(0)
        looks_right(page, "cohort")
        contributes(page)
        objects(page)
        page.goto(f"{COHORT}blocks/")
        looks_right(page, "blocks")
        page.goto(COHORT)
        arrive(page.get_by_role("switch", name="Share lessons"))
        expect(page.get_by_role("status")).to_contain_text("Sharing is off")
        arrive(page.get_by_role("button", name="Leave this role"))
        page.goto(COHORT)
        expect(page.locator(".lesson")).to_have_count(0)


def contributes(page: Page) -> None:
    """What the guard refuses stays in the field; what it lets pass waits for others."""
    field = page.get_by_label("What would help someone else in your role?")
    field.fill("Tim Hortons wants the corner of King Street.")
    arrive(page.get_by_role("button", name="Share it"))
    expect(field).to_have_value("Tim Hortons wants the corner of King Street.")
    expect(page.locator(".field .error, .error").first).to_be_visible()
    looks_right(page, "cohort-refused")
    field.fill(LESSON)
    arrive(page.get_by_role("button", name="Share it"))
    expect(page.get_by_role("article", name=LESSON)).to_contain_text("Waiting for more support")
    agree = page.get_by_role("button", name="Agree").first
    arrive(agree)
    expect(page.get_by_role("status")).to_contain_text("You now support this lesson.")


def objects(page: Page) -> None:
    """A report without a kind is refused; with one, staff have it."""
    arrive(page.get_by_role("link", name="Report").first)
    send = page.get_by_role("main").get_by_role("button").last
    arrive(send)
    expect(page.get_by_text("Choose what is wrong with it.")).to_be_visible()
    looks_right(page, "cohort-report")
    page.get_by_role("radio").first.check()
    arrive(send)
    expect(page.get_by_role("status")).to_contain_text("Staff will look at it")
