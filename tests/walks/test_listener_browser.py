"""What a connected model notes, in real Chromium: chips for each kind of change, and their Undo."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.fakes.model_server import ModelServer, normal
from tests.live import looks_right, running_house, say, sign_up, visitor
from tests.walks.test_browser import new_conversation

pytestmark = pytest.mark.browser

TOLD = "I'm Lena Hartmann and I work as an optician in Bath."
MOVED = "We live in Bristol now, since October."
LEFT = "I have left the shop, I'm no optician any more."
ILL = "My doctor says that I have asthma."
MAIL = "From: Joan\nSubject: garden\n\nMy garden party is on Saturday 12 December."
ELSEWHERE = "I might still be registered in Bath, so both may be right."
SAID: Mapping[str, list[dict[str, Any]]] = {
    TOLD: [
        {"op": "add", "slot": "name", "value": "Lena Hartmann", "words": "I'm Lena Hartmann"},
        {"op": "add", "slot": "job_title", "value": "optician", "words": "work as an optician"},
        {"op": "add", "slot": "location", "value": "Bath", "words": "in Bath"},
    ],
    MOVED: [
        {
            "op": "update", "target": "Bath", "value": "Bristol", "reason": "change",
            "since": "2026-10", "words": "We live in Bristol now, since October",
        }
    ],
    LEFT: [{"op": "end", "target": "optician", "words": "I'm no optician any more"}],
    ILL: [
        {
            "op": "add", "slot": "none", "text": "Has asthma", "category": "fact",
            "sensitive": "health", "words": "I have asthma",
        }
    ],
    MAIL: [
        {
            "op": "add", "slot": "none", "text": "Joan's garden party is on 12 December",
            "category": "fact", "words": "My garden party is on Saturday 12 December",
        }
    ],
    ELSEWHERE: [
        {
            "op": "conflict", "target": "Bristol", "value": "Bath",
            "words": "I might still be registered in Bath",
        }
    ],
}  # fmt: skip
AS_SHOWN = {" ".join(text.split()): operations for text, operations in SAID.items()}
LINE = re.compile(r'<line n="(\d+)" by="person"([^>]*)>(.*?)</line>', re.DOTALL)
AFTERWARDS = (
    (MOVED, ("Bristol", "Bath", "Undo"), "changed"),
    (LEFT, ("optician", "Undo"), "ended"),
    (ILL, ("Health", "Note it anyway"), "private"),
    (MAIL, ("Waiting for you", "garden party"), "waiting"),
    (ELSEWHERE, ("Bath", "Bristol"), "conflict"),
)


def listener(prompt: list[dict[str, Any]]) -> str:
    """Answer a chat, and a reading with the operations of the messages that are new in it."""
    data = str(prompt[-1]["content"])
    if "<conversation " not in data:
        return "Thank you, I have taken that in."
    items = re.findall(r'<item id="(\w+)"[^>]*>(.*?)</item>', data)
    operations = []
    for number, marks, text in LINE.findall(data):
        for said in AS_SHOWN.get(text, ()) if "read=" not in marks else ():
            target = next((i for i, words in items if said.get("target", "\n") in words), "none")
            quotes = [{"line": int(number), "words": said["words"]}]
            blank = {
                "slot": "none", "value": "", "text": "", "category": "fact", "reason": "none",
                "day": "", "since": "", "scope": "everywhere", "sensitive": "none",
                "confidence": 0.9, "quotes": quotes,
            }  # fmt: skip
            more = {key: value for key, value in said.items() if key != "words"}
            operations.append(blank | more | {"target": target})
    return json.dumps({"operations": operations, "summary": ""})


def test_what_a_model_adds_changes_ends_asks_and_disputes_is_shown(browser: Browser) -> None:
    with (
        ModelServer(normal(listener)) as server,
        running_house(OPENAI_BASE_URL=server.url, CHAT_MODEL="scripted") as house,
        visitor(browser, house) as page,
    ):
        sign_up(page)
        new_conversation(page, TOLD)
        chips = page.locator("article.answer .chip")
        expect(chips).to_have_count(3, timeout=30_000)
        # What was read at once, without the model, gives way to what the model read.
        expect(chips.filter(has_text="Lives in")).to_contain_text("Bath", timeout=30_000)
        expect(chips.filter(has_text="Noted")).to_have_count(3)
        looks_right(page, "listener-added")
        for number, (text, shown, name) in enumerate(AFTERWARDS, start=1):
            say(page, text)
            answer = page.locator("article.answer").nth(number)
            for words in shown:
                expect(answer).to_contain_text(words, timeout=30_000)
            looks_right(page, f"listener-{name}")
