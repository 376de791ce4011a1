"""Suggested answers, and the rule that settles clear conflicts for users who enabled it.

Conflicts too close to call always wait for the user.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.utils.timezone import localtime, now

from ledger.conflicts import weights
from ledger.conflicts.resolution import Answer, resolve
from ledger.models import Contradiction, Resolution
from memory.models import ProfileFact, TrustChange

Method = Resolution.Method


@dataclass(frozen=True)
class Suggestion:
    """A suggested answer with the reason in plain words; only applied if the user chooses it."""

    method: Resolution.Method
    reason: str
    until: date | None = None
    since: date | None = None


def suggest(entry: Contradiction, at: datetime | None = None) -> Suggestion | None:
    """Return the answer that wording and scores suggest; None if they are too close."""
    if entry.since_words or entry.said_as == "transition":
        reason = (
            f"you said “{entry.since_words}”" if entry.since_words else "it sounds like a change"
        )
        answer = _timeline(entry)
        return Suggestion(Method.TIMELINE, reason, answer.until, answer.since)
    if entry.said_as == "correction":
        return Suggestion(Method.KEEP_NEW, "you corrected it")
    weighed = weights.scores(entry, at or now())
    if weighed.are_close:
        return None
    if weighed.old_wins:
        return Suggestion(Method.KEEP_OLD, _why_old(entry))
    lately = weighed.new.recency > weighed.old.recency
    return Suggestion(Method.KEEP_NEW, "you said it last" if lately else "you said it more clearly")


def _why_old(entry: Contradiction) -> str:
    if is_by_hand(entry.old_fact):
        return "you wrote or confirmed it yourself"
    often = entry.old_support > entry.new_support
    return "you said it more often" if often else "you said it more clearly"


def settle_plain_change(entry: Contradiction) -> None:
    """Settle a conflict about a stated change at once, unless the user wrote or confirmed the old
    value by hand. It can be undone.
    """
    if not entry.is_open or is_by_hand(entry.old_fact) or entry.said_as != "transition":
        return
    _settle(entry, _timeline(entry))


def settle_correction(entry: Contradiction) -> None:
    """Replace a corrected value at once, unless the user wrote or confirmed it by hand. It can be
    undone.
    """
    if entry.is_open and not is_by_hand(entry.old_fact):
        _settle(entry, Answer(Method.KEEP_NEW))


def is_by_hand(fact: ProfileFact) -> bool:
    """Return whether the user wrote or confirmed a fact by hand."""
    if fact.source == ProfileFact.Source.MANUAL or fact.trust >= settings.MEMORY["manual_trust"]:
        return True
    # A contradicting message lowers the trust, but the confirmation remains.
    return fact.trust_changes.filter(cause=TrustChange.Cause.CONFIRMED).exists()


def settle_if_clear(entry: Contradiction) -> None:
    """Settle a conflict for a user who enabled this: a stated change by a timeline, others by score
    unless the scores are close.
    """
    if not entry.is_open:
        return
    if entry.said_as == "transition":
        _settle(entry, _timeline(entry))
    elif not weights.scores(entry, now()).are_close:
        _settle(entry, Answer(Method.TRUST))


def _timeline(entry: Contradiction) -> Answer:
    """Return the timeline answer: the new value followed the old one on the stated day."""
    since = entry.since or localtime(entry.opened_at).date()
    return Answer(Method.TIMELINE, until=since - timedelta(days=1), since=since)


def _settle(entry: Contradiction, answer: Answer) -> None:
    resolve(entry, answer, by=None)
    entry.refresh_from_db()
