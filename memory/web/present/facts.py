"""Facts as pages show them: labels, trust in words, source."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.utils.timezone import localtime, now

from accounts.support import formatting
from memory.core import scoring
from memory.facts import validity
from memory.language.origin import Origin
from memory.models import BlockedSlot, Mention, Override, Precision, ProfileFact
from memory.slots import GROUPS, SLOTS, Slot

# On a page with more facts than this, groups of more than SHORT are folded.
FULL_PAGE = 40
SHORT = 5


@dataclass(frozen=True)
class FactRow:
    """A row of the profile page."""

    fact: ProfileFact
    label: str
    value: str
    others: list[str]
    trust_word: str
    stitches: int
    verified_words: str
    source_words: str
    source_url: str
    conversation_count: int
    conflict_url: str
    since_words: str
    home_words: str

    @property
    def pk(self) -> object:
        """The id of the fact."""
        return self.fact.pk

    @property
    def slot(self) -> str:
        """The slot of the fact."""
        return self.fact.slot

    @property
    def sensitive(self) -> bool:
        """Whether the fact is sensitive, saved with consent."""
        return self.fact.is_sensitive

    @property
    def disputed(self) -> bool:
        """Whether the fact is in an open conflict."""
        return bool(self.others)


@dataclass(frozen=True)
class FactGroup:
    """A heading of the profile page with its rows; `folded`: closed at first."""

    title: str
    facts: list[FactRow]
    folded: bool = False


@dataclass(frozen=True)
class HereOnly:
    """A value that holds in one conversation only, with that conversation."""

    override: Override
    title: str
    url: str


def row(fact: ProfileFact, today: datetime | None = None) -> FactRow:
    """Return a fact as a row; prefetch its mentions and challengers for lists."""
    today = today or now()
    mentions = sorted(fact.mentions.all(), key=lambda m: m.said_at, reverse=True)
    against = fact.open_conflicts
    trust = scoring.trust_in_words(fact.trust)
    message = mentions[0].message if mentions else fact.source_message
    opposed = any(entry.new_fact.slot != fact.slot for entry in against)
    settled = FactRow(
        fact=fact,
        label=fact.kind.label,
        value=fact.sentence if opposed else fact.value,
        others=[_rival(entry.new_fact) if opposed else entry.new_fact.value for entry in against],
        trust_word=trust.word,
        stitches=trust.stitches,
        verified_words=_verified(fact, today),
        source_words=_source(fact, mentions) + _read_by(fact),
        source_url=message.get_absolute_url() if message else "",
        conversation_count=fact.conversation_count,
        conflict_url="",
        since_words=_begun(fact, today),
        home_words=_home(fact),
    )
    if not against:
        return settled
    question = against[0].get_absolute_url()
    return replace(
        settled,
        trust_word="Disputed",
        stitches=2,
        verified_words=f"Opened {formatting.day(against[0].opened_at, today)}",
        source_words="Both sides",
        source_url=question,
        conflict_url=question,
    )


def groups(facts: Iterable[ProfileFact], query: str = "") -> list[FactGroup]:
    """Return the facts by heading, in the registry's order, without empty headings.

    With `query` only facts whose name or value contains all its words. On a full page long groups
    are folded, unless they have a conflict.
    """
    today = now()
    order = {slot: position for position, slot in enumerate(SLOTS)}
    wanted = query.casefold().split()
    made = sorted(facts, key=lambda fact: (order[fact.slot], fact.created_at))
    rows = [row(fact, today) for fact in made if _has_words(fact, wanted)]
    many = len(rows) > FULL_PAGE and not wanted
    return [
        FactGroup(
            title, inside, many and len(inside) > SHORT and not any(r.disputed for r in inside)
        )
        for title in GROUPS
        if (inside := [r for r in rows if r.fact.kind.group == title])
    ]


def _has_words(fact: ProfileFact, wanted: list[str]) -> bool:
    text = f"{fact.kind.label} {fact.kind.noun} {fact.value}".casefold()
    return all(word in text for word in wanted)


def here_only(user_id: UUID) -> list[HereOnly]:
    """Return the values that hold in one conversation only, latest first.

    Those of private conversations are left out.
    """
    rows = Override.objects.filter(user_id=user_id).select_related("conversation")
    return [
        HereOnly(
            override,
            override.conversation.name or "A conversation",
            override.conversation.get_absolute_url(),
        )
        for override in rows.exclude(conversation__privacy="private").order_by("-created_at")
    ]


def portrait(facts: Iterable[ProfileFact]) -> str:
    """Return a few sentences about the user from facts without conflict; '' if there are few."""
    by_slot: dict[str, list[str]] = {}
    for fact in facts:
        if not fact.is_disputed:
            by_slot.setdefault(fact.slot, []).append(fact.value)
    sentences = [
        SLOTS[slot].answer.format(value=formatting.listed(by_slot[slot]))
        for slot in ("name", "employer", "location", "interests")
        if slot in by_slot and SLOTS[slot].answer.startswith("You")
    ]
    return " ".join(sentences) if len(sentences) > 1 else ""


def profile_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the slots that can be filled by hand, grouped for a select."""
    return slot_choices(but={slot.key for slot in SLOTS.values() if slot.sensitive})


def slot_choices(but: Container[str] = ()) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return every slot except those in `but`, also sensitive ones, grouped for a select."""
    slots = [slot for slot in SLOTS.values() if slot.key not in but]
    return [
        (title, [(slot.key, slot.label) for slot in inside])
        for title in GROUPS
        if (inside := [slot for slot in slots if slot.group == title])
    ]


def closed_slots(rows: Iterable[BlockedSlot]) -> list[Slot]:
    """Return the blocked slots in the registry's order."""
    keys = {row.slot for row in rows}
    return [slot for slot in SLOTS.values() if slot.key in keys]


def _rival(fact: ProfileFact) -> str:
    """Return an opposite fact as a phrase, 'dislikes olives', as the value alone would be equal."""
    note = fact.sentence
    return note[0].lower() + note[1:]


def _verified(fact: ProfileFact, today: datetime) -> str:
    when = formatting.day(fact.last_verified, today)
    if fact.source == ProfileFact.Source.MANUAL or fact.trust >= 1.0:
        return f"Confirmed {when}"
    begun = fact.created_at if validity.is_told_time(fact.valid_from) else fact.valid_from
    return f"Noted {when}" if fact.last_verified <= begun else f"Last heard {when}"


def _begun(fact: ProfileFact, today: datetime) -> str:
    """Return the start of a fact in words, as precisely as it was stated."""
    if fact.from_precision == Precision.DAY:
        return formatting.day(fact.valid_from, today)
    then, this = localtime(fact.valid_from).date(), localtime(today).date()
    return formatting.day_as_told(then, this, fact.from_precision)


def _source(fact: ProfileFact, mentions: list[Mention]) -> str:
    """Return the name of the conversation in which a fact was last said."""
    if mentions:
        return mentions[0].conversation.name or "A conversation"
    return _home(fact) or "You wrote this"


def _read_by(fact: ProfileFact) -> str:
    return ", read by the language model" if fact.origin == Origin.MODEL else ""


def _home(fact: ProfileFact) -> str:
    """Return the conversation in which a fact was first said; '' for a fact written by hand."""
    if fact.source_conversation is None:
        return ""
    return fact.source_conversation.name or "A conversation"
