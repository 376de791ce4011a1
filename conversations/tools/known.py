"""Tools about what is known of the person: facts by name or word, how much there is, all of it."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncMonth
from django.urls import reverse
from django.utils.timezone import localtime
from pydantic import AfterValidator, BaseModel, Field

from conversations.models import Conversation, Message
from conversations.tools import sight, talks
from conversations.tools.arguments import Words
from conversations.tools.sight import Place, counted
from conversations.tools.table import Arguments, Asking, Result, Tool
from conversations.tools.talks import ListedTalk
from ledger import timeline
from memory import lexicon, scoring
from memory.models import Memory, Override, ProfileFact
from memory.slots import SLOTS, Slot, asked_about

Status = ProfileFact.Status
_MOST_FACTS, _MOST_MONTHS = 100, 36
# How many of each kind are taken away at once.
_MOST_EXPORTED = 500
_SLOT_NAMES = [key for key, slot in SLOTS.items() if slot.profile]


# --- Facts ---------------------------------------------------------------------------------------


class KnownFact(BaseModel):
    """One fact. Of a disputed one neither value may be claimed: `against` is what was said, too.

    `gives_way`: in this conversation something else holds in its place.
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
    since: datetime
    until: datetime | None
    times_said: int
    last_heard: datetime
    said_in: Place | None
    said_at: str
    link: str


class HeldHere(BaseModel):
    """What holds in this conversation only."""

    id: UUID
    slot: str
    label: str
    value: str


class KnownFacts(Result):
    """Facts of the profile; `total` counts all that fit, shown or not."""

    facts: list[KnownFact]
    here_only: list[HeldHere]
    total: int

    def in_words(self) -> str:
        """'3 facts', 'nothing found'."""
        return counted(self.total + len(self.here_only), "fact")


def _known_slot(name: str) -> str:
    if name not in _SLOT_NAMES:
        raise ValueError(f"There is no {name[:40]!a}. There are: {', '.join(_SLOT_NAMES)}")
    return name


SlotName = Annotated[
    str, AfterValidator(_known_slot), Field(json_schema_extra={"enum": list(_SLOT_NAMES)})
]


class WhichFacts(Arguments):
    """Which facts: by slot, by words, or all of them."""

    slots: list[SlotName] = Field(
        default=[], max_length=20, description="What is asked for: ['employer', 'job_title']."
    )
    query: Words = Field("", description="Words of the fact or its name: 'work', 'Lisbon'.")
    past: bool = Field(False, description="Also what was true before: 'where did I work before?'.")
    limit: int = Field(40, ge=1, le=_MOST_FACTS, description="How many at most.")


def find_facts(asking: Asking, wanted: WhichFacts) -> KnownFacts:
    """What is held to be true, in the order of the profile: seven reads."""
    slots = _slots_meant(wanted)
    standing = [Status.CURRENT, Status.PAST] if wanted.past else [Status.CURRENT]
    rows = ProfileFact.objects.for_user(asking.user_id).filter(status__in=standing)
    here = [one for one in _held_here(asking) if _fits(one.kind, one.value, slots, wanted)]
    found = [
        (fact.pk, fact.slot)
        for fact in rows.only("slot", "value").order_by("-valid_from", "pk")
        if _fits(fact.kind, fact.value, slots, wanted)
    ]
    order = {slot: place for place, slot in enumerate(SLOTS)}
    shown = [pk for pk, slot in sorted(found, key=lambda one: order[one[1]])[: wanted.limit]]
    facts = rows.with_evidence().in_bulk(shown)
    taken = {one.slot for one in here if not one.kind.many}
    return KnownFacts(
        facts=[_known(asking, facts[pk], taken) for pk in shown],
        here_only=[
            HeldHere(id=one.pk, slot=one.slot, label=one.kind.label, value=one.value)
            for one in here
        ],
        total=len(found),
    )


