"""Prompts to Gemini in Google's "My Activity": each an entry of its own, with the answer as HTML.

Entries do not say to which conversation they belong, so each is one.
"""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from privacy.importing import shapes
from privacy.importing.shapes import ImportedConversation, ImportedMessage, Reader, Unreadable

_PRODUCTS = ("gemini", "bard")
# How Google begins the title of a prompt, and of what is none.
_PROMPTED = ("Prompted ", "Asked ", "Said ")
_OTHER = ("Created ", "Used ", "Gave ", "Added ", "Shared ", "Deleted ", "Selected ")
# A tag, a comment or a declaration; however hostile a text is, it is read once.
_TAG = re.compile(r"<(?:(/?)([a-zA-Z][a-zA-Z0-9]*+)|[!?])[^<>]*+>")
_BLOCKS = frozenset({"p", "br", "div", "li", "tr", "pre", "h1", "h2", "h3", "h4", "h5", "h6"})
_TITLE = 60
NO_PROMPT = "it isn’t a message to Gemini"
OF_ANOTHER = "it’s from another product"


def recognises(item: Mapping[str, Any]) -> bool:
    """Whether it is an entry of My Activity."""
    return "header" in item and "title" in item and "time" in item


def read(item: Mapping[str, Any]) -> ImportedConversation:
    """Return one prompt with its answer. Raises Unreadable."""
    products = item.get("products")
    names = [item.get("header"), *(products if isinstance(products, list) else [])]
    if not any(name in shapes.text_of(one).casefold() for one in names for name in _PRODUCTS):
        raise Unreadable(OF_ANOTHER)
    title, answer = shapes.text_of(item.get("title")), _answer(item.get("safeHtmlItem"))
    verb = next((verb for verb in _PROMPTED if title.startswith(verb)), None)
    # In other languages the title begins otherwise; what was asked has an answer.
    if not title or title.startswith(_OTHER) or (verb is None and not answer):
        raise Unreadable(NO_PROMPT)
    prompt, at = title.removeprefix(verb or "").strip(), shapes.moment(item.get("time"))
    messages = [ImportedMessage("user", prompt, at, "1")] if prompt else []
    messages += [ImportedMessage("assistant", answer, at, "2")] if answer else []
    # Its moment is told to the thousandth of a second, and is all that it has of an id.
    key = f"{item.get('time')}:{prompt[:200]}"
    return shapes.conversation(key, _title(prompt), item.get("time"), messages)


def _title(prompt: str) -> str:
    words = " ".join(prompt.split())
    return words if len(words) <= _TITLE else words[:_TITLE].rsplit(" ", 1)[0] + " …"


def _answer(items: Any) -> str:
    """The words of the answer; as a list of HTML, or one."""
    parts = items if isinstance(items, list) else [items]
    told = [shapes.mapping_of(part) for part in parts]
    return "\n".join(
        filter(None, (_words(part.get("html") or part.get("htmlValue")) for part in told))
    )


def _words(html: Any) -> str:
    """What is read of HTML, each block on a line of its own."""
    text = unescape(_TAG.sub(_between, shapes.text_of(html)))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(filter(None, lines))


def _between(tag: re.Match[str]) -> str:
    """What stands in the place of a tag."""
    closes, name = tag[1], (tag[2] or "").lower()
    if name not in _BLOCKS:
        return ""
    return "\n- " if name == "li" and not closes else "\n"


GEMINI = Reader("gemini", recognises, read)
