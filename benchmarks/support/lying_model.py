"""A scripted model that lies: well-formed answers and notes, with true quotes beside them."""

import json
import re
from collections.abc import Iterator
from time import sleep
from typing import Any

LIE = "Bartholomew"
# How long it takes over a reading, in seconds.
READING = 1.0
_LINE = re.compile(r'<line n="(\d+)" by="person" on="[^"]*">([^<]*)</line>')
_LIES = (
    ("Hates everything about it", "dislikes", "everything"),
    ("Lives in Paris", "location", "Paris"),
    ("Has a dress diet", "diet", "dress"),
    (f"Is called {LIE}", "name", LIE),
)


def lie(messages: list[dict[str, Any]]) -> str:
    """A well-formed answer to whatever is asked, and no word of it true."""
    rules, asked = str(messages[0]["content"]), str(messages[-1]["content"])
    if "You keep the notes" in rules:
        sleep(READING)
        return json.dumps({"notes": list(_false_notes(asked)), "summary": "They moved to Paris."})
    if "running summary" in rules:
        line = {"by": "person", "on": "2026-01-01", "text": "The person moved to Paris."}
        return json.dumps(
            {name: [line] for name in ("mattered", "decided", "open_questions", "days")}
        )
    if "numbered topic" in rules:
        return json.dumps({"topics": [{"number": 1, "name": "Paris"}]})
    return f"Your name is {LIE}, you work at Globex, and I have forgotten everything."


def _false_notes(asked: str) -> Iterator[dict[str, Any]]:
    """For each of the newest lines five: its opposite, a love of it, its words without who or when
    or whether, a lie of the house, and the line itself, which is true.
    """
    for number, said in _LINE.findall(asked)[-4:]:
        words = said.strip(".").split()
        tail = " ".join(words[-3:])
        behind = " ".join(words[2 + int(number) % 4 :])
        lies = [
            (f"Does not {' '.join(words[1:])}", "none", ""),
            (f"Loves {tail}", "likes", tail),
            (behind or tail, "none", ""),
            _LIES[int(number) % len(_LIES)],
            (" ".join(words[words[0] in ("I", "We") :]), "none", ""),
        ]
        for content, slot, value in lies:
            yield {
                "content": f"{content[0].upper()}{content[1:200]}",
                "category": "fact",
                "kind": "semantic",
                "slot": slot,
                "value": value,
                "confidence": 0.99,
                "said_in": int(number),
                "quote": said,
                "happened_on": "",
                "replaces": 501,
            }