def _slots_meant(wanted: WhichFacts) -> set[str]:
    """The slots that are named, and those that a question asks about."""
    return set(wanted.slots) | (set(asked_about(wanted.query)) & SLOTS.keys())


def _fits(slot: Slot, value: str, slots: Collection[str], wanted: WhichFacts) -> bool:
    if slot.key in slots:
        return True
    if wanted.slots and not wanted.query:
        return False
    asked = {lexicon.number(word) for word in lexicon.telling(wanted.query)}
    if not asked:
        return not wanted.query or bool(set(asked_about(wanted.query)) - SLOTS.keys())
    told = f"{slot.label} {slot.noun} {slot.group if slot.many else slot.question} {value}"
    return bool(asked & {lexicon.number(word) for word in lexicon.telling(told)})


def _held_here(asking: Asking) -> QuerySet[Override]:
    rows = Override.objects.filter(user_id=asking.user_id)
    if asking.conversation_id is None:
        return rows.none()
    return rows.filter(conversation_id=asking.conversation_id).order_by("created_at")


def _known(asking: Asking, fact: ProfileFact, taken: Collection[str]) -> KnownFact:
    mentions = sorted(fact.mentions.all(), key=lambda one: one.said_at)
    against = [entry.new_fact for entry in fact.disputed_by.all() if entry.is_open]
    said_in = sight.place_seen(
        asking, mentions[-1].conversation if mentions else fact.source_conversation
    )
    message = mentions[-1].message if mentions else fact.source_message
    return KnownFact(
        id=fact.pk,
        slot=fact.slot,
        label=fact.kind.label,
        value=fact.value,
        sentence=fact.kind.note.format(value=fact.value),
        disputed=bool(against),
        against=[one.kind.note.format(value=one.value) for one in against],
        gives_way=fact.slot in taken,
        trust=round(fact.trust, 3),
        trust_in_words="Disputed" if against else scoring.in_words(fact.trust).word,
        since=fact.valid_from,
        until=fact.valid_to,
        times_said=len(mentions),
        last_heard=fact.last_verified,
        said_in=said_in,
        said_at=message.get_absolute_url() if message and said_in else "",
        link=fact.get_absolute_url(),
    )


# --- How much there is ---------------------------------------------------------------------------


class Month(BaseModel):
    """What came in a month, by its first day."""

    month: date
    conversations: int
    messages: int
    facts: int
    notes: int


class Insights(Result):
    """What is kept, in numbers, and how it grew; private conversations are counted in."""

    conversations: int
    archived: int
    private: int
    from_person: int
    from_assistant: int
    facts: int
    disputed: int
    past_facts: int
    notes: int
    notes_waiting: int
    notes_used: int
    first_at: datetime | None
    months: list[Month]
    links: dict[str, str]

    def in_words(self) -> str:
        """'12 facts and notes from 5 conversations'."""
        kept = self.facts + self.notes
        if not (kept or self.conversations):
            return "nothing yet"
        noun = "conversation" if self.conversations == 1 else "conversations"
        kinds = "fact or note" if kept == 1 else "facts and notes"
        return f"{kept:,} {kinds}, {self.conversations:,} {noun}"


class HowMany(Arguments):
    """How far back."""

    months: int = Field(
        12, ge=1, le=_MOST_MONTHS, description="How many months back, this one included."
    )


