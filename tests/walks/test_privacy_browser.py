"""The privacy page in real Chromium: copies, imports, and an account nearly deleted."""

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.live import PASSPHRASE, House, arrive, looks_right, sign_up, visitor
from tests.privacy.exports import talk, zipped
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/notebook/privacy/"


def test_a_copy_is_made_while_its_owner_looks_on_and_downloaded(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "I live in Rome and work at Initech")
        page.goto(PAGE)
        looks_right(page, "privacy")
        page.get_by_label("History", exact=True).uncheck()
        arrive(page.get_by_role("button", name="Make a copy"))
        link = page.get_by_role("link", name="download")
        expect(link).to_be_visible(timeout=30_000)
        looks_right(page, "privacy-ready")
        with page.expect_download() as waiting:
            link.click()
        with zipfile.ZipFile(waiting.value.path()) as archive:
            names = archive.namelist()
            said = archive.read(next(name for name in names if "conversations/0" in name)).decode()
        assert "I live in Rome and work at Initech" in said
        assert "readable/history.md" not in names


def test_what_is_being_made_shows_how_far_it_is(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto(PAGE)
        page.route("**/copy/progress/", lambda route: route.fulfill(status=204))
        arrive(page.get_by_role("button", name="Make a copy"))
        if page.get_by_role("progressbar").count():
            looks_right(page, "privacy-making")
        page.unroute("**/copy/progress/")
        expect(page.get_by_role("link", name="download")).to_be_visible(timeout=30_000)


def test_how_long_is_chosen_and_a_consent_is_withdrawn(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "I live in Rome and work at Initech")
        page.goto(PAGE)
        looks_right(page, "privacy-kept")
        page.get_by_label("Conversations, after the last message").select_option("90 days")
        arrive(page.get_by_role("button", name="See what would be deleted"))
        expect(page.locator("main")).to_contain_text("Nothing will be deleted now.")
        looks_right(page, "kept")
        arrive(page.get_by_role("button", name="Save"))
        field = page.get_by_label("Conversations, after the last message")
        expect(field).to_have_value("90")
        arrive(page.get_by_role("button", name="Withdraw"))
        expect(page.locator("body")).to_contain_text("Withdrawn.")
        page.get_by_text("Changes", exact=True).click()
        expect(page.locator("main")).to_contain_text("Remembering across conversations, On to Off")
        looks_right(page, "privacy-withdrawn")


def test_a_temporary_conversation_says_so_and_can_be_kept(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto("/talk/")
        page.locator(".composer-menu summary").click()
        page.get_by_label("Temporary").check()
        page.locator("#id_content").fill("I live in Rome")
        page.locator("#id_content").press("Enter")
        page.wait_for_url("**/talk/*-*/")
        page.locator("article.answer:not([aria-busy])").first.wait_for(timeout=15_000)
        expect(page.locator(".privacy-tag")).to_contain_text("Temporary")
        looks_right(page, "temporary")
        arrive(page.get_by_role("button", name="Keep it"))
        expect(page.locator(".privacy-tag")).to_contain_text("Private")


def test_an_account_is_to_go_and_is_kept_after_all(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)
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


def test_a_copy_is_brought_back_into_another_account(
    browser: Browser, house: House, tmp_path: Path
) -> None:
    file = tmp_path / "copy.zip"
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "My name is Ada and I live in Rome")
        page.goto(PAGE)
        expect(page.locator("#restore-state")).to_contain_text("Forget everything first")
        arrive(page.get_by_role("button", name="Make a copy"))
        link = page.get_by_role("link", name="download")
        expect(link).to_be_visible(timeout=30_000)
        with page.expect_download() as waiting:
            link.click()
        waiting.value.save_as(file)
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto(PAGE)
        looks_right(page, "restore-empty")
        page.get_by_label("ZIP file of your copy").set_input_files(__file__)
        arrive(page.get_by_role("button", name="Open it"))
        expect(page.get_by_role("alert")).to_contain_text("isn’t a ZIP file")
        looks_right(page, "restore-refused")
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


def test_an_export_of_another_assistant_is_imported_and_undone(
    browser: Browser, house: House, tmp_path: Path
) -> None:
    file = tmp_path / "export.zip"
    file.write_bytes(zipped(conversations=[talk("life", "I live in Lisbon.", "Nice!"), {}]))
    with visitor(browser, house, size="390") as page:
        sign_up(page)
        page.goto(PAGE)
        arrive(page.get_by_role("link", name="Import a file"))
        looks_right(page, "import-empty")
        page.get_by_label("Or paste memories").fill("I like tea.")
        arrive(page.get_by_role("button", name="See what’s in it"))
        expect(page.get_by_role("alert")).to_contain_text("isn’t a JSON file")
        expect(page.get_by_label("Or paste memories")).to_have_value("I like tea.")
        looks_right(page, "import-refused")
        page.get_by_label("File from another assistant").set_input_files(file)
        arrive(page.get_by_role("button", name="See what’s in it"))
        expect(page.locator("#import-state")).to_contain_text("1 conversation and 2 messages")
        looks_right(page, "import-preview")
        arrive(page.get_by_role("button", name="Import it"))
        undo = page.locator("summary", has_text="Undo")
        expect(undo).to_be_visible(timeout=30_000)
        undo.click()
        looks_right(page, "import-ready")
        arrive(page.get_by_role("button", name="Remove it all"))
        expect(page.locator("#import-state")).to_contain_text("Import removed", timeout=30_000)
        looks_right(page, "import-undone")
