"""The privacy page in real Chromium: copies, and an account nearly deleted."""

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.live import PASSPHRASE, House, arrive, looks_right, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/notebook/privacy/"


def test_a_copy_is_made_downloaded_and_brought_back_into_another_account(
    browser: Browser, house: House, tmp_path: Path
) -> None:
    file = tmp_path / "copy.zip"
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "My name is Ada and I live in Rome")
        page.goto(PAGE)
        expect(page.locator("#restore-state")).to_contain_text("Forget everything first")
        looks_right(page, "privacy")
        arrive(page.get_by_role("button", name="Make a copy"))
        link = page.get_by_role("link", name="download")
        expect(link).to_be_visible(timeout=30_000)
        looks_right(page, "privacy-ready")
        with page.expect_download() as waiting:
            link.click()
        waiting.value.save_as(file)
    with zipfile.ZipFile(file) as archive:
        talk = next(name for name in archive.namelist() if "conversations/0" in name)
        assert "My name is Ada and I live in Rome" in archive.read(talk).decode()
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto(PAGE)
        looks_right(page, "restore-empty")
        page.get_by_label("ZIP file of your copy").set_input_files(__file__)
        arrive(page.get_by_role("button", name="Open it"))
        expect(page.get_by_role("alert")).to_contain_text("isn’t a ZIP file")
        page.get_by_label("ZIP file of your copy").set_input_files(file)
        arrive(page.get_by_role("button", name="Open it"))
        expect(page.locator("#restore-state")).to_contain_text("1 conversation and 2 messages")
        looks_right(page, "restore-preview")
        page.route("**/restore/progress/", lambda route: route.fulfill(status=204))
        arrive(page.get_by_role("button", name="Restore it"))
        if page.get_by_role("progressbar").count():
            looks_right(page, "restore-making")
        page.unroute("**/restore/progress/")
        link = page.get_by_role("link", name="History of the copy")
        expect(link).to_be_visible(timeout=30_000)
        # What the page counts elsewhere is as it is by now, too.
        expect(page.locator(".erase-counts")).to_contain_text("Messages2")
        looks_right(page, "restore-ready")
        arrive(link)
        expect(page.get_by_role("heading", level=1)).to_have_text("History of a copy")
        looks_right(page, "restored-history")
        new_conversation(page, "What is my name?")
        expect(page.locator("article.answer").last).to_contain_text("Ada")


def test_an_account_is_to_go_and_is_kept_after_all(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)
        page.goto(f"{PAGE}kept/?conversation_days=90")
        looks_right(page, "kept")
        page.goto(PAGE)
        arrive(page.get_by_role("link", name="Delete my account"))
        looks_right(page, "delete-account")
        page.get_by_label("Your password").fill("not the one")
        page.get_by_role("button", name="Delete my account").click()
        expect(page.locator(".field-error, [id$=_error]").first).to_be_visible()
        looks_right(page, "delete-account-wrong")
        page.get_by_label("Your password").fill(PASSPHRASE)
        arrive(page.get_by_role("button", name="Delete my account"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Your account will be deleted")
        looks_right(page, "delete-account-asked")
        arrive(page.get_by_role("button", name="Keep my account").first)
        expect(page.locator("body")).to_contain_text("Your account won’t be deleted.")
