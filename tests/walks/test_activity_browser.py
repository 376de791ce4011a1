"""Memory activity in real Chromium: what was done, what software keeps, and the choice about it."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PART = "/notebook/activity/shared.people/"


def test_what_was_done_is_told_and_a_part_is_allowed_read_and_stopped(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        email = sign_up(page)
        new_conversation(page, "I live in Bern and I work at Acme")
        page.get_by_role("link", name="Notebook").click()
        page.get_by_role("link", name="Memory activity").click()
        expect(page.get_by_role("heading", name="Memory activity")).to_be_visible()
        learned = page.locator(".activity-line", has_text="Learned from your message")
        expect(learned).to_have_count(1)
        learned.locator("summary").first.click()
        technical = learned.get_by_text("Trace mem_").first
        expect(technical).to_be_hidden()
        learned.get_by_text("Technical details").click()
        expect(technical).to_be_visible()
        looks_right(page, "activity")
        page.get_by_text("Filters").click()
        page.get_by_label("What", exact=True).select_option("Deleted")
        expect(page.locator("#list")).to_contain_text("Nothing found")

        token = {"Authorization": f"Token {house.token(email)}"}
        entry = f"{house.url}/api/v1/namespaces/shared.people/entries/p0"
        person = {"name": "John", "relation": "work", "traits": ["blocks", "align"]}
        page.request.put(entry, data=person, headers=token)
        page.goto(PART)
        expect(page.get_by_text("so it’s kept for only two hours")).to_be_visible()
        page.get_by_role("switch").click()
        expect(page.get_by_text("I also kept what was saved")).to_be_visible()
        page.goto(PART)
        expect(page.get_by_text("often blocks progress and needs coordination")).to_be_visible()
        looks_right(page, "activity-part")
        page.get_by_role("switch").click()
        expect(page.get_by_role("heading", name=re.compile("Stop saving"))).to_be_visible()
        looks_right(page, "activity-stop")
        page.get_by_role("button", name="Delete and stop saving").click()
        expect(page.get_by_text("will no longer be saved")).to_be_visible()
        assert page.request.get(entry, headers=token).status == 404
