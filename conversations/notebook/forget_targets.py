"""Finding what an order to forget refers to: facts and memories by words, kind, or value."""

import re
from collections.abc import Iterable

from conversations.models import Message
from conversations.notebook.answer_builder import tool_context_of
from conversations.prompt import Prompt
from conversations.tools import visibility
from memory.language.queries.query_intent import split_sentences
from memory.language.reader.facts import FactCandidate
from memory.language.reading import extract_facts
from memory.language.text.terms import content_words, meaning_vectors, stem_id
from memory.models import Memory, Override, ProfileFact
from memory.slots import SLOTS, alike_to, asked_about, opposites, same_value

# How many of the latest past facts are searched.
_MOST_OVER = 200
# How many similar items are shown if none matches, and their least similarity (cosine).
_NEAREST, _ALIKE = 3, 0.5
# How many first letters all forms of a word share.
_FIRST_LETTERS = 4

_ORDER = re.compile(
    r"\b(?:forget|unlearn|erase|delete|remove|stop (?:remembering|noting)"
    r"|(?:don'?t|do not|never) (?:remember|note|keep|store|record)) +(?P<what>.+)",
    re.IGNORECASE,
)
# "Don't remember this: …" refers to what follows, which was not noted.
_REFERS_AHEAD = re.compile(r"(?:this|that|it|these|those)\s*(?:[:,\u2013-].*)?", re.IGNORECASE)
_EARLIER = re.compile(
    r"\b(?:earlier|previous|former|past|old|used to) | (?:before|earlier|previously)$",
    re.IGNORECASE,
)
POSSESSIVE = re.compile(r"^(?:(?:all|of|about|my|our|your|the|that|this) )+", re.IGNORECASE)
"""What stands before the name of a thing and says little."""
# Words of an order that do not name what to forget.
_SAYS_LITTLE = frozenset(
    "again favourite fact good have has know known like likes memory memories name note noted notes"
    " notebook please profile record remember said saved thing told wrong".split()
)


def named_in(text: str) -> str:
    """Return the words that name what to forget; '' for "this" and for oneself."""
    for sentence in split_sentences(" ".join(text.replace("’", "'").split())):
        match = _ORDER.search(sentence.rstrip(" .!?…"))
        if match is not None:
            what = re.sub(r",? please$", "", match["what"])
            is_oneself = re.fullmatch(r"(?:.* (?:about|of|on) )?(?:me|myself|us)", what)
            return "" if _REFERS_AHEAD.fullmatch(what) or is_oneself else what
    return ""


def rows_meant(prompt: Prompt, what: str, *, all_about: bool) -> list[ProfileFact | Memory]:
    """Return the facts and memories that an order refers to. Current ones before past ones, unless
    the order names past ones; with `all_about` everything that contains the words.
    """
    current = [fact for slot in SLOTS for fact in prompt.recall.facts.get(slot, ())]
    over = ProfileFact.objects.for_user(prompt.question.user_id).defer("embedding")
    past = list(over.filter(status=ProfileFact.Status.PAST).order_by("-valid_to")[:_MOST_OVER])
    if all_about:
        rows = [
            *_facts_named(current, what),
            *_with_words([*current, *past, *_notes(prompt)], what),
        ]
        return list({row.pk: row for row in rows}.values())
    is_earlier = _EARLIER.search(what) is not None
    first, second = (past, current) if is_earlier else (current, past)
    bare = _EARLIER.sub("", what) if is_earlier else what
    return (
        _facts_named(first, what)
        or _with_words([*first, *_notes(prompt)], bare)
        or _facts_nearly_named(first, what)
        or _facts_named(second, what)
        or _with_words(second, bare)
        or _facts_nearly_named(second, what)
    )


def earlier_of_the_kind(
    prompt: Prompt, going: Iterable[ProfileFact | Memory], what: str
) -> list[ProfileFact | Memory]:
    """Return the past facts of the slot that the words name ("my age"), without those in
    `going`.
    """
    bare = POSSESSIVE.sub("", what).lower()
    facts = (row for row in going if isinstance(row, ProfileFact))
    slots = {fact.slot for fact in facts if bare in (fact.kind.label.lower(), fact.kind.noun)}
    if not slots:
        return []
    past = ProfileFact.objects.for_user(prompt.question.user_id).defer("embedding")
    rows = past.filter(status=ProfileFact.Status.PAST, slot__in=slots).order_by("-valid_to")
    known = {row.pk for row in going}
    return [row for row in rows[:_MOST_OVER] if row.pk not in known]


