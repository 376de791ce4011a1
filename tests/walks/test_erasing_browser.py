"""Erasing for good in real Chromium: what would go, the deed, its receipt, and all receipts."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import House, arrive, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PROFILE = "/notebook/profile/"
FORGET = "/account/forget-everything/"


def test_a_fact_a_conversation_and_everything_are_erased_and_leave_receipts(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)
        new_conversation(page, "I work at Qwertzfirm and I live in Bern")
        told = page.url
        page.goto("/notebook/privacy/")
        arrive(page.get_by_role("button", name="Make a copy"))
        expect(page.get_by_role("link", name="download")).to_be_visible(timeout=30_000)

        page.goto(PROFILE)
        page.get_by_role("link", name="Why I’m this sure of: Employer").click()
        page.get_by_role("link", name="Erase for good").click()
        expect(page.locator("main")).to_contain_text("1 copy of your data.")
        expect(page.locator("main")).to_contain_text("This can’t be undone")
        looks_right(page, "erase-preview")
        arrive(page.get_by_role("button", name="Erase for good"))
        arrive(page.get_by_role("link", name="See the receipt"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Erased: one fact (Employer)")
        expect(page.locator("main")).to_contain_text("Nothing is left.")
        looks_right(page, "receipt")
        for address in (PROFILE, "/notebook/history/", "/notebook/timeline/"):
            page.goto(address)
            assert "Qwertzfirm" not in page.content(), address
        page.goto(told)
        expect(page.locator("#log")).to_contain_text("I work at Qwertzfirm")

        new_conversation(page, "My sister Olga keeps goats in the valley behind Thistlewick")
        conversation = page.url.partition("?")[0].partition("#")[0]
        page.goto(f"{conversation}delete/")
        expect(page.locator("main")).to_contain_text("2 messages.")
        looks_right(page, "delete-conversation")
        arrive(page.get_by_role("button", name="Delete it"))
        arrive(page.get_by_role("link", name="See the receipt"))
        expect(page.locator("main")).to_contain_text("Nothing is left.")

        page.goto("/account/")
        page.get_by_role("link", name="See what would be deleted").press("Enter")
        page.get_by_role("heading", name="What will be deleted").wait_for()
        words = page.get_by_label("To confirm, type: forget everything")
        words.fill("yes")
        words.press("Enter")
        expect(page.get_by_text("Nothing was forgotten.")).to_be_visible()
        expect(words).to_be_focused()
        looks_right(page, "forget-everything-not")
        words.fill("Forget everything")
        words.press("Enter")
        expect(page.get_by_role("heading", name="Everything is forgotten")).to_be_visible()
        expect(page.locator("main")).to_contain_text("Nothing is left.")
        looks_right(page, "receipt-everything")
        arrive(page.get_by_role("link", name="See the receipt"))
        arrive(page.get_by_role("link", name="Receipts"))
        expect(page.locator("main .rows > li")).to_have_count(3)
        looks_right(page, "receipts")
        page.goto(FORGET)
        expect(page.get_by_role("heading", name="There’s nothing to forget")).to_be_visible()
        assert page.request.get(told).status == 404
