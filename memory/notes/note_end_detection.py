"""What a message says is over, and the notes that said it was so.

"I do not sing in the choir any more" reaches "Every Thursday evening I sing in the choir": what has
all the words of the end was about the same. The sentence becomes a note and takes the place of the
older one, which keeps its row and can be brought back.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from memory.core.scope import Scope
from memory.language.engine.masking import MASK_CHARACTER
from memory.language.reading import Reading
from memory.language.text import dedup
from memory.models import Memory, MemoryQuerySet

# Of more notes than these it is not plain which are meant.
_MOST = 3

_I = r"(?<!\w)(?:i|we)"
_STOP = r"(?:\s*(?:[,.;:!]|$)|\s+(?:since|because|as|due to|after|when|now|so|but|and|for)\b)"
_WHAT = rf"(?P<what>[^,.;:!?]+?)(?={_STOP})"
_CLUB = (
    r"(?:choirs?|clubs?|teams?|bands?|groups?|societ(?:y|ies)|orchestras?|gym|class(?:es)?|lessons?"
    r"|courses?|committees?|boards?|association|league|ensemble|circle|troupe)"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_I}(?:'m| am|'re| are|'ve| have)? no longer {_WHAT}",
        rf"{_I}(?:'m| am|'re| are|'ve| have| do| can| could| will| shall)?(?:n't| not|not)"
        rf" (?P<what>[^.;:!?]+?),? any ?(?:more|longer)(?={_STOP})",
        rf"{_I}(?:'ve| have|'m| am)?(?: now| just| finally| recently| already| had to| have to)?"
        r" (?:stop|stopped|stopping|quit|quitting|give up|gave up|given up|giving up)"
        rf"(?: on)? (?!at |by |in |for |to |on |over ){_WHAT}",
        rf"{_I}(?:'ve| have)?(?: now| just| finally| recently| already| had to)?"
        rf" (?:left|dropped out of|resigned from|retired from) (?P<what>(?:\w+ ){{0,4}}?{_CLUB}\b)",
        rf"{_I} used to (?!it|that|this){_WHAT}",
    )
)
_CALLED_OFF = re.compile(
    r"(?:^|[.,;!] ?)(?:(?:and|but|so|oh|well|sadly|unfortunately) )*(?:the|my|our) "
    r"(?P<what>[^,.;:!?]+?) (?:is|are|was|were|has been|have been) (?:now |all |finally )?"
    rf"(?:off|cancell?ed|called off|over now|over|no more)(?={_STOP})",
    re.IGNORECASE,
)
# What makes an end a supposition, a wish or somebody else's.
_NOT_SO = re.compile(
    r"\b(?:if|when|once|until|till|unless|before|would|wish|should|might|may|maybe|perhaps|almost"
    r"|nearly|said|says|think|thought|hope|dreamt|imagine|suppose)\b",
    re.IGNORECASE,
)
# A denial before it turns it round: "it is not true that I no longer sing".
_TURNED = re.compile(r"\b(?:not|never|n't)\b|n't\b", re.IGNORECASE)
# What an end says besides what is over.
_LIGHT = frozenset().union(
    *(
        dedup.content_stem_ids(word)
        for word in (
            "go goes going do doing be been being have having get take taking part make attend"
            " attending belong member play playing practise practising practice practicing like"
            " love enjoy regularly often ever really now today currently last week month year"
            " yesterday recently there with my our the want wanted need know think feel"
        ).split()
    )
)


@dataclass(frozen=True)
class NoteEnd:
    """A sentence `text[start:end]` that says something is over, and the stems of what is."""

    start: int
    end: int
    stems: frozenset[int]
    called_off: bool = False


def read_endings(reading: Reading) -> Iterator[NoteEnd]:
    """The sentences of a text in which its writer states that something of theirs is over."""
    for start, end, mark in reading.sentences:
        sentence = reading.masked[start:end]
        if "?" in mark or MASK_CHARACTER in sentence:
            continue
        match = next(filter(None, (form.search(sentence) for form in _FORMS)), None)
        called_off = match is None
        match = match or _CALLED_OFF.search(sentence)
        if match is None or is_unsaid(sentence[: match.start()]):
            continue
        stems = stems_of(match["what"])
        if stems:
            yield NoteEnd(start, end, stems, called_off)


def stems_of(text: str) -> frozenset[int]:
    """The words that say what somebody is at, without those that say only that they are."""
    return frozenset(dedup.content_stem_ids(text) - _LIGHT)


def is_unsaid(before: str) -> bool:
    """Whether what stands before an end makes it a supposition, or turns it round."""
    return bool(_NOT_SO.search(before) or _TURNED.search(before))


def notes_ended_by(scope: Scope, ending: NoteEnd) -> list[Memory]:
    """The notes in use that hold what is over; none where it is not plain which are meant."""
    notes = _in_use(scope.user_id).filter(said_at__lte=scope.said_at)
    found = [
        note
        for note in notes.exclude(source_message=scope.message_id)
        if ending.stems <= dedup.content_stem_ids(note.original or note.content)
        and not any(read_endings(Reading(note.original or note.content)))
    ]
    most = 1 if ending.called_off and len(ending.stems) == 1 else _MOST
    return found if len(found) <= most else []


def _in_use(user_id: UUID) -> MemoryQuerySet:
    """What a later sentence may take over: nothing by hand, nothing that is always in mind."""
    rows = Memory.objects.for_user(user_id).active().exclude(priority=Memory.Priority.CORE)
    rows = rows.exclude(source=Memory.Source.MANUAL).exclude(category=Memory.Category.SUMMARY)
    return rows.defer("embedding", "terms").order_by("said_at", "pk")
