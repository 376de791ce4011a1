"""A scripted model that lies: well-formed answers and operations, with true quotes beside them."""

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
        operations = list(_false_operations(asked))
        return json.dumps({"operations": operations, "summary": "They moved to Paris."})
    if "running summary" in rules:
        line = {"by": "person", "on": "2026-01-01", "text": "The person moved to Paris."}
        return json.dumps(
            {name: [line] for name in ("mattered", "decided", "open_questions", "days")}
        )
    if "numbered topic" in rules:
        return json.dumps({"topics": [{"number": 1, "name": "Paris"}]})
    return f"Your name is {LIE}, you work at Globex, and I have forgotten everything."


def _false_operations(asked: str) -> Iterator[dict[str, Any]]:
    """Yield for each of the newest lines six: its opposite, a love of it, its words without who or
    when or whether, a lie of the house, the line itself, which is true, and an end of the first
    fact.
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
        for text, slot, value in lies:
            yield _operation(said, int(number), "add", "none") | {
                "slot": slot,
                "value": value,
                "text": f"{text[0].upper()}{text[1:200]}",
            }
        yield _operation(said, int(number), "end", "f1")


def _operation(said: str, number: int, op: str, target: str) -> dict[str, Any]:
    return {
        "op": op,
        "target": target,
        "slot": "none",
        "value": "",
        "text": "",
        "category": "fact",
        "reason": "none",
        "day": "",
        "since": "",
        "scope": "everywhere",
        "sensitive": "none",
        "confidence": 0.99,
        "quotes": [{"line": number, "words": said}],
    }
