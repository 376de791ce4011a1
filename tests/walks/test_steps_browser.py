"""What an answer looks up, seen while it is being written, in real Chromium."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fakes.model_server import Calls, Messages, ModelServer, Reply, calls, normal
from tests.live import House, looks_right, sign_in, visitor

pytestmark = pytest.mark.browser
TALKS = ("get_user_conversations", {"limit": 5})


def by_what_was_found(*replies: Reply) -> Reply:
    """The next reply each time something was found: the worker asks this model too."""

    def reply(messages: Messages) -> str | Calls:
        rounds = sum("tool_calls" in message for message in messages)
        chosen = replies[min(rounds, len(replies) - 1)]
        assert not callable(chosen)
        return chosen

    return reply


def ask(page: Page, text: str) -> None:
    page.goto("/talk/")
    page.locator("#id_content").fill(text)
    page.locator("#id_content").press("Enter")
    page.wait_for_url("**/talk/*-*/")


# Each text under the region that speaks it: the nearest one, and none where that is off.
_SPOKEN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const told = [];
  while (walker.nextNode()) {
    const text = walker.currentNode, at = text.parentElement;
    const region = at.closest("[aria-live], [role=status], [role=log], [role=alert]");
    const shown = at.checkVisibility() && !at.closest("[aria-hidden=true], script, template");
    if (region && region.ariaLive !== "off" && shown) told.push(text.data.trim());
  }
  return told.filter(Boolean);
}"""


def read_out(page: Page) -> list[str]:
    """The texts that a screen reader says when they come or change."""
    told: list[str] = page.evaluate(_SPOKEN)
    return told


def regions(page: Page) -> list[tuple[str, str]]:
    """What speaks, in Chromium's accessibility tree, and how urgently."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    found = []
    for node in nodes:
        about = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        if "live" in about:
            found.append((node["role"]["value"], str(about["live"])))
    return sorted(found)


def test_a_screen_reader_hears_each_thing_once(
    browser: Browser, house_with_model: House, model: ModelServer
) -> None:
    replies = by_what_was_found(
        calls(TALKS), "You have talked with me often so far, says the list."
    )
    model.play(normal(replies, pause=0.3))
    with visitor(browser, house_with_model) as page:
        sign_in(page, "nick@example.org")
        ask(page, "Hello there")
        done = page.locator("article.answer:not([aria-busy])").last
        expect(done).to_contain_text("says the list.", timeout=15_000)
        page.locator("#id_content").fill("How many talks are there?")
        page.locator("#id_content").press("Enter")
        expect(page.locator("#read-aloud")).to_have_text("Throughline is writing")
        expect(page.locator("#read-aloud")).to_contain_text("Looked at the list", timeout=15_000)
        assert regions(page) == [
            ("alert", "assertive"),
            ("log", "polite"),
            ("status", "polite"),
            ("status", "polite"),
        ]
        while_writing = read_out(page)
        assert sum("Looked at the list" in one for one in while_writing) == 1
        assert not any("How many talks" in one for one in while_writing), "their own words"
        expect(page.locator("article.answer[aria-busy]")).to_have_count(0, timeout=15_000)
        heard = read_out(page)
        assert sum("says the list." in one for one in heard) == 2, "each answer, once"
        for quiet in ("Looked at the list", "is writing", "How I answered"):
            assert not any(quiet in one for one in heard), quiet


def test_each_step_appears_while_the_answer_is_being_written(
    browser: Browser, house_with_model: House, model: ModelServer
) -> None:
    words = "You have talked with me in a good many conversations so far, and here they are."
    broken = ("get_user_conversations", '{"limit": ')
    replies = by_what_was_found(calls(TALKS), calls(TALKS, broken), words)
    model.play(normal(replies, pause=0.3))
    with visitor(browser, house_with_model) as page:
        sign_in(page, "nick@example.org")
        ask(page, "How many conversations do I have?")
        busy = page.locator("article.answer[aria-busy]")
        expect(busy.locator(".step")).to_have_count(1, timeout=15_000)
        expect(busy.locator(".answer-text")).to_have_text("")
        assert "Looked at the list of our conversations" in busy.inner_text()
        expect(page.locator("#read-aloud")).to_contain_text("conversations")
        expect(busy.locator(".step")).to_have_count(3)
        expect(busy.locator(".answer-text")).to_contain_text("talked with me")
        looks_right(page, "steps-streaming", whole=False, sizes=["1280"])
        page.reload()
        expect(page.locator("article.answer[aria-busy] .step")).to_have_count(3)
        done = page.locator("article.answer:not([aria-busy])").last
        expect(done).to_contain_text("here they are.", timeout=15_000)
        # What was only looked up is told where the answer is opened.
        expect(done.locator(".step")).to_have_count(1)
        expect(done.locator(".step")).to_contain_text("didn’t work")
        done.locator(".step summary").focus()
        page.keyboard.press("Enter")
        expect(done.locator(".step")).to_have_attribute("open", "")
        looks_right(page, "steps-done", whole=False)
