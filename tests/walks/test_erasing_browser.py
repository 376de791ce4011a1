"""Erasing for good in real Chromium: by mouse, by keyboard, without a script, in a stale window."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, arrive, complaints_of_axe, looks_right, picture, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PROFILE = "/notebook/profile/"
DONE = "Erased for good: Employer. Your own messages are kept."


def told(page: Page) -> str:
    """A newcomer who told of an employer in two conversations; the address of the second."""
    sign_up(page)
    new_conversation(page, "I work at Qwertzfirm and I live in Bern")
    new_conversation(page, "I still work at Qwertzfirm")
    return page.url


def test_a_line_is_erased_from_its_editor_and_only_the_letter_is_left(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        conversation = told(page)
        page.goto(PROFILE)
        page.get_by_role("link", name="Edit: Employer").click()
        page.get_by_text("More options").click()
        page.get_by_role("link", name="Erase for good").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Erase this for good?")
        expect(page.locator("main")).to_contain_text("This can’t be undone")
        page.get_by_role("button", name="Erase for good").click()
        expect(page.locator("#status")).to_contain_text(DONE)
        for address in (PROFILE, "/notebook/history/", "/notebook/timeline/"):
            page.goto(address)
            assert "Qwertzfirm" not in page.content(), address
        page.goto(conversation)
        expect(page.locator("#log")).to_contain_text("I still work at Qwertzfirm")
        new_conversation(page, "Where do I work?")
        assert "Qwertzfirm" not in page.locator("#log").inner_text()


def test_a_removed_value_is_erased_from_the_history_by_keyboard_alone(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        told(page)
        page.goto(PROFILE)
        page.get_by_role("link", name="Edit: Employer").focus()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Forget this").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".fact-gone")).to_contain_text("Forgotten")
        page.goto("/notebook/history/")
        page.get_by_role("link", name="Erase for good").first.focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", level=1).wait_for()
        button = page.get_by_role("button", name="Erase for good")
        page.get_by_role("link", name="never to note this kind").focus()
        page.keyboard.press("Tab")
        expect(button).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#status")).to_contain_text(DONE)


def test_erasing_works_without_a_script(browser: Browser, house: House) -> None:
    with visitor(browser, house, script=False) as page:
        sign_up(page)
        page.locator("#id_content").fill("I work at Qwertzfirm")
        arrive(page.get_by_role("button", name="Send"))
        page.goto(PROFILE)
        page.get_by_role("link", name="Why I’m this sure of: Employer").click()
        page.get_by_role("link", name="Erase for good").click()
        page.get_by_role("button", name="Erase for good").click()
        expect(page.locator("#status")).to_contain_text(DONE)
        expect(page.locator("main")).not_to_contain_text("Qwertzfirm")


def test_a_second_window_that_is_stale_is_told_in_words(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        told(page)
        page.goto(PROFILE)
        page.get_by_role("link", name="Why I’m this sure of: Employer").click()
        page.get_by_role("link", name="Erase for good").click()
        other = page.context.new_page()
        other.goto(page.url)
        page.get_by_role("button", name="Erase for good").click()
        expect(page.locator("#status")).to_contain_text(DONE)
        other.get_by_role("button", name="Erase for good").click()
        expect(other.locator("#status")).to_contain_text("That fact has already been erased.")


def test_axe_finds_nothing_and_nothing_spills_over(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        told(page)
        say(page, "Is the Qwertzfirm choir any good?")
        new_conversation(page, "I work at Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogo")
        for text in ("Sings in the choir of Qwertzfirm on Monday", "Cycles to Qwertzfirm in May"):
            page.goto("/notebook/memories/add/")
            page.get_by_label("What should I remember?").fill(text)
            page.get_by_role("button", name="Save").click()
            page.wait_for_url("**/notebook/memories/**sort=newest**")
        page.goto("/notebook/conflicts/")
        arrive(page.locator("main a[href*='/notebook/conflicts/0']").first)
        looks_right(page, "erase-sides")
        for name, place in (("erase", 0), ("erase-long", 1)):
            page.goto("/notebook/conflicts/")
            page.locator("main a[href*='/notebook/conflicts/0']").first.click()
            page.get_by_role("link", name="Erase for good").nth(place).click()
            page.get_by_role("heading", name="What will be deleted").wait_for()
            looks_right(page, name)
        arrive(page.get_by_role("button", name="Erase for good"))
        page.goto("/notebook/history/")
        looks_right(page, "erased-history")


def test_everything_is_forgotten_from_the_account_page_by_keyboard(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house, size="390", dark=True) as page:
        conversation = told(page)
        page.goto("/account/")
        page.get_by_role("link", name="See what would be deleted").press("Enter")
        page.get_by_role("heading", name="What will be deleted").wait_for()
        picture(page, "forget-everything", whole=True)
        assert complaints_of_axe(page) == [], "asking"
        words = page.get_by_label("To confirm, type: forget everything")
        words.fill("yes")
        words.press("Enter")
        expect(page.get_by_text("Nothing was forgotten.")).to_be_visible()
        picture(page, "forget-everything-not", whole=True)
        expect(words).to_be_focused()
        assert complaints_of_axe(page) == [], "other words"
        words.fill("Forget everything")
        words.press("Enter")
        expect(page.get_by_role("heading", name="Everything is forgotten")).to_be_visible()
        picture(page, "forget-everything-done", whole=True)
        assert complaints_of_axe(page) == [], "receipt"
        page.get_by_role("link", name="See it in your history").click()
        expect(page.locator(".history-line")).to_contain_text("You deleted everything")
        page.goto("/account/forget-everything/")
        expect(page.get_by_role("heading", name="There’s nothing to forget")).to_be_visible()
        picture(page, "forget-everything-again", whole=True)
        assert page.request.get(conversation).status == 404
