"""Changes of facts by hand: edit, confirm, end, restore, limit to a conversation or extend.

Every change closes a row and keeps it in the history. Only the ledger's resolution and memory
itself may import this module.
"""

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils.timezone import now

from accounts import audit
from accounts.audit import Action
from accounts.models import AuditEvent
from memory.core import allowances, trust
from memory.core.persistence_gate import (
    Authority,
    PersistenceReason,
    PersistenceRequest,
    RecordKind,
    Refused,
    decide_persistence,
)
from memory.core.signals import (
    fact_ended_by_hand,
    fact_judged_by_hand,
    fact_refined,
    fact_taken_back,
)
from memory.core.slot_locks import lock_slot
from memory.facts import fact_columns, past_facts, validity
from memory.facts.fact_log import by_owner
from memory.facts.succession import end, end_replaced, lock_fact
from memory.language.safety import guard
from memory.models import Override, Precision, ProfileFact, TrustChange, key_of
from memory.notes import note_store
from memory.slots import SLOTS, opposites, same_value

Status = ProfileFact.Status
# Statuses of facts that the user ended by hand and can restore.
RETURNING = (Status.REMOVED, Status.PAST)
# Statuses of a fact that was replaced by a more precise or corrected value.
_MADE_WAY = (Status.PAST, Status.SET_ASIDE)


class SlotTaken(Refused):
    """The slot has another value, or the persistence gate refuses the value."""


class UnfitValue(SlotTaken):
    """The value may never be saved: a secret, an instruction, or no visible characters."""


class NowhereToStay(ValueError):
    """The fact was added by hand, so there is no conversation to limit it to."""


# --- Changes by the user -------------------------------------------------------------------------


def merge(old: ProfileFact, new: ProfileFact, value: str, at: datetime) -> ProfileFact:
    """Replace two conflicting values by a third; both stay in the history. Raises SlotTaken."""
    _check_gate(old.user_id, old.slot, value, Authority.CHANGE)
    if already_held(old.user_id, old.slot, value, but=old):
        raise SlotTaken(f"I already have {value}. Choose one of the two values, or enter another.")
    _refuse_contrary(old.user_id, old.slot, value)
    end(old, Status.PAST, at)
    end(new, Status.SET_ASIDE, at)
    # Not linked as an edit: people with a share of the old value must not see the new one.
    return _written(old.user_id, old.slot, value)


def confirm(fact: ProfileFact) -> None:
    """Set full trust for a fact that the user confirmed. Does nothing if the fact was erased."""
    if not lock_fact(fact, "trust"):
        return
    _send_judged(fact, Action.CONFIRMED)
    set_full_trust(fact, TrustChange.Cause.CONFIRMED)
    by_owner(fact, Action.CONFIRMED, after=fact.value)


def set_full_trust(fact: ProfileFact, cause: TrustChange.Cause) -> None:
    """Set full trust and the time of verification of a fact."""
    fact.last_verified = now()
    fact.save(update_fields=["last_verified", "updated_at"])
    trust.move_trust(fact, settings.MEMORY["manual_trust"], cause)


def rewrite(fact: ProfileFact, value: str, since: datetime | None = None) -> ProfileFact:
    """Replace the value of a fact by hand; the old value moves to the history.

    `since` is when the new value began to be true, by default now. The same value only confirms the
    fact and sets its start. Raises SlotTaken if the slot already has the new value.
    """
    _check_gate(fact.user_id, fact.slot, value, Authority.CHANGE)
    if not lock_fact(fact, "value", "trust", "valid_from") or fact.status != Status.CURRENT:
        raise SlotTaken("This was just changed in another window. Reload the page.")
    if already_held(fact.user_id, fact.slot, value, but=fact):
        raise SlotTaken(f"I already have {value}.")
    _refuse_contrary(fact.user_id, fact.slot, value)
    if fact.value_key == key_of(fact.slot, value):
        # At most a different spelling, so no new row.
        before, fact.value = fact.value, value
        if since is not None:
            fact.valid_from, fact.from_precision = min(since, now()), Precision.DAY
        fact.save(update_fields=["value", "valid_from", "from_precision", "updated_at"])
        _send_judged(fact, Action.CONFIRMED)
        validity.make_room(fact)
        set_full_trust(fact, TrustChange.Cause.CONFIRMED)
        if before == value:
            by_owner(fact, Action.CONFIRMED, after=value)
        else:
            by_owner(fact, Action.REWRITTEN, before=before, after=value)
        return fact
    changed_at = _not_yet_to_come(since)
    fact.valid_from = min(fact.valid_from, changed_at)
    fact.save(update_fields=["valid_from"])
    end(fact, Status.PAST, changed_at)
    fact_ended_by_hand.send(ProfileFact, fact=fact, rewritten=True)
    written = _written(fact.user_id, fact.slot, value, replaces=fact, since=changed_at)
    by_owner(written, Action.REWRITTEN, before=fact.value, after=value)
    return written