def _facts_named(facts: Iterable[ProfileFact], what: str) -> list[ProfileFact | Memory]:
    """Return the facts whose values the words state, else the facts of the slots they name."""
    candidates, kinds = extract_facts(what), _kinds(_EARLIER.sub("", what))
    stated = [fact for fact in facts if _is_said_by(fact, candidates)]
    return list(stated or [fact for fact in facts if fact.slot in kinds])


def _is_said_by(fact: ProfileFact, candidates: Iterable[FactCandidate]) -> bool:
    return any(
        same_value(fact.slot, fact.value, candidate.value)
        and fact.slot not in opposites(candidate.slot)
        for candidate in candidates
    )


def _facts_nearly_named(facts: Iterable[ProfileFact], what: str) -> list[ProfileFact | Memory]:
    """Return the facts that nearly match: the words state a part of the value, or contain all of a
    value of several words. The fact must contain at least half of the words.
    """
    candidates, stems = extract_facts(what), _stems(what)
    return [
        fact
        for fact in facts
        if (value := _stems(fact.value))
        and 2 * len(stems & _stems(_text_of(fact))) >= len(stems)
        and (
            (len(value) > 1 and value <= stems)
            or any(
                bool(stated := _stems(candidate.value)) and stated <= value
                for candidate in candidates
                if fact.slot in alike_to(candidate.slot)
            )
        )
    ]


def has_its_value(what: str, row: ProfileFact | Override) -> bool:
    """Return whether the words contain all words of the row's value."""
    words = _stems(row.value)
    return bool(words) and words <= _stems(what)


def _kinds(what: str) -> tuple[str, ...]:
    """Return the slots that 'my job', 'the birthday' or 'where I live' names. A slot with several
    values only by its own name: 'my pets', not 'my cat'.
    """
    bare = POSSESSIVE.sub("", what)
    slots = asked_about(f"Do you know {what}?") or asked_about(f"Do you know my {bare}?")
    return tuple(
        slot
        for slot in slots
        if not SLOTS[slot].many or bare.lower() in (SLOTS[slot].label.lower(), SLOTS[slot].noun)
    )


def _notes(prompt: Prompt) -> list[Memory]:
    shown = visibility.notes(tool_context_of(prompt)).shown()
    notes = shown.exclude(category=Memory.Category.SUMMARY).defer("embedding", "terms")
    return list(notes.order_by("-said_at"))


def _with_words(rows: Iterable[ProfileFact | Memory], what: str) -> list[ProfileFact | Memory]:
    wanted = _stems(what)
    return [row for row in rows if wanted and wanted <= _stems(_text_of(row))]


def messages_meant(prompt: Prompt, what: str) -> list[Message]:
    """Return the user's messages that contain the words, latest first. Includes confidential
    messages, but none of other private conversations.
    """
    words = [word for word in content_words(what) if word not in _SAYS_LITTLE]
    wanted = _stems(what)
    if not wanted:
        return []
    rows = visibility.own_messages(tool_context_of(prompt)).exclude(pk=prompt.question.pk)
    for word in words:
        rows = rows.filter(content__icontains=word[:_FIRST_LETTERS])
    latest = rows.order_by("-said_at", "-number")[:_MOST_OVER]
    return [row for row in latest if wanted <= _stems(row.content) and not _is_order(row)]


def _is_order(message: Message) -> bool:
    return bool(named_in(message.content))


def _text_of(row: ProfileFact | Memory) -> str:
    if isinstance(row, Memory):
        return f"{row.content} {row.original}"
    return f"{row.kind.label} {row.sentence} {row.in_words}"


def _stems(text: str) -> frozenset[int]:
    return frozenset(stem_id(word) for word in content_words(text) if word not in _SAYS_LITTLE)


def nearest_rows(prompt: Prompt, what: str) -> list[ProfileFact | Memory]:
    """Return a few current facts and memories that share words with the text or are similar in
    meaning, best first.
    """
    facts = [fact for slot in SLOTS for fact in prompt.recall.facts.get(slot, ())]
    rows: list[ProfileFact | Memory] = [*facts, *_notes(prompt)[:_MOST_OVER]]
    wanted, *vectors = meaning_vectors([what, *map(_text_of, rows)])
    stems = _stems(what)
    scored = [
        (
            len(stems & _stems(_text_of(row)))
            + (float(wanted @ vector) if wanted is not None and vector is not None else 0.0),
            row,
        )
        for row, vector in zip(rows, vectors, strict=True)
    ]
    near = sorted((item for item in scored if item[0] >= _ALIKE), key=lambda item: -item[0])
    return [row for _, row in near[:_NEAREST]]
