"""Settling a contradiction, and opening it again: one handler a kind, one transaction, one row."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.dateparse import parse_datetime
from django.utils.timezone import get_current_timezone, localtime, now

from accounts import audit
from accounts.audit import By, Deed
from accounts.models import User
from ledger import decisions, precision, weighing
from ledger.models import Contradiction, ContradictionQuerySet, Resolution
from memory import blocked, revision, spans, trust
from memory.locks import hold_slot
from memory.models import Precision, ProfileFact, TrustChange

Method = Resolution.Method
Status = Contradiction.Status


class AlreadySettled(ValueError):
    """Somebody, perhaps the same person in another window, was faster."""


class SidesChanged(ValueError):
    """The question is about other values by now than the ones its answer was given to."""


class CannotUndo(ValueError):
    """Something newer stands on it, or it was too long ago."""


class UnfitAnswer(ValueError):
    """The answer lacks something or cannot be; `field` says where, the message how to mend it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Answer:
    """How to settle it. A merge needs `value`; a timeline takes the days `until` and `since`."""

    method: str
    value: str = ""
    until: date | None = None
    since: date | None = None
    # How exactly its day was said; '' for as exactly as the words that opened the question.
    precision: str = ""


def resolve(
    contradiction: Contradiction,
    answer: Answer,
    *,
    by: User | None,
    reason: str = "",
    sides: tuple[str, str] | None = None,
) -> Resolution:
    """Settle it, in its owner's open block; `by` is its owner, staff, or nobody for a rule.

    `sides` are the keys of the old and the new fact as the answerer saw them: settling another
    entry about the same fact puts a new value on the old side, and "the old one" must not come to
    mean something that was never shown. Raises AlreadySettled when it no longer waits, SidesChanged
    when the sides differ, UnfitAnswer for an answer that cannot be.
    """
    handler, status = _HANDLERS[Method(answer.method)]
    by_whom = _by_whom(contradiction, by)
    frozen_now = now()
    with transaction.atomic():
        hold_slot(contradiction.user_id, contradiction.slot)
        entry = _taken(contradiction, status, sides)
        before = {key: _standing(fact) for key, fact in _touched(entry).items()}
        kept = handler(entry, answer, frozen_now)
        _turn_the_others(entry, entry.old_fact, kept)
        if by_whom == By.OWNER and answer.method not in _DECIDES_NOTHING:
            # The person chose: nothing is surer. Staff and rules decide without knowing better.
            decisions.record(kept, worthy=True)
            revision.be_sure(kept, TrustChange.Cause.SETTLED)
        resolution = Resolution.objects.create(
            user_id=entry.user_id,
            contradiction=entry,
            **_as_given(answer),
            kept=kept,
            by_whom=by_whom,
            by=by,
            at=frozen_now,
            reason=reason,
            before=_to_put_back(before, entry),
        )
        _log(entry, resolution, kept)
    return resolution


def _taken(
    contradiction: Contradiction, status: str, sides: tuple[str, str] | None
) -> Contradiction:
    """The entry, as it stands and no longer open; of two who settle it, the first takes it."""
    mine = Contradiction.objects.filter(
        pk=contradiction.pk, user_id=contradiction.user_id, status=Status.OPEN
    ).update(status=status)
    if not mine:
        raise AlreadySettled("This was settled a moment ago.")
    entry = _as_it_stands(contradiction)
    if sides is not None and sides != (str(entry.old_fact_id), str(entry.new_fact_id)):
        raise SidesChanged("This question has changed since you read it. Here it is now.")
    return entry


def _as_given(answer: Answer) -> dict[str, Any]:
    """The method, and of the rest of an answer what belongs to it."""
    dated, merged = answer.method == Method.TIMELINE, answer.method == Method.MERGE
    return {
        "method": answer.method,
        "until": answer.until if dated else None,
        "since": answer.since if dated else None,
        "value": answer.value if merged else "",
    }


def _by_whom(contradiction: Contradiction, by: User | None) -> By:
    if by is None:
        return By.RULE
    return By.OWNER if by.pk == contradiction.user_id else By.STAFF


def _as_it_stands(contradiction: Contradiction) -> Contradiction:
    """What it is about may have moved on since the caller read it: settling another entry about
    the same fact turns this one against the winner.
    """
    return Contradiction.objects.select_related("old_fact", "new_fact").get(
        pk=contradiction.pk, user_id=contradiction.user_id
    )


# --- One handler a kind: each returns the fact that holds from now on -----------------------------


