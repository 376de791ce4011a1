"""Conflicts as pages show them: a question, two values, the evidence for each."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.utils.timezone import localtime, now

from accounts.models import AuditEvent
from accounts.support import formatting
from ledger.conflicts import auto_settling, start_precision
from ledger.history import timeline
from ledger.history.recent_changes import SETTLED_BY
from ledger.models import Contradiction, ContradictionQuerySet, Resolution
from memory.facts.validity import is_told_time
from memory.models import Mention, ProfileFact

Method = Resolution.Method
# How many quotes each side shows.
QUOTES = 3


@dataclass(frozen=True)
class Quote:
    """A sentence that supports a value; `match` is the value in it."""

    before: str
    match: str
    after: str
    url: str
    title: str
    when: str


@dataclass(frozen=True)
class Side:
    """One of the two values, with how often and when it was said.

    Its trust is not shown: a second value lowers that of the first, however often it was said.
    `begun` is the value at the start of a sentence, `right_words` the answer that chooses it.
    """

    fact: ProfileFact
    value: str
    begun: str
    right_words: str
    since_words: str
    conversation_count: int
    last_said: datetime
    support_words: str
    quotes: list[Quote]
    source_conversations: list[UUID]


@dataclass(frozen=True)
class SuggestionView:
    """The suggested answer, with the days of its timeline."""

    method: str
    reason: str
    until: date | None
    since: date | None
    precision: str = "day"

    @property
    def words(self) -> str:
        """Return e.g. 'Suggested because you said it last'."""
        return f"Suggested because {self.reason}"


@dataclass(frozen=True)
class AnswerView:
    """A button of the card: its value and label."""

    method: str
    words: str
    until: str = ""
    since: str = ""


@dataclass(frozen=True)
class ConflictView:
    """A conflict as a page or card shows it."""

    entry: Contradiction
    old: Side
    new: Side
    question: str
    evidence: str
    summary_words: str
    settled_words: str
    suggestion: SuggestionView | None
    settled_by: str
    help_words: str

    @property
    def answers(self) -> list[AnswerView]:
        """Return at most three answers for the card, likeliest first."""
        answers = [
            AnswerView(Method.KEEP_NEW, self.new.right_words),
            AnswerView(Method.KEEP_OLD, self.old.right_words),
        ]
        if self.entry.both_can_hold and not self.opposed:
            answers.append(AnswerView(Method.DISMISS, "Both are right"))
        tip = self.suggestion
        if tip and tip.method == Method.TIMELINE and tip.until and tip.since:
            since = formatting.day_as_told(tip.since, localtime(now()).date(), tip.precision)
            until, begins = tip.until.isoformat(), tip.since.isoformat()
            text = f"{self.new.begun} since {since}"
            answers.insert(0, AnswerView(Method.TIMELINE, text, until, begins))
        return answers[:3]

    @property
    def proposed_days(self) -> dict[str, date]:
        """Return the initial days of the timeline form: as stated, or today."""
        tip, today = self.suggestion, localtime(now()).date()
        since = tip.since if tip and tip.since else today
        return {"since": since, "until": since - timedelta(days=1)}

    @property
    def pk(self) -> object:
        """Return the conflict's key."""
        return self.entry.pk

    @property
    def is_open(self) -> bool:
        """Return whether the conflict is open."""
        return self.entry.is_open

    @property
    def can_undo(self) -> bool:
        """Return whether the resolution can be undone."""
        return self.entry.resolution is not None and self.entry.resolution.can_undo

    @property
    def opposed(self) -> bool:
        """Return whether both values are the same thing, in contrary slots (likes and dislikes)."""
        return _opposed(self.entry)

    @property
    def is_change(self) -> bool:
        """Return whether the resolution changed the value."""
        resolution = self.entry.resolution
        return resolution is not None and _holds_now(self.entry, resolution) is not None

    @property
    def chip_text(self) -> str:
        """Return e.g. 'Lives in Bristol, was Bath' for a settled conflict."""
        resolution = self.entry.resolution
        if resolution is None:
            return ""
        new = _holds_now(self.entry, resolution)
        if new is None:
            return self.entry.old_fact.sentence
        return new if self.opposed else f"{new}, was {self.entry.old_fact.value}"

    @property
    def label(self) -> str:
        """Return the slot's label, 'Employer'; 'Likes or dislikes' for contrary slots."""
        if self.opposed:
            return f"{self.entry.old_fact.kind.label} or {self.entry.new_fact.kind.label.lower()}"
        return self.entry.kind.label

    @property
    def noun(self) -> str:
        """Return the slot's noun: 'employer'."""
        return self.entry.kind.noun

    @property
    def matter(self) -> str:
        """Return the slot as a clause: 'where you work'."""
        return self.entry.kind.matter

    @property
    def heading(self) -> str:
        """Return the slot as a question: 'Where do you work?'"""
        return self.question if self.opposed else self.entry.kind.question

    @property
    def undo_days(self) -> int:
        """Return for how many days a resolution can be undone."""
        return int(settings.MEMORY["undo_days"])

    @property
    def slot(self) -> str:
        """Return the key of the slot."""
        return self.entry.slot

    @property
    def url(self) -> str:
        """Return the URL of the conflict's page."""
        return self.entry.get_absolute_url()


