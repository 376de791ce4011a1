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


def test_tokens_are_made_after_the_password_used_and_revoked(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto("/account/")
        page.get_by_role("link", name="Manage API tokens").press("Enter")
        expect(page.get_by_role("heading", name="No tokens yet")).to_be_visible()
        page.get_by_label("What is it for?").fill("Laptop script")
        page.get_by_label("30 days").check()
        page.get_by_role("button", name="Create token").press("Enter")
        expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
        looks_right(page, "tokens-password")
        page.get_by_label("Your password").fill(PASSPHRASE)
        page.get_by_role("button", name="Continue").press("Enter")
        secret = page.get_by_label("Your new token").input_value()
        headers = {"Authorization": f"Token {secret}"}
        request = page.context.request
        assert request.get("/api/v1/profile", headers=headers).status == 200
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy token").press("Enter")
        expect(page.locator("#status")).to_contain_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == secret
        looks_right(page, "tokens-made")
        page.goto(PAGE)
        assert secret not in page.content()
        expect(page.locator(".rows")).to_contain_text("last used today")
        page.get_by_role("button", name="Revoke Laptop script").press("Enter")
        expect(page.get_by_role("heading", name="No tokens yet")).to_be_visible()

        page.get_by_label("What is it for?").fill("Support bot")
        page.get_by_label("Create users and act for them").check()
        page.get_by_role("button", name="Create token").press("Enter")
        service = {"Authorization": f"Token {page.get_by_label('Your new token').input_value()}"}
        sent = {"external_id": "u-1"}
        assert request.post("/api/v1/people", headers=service, data=sent).status == 201
        acting = service | {"X-Act-As": "u-1"}
        assert request.get("/api/v1/profile", headers=acting).status == 200
        page.goto(PAGE)
        expect(page.locator(".rows")).to_contain_text("Can create people and act for them")
        page.get_by_text("Limit it to certain parts of memory").press("Enter")
        looks_right(page, "tokens-service")
        page.goto("/accounts/password/change/")
        looks_right(page, "tokens-change")
        page.context.clear_cookies()
        assert request.get("/api/v1/profile", headers=headers).status == 401