def _keep_new(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """The new value becomes current; the old one was a mistake and stays in the history."""
    revision.hand_over(entry.old_fact, entry.new_fact, at)
    return entry.new_fact


def _keep_old(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """The old value stays; the new one is set aside."""
    revision.dismiss(entry.new_fact, at)
    return entry.old_fact


def _merge(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """A typed value takes over from both; typing one of the two is choosing it."""
    value = " ".join(answer.value.split())
    if not value:
        raise UnfitAnswer("value", "Write what is right, in a few words.")
    for fact, choose in ((entry.old_fact, _keep_old), (entry.new_fact, _keep_new)):
        if fact.value.casefold() == value.casefold():
            return choose(entry, answer, at)
    try:
        return revision.merge(entry.old_fact, entry.new_fact, value, at)
    except revision.SlotTaken as unfit:
        raise UnfitAnswer("value", str(unfit)) from unfit


def _timeline(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """The old value until a day, the new one since another."""
    today = localtime(at).date()
    since = answer.since or today
    until = answer.until or since
    if since > today:
        raise UnfitAnswer("since", "That day is yet to come. Pick today or an earlier day.")
    if until > since:
        raise UnfitAnswer("until", "It has to end before the other begins. Pick an earlier day.")
    # The last day is included; where both are told the same day, the change was on that day.
    ends = _midnight(min(until + timedelta(days=1), since))
    exactly = answer.precision or precision.of_change(entry, answer.since)
    revision.take_turns(entry.old_fact, entry.new_fact, ends, _midnight(since), exactly)
    return entry.new_fact


def _by_trust(entry: Contradiction, answer: Answer, at: datetime) -> ProfileFact:
    """The formula decides, where it is not too close."""
    weighed = weighing.scores(entry, at)
    if weighed.are_close:
        raise UnfitAnswer("resolution", "These two are too close to call. Choose one of them.")
    return (_keep_old if weighed.old_wins else _keep_new)(entry, answer, at)


# What the owner says about the question and not about the values makes no value surer.
_DECIDES_NOTHING = {Method.DISMISS, Method.TRUST}
_Handler = Callable[[Contradiction, Answer, datetime], ProfileFact]
_HANDLERS: dict[Method, tuple[_Handler, Contradiction.Status]] = {
    Method.KEEP_NEW: (_keep_new, Status.RESOLVED),
    Method.KEEP_OLD: (_keep_old, Status.RESOLVED),
    Method.MERGE: (_merge, Status.RESOLVED),
    Method.TIMELINE: (_timeline, Status.ACCEPTED),
    Method.TRUST: (_by_trust, Status.RESOLVED),
    Method.DISMISS: (_keep_old, Status.DISMISSED),
}
KINDS = tuple(_HANDLERS)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), get_current_timezone())


def _turn_the_others(entry: Contradiction, gone: ProfileFact, held: ProfileFact) -> None:
    """What stood against the value that is gone stands against the one that holds now."""
    if held.pk != gone.pk:
        # Staff were asked about the value before, if at all.
        _open_of(entry.user_id, gone).update(old_fact=held, help_asked_at=None)


# --- Undoing -------------------------------------------------------------------------------------


def undo(contradiction: Contradiction) -> Resolution:
    """Its owner opens it again, as it was. Raises CannotUndo when something newer stands on it."""
    try:
        with transaction.atomic():
            hold_slot(contradiction.user_id, contradiction.slot)
            return _undo(_as_it_stands(contradiction))
    except Contradiction.DoesNotExist:
        raise CannotUndo("You erased one of the two, so there is nothing to open again.") from None
    except IntegrityError as clash:
        raise CannotUndo(
            "The same value was said again since then. Look at it as it is."
        ) from clash


def _undo(entry: Contradiction) -> Resolution:
    standing = entry.resolutions.filter(undone_at__isnull=True).select_related("kept").first()
    if standing is None:
        raise CannotUndo("This is open already.")
    _refuse_too_late(standing)
    if not blocked.slots_of(entry.user_id).isdisjoint({entry.old_fact.slot, entry.new_fact.slot}):
        raise CannotUndo("You asked me never to note this kind. Open it again first.")
    facts = {str(key): fact for key, fact in _touched(entry).items()}
    if standing.kept is not None and str(standing.kept_id) not in facts:
        revision.dismiss(standing.kept, now())
    if standing.kept is not None:
        decisions.withdraw(standing.kept)
    # The one that goes back to waiting goes first: a slot never has two current values.
    changed = standing.before["facts"]
    for key in sorted(changed, key=lambda key: facts[key].status != ProfileFact.Status.CURRENT):
        _put_back(facts[key], changed[key]["was"])
    if not spans.agree(entry.user_id, entry.slot):
        raise CannotUndo(_SOMETHING_NEWER)
    if standing.kept is not None:
        # Those that it turned at the time, and what was said against it since then.
        _turn_the_others(entry, standing.kept, entry.old_fact)
    standing.undone_at = now()
    standing.save(update_fields=["undone_at"])
    # Whoever wants help with it again asks again: staff read no value that nobody asked about now.
    Contradiction.objects.filter(pk=entry.pk, user_id=entry.user_id).update(
        status=Status.OPEN, help_asked_at=None
    )
    audit.record(
        entry.user_id,
        Deed.REOPENED,
        subject=entry.pk,
        slot=entry.slot,
        before=standing.kept.value if standing.kept else "",
        after=f"{entry.old_fact.value} / {entry.new_fact.value}",
    )
    return standing


def can_undo(entry: Contradiction, at: datetime) -> bool:
    """Whether the page offers it: the answer is young enough, and was not the owner's own edit."""
    standing = entry.resolution
    if standing is None or standing.method == Method.OVERTAKEN or standing.kept is None:
        return False
    if standing.kept.status != ProfileFact.Status.CURRENT:
        return False
    return at - standing.at <= timedelta(days=settings.MEMORY["undo_days"])


def _refuse_too_late(standing: Resolution) -> None:
    days = settings.MEMORY["undo_days"]
    if standing.method == Method.OVERTAKEN or now() - standing.at > timedelta(days=days):
        raise CannotUndo(f"This can be undone for {days} days. Change the line in your profile.")
    left_as = {key: told["is"] for key, told in standing.before.get("facts", {}).items()}
    found = ProfileFact.objects.filter(user_id=standing.user_id, pk__in=left_as)
    unchanged = bool(left_as) and {str(fact.pk): fact.status for fact in found} == left_as
    current = standing.kept is not None and standing.kept.status == ProfileFact.Status.CURRENT
    if not (unchanged and current):
        raise CannotUndo(_SOMETHING_NEWER)


_SOMETHING_NEWER = (
    "Something has changed since then, so this cannot be undone. Change the line in your profile."
)
_STANDING = ("status", "valid_from", "valid_to", "last_verified")
_EXACTNESS = ("from_precision", "to_precision")


def _touched(entry: Contradiction) -> dict[UUID, ProfileFact]:
    """Both sides, and what their slot held before: telling when one began may cut that short."""
    facts = [*spans.past_of(entry.new_fact), entry.old_fact, entry.new_fact]
    return {fact.pk: fact for fact in facts}


def _standing(fact: ProfileFact) -> dict[str, Any]:
    told = {name: getattr(fact, name) for name in (*_STANDING, *_EXACTNESS, "trust")}
    return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in told.items()}


def _to_put_back(before: dict[UUID, dict[str, Any]], entry: Contradiction) -> dict[str, Any]:
    sides, left = {entry.old_fact_id, entry.new_fact_id}, _touched(entry)
    return {
        "facts": {
            str(key): {"was": was, "is": str(left[key].status)}
            for key, was in before.items()
            if key in sides or was != _standing(left[key])
        },
    }


def _put_back(fact: ProfileFact, was: dict[str, Any]) -> None:
    fields = {name: was[name] for name in _STANDING}
    fields |= {name: was.get(name, Precision.DAY) for name in _EXACTNESS}
    for name in ("valid_from", "valid_to", "last_verified"):
        fields[name] = parse_datetime(was[name]) if was[name] else None
    revision.put_back(fact, fields)
    trust.move(fact, was["trust"], TrustChange.Cause.UNDONE)


# --- The person's own hand -----------------------------------------------------------------------


def follow_the_hand(*, fact: ProfileFact, rewritten: bool, **kwargs: Any) -> None:
    """After a person rewrote or removed a disputed fact by hand: settle what stood against it.

    A new wording outranks both sides. A removal leaves the newest challenger as the only value, and
    the other challengers stand against that one.
    """
    frozen_now = now()
    waiting = list(_open_of(fact.user_id, fact).select_related("new_fact").order_by("-opened_at"))
    for position, entry in enumerate(waiting):
        if rewritten:
            revision.dismiss(entry.new_fact, frozen_now)
        elif position == 0:
            revision.succeed(entry.new_fact)
        else:
            _turn(entry, waiting[0].new_fact)
            continue
        _overtake(entry, None if rewritten else entry.new_fact, frozen_now)


def follow_the_closing(*, user_id: UUID, slot: str, **kwargs: Any) -> None:
    """After a person closed a kind of fact: nothing of it waits any more.

    What stands against a value of that kind, and is of another, is left and becomes current.
    """
    frozen_now = now()
    about = Q(old_fact__slot=slot) | Q(new_fact__slot=slot)
    entries = Contradiction.objects.filter(about, user_id=user_id, status=Status.OPEN)
    for entry in entries.select_related("old_fact", "new_fact"):
        left = entry.old_fact if entry.new_fact.slot == slot else entry.new_fact
        if left == entry.old_fact:
            revision.dismiss(entry.new_fact, frozen_now)
        else:
            revision.succeed(left)
        kept = None if left.slot == slot else left
        _overtake(entry, kept, frozen_now, "You closed this kind of fact.")


def heirs(user_id: UUID, going: Collection[UUID]) -> dict[UUID, ProfileFact]:
    """For each fact that goes and has challengers, by its key, the one that is left in its place:
    the newest, as when a person removes a fact.
    """
    return {entry.old_fact_id: entry.new_fact for entry in _losing(user_id, going)}


def turn_to_heirs(user_id: UUID, left: Mapping[UUID, ProfileFact]) -> None:
    """Before facts are erased: what else stood against one stands against what is left of it."""
    for entry in _losing(user_id, left):
        if entry.new_fact_id != left[entry.old_fact_id].pk:
            _turn(entry, left[entry.old_fact_id])


def let_heirs_hold(left: Mapping[UUID, ProfileFact]) -> None:
    """After facts were erased: what is left in their places becomes current."""
    for heir in left.values():
        revision.succeed(heir)
        audit.record(
            heir.user_id,
            Deed.SETTLED,
            subject=heir.pk,
            slot=heir.slot,
            after=heir.value,
            why="What it stood against was erased",
        )


def _losing(user_id: UUID, going: Collection[UUID]) -> ContradictionQuerySet:
    """What is open and loses its old side alone, the newest last."""
    rows = Contradiction.objects.filter(user_id=user_id, old_fact__in=going, status=Status.OPEN)
    return rows.exclude(new_fact__in=going).select_related("new_fact").order_by("opened_at", "pk")


def _turn(entry: Contradiction, held: ProfileFact) -> None:
    """Let it stand against another value; staff were asked about the one before, if at all."""
    entry.old_fact, entry.help_asked_at = held, None
    entry.save(update_fields=["old_fact", "help_asked_at"])


def _overtake(
    entry: Contradiction, kept: ProfileFact | None, at: datetime, reason: str = ""
) -> None:
    entry.status = Status.RESOLVED
    entry.save(update_fields=["status"])
    resolution = Resolution.objects.create(
        user_id=entry.user_id,
        contradiction=entry,
        method=Method.OVERTAKEN,
        kept=kept,
        at=at,
        reason=reason,
    )
    _log(entry, resolution, kept)


def _open_of(user_id: UUID, fact: ProfileFact) -> ContradictionQuerySet:
    return Contradiction.objects.filter(user_id=user_id, old_fact=fact, status=Status.OPEN)


# Why, to its owner, where no reason was given.
_WHY = {
    Method.KEEP_OLD: "What I had was right",
    Method.KEEP_NEW: "The new value is right",
    Method.MERGE: "Neither was quite right",
    Method.TIMELINE: "Both, one after the other",
    Method.TRUST: "The more trusted value is right",
    Method.DISMISS: "It was no contradiction",
    Method.OVERTAKEN: "You changed it by hand",
}


def _log(entry: Contradiction, resolution: Resolution, kept: ProfileFact | None) -> None:
    """One line: what gave way, what holds, and why."""
    gave_way = [
        f.value for f in (entry.old_fact, entry.new_fact) if kept is None or f.pk != kept.pk
    ]
    audit.record(
        entry.user_id,
        Deed.SETTLED,
        by=By(resolution.by_whom),
        actor=resolution.by_id if resolution.by_whom == By.STAFF else None,
        subject=entry.pk,
        slot=entry.slot,
        before=" / ".join(gave_way),
        after=kept.value if kept else "",
        why=resolution.reason or _WHY.get(Method(resolution.method), ""),
    )
