"""The memories page in real Chromium: told in a talk, found, changed, paused, forgotten."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.live import House, looks_right, picture, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/notebook/memories/"
TOLD = [
    "I booked a flight to Lisbon for the 12th of May",
    "Remember that the boiler man comes on Tuesday at nine",
    "I'm training for a marathon in October",
]


def note_of(page: Page, word: str) -> Locator:
    """The note that says it; the name of a conversation beside another note may say it too."""
    return page.locator("#list .memory").filter(has=page.locator(".value", has_text=word))


def test_what_was_told_is_found_changed_paused_forgotten_and_brought_back(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, TOLD[0])
        for text in TOLD[1:]:
            say(page, text)
        page.goto(PAGE)
        notes = page.locator("#list .memory")
        expect(notes).to_have_count(3)
        edit = notes.first.get_by_role("link", name="Edit: ").get_attribute("href") or ""
        addresses = {
            "memory-add": PAGE + "add/",
            "memory-edit": edit,
            "memory-why": edit.replace("/edit/", "/why/"),
            "memories": PAGE,
        }
        for name, address in addresses.items():
            page.goto(address)
            looks_right(page, name)

        page.get_by_label("Search your memories by word or meaning").fill("plane")
        expect(notes).to_have_count(1)
        expect(notes).to_contain_text("flight to Lisbon")
        expect(page).to_have_url(f"{house.url}{PAGE}?q=plane&show=&kind=&sort=")
        page.get_by_role("link", name="Show all").click()
        expect(notes).to_have_count(3)

        marathon = note_of(page, "marathon")
        marathon.get_by_role("link", name="Edit: ").press("Enter")
        field = page.get_by_label("What should I remember?")
        expect(field).to_be_focused()
        field.fill("Training for a half marathon in October")
        page.get_by_label("How much it matters").select_option("Always in mind")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("[data-editor]")).to_have_count(0)
        expect(marathon).to_contain_text("half marathon")
        expect(marathon).to_contain_text("Always in mind")

        flight = note_of(page, "Lisbon")
        flight.locator("summary", has=page.locator("use[href$='#more']")).press("Enter")
        picture(page, "memories-menu")
        flight.get_by_role("button", name="Pause").click()
        expect(flight).to_contain_text("Paused by you")
        flight.locator("summary", has=page.locator("use[href$='#more']")).press("Enter")
        flight.get_by_role("button", name="Forget this").click()
        gone = page.locator("#list .fact", has_text="Forgotten")
        expect(gone.get_by_role("button", name="Bring back")).to_be_visible()
        gone.get_by_role("button", name="Bring back").press("Enter")
        expect(note_of(page, "Lisbon")).to_be_visible()


CHAT = "look what came [12:03] Tom: I live in Bergen and I work at Google"


def test_all_that_waits_is_declined_by_keyboard_and_can_be_brought_back(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, CHAT)
        page.goto(PAGE)
        waiting = page.locator("#waiting")
        expect(waiting.locator(".waiting-row")).to_have_count(2)
        looks_right(page, "waiting")
        keep = waiting.get_by_role("button", name="Keep all 2 from")
        keep.focus()
        page.keyboard.press("Tab")
        decline = waiting.get_by_role("button", name="Decline all 2 from")
        expect(decline).to_be_focused()
        page.keyboard.press("Enter")
        receipt = waiting.locator("[data-return]")
        expect(receipt).to_contain_text("Declined all 2.")
        expect(receipt).to_be_focused()
        looks_right(page, "declined-all")
        expect(waiting.locator(".waiting-row")).to_have_count(0)
        page.goto(PAGE + "?show=gone")
        back = page.get_by_role("button", name="Bring back")
        expect(back).to_have_count(2)
        back.first.press("Enter")
        expect(back).to_have_count(1)
        page.goto(PAGE)
        expect(page.locator("#waiting .waiting-row")).to_have_count(1)