def with_evidence(entries: ContradictionQuerySet) -> ContradictionQuerySet:
    """Return conflicts with everything that a list shows, in a fixed number of queries."""
    return entries.prefetch_related(
        *(
            f"{side}__mentions__{relation}"
            for side in ("old_fact", "new_fact")
            for relation in ("conversation", "message")
        )
    )


def view(entry: Contradiction, today: datetime | None = None) -> ConflictView:
    """Return a conflict as a page shows it."""
    today = today or now()
    old, new = _side(entry.old_fact, today), _side(entry.new_fact, today)
    if _opposed(entry):
        # Likes against dislikes: both values are the same thing, so each shows its verb.
        old, new = _spelled_out(old, entry.old_fact), _spelled_out(new, entry.new_fact)
    noun = entry.kind.noun
    return ConflictView(
        entry=entry,
        old=old,
        new=new,
        question=_question(entry, old, new, noun),
        evidence=f"You told me {old.value}, {_support(old, today)}, and {new.value} "
        f"{formatting.ago(new.last_said, today)}. Neither is used until you choose.",
        summary_words=f"{_summary(old, today)} and {_summary(new, today)}",
        settled_words=settled(entry, today),
        suggestion=_suggestion(entry, today),
        settled_by=_settled_by(entry, today),
        help_words=_help(entry, today),
    )


def one_at_a_time(views: Iterable[ConflictView]) -> list[tuple[ConflictView, list[ConflictView]]]:
    """Return the oldest open conflict about each fact with the later ones, newest first."""
    shown: dict[object, list[ConflictView]] = {}
    for conflict_view in views:
        shown.setdefault(
            conflict_view.pk if conflict_view.entry.kind.many else conflict_view.slot, []
        ).insert(0, conflict_view)
    return [(first, behind) for first, *behind in shown.values()]


def _suggestion(entry: Contradiction, today: datetime) -> SuggestionView | None:
    if not entry.is_open or (tip := auto_settling.suggest(entry, today)) is None:
        return None
    exactly = start_precision.of_change(entry, tip.since)
    return SuggestionView(tip.method, tip.reason, tip.until, tip.since, exactly)


def _settled_by(entry: Contradiction, today: datetime) -> str:
    """Return e.g. 'You settled it today.', 'Staff settled it 4 November. You told two cities.'"""
    if (resolution := entry.resolution) is None:
        return ""
    settled_by = SETTLED_BY.get(AuditEvent.By(resolution.by_whom), "It was settled")
    reason = f" {resolution.reason}" if resolution.reason else ""
    return f"{settled_by} {formatting.day(resolution.at, today)}.{reason}"


def _help(entry: Contradiction, today: datetime) -> str:
    """Return 'You asked for help today.', or '' if the user did not ask."""
    if entry.help_asked_at is None:
        return ""
    return f"You asked for help {formatting.day(entry.help_asked_at, today)}."


def _question(entry: Contradiction, old: Side, new: Side, noun: str) -> str:
    if _opposed(entry):
        return f"Which is it: {old.value}, or {new.value}?"
    return f"Is your {noun} {old.value} or {new.value}?"


def _opposed(entry: Contradiction) -> bool:
    return entry.old_fact.slot != entry.new_fact.slot


def _spelled_out(side: Side, fact: ProfileFact) -> Side:
    """Return a side with its verb: 'likes olives' as value, 'Likes olives' as answer."""
    note = fact.sentence
    return replace(side, value=formatting.lowered(note), begun=note, right_words=note)


def _side(fact: ProfileFact, today: datetime) -> Side:
    mentions = sorted(fact.mentions.all(), key=lambda m: m.said_at, reverse=True)
    count = len({m.conversation_id for m in mentions})
    last_said = mentions[0].said_at if mentions else fact.last_verified
    when = formatting.ago(last_said, today)
    return Side(
        fact=fact,
        value=fact.value,
        begun=formatting.capital(fact.value),
        right_words=f"{formatting.capital(fact.value)} is right",
        since_words=_since_words(fact, today),
        conversation_count=count,
        last_said=last_said,
        support_words=f"Said in {formatting.conversations(count)}, last {when}"
        if count > 1
        else f"Said in 1 conversation, {when}"
        if count
        else f"Written by you {when}",
        quotes=[_quote(m, today) for m in mentions[:QUOTES]],
        source_conversations=sorted({m.conversation_id for m in mentions}, key=str),
    )


