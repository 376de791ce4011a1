"""Judging whether a row may still contain erased text, and why."""

from collections.abc import Collection
from uuid import UUID

from accounts import audit
from ledger.models import Resolution
from ledger.verification.search import Hit, Judge
from memory.models import Memory, ProfileFact
from memory.slots import with_opposites

_LETTERS = ("content", "author", "failure", "metadata")
WAY_IN = frozenset({"accounts_user", "account_emailaddress", "accounts_apitoken"})
CHOICES = frozenset(
    {
        "accounts_privacysettings",
        "memory_blockedslot",
        "memory_namespaceconsent",
        "memory_registerednamespace",
        "webhooks_webhookendpoint",
    }
)
# Tables with names that users gave.
_NAMED = WAY_IN | {"memory_profileshare", "webhooks_webhookendpoint", "memory_registerednamespace"}
# Keys of messages and changed rows, stored for some days.
_TRACES = frozenset({"memory_memoryoperation", "memory_memorychange"})
_IN_USE = frozenset({"active", "paused", "waiting", "current", "past", "challenger"})
_LESSONS = "memory_lesson"
_TO_STAFF = frozenset({"memory_lessonreport", "personas_personaproposal"})
# Tables with kinds, counts and user agents only.
_NO_WORDS = frozenset(
    {
        "ledger_erasure",
        "privacy_export",
        "usersessions_usersession",
        "personas_userpersona",
        "webhooks_webhookdelivery",
    }
)


def everywhere(hit: Hit) -> str | None:
    """Return why a hit stays after any erasure; '' if it should not, None if it has no text."""
    if hit.table in _NO_WORDS:
        return None
    if hit.table in _NAMED or (hit.table, hit.column) == ("conversations_conversation", "title"):
        return "names"
    if hit.table == _LESSONS:
        return "lessons"
    return "to_staff" if hit.table in _TO_STAFF else ""


def of_a_fact(user_id: UUID, slots: Collection[str], facts: Collection[UUID]) -> Judge:
    """Return the judge for the erasure of a fact, whose rows are `facts`: messages stay, and log
    lines about something else.
    """
    around = with_opposites(slots)
    answers = Resolution.objects.filter(user_id=user_id, contradiction__slot__in=around)
    cleared = {str(key) for key in answers.values_list("pk", flat=True)}
    keys = {str(key) for key in facts}
    notes = {str(key) for key in Memory.objects.for_user(user_id).values_list("pk", flat=True)}

    def is_another_line(hit: Hit) -> bool:
        slot, subject = hit.row.values.get("slot"), hit.row.values.get("subject")
        return {
            "memory_profilefact": hit.row.key not in keys,
            "ledger_resolution": hit.row.key not in cleared,
            "memory_override": slot not in slots,
            # Of another slot, or about a memory that stays.
            "accounts_auditevent": bool(slot and slot not in slots) or subject in notes,
        }.get(hit.table, False)

    def judge(hit: Hit) -> str | None:
        if hit.by_key:
            return "" if hit.column == "id" else None
        if hit.table == "conversations_message" and hit.column in _LETTERS:
            return "letters"
        if hit.table == "memory_passage":
            return "letters_index"
        return "other_lines" if is_another_line(hit) else everywhere(hit)

    return judge


def of_a_conversation(user_id: UUID) -> Judge:
    """Return the judge for erasing a conversation: other conversations, facts and memories stay."""
    remaining = {str(key) for key in Memory.objects.for_user(user_id).values_list("pk", flat=True)}
    facts = ProfileFact.objects.for_user(user_id).values_list("pk", flat=True)
    remaining |= {str(key) for key in facts}

    def judge(hit: Hit) -> str | None:
        if hit.table in _TRACES:
            return None
        if hit.table == "accounts_auditevent":
            # Lines may name conversations by key; their text is about rows that stay, or cleared.
            return "history" if hit.by_key else _kept(hit.row.values["subject"] in remaining)
        if hit.table == "conversations_message" and hit.by_key:
            return _kept(hit.column in ("content", "recalled", "steps"))
        if hit.table in ("conversations_message", "memory_passage"):
            return "elsewhere"
        if hit.table in ("memory_memory", "memory_profilefact"):
            return _kept(hit.row.values["status"] in _IN_USE)
        return everywhere(hit)

    return judge


def of_everything(hit: Hit) -> str | None:
    """Return why a hit stays after deleting everything: sign-in data, settings, log lines without
    user text; '' if it should not.
    """
    if hit.table in WAY_IN:
        return "way_in"
    if hit.table in CHOICES:
        return "choices"
    if hit.table == _LESSONS:
        return "lessons"
    if hit.table == "accounts_auditevent" and hit.row.values["deed"] in audit.IN_OUR_WORDS:
        return "history"
    return None if hit.table in _NO_WORDS else ""


def _kept(whether: bool) -> str:
    return "kept" if whether else ""
