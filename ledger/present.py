"""A contradiction as a person reads it: one question, two sides, the evidence for each."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils.timezone import now

from accounts import words
from ledger.models import Contradiction, ContradictionQuerySet, Resolution
from memory import scoring
from memory.models import Mention, ProfileFact

# How many quotes stand on each side.
QUOTES = 3
# How long ago is "just", in a sentence about what somebody said.
JUST_NOW = timedelta(minutes=10)


@dataclass(frozen=True)
class Quote:
    """A sentence that supports a side; `match` is the value in it."""

    before: str
    match: str
    after: str
    url: str
    title: str
    when: str


@dataclass(frozen=True)
class Side:
    """One of the two values, with what speaks for it."""

    value: str
    since_words: str
    trust_word: str
    stitches: int
    conversation_count: int
    last_said: datetime
    quotes: list[Quote]


@dataclass(frozen=True)
class ConflictView:
    """All that a page or a card says about one contradiction."""

    entry: Contradiction
    old: Side
    new: Side
    question: str
    evidence: str
    summary_words: str
    settled_words: str

    @property
    def pk(self) -> object:
        """The entry's key."""
        return self.entry.pk

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return self.entry.is_open

    @property
    def label(self) -> str:
        """'Employer'."""
        return self.entry.kind.label

    @property
    def noun(self) -> str:
        """'employer'."""
        return self.entry.kind.noun

    @property
    def heading(self) -> str:
        """'Where do you work?'"""
        return self.entry.kind.question

    @property
    def slot(self) -> str:
        """The disputed slot."""
        return self.entry.slot

    @property
    def url(self) -> str:
        """Its page."""
        return self.entry.get_absolute_url()


def with_evidence(entries: ContradictionQuerySet) -> ContradictionQuerySet:
    """Load what a list of conflicts shows in a fixed number of reads."""
    return entries.prefetch_related(
        *(
            f"{side}__mentions__{what}"
            for side in ("old_fact", "new_fact")
            for what in ("conversation", "message")
        )
    )


def view(entry: Contradiction, today: datetime | None = None) -> ConflictView:
    """Put one entry into words."""
    today = today or now()
    old, new = _side(entry.old_fact, today), _side(entry.new_fact, today)
    if entry.old_fact.slot != entry.new_fact.slot:
        # Likes against dislikes: the same thing on both sides, so each side says which it is.
        old = replace(old, value=_lowered(entry.old_fact))
        new = replace(new, value=_lowered(entry.new_fact))
    noun = entry.kind.noun
    just = "just " if today - new.last_said < JUST_NOW else ""
    return ConflictView(
        entry=entry,
        old=old,
        new=new,
        question=_question(entry, old, new, noun),
        evidence=f"I had {old.value}, {_support(old, today)}. You {just}said {new.value}. "
        "Nothing changes until you answer.",
        summary_words=f"{_summary(old, today)} and {_summary(new, today)}",
        settled_words=_settled(entry),
    )


def _question(entry: Contradiction, old: Side, new: Side, noun: str) -> str:
    if entry.old_fact.slot != entry.new_fact.slot:
        return f"Which is it: {old.value}, or {new.value}?"
    return f"Is your {noun} {old.value} or {new.value}?"


def _lowered(fact: ProfileFact) -> str:
    """'likes olives'"""
    note = fact.kind.note.format(value=fact.value)
    return note[0].lower() + note[1:]


def api(entry: Contradiction) -> dict[str, object]:
    """An entry as the API shows it."""
    shown = view(entry)
    resolution: Resolution | None = getattr(entry, "resolution", None)
    return {
        "id": str(entry.pk),
        "slot": entry.slot,
        "status": entry.status,
        "question": shown.question,
        "drift": round(entry.drift, 4),
        "opened_at": entry.opened_at,
        "old": _api_side(entry.old_fact, shown.old),
        "new": _api_side(entry.new_fact, shown.new),
        "old_value": shown.old.value,
        "new_value": shown.new.value,
        "resolution": None
        if resolution is None
        else {"method": resolution.method, "at": resolution.at, "reason": resolution.reason},
    }


def _api_side(fact: ProfileFact, side: Side) -> dict[str, object]:
    return {
        "fact": str(fact.pk),
        "value": side.value,
        "trust": round(fact.trust, 4),
        "conversations": side.conversation_count,
        "last_said": side.last_said,
        "source_conversations": sorted(
            {str(mention.conversation_id) for mention in fact.mentions.all()}
        ),
    }


def _side(fact: ProfileFact, today: datetime) -> Side:
    mentions = sorted(fact.mentions.all(), key=lambda m: m.said_at, reverse=True)
    trust = scoring.in_words(fact.trust)
    return Side(
        value=fact.value,
        since_words=f"Noted {words.day(fact.valid_from, today)}"
        if words.ago(fact.valid_from, today) in ("today", "yesterday")
        else f"Noted since {words.day(fact.valid_from, today)}",
        trust_word=trust.word,
        stitches=trust.stitches,
        conversation_count=len({m.conversation_id for m in mentions}),
        last_said=mentions[0].said_at if mentions else fact.last_verified,
        quotes=[_quote(m, today) for m in mentions[:QUOTES]],
    )


def _quote(mention: Mention, today: datetime) -> Quote:
    """The sentence around the value, at most about 120 characters to either side."""
    text = mention.message.content
    start, end = mention.start, mention.end
    return Quote(
        before=_tail(text[:start]),
        match=text[start:end],
        after=_head(text[end:]),
        url=mention.message.get_absolute_url(),
        title=mention.conversation.title or "A conversation",
        when=words.day(mention.said_at, today),
    )


def _tail(text: str) -> str:
    line = text.rpartition("\n")[2]
    return line if len(line) <= 120 else "…" + line[-119:]


def _head(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= 120 else line[:119] + "…"


def _support(side: Side, today: datetime) -> str:
    if not side.conversation_count:
        return f"as you wrote it {words.day(side.last_said, today)}"
    last = "last " if side.conversation_count > 1 else ""
    return (
        f"from {words.conversations(side.conversation_count)}, "
        f"{last}{words.ago(side.last_said, today)}"
    )


def _summary(side: Side, today: datetime) -> str:
    when = words.ago(side.last_said, today)
    if not side.conversation_count:
        return f"{side.value} ({when}, written by you)"
    return f"{side.value} ({when}, {words.conversations(side.conversation_count)})"


def _settled(entry: Contradiction) -> str:
    resolution: Resolution | None = getattr(entry, "resolution", None)
    if resolution is None:
        return ""
    if resolution.method == Resolution.Method.KEEP_NEW:
        return f"{entry.new_fact.value}. {entry.old_fact.value} stays in the history."
    if resolution.method == Resolution.Method.KEEP_OLD:
        return f"Still {entry.old_fact.value}. I set {entry.new_fact.value} aside."
    return "You changed it by hand."