def write_by_hand(
    user_id: UUID, slot_key: str, value: str, since: datetime | None = None
) -> ProfileFact:
    """Save a fact written by hand. Raises SlotTaken when the slot has a value."""
    lock_slot(user_id, slot_key)
    _check_gate(user_id, slot_key, value, Authority.HAND)
    if already_held(user_id, slot_key, value):
        raise SlotTaken(f"I already have that under {SLOTS[slot_key].label}.")
    _refuse_contrary(user_id, slot_key, value)
    written = _written(user_id, slot_key, value, since=since)
    by_owner(written, Action.WRITTEN, after=value)
    return written


def write_past_by_hand(
    user_id: UUID, slot_key: str, value: str, since: datetime | None, over: datetime
) -> ProfileFact:
    """Save a past fact by hand; without `since` its start is unknown. Raises SlotTaken."""
    lock_slot(user_id, slot_key)
    _check_gate(user_id, slot_key, value, Authority.HAND)
    ended = _not_yet_to_come(over)
    begun = min(since or ended, ended)
    same = ProfileFact.objects.for_user(user_id).current().filter(slot=slot_key)
    if any(same_value(slot_key, fact.value, value) for fact in same):
        raise SlotTaken("Your profile says this is still true. If it has ended, change that fact.")
    if past_facts.is_taken(ProfileFact.objects.for_user(user_id), slot_key, begun, ended):
        raise SlotTaken("Your timeline has another value for that time. Choose different dates.")
    past = _made_by_hand(user_id, slot_key, value)
    past.status, past.valid_from, past.valid_to = Status.PAST, begun, ended
    past.save(force_insert=True)
    by_owner(past, Action.WRITTEN, after=value, why=past_facts.WAS_PAST)
    return past


def already_held(user_id: UUID, slot: str, value: str, *, but: ProfileFact | None = None) -> bool:
    """Return whether a slot cannot take a value: it is single-valued and filled, or has the value.

    In a multi-valued slot, challengers count too.
    """
    there = Q(status=Status.CURRENT) | Q(status=Status.CHALLENGER, many=True)
    facts = ProfileFact.objects.for_user(user_id).filter(there, slot=slot)
    if but is not None:
        facts = facts.exclude(pk=but.pk)
    return any(not fact.many or same_value(slot, fact.value, value) for fact in facts)


def retract_past(fact: ProfileFact) -> None:
    """Retract a past fact and the memories made from the same words; both can be restored."""
    if _leave_history(fact):
        fact_taken_back.send(ProfileFact, fact=fact)
        note_store.retract_notes_of_fact(fact)


def retract(fact: ProfileFact, deed: Action = Action.REMOVED, why: str = "") -> bool:
    """Retract a fact and the memories made from the same words; both can be restored.

    A fact that was already over when saved is removed from the history. Returns False if the fact
    was already retracted.
    """
    if not retract_alone(fact, deed, why):
        return False
    note_store.retract_notes_of_fact(fact)
    return True


def retract_alone(fact: ProfileFact, deed: Action = Action.REMOVED, why: str = "") -> bool:
    """Retract a fact without the memories made from the same words, which have their own Undo.

    Returns False if the fact was already retracted.
    """
    left = fact.was_over and _leave_history(fact)
    if not (left or _end_by_hand(fact, Status.REMOVED, now(), deed, why)):
        return False
    fact_taken_back.send(ProfileFact, fact=fact)
    return True


def withdraw(fact: ProfileFact, why: str) -> None:
    """Remove a current or past fact that was misread, and log the reason. Idempotent."""
    if not lock_fact(fact) or fact.status not in (Status.CURRENT, Status.PAST):
        return
    end(fact, Status.REMOVED, now())
    audit.record(
        fact.user_id,
        Action.REMOVED,
        by=audit.By.HOUSE,
        subject=fact.pk,
        slot=fact.slot,
        before=fact.value,
        why=why,
    )
    _return_to_wider(fact)
    fact_ended_by_hand.send(ProfileFact, fact=fact, rewritten=False)


def _return_to_wider(finer: ProfileFact) -> None:
    """Restore the less precise value that a fact replaced, unless it was stated again since."""
    wider = finer.narrowed_from
    if wider is None or not lock_fact(wider, "valid_from") or wider.status not in _MADE_WAY:
        return
    if already_held(wider.user_id, wider.slot, wider.value):
        return
    wider.status, wider.valid_to = Status.CURRENT, None
    wider.save(update_fields=["status", "valid_to", "updated_at"])
    fact_refined.send(ProfileFact, replaced=finer, current=wider)


