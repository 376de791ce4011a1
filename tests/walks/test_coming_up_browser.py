"""Coming up in real Chromium: done and put off in place, on a phone and in the dark."""

from datetime import date, timedelta

import pytest
from django.utils.timezone import localdate
from playwright.sync_api import Browser, expect

from tests.live import House, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser


def told(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def test_plans_are_done_put_off_and_undone_and_the_calendar_gets_a_link(
    browser: Browser, house: House
) -> None:
    today = localdate()
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, f"The dentist is on {told(today + timedelta(3))} at 18:30.")
        page.goto("/talk/")
        new_conversation(page, f"The boiler man comes on {told(today + timedelta(5))}.")
        page.goto("/talk/")
        new_conversation(page, f"We move house on {told(today + timedelta(40))}.")
        page.goto("/talk/")
        plans = page.locator("#coming-up .plan")
        expect(plans).to_have_count(2)
        looks_right(page, "coming-up-home")
        composer = page.get_by_role("textbox", name="Message")
        composer.fill("A thought of mine")
        plans.first.get_by_role("button", name="Done").click()
        expect(plans.first).to_contain_text("Done ·")
        expect(plans.first.get_by_role("button", name="Undo")).to_be_focused()
        expect(composer).to_have_value("A thought of mine")
        plans.first.get_by_role("button", name="Undo").click()
        expect(plans.first.get_by_role("button", name="Done")).to_be_visible()
        composer.fill("")
        page.goto("/notebook/coming-up/")
        page.get_by_text("Show later (1)").click()
        looks_right(page, "coming-up")
        plans.first.get_by_text("Snooze").first.click()
        looks_right(page, "coming-up-snooze")
        plans.first.get_by_role("button", name="Tomorrow").click()
        expect(plans.first).to_contain_text("Moved from")
        page.get_by_role("button", name="Create a calendar link").click()
        link = page.get_by_label("Calendar link").input_value()
        looks_right(page, "coming-up-link")
        answer = page.request.get(link)
        assert answer.ok
        assert "dentist" in answer.text()
