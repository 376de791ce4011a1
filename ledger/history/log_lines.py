"""Lines of the audit log in plain words: who did what, where, and why."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.timezone import localtime, now

from accounts.models import AuditEvent
from accounts.support import formatting
from ledger.conflicts.resolution_record import OWN_REASONS
from ledger.models import Contradiction
from memory.deletion.sources import SourcePlace, source_places
from memory.facts.past_facts import WAS_PAST
from memory.models import Memory, ProfileFact, ProfileShare
from memory.slots import SLOTS

By = AuditEvent.By
Action = AuditEvent.Action

_WHO = {
    By.OWNER: "You",
    By.TALK: "I",
    By.RULE: "A rule",
    By.STAFF: "A member of staff",
    By.HOUSE: "I",
}
# The labels of authors in the filter.
DOERS = {
    By.OWNER: "You",
    By.TALK: "What you said",
    By.RULE: "A rule",
    By.STAFF: "Staff",
    By.HOUSE: "Throughline",
}
# The labels of actions in the filter.
DEEDS = {action: action.label for action in Action}
_DID = {
    Action.NOTED: "noted this",
    Action.ASKED: "asked whether to keep this",
    Action.ACCEPTED: "said yes",
    Action.DECLINED: "said no",
    Action.WRITTEN: "added this yourself",
    Action.REWRITTEN: "changed {matter}",
    Action.CONFIRMED: "confirmed this",
    Action.REMOVED: "removed this",
    Action.RESTORED: "brought this back",
    Action.ENDED: "ended this",
    Action.NARROWED: "kept this to one conversation",
    Action.WIDENED: "kept this for every conversation",
    Action.DISPUTED: "found two answers for {matter}",
    Action.SETTLED: "settled {matter}",
    Action.REOPENED: "reopened {matter}",
    Action.BLOCKED: "blocked this kind",
    Action.UNBLOCKED: "allowed this kind again",
    Action.SHARED: "shared a page",
    Action.UNSHARED: "closed a shared page",
    Action.HELP: "asked staff for help with {matter}",
    Action.LOOKED: "looked at the answers for {matter}",
    Action.ALLOWED: "changed a setting",
    Action.ERASED: "erased this for good",
    Action.FORGOTTEN: "deleted everything",
    Action.JOINED: "joined a role",
    Action.LEFT: "left a role",
    Action.SUPPORTED: "supported a lesson",
    Action.WITHDRAWN: "withdrew support for a lesson",
    Action.REPORTED: "reported a lesson",
    Action.EXPORTED: "made a copy",
    Action.DOWNLOADED: "downloaded a copy",
    Action.LEAVING: "asked for your account to be deleted",
    Action.STAYING: "kept your account",
    Action.DELETED: "deleted your account",
    Action.EXPIRED: "deleted an expired conversation",
    Action.IMPORTED: "imported a file",
}
# If the user's message caused the change, it is named instead of the author.
_SAID = {
    Action.NOTED: "Noted from what you said",
    Action.DISPUTED: "You said something else about {matter}",
}


@dataclass(frozen=True)
class LogSubject:
    """The fact, memory or shared page that a log line is about, if it still exists."""

    words: str
    url: str


@dataclass(frozen=True)
class Line:
    """A log line as shown to the user."""

    event: AuditEvent
    day: str
    time: str
    head: str
    rest: str
    place: SourcePlace | None
    about: LogSubject | None
    erased: str

    @property
    def sentence(self) -> str:
        """Return e.g. 'You settled where you work: Google replaced Microsoft'."""
        return f"{self.head}: {self.rest}" if self.rest else self.head

    @property
    def title(self) -> str:
        """Return the title of the conversation that caused the change; '' if none."""
        return self.place.title if self.place else ""

    @property
    def reason(self) -> str:
        """Return the reason as a sentence; or what was shared, or how much was deleted."""
        why = self.event.why.rstrip(".")
        if not why or self.event.deed == Action.ALLOWED:
            return ""
        remark = self.event.deed in _TOLD_IN_WHY or self.event.why in (WAS_PAST, *OWN_REASONS)
        return f"{why}." if remark else f"Reason: {why}."

    @property
    def place_is_gone(self) -> bool:
        """Return whether the conversation that caused the change was deleted since."""
        return self.place is None and self.event.conversation is not None

    @property
    def is_told(self) -> bool:
        """Return whether a message caused the change; otherwise it is only the value's source."""
        return self.event.by == By.TALK

    @property
    def is_dispute(self) -> bool:
        """Return whether the change opened a conflict."""
        return self.event.deed in (Action.DISPUTED, Action.REOPENED, Action.HELP)

    @property
    def is_end(self) -> bool:
        """Return whether the change ended or removed something."""
        return self.event.deed in _ENDS


def lines_from(
    user_id: UUID, events: Sequence[AuditEvent], today: datetime | None = None
) -> list[Line]:
    """Return the log lines in words, in a fixed number of queries."""
    today = today or now()
    where = source_places(user_id, (e.conversation for e in events), (e.message for e in events))
    subjects = {event.subject for event in events if event.subject}
    rows = Contradiction.objects.filter(user_id=user_id, pk__in=subjects)
    rows = rows.select_related("old_fact", "new_fact")
    rows = rows.defer("old_fact__embedding", "new_fact__embedding")
    entries = {entry.pk: entry for entry in rows}
    seen = _seen(user_id, subjects) | {
        entry.pk: LogSubject("See both sides", entry.get_absolute_url())
        for entry in entries.values()
    }
    return [
        Line(
            event=event,
            day=capfirst(formatting.day(event.at, today)),
            time=f"{localtime(event.at):%H:%M}",
            head=_head(event),
            rest=_rest(event, entries.get(event.subject) if event.subject else None),
            place=_place(event, where),
            about=seen.get(event.subject) if event.subject else None,
            erased=formatting.day(event.redacted_at, today) if event.redacted_at else "",
        )
        for event in events
    ]