def undo_refinement(finer: ProfileFact) -> None:
    """Retract a more precise value and restore the less precise value that it replaced."""
    wider = finer.narrowed_from
    if not lock_fact(finer) or finer.status != Status.CURRENT:
        return
    if wider is None or not lock_fact(wider, "valid_from") or wider.status not in _MADE_WAY:
        retract_alone(finer)
        return
    end(finer, Status.REMOVED, now())
    _return_to_wider(finer)
    by_owner(finer, Action.REMOVED, before=finer.value)
    if wider.status == Status.CURRENT:
        by_owner(wider, Action.RESTORED, after=wider.value)
    fact_taken_back.send(ProfileFact, fact=finer)


def close(fact: ProfileFact, at: datetime, why: str = "") -> None:
    """End a fact at a moment; it stays in the history. Idempotent."""
    _end_by_hand(fact, Status.PAST, max(_not_yet_to_come(at), fact.valid_from), Action.ENDED, why)


def restore(fact: ProfileFact, misread: str = "") -> None:
    """Restore a retracted or ended fact.

    `misread` is the reason if the site had ended it by mistake. Raises SlotTaken if the slot has
    another value or the fact was erased.
    """
    if not lock_fact(fact):
        raise SlotTaken("You erased this for good, so I can’t bring it back.")
    if fact.status == Status.CURRENT:
        return
    if fact.status == Status.REMOVED and (fact.was_over or _left_history(fact)):
        _return_to_history(fact)
        return
    wider = fact.narrowed_from
    if already_held(fact.user_id, fact.slot, fact.value, but=wider):
        raise SlotTaken(f"Your {fact.kind.noun} has another value now. Remove that one first.")
    _check_gate(fact.user_id, fact.slot, fact.value, Authority.CHANGE)
    _refuse_contrary(fact.user_id, fact.slot, fact.value)
    if wider is not None and end_replaced(wider, now()):
        fact_refined.send(ProfileFact, replaced=wider, current=fact)
    fact.status = Status.CURRENT
    fact.valid_to = None
    fact.save(update_fields=["status", "valid_to", "updated_at"])
    if not misread:
        _send_judged(fact, Action.RESTORED)
    if fact.source_conversation_id is not None:
        # The value that was limited to one conversation is no longer needed.
        Override.objects.filter(
            user_id=fact.user_id,
            conversation_id=fact.source_conversation_id,
            slot=fact.slot,
            value=fact.value,
        ).delete()
    validity.start_after_last_value(fact)
    by = audit.By.HOUSE if misread else audit.By.OWNER
    by_owner(fact, Action.RESTORED, by=by, after=fact.value, why=misread)


def narrow(fact: ProfileFact) -> Override:
    """Limit a fact to the conversation in which it was first stated. Raises NowhereToStay."""
    if fact.source_conversation_id is None:
        raise NowhereToStay("You added this yourself, so it doesn’t belong to a conversation.")
    if not retract(fact, Action.NARROWED):
        raise NowhereToStay("This was just changed in another window. Reload the page.")
    override, _ = Override.objects.get_or_create(
        user_id=fact.user_id,
        conversation_id=fact.source_conversation_id,
        slot=fact.slot,
        value=fact.value,
        defaults={"message_id": fact.source_message_id},
    )
    return override


def widen(override: Override) -> ProfileFact:
    """Turn a value of one conversation into a fact for all conversations. Raises SlotTaken."""
    user_id, slot, value = override.user_id, override.slot, override.value
    lock_slot(user_id, slot)
    _check_gate(user_id, slot, value, Authority.YES, override.conversation_id)
    before = ProfileFact.objects.for_user(user_id).filter(
        source_conversation=override.conversation_id, slot=slot, value=value, status=Status.REMOVED
    )
    narrowed = before.order_by("-valid_to").first()
    if narrowed is not None:
        restore(narrowed)
        return narrowed
    if already_held(user_id, slot, value):
        raise SlotTaken(f"Your {override.kind.noun} has another value now. Edit that one.")
    _refuse_contrary(user_id, slot, value)
    written = _written(user_id, slot, value)
    written.source_conversation_id = override.conversation_id
    written.source_message_id = override.message_id
    written.save(update_fields=["source_conversation", "source_message"])
    by_owner(written, Action.WIDENED, after=written.value)
    override.delete()
    return written


# --- Helpers -------------------------------------------------------------------------------------


