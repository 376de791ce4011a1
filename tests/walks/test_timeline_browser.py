"""The timeline in real Chromium: by change, by day and by slot, with and without a script."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, looks_right, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser
PAGE = "/notebook/timeline/"


def told(page: Page, house: House) -> None:
    """A newcomer who has lived in Zürich since May 2023, and whose employer is disputed."""
    email = sign_up(page)
    new_conversation(page, "I live in Munich and I work at Microsoft")
    say(page, "I live in Zürich")
    allowed = {"Authorization": f"Token {house.token(email)}"}
    (asked,) = page.request.get("/api/v1/conflicts", headers=allowed).json()["results"]
    settled = page.request.post(
        f"/api/v1/conflicts/{asked['id']}/resolve",
        headers=allowed,
        data={"resolution": "timeline", "until": "2023-04-30", "since": "2023-05-01"},
    )
    assert settled.ok
    new_conversation(page, "I work at Google")


def walk(page: Page) -> None:
    """From today to the first change and to a day between, by keyboard."""
    page.goto(PAGE)
    held = page.locator(".held")
    expect(held).to_contain_text("Microsoft")
    expect(held.get_by_role("link", name="or Google? Choose which is right")).to_be_visible()
    page.get_by_role("link", name="Previous change").press("Enter")
    expect(page.get_by_role("heading", name="On 1 May 2023")).to_be_visible()
    expect(held).to_contain_text("Zürich")
    expect(held).not_to_contain_text("Microsoft")
    expect(page.get_by_text("Since then: 1 is new, 1 is open.")).to_be_visible()
    page.get_by_label("Show as of").fill("2024-03-14")
    page.get_by_label("Show as of").press("Enter")
    expect(page.get_by_role("heading", name="On 14 March 2024")).to_be_visible()
    page.locator("#to-today").press("Enter")
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    page.get_by_role("link", name="why").press("Enter")
    expect(page.locator("main")).to_contain_text("Zürich since 1 May 2023")


def test_the_past_is_walked_through_by_keyboard(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        told(page, house)
        walk(page)
        page.goto(PAGE)
        page.get_by_label("Which facts").focus()
        page.get_by_label("Which facts").select_option("Employer")
        expect(page).to_have_url(
            f"{house.url}{PAGE}?as_of={page.locator('#id_as_of').input_value()}&slot=employer"
        )
        expect(page.locator(".held")).not_to_contain_text("Zürich")
        expect(page.get_by_label("Which facts")).to_be_focused()


def test_it_all_works_without_a_script(browser: Browser, house: House) -> None:
    with visitor(browser, house, script=False) as page:
        told_without_script(page)
        page.goto(PAGE)
        page.get_by_label("Which facts").select_option("Employer")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(".held")).to_contain_text("Acme")
        expect(page.locator(".held")).not_to_contain_text("Oslo")
        page.goto(f"{PAGE}?as_of=2024-11-31")
        expect(page.locator(".error")).to_contain_text("November has 30 days. Pick another day.")
        expect(page.get_by_label("Show as of")).to_have_value("2024-11-31")
        page.get_by_label("Show as of").fill("2024-11-30")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("main")).to_contain_text("I don’t know what was true on that day.")


def told_without_script(page: Page) -> None:
    sign_up(page)
    for kind, value in (("employer", "Acme"), ("location", "Oslo")):
        page.goto("/notebook/profile/add/")
        page.get_by_label("Kind").select_option(kind)
        page.get_by_label("What should I remember?").fill(value)
        page.get_by_role("button", name="Save").click()


# Of each label: how wide the edge around its letters is that breaks a line behind it, how wide its
# widest gap between two words, and whether it is drawn over the line of the day.
EDGES = """
[...document.querySelectorAll('.drawing-label')].map(label => [
    parseFloat(getComputedStyle(label).strokeWidth),
    Math.max(0, ...[...label.textContent].map(
        (letter, place) => letter === ' ' ? label.getSubStringLength(place, 1) : 0)),
    Boolean(document.querySelector('.drawing-flag-line').compareDocumentPosition(label)
        & Node.DOCUMENT_POSITION_FOLLOWING)])
"""


def test_the_line_of_the_day_strikes_through_no_label(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        sign_up(page)
        new_conversation(page, "I live in Munich")
        say(page, "I enjoy the history of old maps")
        page.goto(PAGE)
        edges = page.evaluate(EDGES)
        assert len(edges) == 2
        for edge, gap, over in edges:
            assert edge > gap
            assert over


def test_axe_finds_nothing_and_nothing_spills_over(browser: Browser, house: House) -> None:
    with visitor(browser, house, size="390") as page:
        sign_up(page)
        page.goto(PAGE)
        looks_right(page, "timeline-empty")
        new_conversation(page, "I live in Munich, I work at Microsoft and I speak German")
        new_conversation(page, "I work at Google")
        addresses = {
            "timeline": PAGE,
            "timeline-past": PAGE + "?as_of=2024-03-14",
            "timeline-slot": PAGE + "?slot=employer",
            "timeline-mistake": PAGE + "?as_of=14.03.2024",
        }
        for name, address in addresses.items():
            page.goto(address)
            looks_right(page, name)
