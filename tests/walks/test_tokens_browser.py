"""Tokens in real Chromium: made after the password, copied, tried, revoked."""

import pytest
from playwright.sync_api import Browser, expect

from tests.live import (
    PASSPHRASE,
    House,
    looks_right,
    sign_up,
    visitor,
)

pytestmark = pytest.mark.browser
PAGE = "/account/tokens/"


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_token_is_made_after_the_password_used_and_revoked(
    browser: Browser, house: House, script: bool
) -> None:
    with visitor(browser, house, script=script) as page:
        sign_up(page)
        page.goto("/account/")
        page.get_by_role("link", name="Manage API tokens").press("Enter")
        expect(page.get_by_role("heading", name="No tokens yet")).to_be_visible()
        page.get_by_label("What is it for?").fill("Laptop script")
        page.get_by_label("30 days").check()
        page.get_by_role("button", name="Create token").press("Enter")
        page.get_by_label("Your password").fill(PASSPHRASE)
        page.get_by_role("button", name="Continue").press("Enter")
        secret = page.get_by_label("Your new token").input_value()
        headers = {"Authorization": f"Token {secret}"}
        answer = page.context.request.get("/api/v1/profile", headers=headers)
        assert answer.status == 200
        if script:
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            page.get_by_role("button", name="Copy token").press("Enter")
            expect(page.locator("#status")).to_contain_text("Copied.")
            assert page.evaluate("navigator.clipboard.readText()") == secret
        page.goto(PAGE)
        assert secret not in page.content()
        expect(page.locator(".rows")).to_contain_text("last used today")
        page.get_by_role("button", name="Revoke Laptop script").press("Enter")
        expect(page.get_by_role("heading", name="No tokens yet")).to_be_visible()
        page.context.clear_cookies()
        assert page.context.request.get("/api/v1/profile", headers=headers).status == 401


def test_axe_finds_nothing_and_nothing_spills_over(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)

        page.goto(PAGE)
        looks_right(page, "tokens-empty")
        page.get_by_label("What is it for?").fill(
            "A script with quite a long name, for the reports"
        )
        page.get_by_role("button", name="Create token").press("Enter")
        expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
        looks_right(page, "tokens-password")
        page.get_by_label("Your password").fill(PASSPHRASE)
        page.get_by_role("button", name="Continue").press("Enter")
        expect(page.get_by_label("Your new token")).to_be_visible()
        looks_right(page, "tokens-made")
        page.goto("/accounts/email/")
        looks_right(page, "tokens-address")
        page.goto("/accounts/password/change/")
        looks_right(page, "tokens-change")


def test_a_service_token_is_made_creates_people_and_tells_how_many(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto(PAGE)
        page.get_by_label("What is it for?").fill("Support bot")
        page.get_by_label("Create users and act for them").check()
        page.get_by_role("button", name="Create token").press("Enter")
        page.get_by_label("Your password").fill(PASSPHRASE)
        page.get_by_role("button", name="Continue").press("Enter")
        secret = page.get_by_label("Your new token").input_value()
        headers = {"Authorization": f"Token {secret}"}
        for name in ("u-1", "u-2"):
            sent = {"external_id": name}
            answer = page.context.request.post("/api/v1/people", headers=headers, data=sent)
            assert answer.status == 201
        acting = headers | {"X-Act-As": "u-1"}
        assert page.context.request.get("/api/v1/profile", headers=acting).status == 200
        page.goto(PAGE)
        rows = page.locator(".rows")
        expect(rows).to_contain_text("Can create people and act for them (two people)")
        expect(rows).to_contain_text("last used today")
        page.get_by_label("What is it for?").fill("Reports")
        page.get_by_label("Only read").check()
        page.get_by_text("Limit it to certain parts of memory").press("Enter")
        page.get_by_label("shared.people").check()
        page.get_by_role("button", name="Create token").press("Enter")
        expect(rows).to_contain_text("Can only read; can use only shared.people")
        page.goto(PAGE)
        page.get_by_text("Limit it to certain parts of memory").press("Enter")
        looks_right(page, "tokens-service")
