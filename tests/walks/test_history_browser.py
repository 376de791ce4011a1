"""The history page in real Chromium: read, narrowed, followed to its source and taken away."""

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/notebook/history/"


def test_every_change_is_there_leads_to_its_message_and_is_taken_away(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto(PAGE)
        looks_right(page, "history-empty")
        new_conversation(page, "I live in Bern and I work at Acme")
        page.goto("/notebook/profile/")
        page.get_by_role("link", name="Edit: Lives in").click()
        page.get_by_label("What should I remember?").fill("Basel")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("[data-editor]")).to_have_count(0)
        page.get_by_role("link", name="History").click()
        lines = page.locator(".history-line")
        expect(lines).to_have_count(4)
        expect(lines.first).to_contain_text("Basel replaced Bern")
        looks_right(page, "history")

        page.get_by_label("Words").fill("acme")
        expect(lines).to_have_count(1)
        expect(page).to_have_url(f"{house.url}{PAGE}?q=acme&deed=&slot=&by=&since=&until=")
        page.get_by_role("link", name="Show all").click()
        page.get_by_text("Filters").click()
        page.get_by_label("By").select_option("What you said")
        expect(lines).to_have_count(2)
        page.get_by_label("About").select_option("Lives in")
        expect(lines).to_have_count(1)
        lines.get_by_role("link").first.press("Enter")
        page.wait_for_url(re.compile(r"/talk/[^/]+/\?at=1#m1$"))
        expect(page.locator("#m1")).to_contain_text("I live in Bern")

        page.goto(PAGE + "?slot=location")
        with page.expect_download() as sent:
            page.get_by_role("link", name="CSV").click()
        rows = list(csv.DictReader(io.StringIO(Path(sent.value.path()).read_text())))
        assert [row["after"] for row in rows] == ["Basel", "Bern"]
