"""Comparing the values of memories slot by slot: unambiguous ones become facts, each other one
opens a conflict.

A slot is one transaction. Existing facts are not changed: a memory with the same value is added as
evidence, a different value opens a conflict.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet
from django.utils.timezone import now

from accounts.models import User
from ledger.models import Contradiction
from memory.core.slot_locks import lock_slots
from memory.facts.profile import value_distance
from memory.facts.restored_facts import complete_restored_fact
from memory.language.reader.facts import CURRENT_KINDS
from memory.models import Mention, ProfileFact
from memory.slots import SLOTS, alike_to, opposites, same_value, value_key
from privacy.legacy.conversation_rows import VALUE, name_of
from privacy.legacy.memory_rows import from_original
from privacy.legacy.stores import key_made, share_of
from privacy.models import LegacyRow
from privacy.restoring.writing import insert_as_they_are

Kind = LegacyRow.Kind
Status = ProfileFact.Status
_LIVE = (Status.CURRENT, Status.CHALLENGER)


@dataclass
class _Group:
    """Rows with the same value; the one with the highest trust decides its spelling."""

    lines: list[LegacyRow] = field(default_factory=list)

    @property
    def best(self) -> LegacyRow:
        """Return the row with the highest trust, the latest if there are several."""
        return max(self.lines, key=_weight)

    @property
    def value(self) -> str:
        """Return the value of the first row, with which the others were compared."""
        return self.lines[0].value


def slots_to_settle(user_id: UUID, sources: Collection[str]) -> list[str]:
    """Return the slots that have uncompared values from these files."""
    lines = _to_settle(user_id, sources)
    return sorted(lines.order_by().values_list("slot", flat=True).distinct())


def settle(user: User, sources: Collection[str], slot: str) -> None:
    """Compare the values of a slot and store the results, within `acting_as(user)`."""
    lock_slots(user.pk, [slot])
    rows_read = _to_settle(user.pk, sources).filter(slot=slot).order_by("said_at", "pk")
    lines, over = _without_what_is_over(slot, list(rows_read))
    around = alike_to(slot) | opposites(slot)
    live = list(ProfileFact.objects.for_user(user.pk).filter(slot__in=around, status__in=_LIVE))
    groups = sorted(_grouped(slot, lines), key=lambda group: _weight(group.best), reverse=True)
    for group in groups:
        fact = _settled(user, slot, group, live)
        if fact is not None:
            live.append(fact)
    LegacyRow.objects.bulk_update([*lines, *over], ["kind", "made", "joined", "why"])


def _to_settle(user_id: UUID, sources: Collection[str]) -> "QuerySet[LegacyRow]":
    return LegacyRow.objects.filter(
        user_id=user_id, source__in=sources, kind=Kind.READ, redacted_at=None
    )


def _without_what_is_over(
    slot: str, lines: Sequence[LegacyRow]
) -> tuple[list[LegacyRow], list[LegacyRow]]:
    """Return the rows with current values, and those with past or denied values."""
    ended: dict[str, datetime] = {}
    for line in lines:
        if not _says_now(line) and line.said_at is not None:
            ended[value_key(slot, line.value)] = line.said_at
    now_said: list[LegacyRow] = []
    over: list[LegacyRow] = []
    for line in lines:
        end = ended.get(value_key(slot, line.value))
        holds = _says_now(line) and (end is None or (line.said_at or end) > end)
        if not holds:
            line.kind, line.why = Kind.KEPT, "past"
        (now_said if holds else over).append(line)
    return now_said, over


def _says_now(line: LegacyRow) -> bool:
    return line.original.get("said", "statement") in CURRENT_KINDS


def _weight(line: LegacyRow) -> tuple[float, datetime, UUID]:
    assert line.said_at is not None
    return share_of(line.original, "trust", 0.0), line.said_at, line.pk


def _grouped(slot: str, lines: Sequence[LegacyRow]) -> list[_Group]:
    """Return the rows grouped by meaning. Groups are compared too, since a place equals the same
    place without a region; their number is bounded by the distinct values.
    """
    by_key: dict[str, _Group] = {}
    groups: list[_Group] = []
    for line in lines:
        key = value_key(slot, line.value)
        group = by_key.get(key)
        if group is None and not SLOTS[slot].many:
            same = (known for known in groups if same_value(slot, known.value, line.value))
            group = next(same, None)
        if group is None:
            group = _Group()
            groups.append(group)
        by_key[key] = group
        group.lines.append(line)
    return groups


def _settled(
    user: User, slot: str, group: _Group, live: Sequence[ProfileFact]
) -> ProfileFact | None:
    """Store a value beside the live facts; return the new fact, None if it is already known."""
    same = [fact for fact in live if fact.slot not in opposites(slot) and _says(fact, group)]
    known = min(
        same, key=lambda fact: (fact.status != Status.CURRENT, fact.slot != slot), default=None
    )
    if known is not None:
        _say_again(group.lines, known)
        _mention(user, group.lines, known)
        return None
    against = _contradicted(slot, group, live)
    fact = _as_fact(user, group, Status.CURRENT if against is None else Status.CHALLENGER)
    insert_as_they_are(ProfileFact, [fact])
    first = group.best
    if against is None:
        first.kind = Kind.FACT
    else:
        first.kind = Kind.DISPUTED
        _open(user, first, against, fact)
    first.made.append(name_of(fact))
    others = [line for line in group.lines if line is not first]
    _say_again(others, fact)
    _mention(user, [*others, first], fact)
    return fact


def _says(fact: ProfileFact, group: _Group) -> bool:
    key = value_key(fact.slot, group.best.value)
    if SLOTS[fact.slot].many:
        return fact.value_key == key
    return fact.value_key == key or same_value(fact.slot, fact.value, group.best.value)


def _contradicted(slot: str, group: _Group, live: Sequence[ProfileFact]) -> ProfileFact | None:
    """Return the current fact that contradicts this value, or None."""
    current = [fact for fact in live if fact.status == Status.CURRENT]
    if not SLOTS[slot].many:
        return next((fact for fact in current if fact.slot == slot), None)
    contrary = (fact for fact in current if fact.slot in opposites(slot) and _says(fact, group))
    return next(contrary, None)


def _as_fact(user: User, group: _Group, status: ProfileFact.Status) -> ProfileFact:
    best, at = group.best, now()
    times = [line.said_at for line in group.lines if line.said_at is not None]
    memory = from_original(best.original)
    fact = ProfileFact(
        pk=key_made(best.pk, "fact"),
        user=user,
        slot=best.slot,
        value=best.value,
        status=status,
        trust=memory.trust,
        confidence=memory.confidence,
        source=memory.source,
        source_conversation_id=best.conversation,
        source_message_id=_message_of(best),
        last_verified=max(times),
        valid_from=min(times),
        created_at=at,
        updated_at=at,
    )
    complete_restored_fact(fact)
    return fact


def _say_again(lines: Sequence[LegacyRow], fact: ProfileFact) -> None:
    for line in lines:
        line.kind = Kind.AGREED
        line.joined.append(name_of(fact))


def _mention(user: User, lines: Sequence[LegacyRow], fact: ProfileFact) -> None:
    """Add the messages of the rows as mentions (evidence) of a fact, each once."""
    known = Mention.objects.filter(user=user, fact=fact)
    said_in = set(known.values_list("message", flat=True))
    mentions = []
    for line in lines:
        message = _message_of(line)
        if message is None or message in said_in:
            continue
        if line.said_at is None or line.conversation is None:
            continue
        said_in.add(message)
        start, end = _place_of_value(line)
        mention = Mention(
            pk=key_made(line.pk, "mention"),
            user=user,
            fact=fact,
            conversation_id=line.conversation,
            message_id=message,
            said_at=line.said_at,
            start=start,
            end=end,
        )
        mentions.append(mention)
        line.made.append(name_of(mention))
    if mentions:
        insert_as_they_are(Mention, [*mentions])


def _place_of_value(line: LegacyRow) -> tuple[int, int]:
    """Return the position of the value in its message, as [start, end)."""
    if line.table == VALUE:
        return line.original["start"], line.original["end"]
    start = max(0, from_original(line.original).text.find(line.value))
    return start, start + len(line.value)


def _open(user: User, line: LegacyRow, held: ProfileFact, fact: ProfileFact) -> None:
    assert line.said_at is not None
    entry = Contradiction(
        pk=key_made(line.pk, "conflict"),
        user=user,
        slot=fact.slot,
        old_fact=held,
        new_fact=fact,
        drift=value_distance(held, fact),
        opened_at=line.said_at,
        old_support=_support(held),
        new_support=1,
    )
    insert_as_they_are(Contradiction, [entry])
    line.made.append(name_of(entry))


def _support(fact: ProfileFact) -> int:
    """Return in how many conversations the fact was said."""
    mentions = Mention.objects.filter(user_id=fact.user_id, fact=fact)
    return mentions.values("conversation").distinct().count()


def _message_of(line: LegacyRow) -> UUID | None:
    label = "conversations.message "
    names = (name for name in (*line.made, *line.joined) if name.startswith(label))
    return next((UUID(name.removeprefix(label)) for name in names), None)
