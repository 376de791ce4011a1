"""The timeline in real Chromium: by change, by day and by slot."""

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


def test_the_past_is_walked_through_by_keyboard(browser: Browser, house: House) -> None:
    with visitor(browser, house) as page:
        told(page, house)
        page.goto(PAGE)
        held = page.locator(".held")
        expect(held).to_contain_text("Microsoft")
        expect(held.get_by_role("link", name="or Google? Choose which is right")).to_be_visible()
        looks_right(page, "timeline")
        page.get_by_role("link", name="Previous change").press("Enter")
        expect(page.get_by_role("heading", name="On 1 May 2023")).to_be_visible()
        expect(held).to_contain_text("Zürich")
        expect(held).not_to_contain_text("Microsoft")
        expect(page.get_by_text("Since then: 1 is new, 1 is open.")).to_be_visible()
        page.get_by_label("Show as of").fill("2024-03-14")
        page.get_by_label("Show as of").press("Enter")
        expect(page.get_by_role("heading", name="On 14 March 2024")).to_be_visible()
        looks_right(page, "timeline-past")
        page.locator("#to-today").press("Enter")
        expect(page.get_by_role("heading", name="Today")).to_be_visible()
        page.get_by_role("link", name="why").press("Enter")
        expect(page.locator("main")).to_contain_text("Zürich since 1 May 2023")

        page.goto(PAGE)
        page.get_by_label("Which facts").focus()
        page.get_by_label("Which facts").select_option("Employer")
        expect(page).to_have_url(
            f"{house.url}{PAGE}?as_of={page.locator('#id_as_of').input_value()}&slot=employer"
        )
        expect(page.locator(".held")).not_to_contain_text("Zürich")
        expect(page.get_by_label("Which facts")).to_be_focused()
        page.goto(f"{PAGE}?as_of=2024-11-31")
        expect(page.locator(".error")).to_contain_text("November has 30 days. Pick another day.")
        looks_right(page, "timeline-mistake")
