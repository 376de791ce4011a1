"""The front door in real Chromium: landing, demo, sign-up, account menu; without scripts too."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import PASSPHRASE, House, an_address, arrive, looks_right, sign_up, visitor

pytestmark = pytest.mark.browser
BAR = "This is a demo notebook. Nothing can be changed."


def look(page: Page) -> None:
    page.goto("/")
    arrive(page.get_by_role("button", name="See a demo notebook"))


def test_a_visitor_looks_into_the_demo_and_leaves_for_an_account(
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
        look(page)
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


@pytest.mark.parametrize("script", [True, False])
def test_the_account_menu_switches_theme_and_memory_in_place(
    browser: Browser, house: House, *, script: bool
) -> None:
    with visitor(browser, house, script=script) as page:
        sign_up(page)
        page.goto("/notebook/timeline/")
        page.get_by_label("Account menu").click()
        if script:
            looks_right(page, "account-menu", whole=False, sizes=["1280"])
        arrive(page.get_by_role("button", name="Dark", exact=True))
        expect(page.locator("html.theme-dark")).to_be_attached()
        page.get_by_label("Account menu").click()
        arrive(page.get_by_role("switch", name="Memory"))
        page.wait_for_url("**/notebook/timeline/")
        page.get_by_label("Account menu").click()
        expect(page.get_by_role("switch", name="Memory")).not_to_be_checked()


def test_without_scripts_the_demo_is_read_and_left_and_no_password_is_shown(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house, script=False) as page:
        page.goto("/accounts/login/")
        expect(page.get_by_role("button", name="Show the password")).to_have_count(0)
        look(page)
        page.goto("/talk/")
        expect(page.get_by_text("Create your own to start talking.")).to_be_visible()
        expect(page.locator("#id_content")).to_have_count(0)
        page.goto("/notebook/profile/")
        expect(page.get_by_role("link", name="Add a fact")).to_have_count(0)
        expect(page.get_by_role("button", name="Still true")).to_have_count(0)
        page.goto("/notebook/privacy/")
        expect(page.get_by_role("heading", name="This is a demo notebook")).to_be_visible()
        arrive(page.get_by_role("button", name="Leave"))
        expect(page.get_by_text(BAR)).to_have_count(0)
