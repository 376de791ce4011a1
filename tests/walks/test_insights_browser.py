"""Insights and an opened answer in real Chromium: by keyboard, without a script, for axe."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
TWO_FRAMES = "() => new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))"
AT_END = "innerHeight + scrollY >= document.documentElement.scrollHeight - 2"


def talk(page: Page) -> str:
    """A newcomer who has told something and asked for it; where."""
    sign_up(page)
    new_conversation(page, "I live in Lisbon and my dog is called Wilhelmina")
    new_conversation(page, "Where do I live?")
    return page.url


def test_an_answer_is_opened_and_closed_by_keyboard_in_its_place(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        talk(page)
        opener = page.locator("details.opened > summary").last
        opener.press("Enter")
        used = page.locator(".opened-used")
        expect(used).to_contain_text("Lisbon")
        expect(page.locator(".opened-took")).to_contain_text("not used")
        opener.press("Enter")
        expect(used).to_be_hidden()
        # An answer that has just been written opens too.
        say(page, "What is my dog called?")
        page.locator("details.opened > summary").last.press("Enter")
        expect(page.locator(".opened-used").last).to_contain_text("Wilhelmina")


def test_opening_an_answer_leaves_the_reader_in_place_and_the_next_reply_is_followed(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        page.set_viewport_size({"width": 1280, "height": 420})
        talk(page)
        page.wait_for_function(AT_END)
        before = page.evaluate("scrollY")
        opener = page.locator("details.opened > summary").last
        opener.click()
        page.locator(".opened-took").wait_for()
        # The page has grown and been drawn twice: a jump to the end would have come.
        page.evaluate(TWO_FRAMES)
        assert page.evaluate("scrollY") == before
        assert not page.evaluate(AT_END)
        say(page, "What is my dog called?")
        page.wait_for_function(AT_END)


def test_a_note_is_left_out_by_keyboard_in_the_opened_answer(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        page.goto("/notebook/memories/add/")
        page.get_by_label("What should I remember?").fill("The kayak stands behind the old mill")
        page.get_by_role("button", name="Save").press("Enter")
        page.wait_for_url("**/memories/?sort=newest**")
        new_conversation(page, "Where is the kayak?")
        page.locator("details.opened > summary").last.press("Enter")
        expect(page.locator(".opened-why[open]")).to_have_count(1)
        page.get_by_role("button", name="Pause this memory").press("Enter")
        left = page.locator(".opened-left")
        expect(left).to_contain_text("One memory that you paused")
        expect(left).to_be_focused()
        expect(page.get_by_role("button", name="Pause this memory")).to_have_count(0)
        looks_right(page, "left-out")


def test_without_a_script_it_is_a_page(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        url = talk(page)
        state = page.context.storage_state()
    context = browser.new_context(
        base_url=house.url, java_script_enabled=False, storage_state=state
    )
    page = context.new_page()
    page.goto(url)
    page.locator("details.opened > summary").last.click()
    page.get_by_role("link", name="Open on its own page").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How I answered")
    expect(page.locator(".opened-used")).to_contain_text("Lisbon")
    page.goto("/insights/?period=month")
    page.locator(".chart-table > summary").first.click()
    expect(page.locator(".chart-table table").first).to_contain_text("4")
    context.close()


def test_another_time_is_chosen_by_keyboard(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        talk(page)
        page.goto("/notebook/history/")
        page.locator(".side").get_by_role("link", name="Insights").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Insights")
        page.get_by_role("link", name="30 days").press("Enter")
        page.wait_for_url("**/insights/?period=month")
        expect(page.locator(".periods [aria-current]")).to_have_text("30 days")
        expect(page.locator(".chart-bar")).to_have_count(1)


def test_it_stands_up_to_axe(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        url = talk(page)
        new_conversation(page, "I live in Lisbon and I work at Acme")
        say(page, "It rained all day.")
        expect(page.locator(".answer-quiet")).to_have_count(2)
        looks_right(page, "quiet")
        page.goto("/insights/")
        for summary in page.locator(".chart-table > summary").all():
            summary.press("Enter")
        looks_right(page, "insights")
        page.goto(url)
        page.locator("details.opened > summary").last.press("Enter")
        page.locator(".opened-used").wait_for()
        looks_right(page, "opened")
        address = str(page.locator("details.opened > div").last.get_attribute("hx-get"))
        page.goto(address)
        looks_right(page, "how-i-answered")
