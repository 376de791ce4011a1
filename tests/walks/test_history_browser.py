"""The history page in real Chromium: read, narrowed, followed to its source and taken away."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, arrive, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/notebook/history/"


def lived_in(page: Page) -> None:
    """A newcomer who said where they live and work, and corrected one by hand."""
    sign_up(page)
    new_conversation(page, "I live in Bern and I work at Acme")
    page.goto("/notebook/profile/")
    page.get_by_role("link", name="Edit: Lives in").click()
    page.get_by_label("What should I remember?").fill("Basel")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-editor]")).to_have_count(0)


def test_every_change_is_there_and_leads_to_the_message_it_came_from(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        lived_in(page)
        page.get_by_role("link", name="History").click()
        lines = page.locator(".history-line")
        expect(lines).to_have_count(4)
        expect(lines.first).to_contain_text("Basel replaced Bern")
        expect(lines.first).to_contain_text("You changed where you live")

        page.get_by_label("Words").fill("acme")
        expect(lines).to_have_count(1)
        expect(page).to_have_url(f"{house.url}{PAGE}?q=acme&deed=&slot=&by=&since=&until=")
        page.get_by_role("link", name="Show all").click()
        page.get_by_text("Filters").click()
        page.get_by_label("By").select_option("What you said")
        expect(lines).to_have_count(2)
        page.get_by_label("About").select_option("Lives in")
        expect(lines).to_have_count(1)
        expect(lines).to_contain_text("Noted from what you said in")
        lines.get_by_role("link").first.press("Enter")
        page.wait_for_url(re.compile(r"/talk/[^/]+/\?at=1#m1$"))
        expect(page.locator("#m1")).to_contain_text("I live in Bern")


def test_what_is_found_is_what_is_taken_away(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        lived_in(page)
        page.goto(PAGE + "?slot=location")
        with page.expect_download() as sent:
            page.get_by_role("link", name="CSV").click()
        rows = list(csv.DictReader(io.StringIO(Path(sent.value.path()).read_text())))
        assert [row["after"] for row in rows] == ["Basel", "Bern"]
        with page.expect_download() as sent:
            page.get_by_role("link", name="JSON").click()
        file = json.loads(Path(sent.value.path()).read_text())
        assert [line["deed"] for line in file["lines"]] == ["rewritten", "noted"]
        assert sent.value.suggested_filename.endswith(".json")


def test_it_works_without_a_script(browser: Browser, house: House) -> None:
    with visitor(browser, house, script=False) as page:
        sign_up(page)
        page.goto("/notebook/profile/add/")
        page.get_by_label("Kind").select_option("Lives in")
        page.get_by_label("What should I remember?").fill("Basel")
        arrive(page.get_by_role("button", name="Save"))
        page.goto(PAGE)
        page.get_by_text("Filters").click()
        page.get_by_label("What happened").select_option("Added by hand")
        page.get_by_role("button", name="Search").click()
        expect(page.locator(".history-line")).to_contain_text("Lives in Basel")
        page.get_by_label("What happened").select_option("Removed")
        page.get_by_role("button", name="Search").click()
        expect(page.locator("#list")).to_contain_text("No changes found")


def test_axe_finds_nothing_and_nothing_spills_over(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)
        page.goto(PAGE)
        looks_right(page, "history-empty")
        new_conversation(page, "I live in Bern and I work at Acme")
        new_conversation(page, "I live in " + "Llanfairpwllgwyngyllgogerychwyrndrobwll")
        for name, address in {"history": PAGE, "history-none": PAGE + "?q=nothing"}.items():
            page.goto(address)
            looks_right(page, name)
