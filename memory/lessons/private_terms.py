"""Private terms of a contributor: profile values, and names in their memories and messages."""

import re
from collections.abc import Iterable, Iterator

from accounts.models import User
from memory.models import Memory, ProfileFact

# A name of one or several words: capitalised, not at the beginning of a sentence.
_NAME = re.compile(r"(?<=[\w,;][ '-])([A-Z][\w&'’-]*(?: [A-Z][\w&'’-]*)*)")
# Capitalised words that are not names.
_PLAIN = frozenset("I I'm I've I'll I'd".split())
# Slots whose values are plain words in most lessons.
_GENERAL_SLOTS = frozenset({"pronouns", "preferences"})
_NOTES = 1000


def of(user: User, messages: Iterable[str] = ()) -> frozenset[str]:
    """Return names and values that no lesson of the user may contain; `messages` are the user's."""
    return frozenset(term for term in _find_terms(user, messages) if len(term) > 1)


def names_in(text: str) -> Iterator[str]:
    """Yield capitalised names within the sentences of a text."""
    for match in _NAME.finditer(text):
        if (name := match[1]) not in _PLAIN:
            yield name


def _find_terms(user: User, messages: Iterable[str]) -> Iterator[str]:
    yield from filter(None, (user.name, *user.name.split()))
    facts = ProfileFact.objects.for_user(user.pk).exclude(slot__in=_GENERAL_SLOTS)
    yield from facts.values_list("value", flat=True)
    notes = Memory.objects.for_user(user.pk).order_by("-created_at")
    for content, original in notes.values_list("content", "original")[:_NOTES]:
        yield from names_in(f"{content}. {original}")
    for text in messages:
        yield from names_in(text)
