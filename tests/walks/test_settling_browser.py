"""Settling, the profile and privacy in real Chromium: by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.live import House, arrive, last_answer, looks_right, picture, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
GAP_ABOVE_THE_COMPOSER = """
    composer.getBoundingClientRect().top
    - document.querySelector(".private-deeds").getBoundingClientRect().bottom
"""
PROFILE = "/notebook/profile/"


def disputed(page: Page) -> None:
    """A newcomer who told of two employers, and stands on the page about them."""
    sign_up(page)
    new_conversation(page, "I work at Google")
    say(page, "I work at Microsoft since last week")
    page.get_by_role("link", name="See both sides").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Where do you work?")


def test_a_conflict_is_settled_by_days_undone_and_settled_by_keyboard(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        disputed(page)
        address = page.url
        days = page.get_by_label("Microsoft since")
        page.get_by_label("Google is right").check()
        expect(days).to_be_hidden()
        page.get_by_label("Both, one after the other").check()
        expect(days).to_be_visible()
        days.fill("2999-01-01")
        page.get_by_role("button", name="Settle it").click()
        expect(days).to_have_accessible_description(re.compile("in the future"))
        looks_right(page, "settle-error")
        page.get_by_label("Google until").fill("2024-03-13")
        days.fill("2024-03-14")
        page.get_by_role("button", name="Settle it").click()
        settled = "Microsoft since 14 March 2024. Before that: Google."
        expect(page.locator(".settled-list")).to_contain_text(settled)
        looks_right(page, "settled-list")
        page.goto(address)
        expect(page.locator("main")).to_contain_text("You settled it today.")
        looks_right(page, "settled")
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="Settle it")).to_be_visible()
        expect(page.locator("#status")).to_contain_text("The conflict is open again")

        page.goto(address)
        page.get_by_role("link", name="Conflicts").last.focus()
        first = page.get_by_label("Both, one after the other")
        for _ in range(30):
            page.keyboard.press("Tab")
            if first.evaluate("e => e === document.activeElement"):
                break
        page.keyboard.press("Space")
        for _ in range(3):
            page.keyboard.press("ArrowDown")
        expect(page.get_by_label("Something else")).to_be_checked()
        page.keyboard.press("Tab")
        page.keyboard.type("Google, on loan")
        page.keyboard.press("Enter")
        expect(page.locator(".settled-list")).to_contain_text("Google, on loan.")


def test_the_card_settles_and_undoes_in_the_conversation(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "I live in Lyon")
        say(page, "I live in Nantes")
        page.get_by_role("button", name="Nantes is right").press("Enter")
        chip = page.locator(".chip").filter(has_text="Changed")
        expect(chip).to_contain_text("Lives in Nantes, was Lyon")
        expect(chip).to_be_focused()
        picture(page, "card-settled")
        chip.get_by_role("button", name="Undo").press("Enter")
        expect(page.get_by_role("button", name="Lyon is right")).to_be_visible()
        expect(page.locator("[data-open-conflicts]").first).to_contain_text("1")
        say(page, "Nantes")
        expect(page.locator("article.answer").last).to_contain_text("Lives in Nantes, was Lyon")
        # The question higher up is answered too.
        expect(page.get_by_role("button", name="Lyon is right")).to_have_count(0)
        expect(page.get_by_text("Changed", exact=True)).to_have_count(1)


def open_the_rest(row: Locator) -> None:
    """The editor of a line, with what is folded away in it."""
    row.get_by_role("link", name="Edit").press("Enter")
    row.page.get_by_text("More options").press("Enter")


def test_a_line_is_dated_ended_kept_to_one_talk_and_closed(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "I work at Acme and I live in Bern")
        page.goto(PROFILE)
        page.get_by_label("Search your profile").fill("bern")
        row = page.locator(".fact")
        expect(row).to_have_count(1)
        page.get_by_role("link", name="Show all").click()
        expect(row).to_have_count(2)

        work = page.locator(".fact", has_text="Employer")
        work.get_by_role("link", name="Edit").press("Enter")
        expect(page.get_by_label("What should I remember?")).to_be_focused()
        page.get_by_label("True since").fill("2999-01-01")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_label("True since")).to_have_accessible_description(
            re.compile("in the future")
        )
        page.get_by_label("True since").fill("2024-03-14")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("[data-editor]")).to_have_count(0)

        work.get_by_role("link", name="Edit").press("Enter")
        expect(page.locator("[data-editor]")).to_contain_text("I have: 14 March 2024")
        page.get_by_text("More options").press("Enter")
        page.get_by_label("True until").fill("2025-01-01")
        page.get_by_role("button", name="It has ended").click()
        gone = page.locator(".fact-gone")
        expect(gone).to_contain_text("Ended, and kept in your history")
        gone.get_by_role("button", name="Bring back").press("Enter")
        expect(work).to_contain_text("Acme")

        open_the_rest(work)
        looks_right(page, "profile-editor")
        page.get_by_role("button", name="Only there").click()
        expect(gone).to_contain_text("Now only in its conversation")
        page.goto("/talk/")
        page.locator(".side-items a[href^='/talk/0']").first.click()
        page.get_by_role("button", name="Use everywhere").press("Enter")
        expect(page.get_by_role("button", name="Use everywhere")).to_have_count(0)

        page.goto(PROFILE)
        open_the_rest(work)
        page.get_by_role("link", name="Never note this").click()
        expect(page.locator("main")).to_contain_text("Acme")
        looks_right(page, "never")
        page.get_by_role("button", name="Never note this").click()
        expect(page.locator(".page-foot")).to_contain_text("Never noted: Employer")
        expect(work).to_have_count(0)
        page.get_by_role("button", name="Allow again").click()
        expect(page.locator(".page-foot")).not_to_contain_text("Employer")


def test_a_conversation_is_private_and_the_switches_save_at_once(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto("/talk/")
        page.locator(".composer-menu summary").click()
        page.locator("#id_private").check()
        page.locator("#id_content").fill("I work at Acme")
        page.locator("#id_content").press("Enter")
        page.wait_for_url("**/talk/*-*/")
        line = page.locator(".private-line")
        expect(line).to_contain_text("I don’t note anything here or use it elsewhere")
        expect(page.locator(".side-items").last).to_contain_text("private")
        new_conversation(page, "Where do I work?")
        assert "Acme" not in last_answer(page)
        new_conversation(page, "I live in Bern. Call me Nicky in this chat.")
        page.get_by_label("Conversation menu").click()
        looks_right(page, "privacy-menu")
        arrive(page.get_by_role("button", name="Private"))
        looks_right(page, "private")
        forget = page.get_by_role("button", name="Forget the one thing I noted here")
        assert page.evaluate(GAP_ABOVE_THE_COMPOSER) >= 8
        arrive(forget)
        expect(page.locator(".private-deeds")).to_contain_text("Forgotten: 1 thing.")
        page.goto("/notebook/privacy/")
        page.get_by_role("switch", name="Ask before adding a fact to your profile").press("Enter")
        expect(page.locator("#status")).to_contain_text("I ask before I note anything new.")
        page.get_by_role("switch", name="Settle clear conflicts automatically").click()
        expect(page.get_by_role("switch", name="Settle clear")).to_be_checked()
