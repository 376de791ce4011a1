"""Why something is kept here only, or nowhere, as a person sees it under the reply."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, arrive, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser


def test_a_chip_says_why_in_a_private_conversation_and_for_a_closed_kind(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto("/notebook/privacy/never/?slot=employer")
        arrive(page.get_by_role("button", name="Never note this"))
        new_conversation(page, "I work at Initech")
        chip = page.locator(".chip-kept").last
        expect(chip).to_contain_text("You asked me never to note things like this.")
        expect(chip.get_by_role("link", name="Open Privacy")).to_be_visible()
        looks_right(page, "not-kept-closed")
        page.goto("/talk/")
        page.locator(".composer-menu summary").click()
        page.get_by_label("Temporary").check()
        page.locator("#id_content").fill("I live in Rome")
        page.locator("#id_content").press("Enter")
        page.wait_for_url("**/talk/*-*/")
        chips = page.locator("article.answer:not([aria-busy]) .chip")
        expect(chips.last).to_contain_text("Only here", timeout=15_000)
        say(page, "I booked a flight to Lisbon for the 12th of May.")
        # The tag above the conversation says it once; not every answer repeats it.
        expect(page.locator(".privacy-tag").first).to_contain_text("Temporary")
        looks_right(page, "not-kept-private")


def test_with_memory_off_a_line_leads_to_the_switch(
    browser: Browser, house_with_model: House
) -> None:
    with visitor(browser, house_with_model) as page:
        sign_up(page)
        page.goto("/notebook/memories/")
        arrive(page.get_by_role("switch").first)
        new_conversation(page, "I live in Rome")
        chip = page.locator(".chip-kept").last
        expect(chip).to_contain_text("Memory is off, so I don’t note anything.")
        looks_right(page, "not-kept-memory-off")
        arrive(chip.get_by_role("link", name="Turn it on"))
        expect(page).to_have_url(f"{house_with_model.url}/notebook/memories/")