def insights(asking: Asking, wanted: HowMany) -> Insights:
    """Count what there is: eight reads, however much it is."""
    talks_in_all = Conversation.objects.for_user(asking.user_id).aggregate(
        all=Count("pk"),
        archived=Count("pk", filter=Q(archived_at__isnull=False)),
        private=Count("pk", filter=Q(privacy=sight.PRIVATE)),
    )
    said = Message.objects.for_user(asking.user_id).exclude(state=Message.State.REMOVED)
    roles = dict(said.order_by().values_list("role").annotate(Count("pk")))
    facts = ProfileFact.objects.for_user(asking.user_id).aggregate(
        current=Count("pk", filter=Q(status=Status.CURRENT)),
        against=Count("pk", filter=Q(status=Status.CHALLENGER)),
        past=Count("pk", filter=Q(status=Status.PAST)),
    )
    notes = Memory.objects.for_user(asking.user_id).aggregate(
        active=Count("pk", filter=Q(status=Memory.Status.ACTIVE)),
        waiting=Count("pk", filter=Q(status=Memory.Status.WAITING)),
        used=Count("pk", filter=Q(status=Memory.Status.ACTIVE, uses__gt=0)),
    )
    months = _months(asking, wanted.months)
    return Insights(
        conversations=talks_in_all["all"],
        archived=talks_in_all["archived"],
        private=talks_in_all["private"],
        from_person=roles.get(Message.Role.USER, 0),
        from_assistant=roles.get(Message.Role.ASSISTANT, 0),
        facts=facts["current"],
        disputed=facts["against"],
        past_facts=facts["past"],
        notes=notes["active"],
        notes_waiting=notes["waiting"],
        notes_used=notes["used"],
        first_at=_first(asking),
        months=months,
        links=_links(),
    )


def _first(asking: Asking) -> datetime | None:
    rows = Conversation.objects.for_user(asking.user_id).order_by("started_at")
    return rows.values_list("started_at", flat=True).first()


def _months(asking: Asking, count: int) -> list[Month]:
    """The latest months, those with nothing included, the earliest first."""
    first = localtime(asking.asked_at).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    starts = [first]
    while len(starts) < count:
        before = starts[-1]
        year, month = divmod(before.year * 12 + before.month - 2, 12)
        starts.append(before.replace(year=year, month=month + 1))
    since, mine = starts[-1], {"user_id": asking.user_id}
    said = Message.objects.exclude(state=Message.State.REMOVED).filter(**mine)
    facts = ProfileFact.objects.filter(**mine).exclude(status=Status.REMOVED)
    kinds = {
        "conversations": _by_month(Conversation.objects.filter(**mine), "started_at", since),
        "messages": _by_month(said, "said_at", since),
        "facts": _by_month(facts, "created_at", since),
        "notes": _by_month(
            Memory.objects.filter(**mine).exclude(status=Memory.Status.REMOVED), "created_at", since
        ),
    }
    return [
        Month(month=day, **{name: told.get(day, 0) for name, told in kinds.items()})
        for day in sorted(start.date() for start in starts)
    ]


def _by_month(rows: QuerySet[Any], moment: str, since: datetime) -> dict[date, int]:
    counts = (
        rows.filter(**{f"{moment}__gte": since})
        .order_by()
        .annotate(month=TruncMonth(moment))
        .values_list("month")
        .annotate(Count("pk"))
    )
    return {localtime(month).date(): count for month, count in counts}


def _links() -> dict[str, str]:
    """Where the person sees it all themselves."""
    return {
        "profile": reverse("memory:profile"),
        "notes": reverse("memory:memories"),
        "timeline": reverse("ledger:timeline"),
        "history": reverse("ledger:history"),
        "conversations": reverse("conversations:home"),
    }


# --- All of it, to take away ---------------------------------------------------------------------

Part = Literal["profile", "notes", "timeline", "conversations"]


class ExportedNote(BaseModel):
    """A note, as it stands."""

    id: UUID
    text: str
    original: str
    category: str
    status: str
    trust: float
    said_at: datetime
    happened_on: date | None
    link: str


class ExportedStrand(BaseModel):
    """How one slot came to hold what it holds."""

    slot: str
    sentence: str


class Export(Result):
    """What is kept of a person. `left_out` says how many of a part there are beyond its bound;
    the API has all of them, page by page, at `more`.
    """

    exported_at: datetime
    profile: list[KnownFact] = Field(default_factory=list)
    notes: list[ExportedNote] = Field(default_factory=list)
    timeline: list[ExportedStrand] = Field(default_factory=list)
    conversations: list[ListedTalk] = Field(default_factory=list)
    private_conversations: int = 0
    left_out: dict[str, int] = Field(default_factory=dict)
    more: dict[str, str] = Field(default_factory=dict)
    links: dict[str, str]

    def in_words(self) -> str:
        """'12 facts, 30 notes, 5 conversations'."""
        kept = [
            (len(self.profile), "fact"),
            (len(self.notes), "note"),
            (len(self.conversations), "conversation"),
        ]
        return ", ".join(counted(count, noun) for count, noun in kept if count) or "nothing yet"