def _place(event: AuditEvent, where: dict[UUID, SourcePlace]) -> SourcePlace | None:
    ids = [key for key in (event.message, event.conversation) if key is not None]
    return next((where[key] for key in ids if key in where), None)


def _seen(user_id: UUID, subjects: Iterable[UUID]) -> dict[UUID, LogSubject]:
    """Return the facts, memories and shared pages among the subjects, with their URLs."""
    facts = ProfileFact.objects.for_user(user_id).filter(pk__in=subjects).only("status")
    notes = Memory.objects.for_user(user_id).filter(pk__in=subjects).only("pk")
    seen = {fact.pk: _of_fact(fact) for fact in facts}
    for note in notes:
        seen[note.pk] = LogSubject("See the memory", reverse("memory:memory_why", args=[note.pk]))
    shares = ProfileShare.objects.filter(user_id=user_id, pk__in=subjects).only("pk")
    for share in shares:
        address = f"{reverse('memory:shares')}#share-{share.pk}"
        seen[share.pk] = LogSubject("Shared pages", address)
    return seen


def _of_fact(fact: ProfileFact) -> LogSubject:
    """Return a fact with its URL: the profile if it is in use, else the page to erase it."""
    if fact.status == ProfileFact.Status.CURRENT:
        return LogSubject("In your profile", fact.get_absolute_url())
    return LogSubject("Erase for good", reverse("ledger:erase", args=[fact.pk]))


def _head(event: AuditEvent) -> str:
    by, deed = By(event.by), Action(event.deed)
    by_message = by == By.TALK and deed in _SAID
    head = _SAID[deed] if by_message else f"{_WHO[by]} {_DID[deed]}"
    return head.format(matter=SLOTS[event.slot].matter if event.slot in SLOTS else "it")


def _rest(event: AuditEvent, entry: Contradiction | None) -> str:
    if event.redacted_at is not None:
        return SLOTS[event.slot].label if event.slot in SLOTS else ""
    if event.deed == Action.SETTLED:
        return _outcome(event, entry)
    return _VALUES.get(Action(event.deed), _change)(event)


def _outcome(event: AuditEvent, entry: Contradiction | None) -> str:
    """Return in words which value was kept or replaced."""
    before, after = _either(event.before.split(" / ")), event.after
    if entry is not None and entry.both_hold and not before:
        return formatting.listed(after.split(" / "))
    if not after:
        return f"{before} was replaced" if before else ""
    if before == after:  # Liked on one side, disliked on the other.
        return after
    if entry is not None and entry.old_fact.value == after:
        return f"{after} was kept, and {before} was set aside"
    return f"{after} replaced {before}" if before else after


def _change(event: AuditEvent) -> str:
    if event.before and event.after:
        return f"{event.after} replaced {event.before}"
    return event.after or event.before


def _setting(event: AuditEvent) -> str:
    return f"{event.why}: {_change(event)}" if event.why else _change(event)


def _of_before(event: AuditEvent) -> str:
    return _noted(event.slot, event.before, over=event.why == WAS_PAST)


def _of_after(event: AuditEvent) -> str:
    return _noted(event.slot, event.after, over=event.why == WAS_PAST)


def _both(event: AuditEvent) -> str:
    return _either([event.before, event.after])


def _of_kind(event: AuditEvent) -> str:
    """Return the changed value, or the name of the slot if the value was erased."""
    return _change(event) or (SLOTS[event.slot].label if event.slot in SLOTS else "A memory")


def _reopened(event: AuditEvent) -> str:
    return _either(event.after.split(" / "))


def _noted(slot: str, value: str, *, over: bool = False) -> str:
    """Return e.g. 'Lives in Rome', 'Lived in Rome' if ended, or the text of a memory."""
    if value and slot in SLOTS and not SLOTS[slot].sensitive:
        kind = SLOTS[slot]
        return (kind.past_note if over else kind.note).format(value=value)
    return value


def _either(values: Sequence[str]) -> str:
    return formatting.listed([value for value in dict.fromkeys(values) if value], "or")


# Which values a line shows, unless one replaced the other.
_VALUES: dict[Action, Callable[[AuditEvent], str]] = {
    **dict.fromkeys((Action.REMOVED, Action.ENDED, Action.NARROWED), _of_before),
    **dict.fromkeys((Action.NOTED, Action.ASKED, Action.ACCEPTED, Action.WRITTEN), _of_after),
    **dict.fromkeys((Action.CONFIRMED, Action.RESTORED, Action.WIDENED), _of_after),
    **dict.fromkeys((Action.DISPUTED, Action.HELP, Action.LOOKED), _both),
    Action.REOPENED: _reopened,
    Action.ALLOWED: _setting,
    Action.ERASED: _of_kind,
}
_TOLD_IN_WHY = (
    Action.SHARED,
    Action.FORGOTTEN,
    Action.EXPORTED,
    Action.LEAVING,
    Action.DELETED,
    Action.EXPIRED,
    Action.IMPORTED,
)
_ENDS = (
    Action.REMOVED,
    Action.ENDED,
    Action.NARROWED,
    Action.DECLINED,
    Action.BLOCKED,
    Action.UNSHARED,
    Action.ERASED,
    Action.FORGOTTEN,
    Action.EXPIRED,
    Action.LEFT,
    Action.WITHDRAWN,
)
