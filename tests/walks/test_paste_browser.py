"""The page tells which words were pasted, in real Chromium."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import House, sign_in, visitor

pytestmark = pytest.mark.browser
LONG = "I live in Rome, have three cats and work at the bakery next to the bridge."


def paste(page: Page, text: str) -> None:
    """What a browser does when somebody pastes: the event, then the words."""
    page.locator("#id_content").evaluate(
        """(area, text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
            area.value += text;
        }""",
        text,
    )


def told(page: Page) -> list[str]:
    value = page.locator("#composer [name=pasted]").input_value()
    found: list[str] = json.loads(value or "[]")
    return found


def test_the_form_tells_pastes_once_and_forgets_them_when_sent(
    browser: Browser, house: House
) -> None:
    with visitor(browser, house) as page:
        sign_in(page, "nick@example.org")
        page.goto("/talk/")
        paste(page, "short")
        assert told(page) == ["short"]
        paste(page, LONG)
        paste(page, LONG)
        assert told(page) == ["short", LONG]
        page.locator("#id_content").fill("")
        paste(page, LONG)
        assert told(page) == [LONG]
        page.locator("#id_content").press("Enter")
        page.wait_for_url("**/talk/*-*/")
        expect(page.locator("#composer [name=pasted]")).to_have_value(re.compile(r"^(\[\])?$"))