class WhatToExport(Arguments):
    """Which parts."""

    parts: list[Part] = Field(
        default=["profile", "notes", "timeline", "conversations"],
        min_length=1,
        max_length=4,
        description="What to take away; all of it when left out.",
    )
    limit: int = Field(
        _MOST_EXPORTED, ge=1, le=_MOST_EXPORTED, description="How many of each part at most."
    )


def export(asking: Asking, wanted: WhatToExport) -> Export:
    """Everything that is kept, as far as it may be told of here, each part up to its bound."""
    made = Export(exported_at=asking.asked_at, links=_links())
    for part in dict.fromkeys(wanted.parts):
        total = _PARTS[part](asking, wanted.limit, made)
        if total > wanted.limit:
            made.left_out[part] = total - wanted.limit
            made.more[part] = _MORE[part]
    return made


def _export_profile(asking: Asking, limit: int, made: Export) -> int:
    rows = ProfileFact.objects.for_user(asking.user_id).current()
    facts = rows.with_evidence().order_by("slot", "valid_from", "pk")[:limit]
    made.profile = [_known(asking, fact, ()) for fact in facts]
    return len(facts) if len(facts) < limit else rows.count()


def _export_notes(asking: Asking, limit: int, made: Export) -> int:
    rows = sight.notes(asking).shown().order_by("-said_at", "-pk")
    notes = rows.defer("embedding", "terms")[:limit]
    made.notes = [
        ExportedNote(
            id=note.pk,
            text=note.content,
            original=note.original,
            category=note.category,
            status=note.status,
            trust=round(note.trust, 3),
            said_at=note.said_at,
            happened_on=note.happened_on,
            link=note.get_absolute_url(),
        )
        for note in notes
    ]
    return len(notes) if len(notes) < limit else rows.count()


def _export_timeline(asking: Asking, limit: int, made: Export) -> int:
    told = timeline.strands(timeline.read(asking.user_id))
    today = localtime(asking.asked_at).date()
    made.timeline = [
        ExportedStrand(slot=strand.slot.key, sentence=strand.sentence(today))
        for strand in told[:limit]
    ]
    return len(told)


def _export_talks(asking: Asking, limit: int, made: Export) -> int:
    rows = sight.talks(asking).order_by("-last_at", "-pk")
    made.conversations = [talks.listed(one) for one in rows[:limit]]
    mine = Conversation.objects.for_user(asking.user_id).count()
    total = rows.count()
    made.private_conversations = mine - total
    return total


_PARTS = {
    "profile": _export_profile,
    "notes": _export_notes,
    "timeline": _export_timeline,
    "conversations": _export_talks,
}
_MORE = {
    "profile": "/api/v1/profile",
    "notes": "/api/v1/memories",
    "timeline": "/api/v1/timeline",
    "conversations": "/api/v1/conversations",
}


TOOLS = (
    Tool(
        name="find_personal_variables",
        purpose="Look up facts about the person: name, work, home, tastes and the like, with what "
        "is disputed and what holds in this conversation only.",
        arguments=WhichFacts,
        run=find_facts,
    ),
    Tool(
        name="memory_insights",
        purpose="Count what is remembered and how it grew month by month. Use it for 'how much do "
        "you know about me?'.",
        arguments=HowMany,
        run=insights,
    ),
    Tool(
        name="memory_export",
        purpose="Give the person everything that is kept of them: facts, notes, timeline and the "
        "list of conversations. Use it only when they ask for all of it.",
        arguments=WhatToExport,
        run=export,
    ),
)