def _check_gate(
    user_id: UUID, slot: str, value: str, authority: Authority, conversation_id: UUID | None = None
) -> None:
    """Raise SlotTaken if the persistence gate refuses a value entered by hand.

    Raises UnfitValue for a value that may never be saved.
    """
    request = PersistenceRequest(
        RecordKind.FACT,
        slot=slot,
        value=value,
        authority=authority,
        secret=guard.holds_a_secret(value),
        sensitive=SLOTS[slot].sensitive,
    )
    decision = decide_persistence(request, allowances.allowances_of(user_id, conversation_id))
    if decision.reason == PersistenceReason.SECRET:
        raise UnfitValue(decision.reason)
    if not decision.kept:
        raise SlotTaken(decision.reason)
    if reason := guard.explain_refusal(value):
        raise UnfitValue(reason)


def _refuse_contrary(user_id: UUID, slot: str, value: str) -> None:
    """Raise SlotTaken if the opposite slot (likes, dislikes) has the same value."""
    contrary = ProfileFact.objects.for_user(user_id).current().filter(slot__in=opposites(slot))
    for fact in contrary if opposites(slot) else ():
        if same_value(fact.slot, fact.value, value):
            note = fact.sentence
            raise SlotTaken(f"Your profile says the opposite: {note}. Change that fact first.")


def _written(
    user_id: UUID,
    slot_key: str,
    value: str,
    *,
    replaces: ProfileFact | None = None,
    since: datetime | None = None,
) -> ProfileFact:
    written = _made_by_hand(user_id, slot_key, value)
    written.valid_from, written.replaces = _not_yet_to_come(since), replaces
    written.save(force_insert=True)
    validity.make_room(written)
    return written


def _made_by_hand(user_id: UUID, slot_key: str, value: str) -> ProfileFact:
    """Return an unsaved fact for a value written by hand."""
    return fact_columns.complete(
        ProfileFact(
            user_id=user_id,
            slot=slot_key,
            value=value,
            trust=settings.MEMORY["manual_trust"],
            confidence=1.0,
            source=ProfileFact.Source.MANUAL,
            last_verified=now(),
        )
    )


def _not_yet_to_come(moment: datetime | None) -> datetime:
    """Return the moment, at most now: no fact begins or ends in the future."""
    return min(moment or now(), now())


def _end_by_hand(
    fact: ProfileFact, status: ProfileFact.Status, at: datetime, deed: Action, why: str
) -> bool:
    """End a current fact and log it; return False if it was not current."""
    if not lock_fact(fact) or fact.status != Status.CURRENT:
        return False
    end(fact, status, at)
    _send_judged(fact, deed)
    by_owner(fact, deed, before=fact.value, why=why)
    fact_ended_by_hand.send(ProfileFact, fact=fact, rewritten=False)
    return True


def _leave_history(fact: ProfileFact) -> bool:
    """Retract a past fact and keep its period for a restore; return False if it is not past."""
    past = fact.status == Status.PAST
    if not (past and lock_fact(fact) and fact.status == Status.PAST):
        return False
    fact.status = Status.REMOVED
    fact.save(update_fields=["status", "updated_at"])
    _send_judged(fact, Action.REMOVED)
    by_owner(fact, Action.REMOVED, before=fact.value, why=past_facts.WAS_PAST)
    return True


def _left_history(fact: ProfileFact) -> bool:
    """Return whether a fact was past when it was retracted, according to the audit log."""
    lines = AuditEvent.objects.for_user(fact.user_id).filter(subject=fact.pk)
    removed = lines.filter(deed=Action.REMOVED).order_by("-pk").first()
    return removed is not None and removed.why == past_facts.WAS_PAST


def _return_to_history(fact: ProfileFact) -> None:
    """Restore a past fact. Raises SlotTaken if the slot had another value in that period."""
    _check_gate(fact.user_id, fact.slot, fact.value, Authority.CHANGE)
    others = ProfileFact.objects.for_user(fact.user_id).exclude(pk=fact.pk)
    if fact.valid_to is None or past_facts.is_taken(
        others, fact.slot, fact.valid_from, fact.valid_to
    ):
        raise SlotTaken("Your timeline has another value for that time.")
    facts = others.filter(slot=fact.slot, status__in=[Status.CURRENT, Status.PAST])
    if any(same_value(fact.slot, other.value, fact.value) for other in facts):
        raise SlotTaken(f"I already have that under {fact.kind.label}.")
    fact.status = Status.PAST
    fact.save(update_fields=["status", "updated_at"])
    _send_judged(fact, Action.RESTORED)
    by_owner(fact, Action.RESTORED, after=fact.value, why=past_facts.WAS_PAST)


def _send_judged(fact: ProfileFact, deed: Action) -> None:
    fact_judged_by_hand.send(ProfileFact, fact=fact, deed=deed)
