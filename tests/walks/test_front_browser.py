"""The front door in real Chromium: landing, demo, sign-up and account menu."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import PASSPHRASE, House, an_address, arrive, looks_right, visitor

pytestmark = pytest.mark.browser
BAR = "This is a demo notebook. Nothing can be changed."


def test_a_visitor_looks_into_the_demo_signs_up_and_uses_the_account_menu(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        page.goto("/")
        looks_right(page, "landing")
        page.goto("/api/")
        looks_right(page, "api-intro")
        arrive(page.get_by_role("link", name="Open the reference"))
        page.locator("#memories_write summary").click()
        expect(page.locator("#memories_write table").first).to_be_visible()
        looks_right(page, "api-reference", whole=False)
        page.goto("/")
        arrive(page.get_by_role("button", name="See a demo notebook"))
        expect(page.get_by_text(BAR)).to_be_visible()
        looks_right(page, "look-profile", whole=False)
        page.goto("/talk/")
        looks_right(page, "look-talk", whole=False)
        arrive(page.get_by_role("button", name="Create your own"))
        expect(page.get_by_role("heading", name="Create your account")).to_be_visible()
        page.get_by_label("What should I call you?").fill("Noor")
        page.get_by_label("E-mail").fill(an_address())
        page.get_by_label("Password", exact=True).fill(PASSPHRASE)
        page.get_by_role("button", name="Show the password").click()
        expect(page.get_by_label("Password", exact=True)).to_have_attribute("type", "text")
        looks_right(page, "sign-up-filled")
        arrive(page.get_by_role("button", name="Start, and remember me"))
        expect(page.get_by_role("heading", name="Good to meet you, Noor.")).to_be_visible()

        page.goto("/notebook/timeline/")
        page.get_by_label("Account menu").click()
        looks_right(page, "account-menu", whole=False, sizes=["1280"])
        arrive(page.get_by_role("button", name="Dark", exact=True))
        expect(page.locator("html.theme-dark")).to_be_attached()
        page.get_by_label("Account menu").click()
        arrive(page.get_by_role("switch", name="Memory"))
        page.wait_for_url("**/notebook/timeline/")
        page.get_by_label("Account menu").click()
        expect(page.get_by_role("switch", name="Memory")).not_to_be_checked()
