"""Opening conflicts, asking staff for help, and reading their answers."""

import re
from datetime import date
from uuid import UUID

from django.db.models import Count, QuerySet
from django.utils.timezone import localtime, now

from accounts import audit
from accounts.audit import Action, By
from ledger.models import Contradiction, Resolution
from memory.core.scope import Scope
from memory.facts.profile import Conflict, value_distance
from memory.facts.start_dates import read_start_date
from memory.language.dates.asked_times import is_end_time
from memory.language.dates.time_expressions import (
    TimeSpan,
    capitalize_time_words,
    find_stated_times,
)
from memory.language.engine.sentences import sentence_around
from memory.language.reader.facts import FactCandidate
from memory.models import Mention, ProfileFact

# Placeholder for the value in its sentence.
_VALUE = "\0"
_UNTIL = re.compile(r"^(?:until|by) ")
_CUT = re.compile(r"[,;:–—]|\b(?:and|but|now|then|since then|when|where)\b", re.IGNORECASE)
_WAS = re.compile(r"\b(?:was|were|been|had|lived|worked|studied|stayed|used to)\b", re.IGNORECASE)


class EntryDraft:
    """A draft of the conflict that a new value may open."""

    def __init__(self, scope: Scope, text: str, candidate: FactCandidate) -> None:
        """Take the message text that states the value; a time in it is the day of the change."""
        self._scope, self._candidate = scope, candidate
        self.began = read_start_date(text, candidate.start, candidate.end, scope.said_at)
        self._since, self._since_words = (
            (self.began.day, self.began.words) if self.began else _since(text, candidate, scope)
        )

    def entry(self, conflict: Conflict) -> Contradiction:
        """Return the conflict between these two facts: a new one, or the one already open."""
        user_id, existing, challenger = self._scope.user_id, conflict.existing, conflict.challenger
        old_support, new_support = _supports(user_id, existing, challenger)
        open_now = Contradiction.objects.for_user(user_id).open()
        entry = open_now.filter(old_fact=existing, new_fact=challenger).first()
        if entry is not None:
            self._update_repeated(entry, (old_support, new_support))
            return entry
        entry = Contradiction.objects.create(
            user_id=user_id,
            slot=self._candidate.slot,
            old_fact=existing,
            new_fact=challenger,
            drift=value_distance(existing, self._candidate),
            opened_at=self._scope.said_at,
            said_as=self._candidate.kind,
            since=self._since,
            since_words=self._since_words,
            old_support=old_support,
            new_support=new_support,
        )
        _log(entry, Action.DISPUTED, by=By.TALK, scope=self._scope)
        return entry

    def _update_repeated(self, entry: Contradiction, supports: tuple[int, ...]) -> None:
        """Update an open conflict whose new value was said again: support counts and start."""
        before = entry.old_support, entry.new_support, entry.since
        entry.old_support, entry.new_support = supports
        if entry.since is None and self._since is not None:
            entry.since, entry.since_words = self._since, self._since_words
        if before != (entry.old_support, entry.new_support, entry.since):
            entry.save(update_fields=["old_support", "new_support", "since", "since_words"])


def ask_for_help(entry: Contradiction) -> None:
    """Let staff read both values and settle the conflict. Safe to repeat."""
    unasked = Contradiction.objects.filter(
        pk=entry.pk,
        user_id=entry.user_id,
        status=Contradiction.Status.OPEN,
        help_asked_at__isnull=True,
    )
    if unasked.update(help_asked_at=now()):
        _log(entry, Action.HELP, by=By.OWNER)
    entry.refresh_from_db(fields=["help_asked_at"])


def unread_resolutions(user_id: UUID) -> QuerySet[Resolution]:
    """Return the resolutions by staff that the user has not seen."""
    rows = Resolution.objects.filter(user_id=user_id, by_whom=By.STAFF)
    return rows.filter(undone_at__isnull=True, read_at__isnull=True)


def first_unread_answer(user_id: UUID) -> Contradiction | None:
    """Return the first conflict, with both facts, that staff settled and the user has not seen."""
    unread = unread_resolutions(user_id).order_by("at").values("contradiction")[:1]
    return Contradiction.objects.for_user(user_id).filter(pk__in=unread).first()


def mark_answer_read(entry: Contradiction) -> None:
    """Mark the resolution by staff as seen by the user."""
    unread_resolutions(entry.user_id).filter(contradiction=entry).update(read_at=now())


def _since(text: str, candidate: FactCandidate, scope: Scope) -> tuple[date | None, str]:
    """Return the first day of the time stated with the value, and its wording."""
    start, end = sentence_around(text, candidate.start, candidate.end)
    # The value itself may be a day, which is not its start.
    sentence = f"{text[start : candidate.start]}{_VALUE}{text[candidate.end : end]}"
    said_at = localtime(scope.said_at)
    spans = (span for span in find_stated_times(sentence, said_at) if span.first <= said_at.date())
    for span in spans:
        if not is_end_time(sentence, span):
            return span.first, capitalize_time_words(span.words)[:80]
        if _ends_what_was(sentence, span):
            # "Until May" means that the other value is true since "May".
            return span.first, capitalize_time_words(_UNTIL.sub("", span.words))[:80]
    return None, ""


def _ends_what_was(sentence: str, span: TimeSpan) -> bool:
    """Return whether a time ends another value ("Rome until May, now …")."""
    index = sentence.lower().find(span.words)
    first = max((cut.end() for cut in _CUT.finditer(sentence, 0, index)), default=0)
    after = _CUT.search(sentence, index)
    clause = sentence[first : after.start() if after else len(sentence)]
    return _VALUE not in clause and (index < sentence.find(_VALUE) or bool(_WAS.search(clause)))


def _supports(user_id: UUID, *facts: ProfileFact) -> tuple[int, ...]:
    mentions = Mention.objects.filter(user_id=user_id, fact__in=facts).values("fact")
    counts = dict(
        mentions.annotate(talks=Count("conversation", distinct=True)).values_list("fact", "talks")
    )
    return tuple(counts.get(fact.pk, 0) for fact in facts)


def _log(entry: Contradiction, action: Action, *, by: By, scope: Scope | None = None) -> None:
    audit.record(
        entry.user_id,
        action,
        by=by,
        subject=entry.pk,
        slot=entry.slot,
        conversation=scope.conversation_id if scope else None,
        message=scope.message_id if scope else None,
        before=entry.old_fact.value,
        after=entry.new_fact.value,
    )