def _since_words(fact: ProfileFact, today: datetime) -> str:
    """Return 'Since March 2024', 'Noted yesterday', or 'Until October' if the start is unknown."""
    this = localtime(today).date()
    if fact.begins_unknown and fact.valid_to is not None:
        ended = localtime(fact.valid_to).date()
        return f"Until {formatting.day_as_told(ended, this, fact.to_precision)}"
    begun = localtime(fact.valid_from).date()
    since = formatting.day_as_told(begun, this, fact.from_precision)
    if is_told_time(fact.valid_from):
        return f"Since {since}"
    if formatting.ago(fact.valid_from, today) in ("today", "yesterday"):
        return f"Noted {formatting.day(fact.valid_from, today)}"
    return f"Noted since {since}"


def _quote(mention: Mention, today: datetime) -> Quote:
    """Return the sentence with the value, at most about 120 characters on either side."""
    text = mention.message.content
    start, end = mention.start, mention.end
    return Quote(
        before=_tail(text[:start]),
        match=text[start:end],
        after=_head(text[end:]),
        url=mention.message.get_absolute_url(),
        title=mention.conversation.name or "A conversation",
        when=formatting.day(mention.said_at, today),
    )


def _tail(text: str) -> str:
    line = text.rpartition("\n")[2]
    return line if len(line) <= 120 else "…" + line[-119:]


def _head(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= 120 else line[:119] + "…"


def _support(side: Side, today: datetime) -> str:
    if not side.conversation_count:
        return f"written by you {formatting.day(side.last_said, today)}"
    last = "last " if side.conversation_count > 1 else ""
    return (
        f"from {formatting.conversations(side.conversation_count)}, "
        f"{last}{formatting.ago(side.last_said, today)}"
    )


def _summary(side: Side, today: datetime) -> str:
    when = formatting.ago(side.last_said, today)
    if not side.conversation_count:
        return f"{side.value} ({when}, written by you)"
    return f"{side.value} ({when}, {formatting.conversations(side.conversation_count)})"


def _has_years(fact: ProfileFact) -> bool:
    """Return whether start or end of the fact is known."""
    return fact.valid_to is not None and fact.valid_from < fact.valid_to


def bygone(fact: ProfileFact, told_at: datetime) -> str:
    """Return 'Post AG, 2009 to 2016' for a fact that had ended when it was stated, else ''."""
    if fact.status != ProfileFact.Status.PAST or not fact.valid_to or fact.valid_to > told_at:
        return ""
    return f"{fact.value}, {timeline.span_of(fact).words(localtime(told_at).date())}"


def _holds_now(entry: Contradiction, resolution: Resolution) -> str | None:
    """Return the current value as a sentence, "Lives in Bristol"; None if it is the old one."""
    if resolution.method == Method.DISMISS or resolution.kept_id == entry.old_fact_id:
        return None
    if resolution.method == Method.TIMELINE or resolution.kept_id == entry.new_fact_id:
        return entry.new_fact.sentence
    if resolution.value:
        return entry.kind.note.format(value=resolution.value)
    return f"{entry.kind.label}, changed by you"


def settled(entry: Contradiction, today: datetime) -> str:
    """Return the resolution in a sentence or two; '' while open. Uses its resolutions."""
    resolution = entry.resolution
    if resolution is None:
        return ""
    had, begins = entry.old_fact.value, entry.new_fact.value
    kept, aside = had, begins
    if _opposed(entry):
        had, begins = (fact.sentence for fact in (entry.old_fact, entry.new_fact))
        kept, aside = formatting.lowered(had), f"“{formatting.lowered(begins)}”"
        had = f"“{had}”"
    if resolution.method == Method.TIMELINE and resolution.since is not None:
        new = entry.new_fact
        same = localtime(new.valid_from).date() == resolution.since
        exactly = new.from_precision if same else "day"
        since = formatting.day_as_told(resolution.since, localtime(today).date(), exactly)
        years = f"{had} keeps its dates" if _has_years(entry.old_fact) else f"Before that: {had}"
        return f"{begins} since {since}. {years}."
    by_method = {
        Method.OVERTAKEN: "You changed it yourself.",
        Method.DISMISS: "Both are fine. Your profile keeps both."
        if entry.both_hold
        else f"Your profile keeps {had}, and I’ve stopped asking.",
    }
    by_kept: dict[UUID | None, str] = {
        entry.new_fact_id: f"{begins}. {had} stays in your history.",
        entry.old_fact_id: f"Still {kept}. I set {aside} aside.",
    }
    written = resolution.value or "You wrote another value and later erased it"
    otherwise = f"{written}. {had} and {aside} stay in your history."
    return by_method.get(Method(resolution.method)) or by_kept.get(resolution.kept_id, otherwise)
