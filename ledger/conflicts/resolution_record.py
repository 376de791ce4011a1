"""Recording how a conflict was settled: a Resolution and a line in the log."""

from typing import Any

from accounts import audit
from accounts.audit import Action, By
from ledger.models import Contradiction, Resolution
from memory.models import ProfileFact

Method = Resolution.Method
# The reason shown to the user, if none was given.
_WHY = {
    Method.KEEP_OLD: "The earlier value is right",
    Method.KEEP_NEW: "The new value is right",
    Method.MERGE: "Neither was quite right",
    Method.TIMELINE: "Both were right, one after the other",
    Method.TRUST: "The more trusted value is right",
    Method.DISMISS: "Both are fine",
    Method.OVERTAKEN: "You changed it yourself",
}
# The reason of a dismissal where the slot holds only one value.
_KEPT_UNASKED = "The earlier value stays, and I’ve stopped asking"


# Reasons written by the software, including the wording of older log lines.
OWN_REASONS = frozenset({*_WHY.values(), _KEPT_UNASKED, "Both, one after the other"})


def record_resolution(
    entry: Contradiction, *, fact: ProfileFact | None, **columns: Any
) -> Resolution:
    """Save the Resolution of a conflict with the fact now current, and a line in the log."""
    resolution = Resolution.objects.create(
        user_id=entry.user_id, contradiction=entry, kept=fact, **columns
    )
    sides = [] if entry.both_hold else [entry.old_fact, entry.new_fact]
    gave_way = [f.value for f in sides if fact is None or f.pk != fact.pk]
    audit.record(
        entry.user_id,
        Action.SETTLED,
        by=By(resolution.by_whom),
        actor=resolution.by_id if resolution.by_whom == By.STAFF else None,
        subject=entry.pk,
        slot=entry.slot,
        before=" / ".join(gave_way),
        after=_in_use(entry, fact),
        why=resolution.reason or _why(entry, Method(resolution.method)),
    )
    return resolution


def _why(entry: Contradiction, method: Method) -> str:
    unasked = method == Method.DISMISS and not entry.both_can_hold
    return _KEPT_UNASKED if unasked else _WHY.get(method, "")


def _in_use(entry: Contradiction, fact: ProfileFact | None) -> str:
    if not entry.both_hold:
        return fact.value if fact else ""
    return f"{entry.old_fact.sentence} / {entry.new_fact.sentence}"
