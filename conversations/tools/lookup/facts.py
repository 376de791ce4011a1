"""The tool that returns facts about the user: by slot, by words, or all."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.db.models import QuerySet
from pydantic import AfterValidator, BaseModel, Field

from conversations.tools import visibility
from conversations.tools.arguments import Words
from conversations.tools.tool import Arguments, Result, Tool, ToolContext
from conversations.tools.visibility import ConversationRef, count_in_words
from memory.core.scoring import trust_in_words
from memory.language.text.dedup import content_stem_ids
from memory.models import Override, ProfileFact
from memory.slots import SLOTS, Slot, asked_about

Status = ProfileFact.Status
_MOST_FACTS = 100
_SLOT_NAMES = [key for key, slot in SLOTS.items() if not slot.sensitive]


class KnownFact(BaseModel):
    """One fact. If it is disputed, neither it nor the values in `against` may be claimed.
    `gives_way`: whether another value holds in this conversation.
    """

    id: UUID
    slot: str
    label: str
    value: str
    sentence: str
    disputed: bool
    against: list[str]
    gives_way: bool
    trust: float
    trust_in_words: str
    origin: str
    since: datetime
    until: datetime | None
    times_said: int
    last_heard: datetime
    said_in: ConversationRef | None
    said_at: str
    link: str


class HeldHere(BaseModel):
    """A value that holds in this conversation only."""

    id: UUID
    slot: str
    label: str
    value: str


class KnownFacts(Result):
    """Facts of the profile; `total` counts all matches, shown or not."""

    facts: list[KnownFact]
    here_only: list[HeldHere]
    total: int

    def in_words(self) -> str:
        """Return the result in words: '3 facts', 'nothing found'."""
        return count_in_words(self.total + len(self.here_only), "fact")


def _known_slot(name: str) -> str:
    if name not in _SLOT_NAMES:
        raise ValueError(f"There is no {name[:40]!a}. Choose from: {', '.join(_SLOT_NAMES)}")
    return name


SlotName = Annotated[
    str, AfterValidator(_known_slot), Field(json_schema_extra={"enum": list(_SLOT_NAMES)})
]


class WhichFacts(Arguments):
    """Which facts to return."""

    slots: list[SlotName] = Field(
        default=[],
        max_length=20,
        description="Slots to look up, such as ['employer', 'job_title'].",
    )
    query: Words = Field(
        "", description="Words in the value or the label of the fact, such as 'work' or 'Lisbon'."
    )
    past: bool = Field(
        False,
        description="Include facts that used to be true. Use it for 'where did I work before?'.",
    )
    limit: int = Field(40, ge=1, le=_MOST_FACTS, description="Largest number of results.")


def find_facts(context: ToolContext, arguments: WhichFacts) -> KnownFacts:
    """Return the current facts, in the order of the profile; seven queries."""
    slots = _slots_meant(arguments)
    standing = [Status.CURRENT, Status.PAST] if arguments.past else [Status.CURRENT]
    rows = ProfileFact.objects.for_user(context.user_id).filter(status__in=standing)
    here = [
        override
        for override in _held_here(context)
        if _fits(override.kind, override.value, slots, arguments)
    ]
    matches = [
        (fact.pk, fact.slot)
        for fact in rows.only("slot", "value").order_by("-valid_from", "pk")
        if _fits(fact.kind, fact.value, slots, arguments)
    ]
    order = {slot: position for position, slot in enumerate(SLOTS)}
    shown = [pk for pk, slot in sorted(matches, key=lambda row: order[row[1]])[: arguments.limit]]
    facts = rows.with_evidence().in_bulk(shown)
    taken = {override.slot for override in here if not override.kind.many}
    return KnownFacts(
        facts=[as_known(context, facts[pk], taken) for pk in shown],
        here_only=[
            HeldHere(
                id=override.pk, slot=override.slot, label=override.kind.label, value=override.value
            )
            for override in here
        ],
        total=len(matches),
    )


def _slots_meant(arguments: WhichFacts) -> set[str]:
    """Return the slots that are named, or that a question asks about."""
    return set(arguments.slots) | (set(asked_about(arguments.query)) & SLOTS.keys())


def _fits(slot: Slot, value: str, slots: Collection[str], arguments: WhichFacts) -> bool:
    if slot.key in slots:
        return True
    if arguments.slots and not arguments.query:
        return False
    stems = content_stem_ids(arguments.query)
    if not stems:
        return not arguments.query or bool(set(asked_about(arguments.query)) - SLOTS.keys())
    text = f"{slot.label} {slot.noun} {slot.group if slot.many else slot.question} {value}"
    return bool(stems & content_stem_ids(text))


def _held_here(context: ToolContext) -> QuerySet[Override]:
    rows = Override.objects.filter(user_id=context.user_id)
    if context.conversation_id is None:
        return rows.none()
    return rows.filter(conversation_id=context.conversation_id).order_by("created_at")


def as_known(context: ToolContext, fact: ProfileFact, taken: Collection[str]) -> KnownFact:
    """Return a fact as tools show it. `taken`: the slots with another value in this
    conversation.
    """
    mentions = sorted(fact.mentions.all(), key=lambda mention: mention.said_at)
    against = [entry.new_fact for entry in fact.disputed_by.all() if entry.is_open]
    said_in = visibility.place_seen(
        context, mentions[-1].conversation if mentions else fact.source_conversation
    )
    message = mentions[-1].message if mentions else fact.source_message
    return KnownFact(
        id=fact.pk,
        slot=fact.slot,
        label=fact.kind.label,
        value=fact.value,
        sentence=fact.in_words,
        disputed=bool(against),
        against=[conflict.sentence for conflict in against],
        gives_way=fact.slot in taken,
        trust=round(fact.trust, 3),
        trust_in_words="Disputed" if against else trust_in_words(fact.trust).word,
        origin=fact.origin,
        since=fact.valid_from,
        until=fact.valid_to,
        times_said=len(mentions),
        last_heard=fact.last_verified,
        said_in=said_in,
        said_at=message.get_absolute_url() if message and said_in else "",
        link=fact.get_absolute_url(),
    )


TOOLS = (
    Tool(
        name="find_personal_variables",
        purpose="Look up facts about the person, such as name, work, home and tastes. The answer "
        "marks disputed facts and lists values that apply in this conversation only.",
        arguments=WhichFacts,
        run=find_facts,
    ),
)
