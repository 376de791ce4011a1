"""The history of the trust in a fact or memory, in plain words."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.timezone import now

from accounts.support import formatting
from memory.core import scoring
from memory.facts import validity
from memory.language.origin import Origin
from memory.models import Memory, ProfileFact, TrustChange
from memory.web.present import remedies

Cause = TrustChange.Cause
Source = ProfileFact.Source

# Words for a change that link to the conversation.
_SAID = {Cause.AGREEMENT: "You said it again in", Cause.DRIFT: "You said something else in"}
_HAPPENED = {
    Cause.AGREEMENT: "You said it again",
    Cause.DRIFT: "You said something else",
    Cause.CONFIRMED: "You confirmed it",
    Cause.SETTLED: "You settled a conflict about it",
    Cause.MERGED: "Merged with a memory that says the same",
    Cause.UNDONE: "An earlier change was undone",
}
_BORN = {
    Source.USER: "You said it",
    Source.SYSTEM: "I said it, and you kept it",
    Source.FALLBACK: "I said it, based on your memories",
    Source.REFLECTION: "The language model read it in what you said",
    Source.MANUAL: "You wrote it yourself",
    Source.IMPORT: "Imported",
}
_NOT_TYPED = {
    Origin.PASTED: "It was in text you pasted",
    Origin.TOOL: "It was in a tool’s answer",
    Origin.ASSISTANT: "I said it myself",
    Origin.IMPORTED: "Imported",
    Origin.MODEL: "The language model read it in what you said",
}


@dataclass(frozen=True)
class Reason:
    """A step in the history: what, where, when, and the resulting trust.

    `way` is 'up', 'down' or ''.
    """

    words: str
    where: str
    url: str
    when: str
    trust_words: str
    stitches: int
    way: str


def of_fact(fact: ProfileFact) -> dict[str, object]:
    """Return the template context of the page about a fact's trust (two queries)."""
    noted = fact.created_at if validity.is_told_time(fact.valid_from) else fact.valid_from
    return _trust_context(fact, TrustChange.objects.filter(user_id=fact.user_id, fact=fact), noted)


def of_note(note: Memory) -> dict[str, object]:
    """Return the template context of the page about a memory's trust (two queries)."""
    return _trust_context(
        note, TrustChange.objects.filter(user_id=note.user_id, memory=note), note.said_at
    )


def _trust_context(
    believed: ProfileFact | Memory, changes: QuerySet[TrustChange], since: datetime
) -> dict[str, object]:
    today = now()
    rows = changes.select_related("message__conversation").order_by("at", "pk")
    lines = list(rows.defer("message__content"))
    at_birth = lines[0].before if lines else believed.trust
    trust = scoring.trust_in_words(believed.trust)
    reasons = [_birth(believed, at_birth, since, today)]
    reasons += [_reason(change, today) for change in lines]
    return {
        "because": remedies.shown_reason(remedies.reason_of_kept(believed)),
        "reasons": reasons,
        "trust_word": trust.word,
        "stitches": trust.stitches,
    }


def _birth(
    believed: ProfileFact | Memory, trust: float, since: datetime, today: datetime
) -> Reason:
    origin, source = Origin(believed.origin), Source(believed.source)
    words = _BORN[source] if source == Source.MANUAL else _NOT_TYPED.get(origin, _BORN[source])
    if isinstance(believed, Memory) and believed.written_by:
        words = f"{believed.written_by} wrote it"
    where, url = "", ""
    if believed.source_message is not None and source != Source.MANUAL:
        where = believed.source_message.conversation.name or "a conversation"
        url = believed.source_message.get_absolute_url()
        words += " in"
    word = scoring.trust_in_words(trust)
    return Reason(words, where, url, formatting.day(since, today), word.word, word.stitches, "")


def _reason(change: TrustChange, today: datetime) -> Reason:
    cause = Cause(change.cause)
    before, word = scoring.trust_in_words(change.before), scoring.trust_in_words(change.after)
    words, where, url = _HAPPENED[cause], "", ""
    if change.message is not None and cause in _SAID:
        words = _SAID[cause]
        where = change.message.conversation.name or "a conversation"
        url = change.message.get_absolute_url()
    way = "up" if change.after > change.before else "down"
    # The trust word often stays the same, so say in which direction it moved.
    step = {"up": ", a little more", "down": ", a little less"}[way] if word == before else ""
    when = formatting.day(change.at, today)
    return Reason(words, where, url, when, f"{word.word}{step}", word.stitches, way)
