"""Receipts of erasures in real Chromium: what would go, the receipt, the list of them all."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, arrive, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser


def test_a_fact_a_conversation_and_everything_leave_receipts_that_can_be_opened(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)
        new_conversation(page, "I work at Qwertzfirm and I live in Bern")
        page.goto("/notebook/privacy/")
        arrive(page.get_by_role("button", name="Make a copy"))
        expect(page.get_by_role("link", name="download")).to_be_visible(timeout=30_000)
        page.goto("/notebook/profile/")
        page.get_by_role("link", name="Why I’m this sure of: Employer").click()
        page.get_by_role("link", name="Erase for good").click()
        expect(page.locator("main")).to_contain_text("1 copy of your data.")
        looks_right(page, "erase-preview")
        arrive(page.get_by_role("button", name="Erase for good"))
        arrive(page.get_by_role("link", name="See the receipt"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Erased: one fact (Employer)")
        expect(page.locator("main")).to_contain_text("Nothing is left.")
        looks_right(page, "receipt")
        new_conversation(page, "My sister Olga keeps goats in the valley behind Thistlewick")
        conversation = page.url.partition("?")[0].partition("#")[0]
        page.goto(f"{conversation}delete/")
        expect(page.locator("main")).to_contain_text("2 messages.")
        looks_right(page, "delete-conversation")
        arrive(page.get_by_role("button", name="Delete it"))
        arrive(page.get_by_role("link", name="See the receipt"))
        expect(page.locator("main")).to_contain_text("Nothing is left.")
        page.goto("/account/forget-everything/")
        page.get_by_label("To confirm, type: forget everything").fill("forget everything")
        arrive(page.get_by_role("button", name="Forget everything"))
        expect(page.locator("main")).to_contain_text("Nothing is left.")
        looks_right(page, "receipt-everything")
        arrive(page.get_by_role("link", name="See the receipt"))
        arrive(page.get_by_role("link", name="Receipts"))
        expect(page.locator("main .rows > li")).to_have_count(3)
        looks_right(page, "receipts")


def test_a_receipt_is_reached_and_read_without_a_script(browser: Browser, house: House) -> None:
    with visitor(browser, house, script=False) as page:
        sign_up(page)
        page.locator("#id_content").fill("I work at Qwertzfirm")
        arrive(page.get_by_role("button", name="Send"))
        page.goto("/notebook/profile/")
        page.get_by_role("link", name="Why I’m this sure of: Employer").click()
        page.get_by_role("link", name="Erase for good").click()
        page.get_by_role("button", name="Erase for good").click()
        page.get_by_role("link", name="See the receipt").click()
        expect(page.locator("main")).to_contain_text("Nothing is left.")
        expect(page.locator("main")).not_to_contain_text("Qwertzfirm")
