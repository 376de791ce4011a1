"""The latest changes: values that were learned, superseded, ended, settled or retracted."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from uuid import UUID

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.timezone import localtime

from accounts.models import AuditEvent
from accounts.support import formatting
from ledger.history.timeline import History, Rival
from ledger.models import READ_OTHERWISE, Contradiction, Resolution
from memory.facts.validity import is_told_time
from memory.models import Precision, ProfileFact
from memory.slots import narrower

Method = Resolution.Method
Status = ProfileFact.Status
SETTLED_BY = {
    AuditEvent.By.OWNER: "You settled it",
    AuditEvent.By.STAFF: "Staff settled it",
    AuditEvent.By.RULE: "Settled automatically",
}


@dataclass(frozen=True)
class Change:
    """One change: its title, origin and link."""

    at: datetime
    slot: str
    title: str
    words: str
    # The fact whose message is linked; `with_sources` looks the message up.
    told_by: UUID | None = None
    url: str = ""
    link: str = ""
    is_open: bool = False
    # The precision of its day.
    exactly: str = Precision.DAY

    def when(self, today: datetime) -> str:
        """Return 'Today, 09:42', 'Yesterday', 'March 2024'; days stated by the user get no time."""
        if self.exactly != Precision.DAY:
            words = formatting.day_as_told(
                localtime(self.at).date(), localtime(today).date(), self.exactly
            )
            return capfirst(words)
        day, at = capfirst(formatting.day(self.at, today)), localtime(self.at)
        return f"{day}, {at:%H:%M}" if day == "Today" and at.time() != time() else day


def changes_in(history: History) -> list[Change]:
    """Return every change, newest first, without values retracted as misread a moment later."""
    history = _without_misreadings(history)
    asked = {entry.new_fact_id for entry in history.entries.values()}
    settled = {
        answer.kept_id: answer
        for answer in history.answers.values()
        if _began_with(answer, history.entries[answer.contradiction_id])
    }
    made = [*_beginnings(history, asked, settled), *_ends(history), *_disputes(history)]
    return sorted(made, key=lambda change: change.at, reverse=True)


def _without_misreadings(history: History) -> History:
    entries = {
        key: entry
        for key, entry in history.entries.items()
        if key not in history.answers or history.answers[key].reason != READ_OTHERWISE
    }
    sides = {pk for entry in entries.values() for pk in (entry.old_fact_id, entry.new_fact_id)}
    misread = {pk for pk, reason in history.reasons.items() if reason == READ_OTHERWISE}
    misread |= {history.entries[key].new_fact_id for key in history.entries.keys() - entries.keys()}
    facts = {pk: fact for pk, fact in history.facts.items() if pk in sides or pk not in misread}
    answers = {key: answer for key, answer in history.answers.items() if key in entries}
    return replace(history, facts=facts, entries=entries, answers=answers)


def with_sources(user_id: UUID, changes: Sequence[Change]) -> list[Change]:
    """Return the changes with links to their messages, in one query."""
    keys = {change.told_by for change in changes if change.told_by}
    rows = ProfileFact.objects.for_user(user_id).filter(pk__in=keys)
    rows = rows.select_related("source_conversation", "source_message").only(
        "source_conversation__title", "source_message__conversation", "source_message__number"
    )
    facts = {fact.pk: fact for fact in rows}
    return [
        _linked(change, facts[change.told_by]) if change.told_by in facts else change
        for change in changes
    ]


def _linked(change: Change, fact: ProfileFact) -> Change:
    message, conversation = fact.source_message, fact.source_conversation
    if message is None or conversation is None:
        return replace(change, words=change.words.removesuffix(" in") + ".")
    title = conversation.name or "A conversation"
    return replace(change, url=message.get_absolute_url(), link=title)


# --- Beginnings ----------------------------------------------------------------------------------


def _beginnings(
    history: History, asked: set[UUID], settled: dict[UUID | None, Resolution]
) -> Iterator[Change]:
    """Yield a change for each new value, except those shown with their conflict."""
    before = _predecessors(history.facts.values())
    for fact in history.facts.values():
        answer, previous = settled.get(fact.pk), before.get(fact.pk)
        if answer is not None:
            yield _settled_beginning(history, fact, answer)
        elif fact.pk in asked:
            continue
        elif previous is not None:
            took_over = f"{_replacement_words(fact, previous)} {previous.value}"
            yield _begun(
                fact, f"{took_over}. You wrote it yourself.", f"{took_over}. You said so in"
            )
        else:
            origin = "You said so in" if _is_dated(fact) else "Noted in"
            yield _begun(fact, "You wrote it yourself.", origin)


def _replacement_words(fact: ProfileFact, previous: ProfileFact) -> str:
    if previous.status == Status.SET_ASIDE:
        return "Corrected from"
    return "Narrowed down from" if narrower(fact.slot, fact.value, previous.value) else "Replaced"


def _begun(fact: ProfileFact, written: str, stated: str) -> Change:
    by_hand = fact.source_message_id is None
    unknown = fact.begins_unknown
    return Change(
        fact.created_at if unknown else fact.valid_from,
        fact.slot,
        _title(fact),
        written if by_hand else stated,
        told_by=None if by_hand else fact.pk,
        exactly=Precision.DAY if unknown else fact.from_precision,
    )


def _is_dated(fact: ProfileFact) -> bool:
    return is_told_time(fact.valid_from) and not fact.begins_unknown


def _settled_beginning(history: History, fact: ProfileFact, answer: Resolution) -> Change:
    entry = history.entries[answer.contradiction_id]
    old, new = history.facts[entry.old_fact_id], history.facts[entry.new_fact_id]
    how = (
        f"Replaced {old.value}"
        if answer.method == Method.TIMELINE
        else f"Neither {old.value} nor {new.value} was quite right"
    )
    unknown = fact.begins_unknown
    return Change(
        answer.at if unknown else fact.valid_from,
        fact.slot,
        _title(fact),
        f"{how}. {_who(answer)}:",
        url=entry.get_absolute_url(),
        link="why",
        exactly=Precision.DAY if unknown else fact.from_precision,
    )


def _predecessors(facts: Iterable[ProfileFact]) -> dict[UUID, ProfileFact]:
    """Return the earlier value of each value that replaced one."""
    ended = {
        (fact.slot, fact.valid_to): fact
        for fact in facts
        if fact.status == Status.PAST and not fact.many
    }
    by_key = {fact.pk: fact for fact in facts}
    predecessors = {}
    for fact in facts:
        previous = by_key.get(fact.replaces_id) if fact.replaces_id else None
        if previous is None and not fact.begins_unknown:
            previous = ended.get((fact.slot, fact.valid_from))
        if previous is not None and previous.pk != fact.pk:
            predecessors[fact.pk] = previous
    return predecessors


# --- Ends ----------------------------------------------------------------------------------------


def _ends(history: History) -> Iterator[Change]:
    """Yield a change for each value that ended without a successor or was retracted."""
    followed = {previous.pk for previous in _predecessors(history.facts.values()).values()}
    followed |= {
        history.entries[answer.contradiction_id].old_fact_id
        for answer in history.answers.values()
        if answer.method == Method.TIMELINE
    }
    for fact in history.facts.values():
        if fact.valid_to is None or fact.pk in followed:
            continue
        if fact.status == Status.PAST:
            yield _gone(fact, fact.valid_to, _ended(fact, fact.valid_to), fact.to_precision)
        elif fact.status == Status.REMOVED:
            taken_back = fact.updated_at if fact.was_over else fact.valid_to
            yield _gone(fact, taken_back, _taken_out(history, fact))


def _taken_out(history: History, fact: ProfileFact) -> str:
    """Return why a fact was removed: by the user, or by the software, with its reason."""
    reason = history.reasons.get(fact.pk, "").rstrip(".")
    return f"{reason}." if reason else "You removed it."


def _ended(fact: ProfileFact, at: datetime) -> str:
    if not fact.begins_unknown:
        return "Ended."
    return "Ended. I don’t know when it began." if is_told_time(at) else "Ended some time ago."


def _gone(fact: ProfileFact, at: datetime, words: str, exactly: str = Precision.DAY) -> Change:
    """Return the change of a fact no longer in use, with the URL where it can be erased."""
    url = reverse("ledger:erase", args=[fact.pk])
    return Change(
        at, fact.slot, _title(fact), words, url=url, link="Erase for good", exactly=exactly
    )


# --- Conflicts -----------------------------------------------------------------------------------


def _disputes(history: History) -> Iterator[Change]:
    """Yield open conflicts, and settled ones that changed no value."""
    for entry in history.entries.values():
        answer = history.answers.get(entry.pk)
        if entry.is_open:
            yield _opened(history, entry)
        elif answer is not None and not _began_with(answer, entry):
            yield from _settled(history, entry, answer)


def _opened(history: History, entry: Contradiction) -> Change:
    old, new = history.facts[entry.old_fact_id], history.facts[entry.new_fact_id]
    return Change(
        entry.opened_at,
        old.slot,
        f"{_title(old)} or {Rival(entry, old, new).value}?",
        "Open:",
        url=entry.get_absolute_url(),
        link="see both sides",
        is_open=True,
    )


def _settled(history: History, entry: Contradiction, answer: Resolution) -> Iterator[Change]:
    old, new = history.facts[entry.old_fact_id], history.facts[entry.new_fact_id]
    if answer.method == Method.OVERTAKEN:
        if answer.kept_id is not None:
            summary = f"Replaced {old.value}, which you’d changed yourself:"
            yield Change(
                answer.at,
                new.slot,
                _title(new),
                summary,
                url=entry.get_absolute_url(),
                link="see both sides",
            )
        return
    fact, other = (new, old) if answer.kept_id == new.pk else (old, new)
    summary = (
        "Both are fine, so both are kept."
        if old.many and new.many and new.status != Status.SET_ASIDE
        else f"Kept without asking again: {other.value} was set aside."
        if answer.method == Method.DISMISS
        else f"Corrected: {other.value} was set aside."
        if fact is new
        else f"Still right: {other.value} was set aside."
    )
    yield Change(
        answer.at,
        fact.slot,
        _title(fact),
        f"{summary} {_who(answer)}:",
        url=entry.get_absolute_url(),
        link="see both sides",
    )


def _began_with(answer: Resolution, entry: Contradiction) -> bool:
    """Return whether a resolution is shown with the start of the value it created or dated."""
    if answer.method == Method.TIMELINE:
        return True
    return answer.method == Method.MERGE and answer.kept_id not in (
        entry.old_fact_id,
        entry.new_fact_id,
    )


def _who(answer: Resolution) -> str:
    return SETTLED_BY.get(AuditEvent.By(answer.by_whom), "Settled")


def _title(fact: ProfileFact) -> str:
    over = fact.status == Status.PAST or fact.was_over
    label = fact.kind.past_label if over else fact.kind.label
    return f"{label}: {fact.value}"
