"""Topics in real Chromium: found while talking, led to by keyboard, renamed, taken off."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
TOLD = [
    "The chamber choir meets again on Sunday",
    "We sing Bach in the chamber choir",
    "I bought a new score for the chamber choir",
    "The chamber choir sings in a cold church",
]


def talk(page: Page) -> str:
    """A newcomer whose conversation has grown enough; where it stands."""
    sign_up(page)
    new_conversation(page, TOLD[0])
    for text in TOLD[1:]:
        say(page, text)
    # The worker looks a moment later.
    chips = page.get_by_role("navigation", name="Topics of this conversation")
    for _ in range(40):
        page.reload()
        if chips.count():
            break
        page.wait_for_timeout(500)
    return page.url


def test_a_topic_is_found_followed_renamed_and_taken_off_by_keyboard(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        talk(page)
        page.get_by_role("link", name="Chamber choir", exact=True).press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Chamber choir")
        expect(page.locator(".topic-talks .topic")).to_have_count(1)
        page.get_by_role("link", name="Rename").press("Enter")
        name = page.get_by_label("New name")
        expect(name).to_be_focused()
        name.fill("Singing")
        name.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Singing")
        page.locator("#side").get_by_role("link", name="Topics", exact=True).press("Enter")
        page.locator("main").get_by_role("link", name="Singing", exact=True).press("Enter")
        page.get_by_role("button", name="Remove from the list").press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Singing is off the list.")
        expect(page.get_by_role("heading", name="No topics yet")).to_be_visible()


def test_it_works_without_a_script(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        talk(page)
        state = page.context.storage_state()
    context = browser.new_context(
        base_url=house.url, java_script_enabled=False, storage_state=state
    )
    page = context.new_page()
    page.goto("/topics/")
    page.locator("main").get_by_role("link", name="Chamber choir", exact=True).click()
    page.get_by_role("button", name="Remove from the list").click()
    expect(page.locator("body")).to_contain_text("No topics yet")
    context.close()


def test_every_page_of_topics_stands_up_to_axe(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        conversation = talk(page)
        page.goto("/topics/")
        links = page.locator("main .topics a")
        topic = str(links.first.get_attribute("href"))
        for name, path in {
            "topics": "/topics/",
            "topic": topic,
            "topic-rename": f"{topic}rename/",
            "topic-chips": conversation,
        }.items():
            page.goto(path)
            looks_right(page, name, whole=False)
