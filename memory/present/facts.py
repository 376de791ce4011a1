"""A fact as its owner reads it: everyday names, trust in words, where it comes from."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.timezone import now

from accounts import words
from memory import scoring
from memory.models import Mention, ProfileFact
from memory.slots import GROUPS, SLOTS


@dataclass(frozen=True)
class FactRow:
    """One row of the profile page."""

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

    @property
    def pk(self) -> object:
        """The fact's key."""
        return self.fact.pk

    @property
    def slot(self) -> str:
        """The fact's slot."""
        return self.fact.slot

    @property
    def disputed(self) -> bool:
        """Whether another value stands against this one."""
        return bool(self.others)


@dataclass(frozen=True)
class FactGroup:
    """A heading of the profile page and the rows under it."""

    title: str
    facts: list[FactRow]


def row(fact: ProfileFact, today: datetime | None = None) -> FactRow:
    """Describe one fact. Reads its mentions and what stands against it; prefetch both for lists."""
    today = today or now()
    mentions = sorted(fact.mentions.all(), key=lambda m: m.said_at, reverse=True)
    against = [entry for entry in fact.disputed_by.all() if entry.is_open]
    trust = scoring.in_words(fact.trust)
    count = len({mention.conversation_id for mention in mentions})
    return FactRow(
        fact=fact,
        label=fact.kind.label,
        value=fact.value,
        others=[entry.new_fact.value for entry in against],
        trust_word="Disputed" if against else trust.word,
        stitches=2 if against else trust.stitches,
        verified_words=_verified(fact, today),
        source_words=_source(mentions, count),
        source_url=mentions[0].message.get_absolute_url() if mentions else "",
        conversation_count=count,
        conflict_url=against[0].get_absolute_url() if against else "",
    )


def groups(facts: Iterable[ProfileFact]) -> list[FactGroup]:
    """All facts under the registry's headings, in the registry's order; empty headings left out."""
    today = now()
    order = {slot: place for place, slot in enumerate(SLOTS)}
    made = sorted(facts, key=lambda fact: (order[fact.slot], fact.created_at))
    rows = [row(fact, today) for fact in made]
    return [
        FactGroup(title, inside)
        for title in GROUPS
        if (inside := [r for r in rows if r.fact.kind.group == title])
    ]


def portrait(facts: Iterable[ProfileFact]) -> str:
    """A few sentences that say who this is, from what is settled; '' when there is little."""
    by_slot: dict[str, list[str]] = {}
    for fact in facts:
        if not any(entry.is_open for entry in fact.disputed_by.all()):
            by_slot.setdefault(fact.slot, []).append(fact.value)
    said = [
        SLOTS[slot].answer.format(value=words.listed(by_slot[slot]))
        for slot in ("name", "employer", "location", "interests")
        if slot in by_slot and SLOTS[slot].answer.startswith("You")
    ]
    return " ".join(said) if len(said) > 1 else ""


def profile_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """The slots a person may fill by hand, grouped for a select."""
    return [
        (
            title,
            [
                (slot.key, slot.label)
                for slot in SLOTS.values()
                if slot.group == title and slot.profile and not slot.sensitive
            ],
        )
        for title in GROUPS
        if any(s.group == title and s.profile and not s.sensitive for s in SLOTS.values())
    ]


def api(fact: ProfileFact) -> dict[str, object]:
    """A fact as the API shows it."""
    shown = row(fact)
    return {
        "id": str(fact.pk),
        "slot": fact.slot,
        "label": fact.kind.label,
        "value": fact.value,
        "many": fact.many,
        "trust": round(fact.trust, 4),
        "confidence": round(fact.confidence, 4),
        "source": fact.source,
        "disputed": shown.disputed,
        "last_verified": fact.last_verified,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "conversations": shown.conversation_count,
        "source_conversation": fact.source_conversation_id,
        "source_message": fact.source_message_id,
        "url": reverse("memory:profile") + f"#fact-{fact.pk}",
    }


def _verified(fact: ProfileFact, today: datetime) -> str:
    when = words.day(fact.last_verified, today)
    if fact.source == ProfileFact.Source.MANUAL or fact.trust >= 1.0:
        return f"Confirmed {when}"
    return f"Noted {when}" if fact.last_verified == fact.valid_from else f"Last heard {when}"


def _source(mentions: list[Mention], count: int) -> str:
    if not mentions:
        return "You wrote this"
    if count > 1:
        return words.conversations(count)
    return mentions[0].conversation.title or "A conversation"
