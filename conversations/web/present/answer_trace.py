"""The trace of an answer: the items that it used and why, its look-ups and its cost.

Used items are stored by id (`Message.recalled`), without text, so that retracted, deleted or erased
items disappear here too.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.timezone import now

from accounts.support import formatting
from conversations.messages import as_read
from conversations.models import Conversation, Message
from conversations.tools.steps import duration
from conversations.web.present import talk
from conversations.web.present.left_out import LeftOut, left_out
from conversations.web.present.talk import StepView
from memory.context.prompt_items import CORE_SLOTS, PromptItem
from memory.context.prompt_memory import FACT_FITS_FROM
from memory.core.scoring import TrustWord, trust_in_words
from memory.language.origin import Origin
from memory.models import Lesson, Memory, Override, ProfileFact
from memory.retrieval.note_search import shown_notes

# Longest quote of a message, in characters.
_LONGEST = 240
# How many used items are shown at once; the others are collapsed.
_MOST_SHOWN = 4
_FACT, _NOTE = ProfileFact.Status, Memory.Status
_FACT_SINCE = {
    _FACT.CHALLENGER: "not settled",
    _FACT.PAST: "no longer true",
    _FACT.SET_ASIDE: "since set aside as not true",
}
_NOTE_SINCE = {
    _NOTE.WAITING: "waiting for you to confirm it",
    _NOTE.PAUSED: "since paused",
    _NOTE.SUPERSEDED: "since replaced by a newer memory",
    _NOTE.MERGED: "since merged with another memory",
    _NOTE.RETIRED: "since removed to make room for newer ones",
    _NOTE.WITHDRAWN: "since changed by the language model",
}
_GONE = {
    "fact": "A fact that no longer exists",
    "dispute": "A fact in conflict that no longer exists",
    "override": "A fact for this conversation only that no longer exists",
    "memory": "A memory that no longer exists",
    "summary": "A summary that no longer exists",
    "quote": "A message that no longer exists",
    "lesson": "A lesson from your role that no longer exists",
}


@dataclass(frozen=True)
class Factor:
    """A reason why an item was used: in words, as a bar (1..100), and as a number."""

    name: str
    word: str
    share: int
    number: str


@dataclass(frozen=True)
class TraceRow:
    """A used item as shown: text and link, trust, source, edit link. note_id: the memory that can
    be left out in future, if any.
    """

    kind: str
    text: str
    url: str
    about: str = ""
    always: str = ""
    trust: TrustWord | None = None
    source: str = ""
    source_url: str = ""
    edit_url: str = ""
    note_id: UUID | None = None


@dataclass(frozen=True)
class Used(TraceRow):
    """An item that an answer used, and why."""

    fits: str = ""
    factors: Sequence[Factor] = ()

    @property
    def gone(self) -> bool:
        """Whether the item no longer exists, so that only its kind is shown."""
        return not self.text

    @property
    def slight(self) -> bool:
        """Whether the item hardly relates to the question."""
        return self.fits == _IN_A_SENTENCE["hardly"]


@dataclass(frozen=True)
class AnswerTrace:
    """The used items, look-ups and cost of an answer."""

    used: list[Used]
    left_out: list[LeftOut]
    steps: list[StepView]
    took: str
    tokens_in: int | None
    tokens_out: int | None
    tokens_estimated: bool

    @property
    def mattered(self) -> list[Used]:
        """The first few items that relate to the question; if none does, the first item."""
        return [item for item in self.used if not item.slight][:_MOST_SHOWN] or self.used[:1]

    @property
    def also_used(self) -> list[Used]:
        """The other used items; those that hardly relate to the question come last."""
        # Compared by identity: items that no longer exist are equal.
        mattered = set(map(id, self.mattered))
        rest = [item for item in self.used if id(item) not in mattered]
        return sorted(rest, key=lambda item: item.slight)


def opened(answer: Message) -> AnswerTrace:
    """Return the trace of an answer, in the user's transaction (`acting_as`); a fixed number of
    queries.
    """
    kept = [item for item in answer.recalled if item.get("what") in _GONE]
    rows = _StoredRows(answer, kept)
    return AnswerTrace(
        used=[_used(item, rows.shown(item)) for item in kept],
        left_out=left_out(answer),
        steps=talk.steps(answer, answer.steps),
        took="" if answer.milliseconds is None else duration(answer.milliseconds),
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
        tokens_estimated=answer.tokens_estimated,
    )


# --- The items -----------------------------------------------------------------------------------


class _StoredRows:
    """The rows that the stored ids of an answer refer to."""

    def __init__(self, answer: Message, kept: Iterable[Mapping[str, Any]]) -> None:
        ids: defaultdict[str, list[UUID]] = defaultdict(list)
        for item in kept:
            ids[item["what"]].append(UUID(item["id"]))
        user_id, self.here, self.today = answer.user_id, answer.conversation_id, now()
        messages = Message.objects.for_user(user_id).select_related("conversation")
        facts = ProfileFact.objects.for_user(user_id)
        facts = facts.select_related("source_conversation", "source_message")
        overrides = Override.objects.filter(user_id=user_id, conversation_id=self.here)
        # No query for kinds that the answer did not use.
        self.facts = facts.in_bulk(ids["fact"] + ids["dispute"])
        self.notes = shown_notes(user_id).in_bulk(ids["memory"] + ids["summary"])
        self.quotes = messages.in_bulk(ids["quote"])
        self.lessons = Lesson.objects.in_bulk(ids["lesson"])
        self.overrides = overrides.in_bulk(ids["override"])

    def shown(self, item: Mapping[str, Any]) -> TraceRow:
        """Return a used item as shown; without text if it no longer exists."""
        what, pk = item["what"], UUID(item["id"])
        shown = None
        if what in ("fact", "dispute"):
            shown = self._fact(self.facts.get(pk), disputed=what == "dispute")
        elif what in ("memory", "summary"):
            shown = self._note(self.notes.get(pk))
        elif what == "quote":
            shown = self._quote(self.quotes.get(pk))
        elif what == "lesson":
            shown = self._lesson(self.lessons.get(pk))
        elif pk in self.overrides:
            override = self.overrides[pk]
            shown = TraceRow(override.kind.label, override.value, "", "in this conversation only")
        return shown or TraceRow(_GONE[what], "", "")

    def _fact(self, fact: ProfileFact | None, *, disputed: bool) -> TraceRow | None:
        if fact is None or fact.status == _FACT.REMOVED:
            return None
        standing = _FACT(fact.status)
        about = "in conflict when I answered" if disputed else _FACT_SINCE.get(standing, "")
        if fact.origin == Origin.MODEL:
            about = f"{about}, read by the language model".removeprefix(", ")
        core = fact.slot in CORE_SLOTS
        always = _IN_MIND if core else "You asked about this."
        stands = standing == _FACT.CURRENT
        source, source_url = self._source(fact)
        return TraceRow(
            kind=fact.kind.label,
            text=fact.value,
            url=_where(fact),
            about=about,
            always=always,
            trust=None if disputed else trust_in_words(fact.trust),
            edit_url=reverse("memory:edit", args=[fact.pk]) if stands else "",
            source=source,
            source_url=source_url,
        )

    def _note(self, note: Memory | None) -> TraceRow | None:
        if note is None or note.status in (_NOTE.REMOVED, _NOTE.DECLINED):
            return None
        summary = note.category == Memory.Category.SUMMARY
        kind = "Summary of a conversation" if summary else "Memory"
        about = _NOTE_SINCE.get(_NOTE(note.status), "") or self._day(note.said_at)
        about += f", {note.about_day}" if note.about_day else ""
        if note.origin == Origin.MODEL:
            about += ", read by the language model"
        stands = note.status in (_NOTE.ACTIVE, _NOTE.PAUSED)
        source, source_url = self._source(note)
        return TraceRow(
            kind=kind,
            text=note.content,
            # Linked to its own page, because the list shows twenty per page.
            url=reverse("memory:memory_why", args=[note.pk]),
            about=about,
            trust=trust_in_words(note.trust),
            edit_url=reverse("memory:memory_edit", args=[note.pk]) if stands else "",
            note_id=note.pk if note.status == _NOTE.ACTIVE else None,
            source=source,
            source_url=source_url,
        )

    def _source(self, row: ProfileFact | Memory) -> tuple[str, str]:
        """Return the description and URL of the place where a fact or memory was said."""
        conversation = row.source_conversation
        if conversation is None:
            by_hand = row.source in (ProfileFact.Source.MANUAL, Memory.Source.MANUAL)
            return ("You wrote this" if by_hand else "", "")
        name = (
            "This conversation"
            if conversation.pk == self.here
            else conversation.name or "A conversation"
        )
        return name, (row.source_message or conversation).get_absolute_url()

    def _quote(self, message: Message | None) -> TraceRow | None:
        if message is None or message.state == Message.State.REMOVED:
            return None
        elsewhere = message.conversation_id != self.here
        private = message.conversation.privacy == Conversation.Privacy.PRIVATE
        if elsewhere and (message.confidential or private):
            return TraceRow("Something said in confidence in another conversation", "", "")
        you = message.role == Message.Role.USER
        who = message.author or ("You" if you else "I")
        title = message.conversation.name or "a conversation"
        about = f"{self._day(message.said_at)}{f', in {title}' if elsewhere else ''}"
        text = " ".join(as_read(message).split())
        text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        return TraceRow(f"{who} said", text, message.get_absolute_url(), about)

    def _lesson(self, lesson: Lesson | None) -> TraceRow | None:
        if lesson is None or not lesson.visible:
            return None
        return TraceRow("From your role", lesson.text, reverse("memory:cohort"))

    def _day(self, at: datetime) -> str:
        return formatting.day(at, self.today)


def _where(fact: ProfileFact) -> str:
    """Return the URL where a fact is shown: the profile for current ones, else the ledger."""
    if fact.status == _FACT.CURRENT:
        return fact.get_absolute_url()
    if fact.status == _FACT.CHALLENGER:
        return reverse("ledger:conflicts")
    if fact.status == _FACT.PAST:
        return f"{reverse('ledger:timeline')}?slot={fact.slot}"
    return f"{reverse('ledger:history')}?slot={fact.slot}#list"


def _used(item: Mapping[str, Any], shown: TraceRow) -> Used:
    factors = _factors(item)
    always = "" if factors else shown.always or _ALWAYS.get(item["what"], "")
    why = {
        "always": always,
        "fits": _IN_A_SENTENCE[factors[0].word] if factors else "",
        "factors": factors,
    }
    return Used(**(vars(shown) | why))


# --- The reasons ---------------------------------------------------------------------------------

_ALWAYS = {
    "override": "It applies only to this conversation, so it comes first.",
    "summary": "I always keep the latest conversations in mind.",
    "quote": "I found it by searching.",
    "memory": "I found it by searching.",
    "lesson": "Others in your role found it useful. It isn’t about you.",
}
_IN_MIND = "Always in mind."


def because(item: PromptItem) -> str:
    """Return why a prompt contains this item, as a sentence."""
    factors = _factors(item.as_kept())
    core = item.score is not None and item.score.similarity < FACT_FITS_FROM
    if core and item.what != "quote":
        return _IN_MIND
    return f"{_IN_A_SENTENCE[factors[0].word]}." if factors else _ALWAYS.get(item.what, _IN_MIND)


# Least strength of a factor for each word.
_FITS = ((0.75, "very well"), (0.45, "well"), (0.2, "partly"), (0.0, "hardly"))
_IN_A_SENTENCE = {
    "very well": "Fits your question very well",
    "well": "Fits your question well",
    "partly": "Partly fits your question",
    "hardly": "Barely relates to your question",
}
_STRONG = ((0.6, "strong"), (0.3, "fair"), (0.0, "slight"))
_FRESH = ((0.85, "recent"), (0.5, "a while ago"), (0.0, "long ago"))


def _factors(item: Mapping[str, Any]) -> list[Factor]:
    """Return words and bars for the factors of R = s·ρ·w, as they were when the item was used."""
    if "s" not in item:
        return []
    return [
        _factor("Match", _word(item["s"], _FITS), item["s"]),
        _factor("Freshness", _word(item["rho"], _FRESH), item["rho"]),
        _factor("Belief", trust_in_words(item["w"]).word.lower(), item["w"]),
        _factor("Together", _word(item["R"], _STRONG), item["R"]),
    ]


def _factor(name: str, word: str, strength: float) -> Factor:
    return Factor(name, word, max(1, min(100, round(100 * strength))), f"{strength:.2f}")


def _word(strength: float, scale: tuple[tuple[float, str], ...]) -> str:
    return next((word for floor, word in scale if strength >= floor), scale[-1][1])
