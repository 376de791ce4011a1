"""Whether a row that still contains something erased stays for a known reason."""

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
# Names that people gave, by table.
_NAMED = WAY_IN | {"memory_profileshare", "webhooks_webhookendpoint", "memory_registerednamespace"}
# Which message an operation was for, and which row changed: keys, for some days.
_TRACES = frozenset({"memory_memoryoperation", "memory_memorychange"})
_IN_USE = frozenset({"active", "paused", "waiting", "current", "past", "challenger"})
_LESSONS = "memory_lesson"
_TO_STAFF = frozenset({"memory_lessonreport", "personas_personaproposal"})
# They hold kinds and counts, and what a browser says of itself.
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
    """Return why a hit stays after any erasure; '' if it should not, None for tables
    without words.
    """
    if hit.table in _NO_WORDS:
        return None
    if hit.table in _NAMED or (hit.table, hit.column) == ("conversations_conversation", "title"):
        return "names"
    if hit.table == _LESSONS:
        return "lessons"
    return "to_staff" if hit.table in _TO_STAFF else ""


def of_a_fact(user_id: UUID, slots: Collection[str], facts: Collection[UUID]) -> Judge:
    """Return the judge for one fact, all rows of its value in `facts`: messages stay, and lines
    with its words about something else.
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
            # Of another kind, or about a note that stays.
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
    """Return the judge for one conversation: what was said elsewhere or kept stays."""
    remaining = {str(key) for key in Memory.objects.for_user(user_id).values_list("pk", flat=True)}
    facts = ProfileFact.objects.for_user(user_id).values_list("pk", flat=True)
    remaining |= {str(key) for key in facts}

    def judge(hit: Hit) -> str | None:
        if hit.table in _TRACES:
            return None
        if hit.table == "accounts_auditevent":
            # Lines name conversations by bare numbers; their words are about what stays, or gone.
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
    """Return why a hit stays after deleting everything: sign-in, choices, the product's
    own lines.
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
