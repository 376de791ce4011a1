"""Opening an entry of the ledger, and what its owner may ask about it."""

import re
from datetime import date
from uuid import UUID

from django.db.models import Count
from django.utils.timezone import localtime, now

from accounts import audit
from accounts.audit import By, Deed
from ledger.models import Contradiction
from memory import profile, timewords
from memory.extraction import Candidate
from memory.models import Mention, ProfileFact
from memory.scope import Scope

_SENTENCE_ENDS = re.compile(r"[.!?](?=\s|$)|\n")


def open_one(
    scope: Scope, text: str, candidate: Candidate, conflict: profile.Conflict
) -> Contradiction:
    """Open an entry for this pair of values, or find the one that is open.

    `text` is the message that says the new value: a time it names is when the change was.
    """
    existing, challenger = conflict.existing, conflict.challenger
    since, since_words = _since(text, candidate, scope)
    supports = _supports(scope.user_id, existing, challenger)
    entry, new = Contradiction.objects.get_or_create(
        old_fact=existing,
        new_fact=challenger,
        status=Contradiction.Status.OPEN,
        defaults={
            "user_id": scope.user_id,
            "slot": challenger.slot,
            "drift": profile.distance(existing, challenger),
            "opened_at": scope.said_at,
            "said_as": candidate.kind,
            "since": since,
            "since_words": since_words,
            "old_support": supports[0],
            "new_support": supports[1],
        },
    )
    if new:
        _log(entry, Deed.DISPUTED, by=By.TALK, scope=scope)
    elif (entry.old_support, entry.new_support) != supports:
        entry.old_support, entry.new_support = supports
        entry.save(update_fields=["old_support", "new_support"])
    return entry


def ask_for_help(entry: Contradiction) -> None:
    """Let staff read both values and settle it. Asking twice is asking once."""
    if entry.is_open and entry.help_asked_at is None:
        entry.help_asked_at = now()
        entry.save(update_fields=["help_asked_at"])
        _log(entry, Deed.HELP, by=By.OWNER)


def _since(text: str, candidate: Candidate, scope: Scope) -> tuple[date | None, str]:
    """The first day of the time that the value's own sentence names, and its words."""
    start = max((end.end() for end in _SENTENCE_ENDS.finditer(text, 0, candidate.start)), default=0)
    after = _SENTENCE_ENDS.search(text, candidate.end)
    end = after.start() if after else len(text)
    # The value itself may be a day: it does not say since when.
    sentence = f"{text[start : candidate.start]} {text[candidate.end : end]}"
    for span in timewords.spans(sentence, localtime(scope.said_at)):
        return span.first, span.words[:80]
    return None, ""


def _supports(user_id: UUID, *facts: ProfileFact) -> tuple[int, ...]:
    mentions = Mention.objects.filter(user_id=user_id, fact__in=facts).values("fact")
    told = dict(
        mentions.annotate(talks=Count("conversation", distinct=True)).values_list("fact", "talks")
    )
    return tuple(told.get(fact.pk, 0) for fact in facts)


def _log(entry: Contradiction, deed: Deed, *, by: By, scope: Scope | None = None) -> None:
    audit.record(
        entry.user_id,
        deed,
        by=by,
        subject=entry.pk,
        slot=entry.slot,
        conversation=scope.conversation_id if scope else None,
        message=scope.message_id if scope else None,
        before=entry.old_fact.value,
        after=entry.new_fact.value,
    )
