"""An import in real Chromium: looked at, watched, decided about, and undone."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.live import House, arrive, looks_right, sign_up, visitor
from tests.privacy.exports import talk, zipped
from tests.privacy.test_import_decisions import LIKES, WORK

pytestmark = pytest.mark.browser
PAGE = "/notebook/privacy/import/"
TRIP = talk(
    "t",
    "I booked a flight to Lisbon for the 12th of May",
    "Have fun!",
    "I am training for a marathon in October",
    at=1_700_000_000.0,
)
EXPORT = zipped(conversations=[*WORK, *LIKES, TRIP, {}])


def saving(page: Page, kind: str) -> Locator:
    """The button that saves the decision about a kind of fact."""
    form = page.locator("form", has=page.get_by_role("group", name=kind))
    return form.get_by_role("button", name="Save")


def test_an_import_is_watched_decided_about_and_undone(
    browser: Browser, house: House, tmp_path: Path
) -> None:
    with visitor(browser, house) as page:
        file = tmp_path / "export.zip"
        file.write_bytes(EXPORT)
        sign_up(page)
        page.goto(PAGE)
        looks_right(page, "import-empty")
        page.get_by_label("Or paste memories").fill("I like tea.")
        arrive(page.get_by_role("button", name="See what’s in it"))
        expect(page.get_by_role("alert")).to_contain_text("isn’t a JSON file")
        expect(page.get_by_label("Or paste memories")).to_have_value("I like tea.")
        page.get_by_label("File from another assistant").set_input_files(file)
        arrive(page.get_by_role("button", name="See what’s in it"))
        expect(page.locator("#import-state")).to_contain_text("6 conversations")
        looks_right(page, "import-look")
        page.route("**/import/progress/", lambda route: route.fulfill(status=204))
        arrive(page.get_by_role("button", name="Import it"))
        if page.get_by_role("progressbar").count():
            looks_right(page, "import-progress")
        page.unroute("**/import/progress/")
        link = page.get_by_role("link", name="Choose what’s true of you")
        expect(link).to_be_visible(timeout=60_000)
        arrive(link)
        looks_right(page, "import-decide")
        arrive(saving(page, "Employer"))
        expect(page.get_by_role("group", name="Employer")).to_have_count(0)
        arrive(page.get_by_role("button", name="Decline everything in this import"))
        expect(page.locator("main")).to_contain_text("There’s nothing waiting for you here.")
        looks_right(page, "import-declined")
        page.goto("/notebook/profile/")
        expect(page.locator("main")).to_contain_text("Zephyrsoft")
        page.goto(PAGE)
        page.locator("summary", has_text="Undo").click()
        arrive(page.get_by_role("button", name="Remove it all"))
        expect(page.locator("#import-state")).to_contain_text("Import removed", timeout=60_000)
        page.goto("/notebook/erasures/")
        arrive(page.get_by_role("link", name="An import"))
        looks_right(page, "import-receipt")
