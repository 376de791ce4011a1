"""What the privacy page shows of a copy that somebody brings back."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.timezone import localtime, now

from accounts.models import AuditEvent, User
from accounts.support import formatting
from ledger.history.log_lines import DEEDS, DOERS
from memory.slots import SLOTS
from privacy.models import Restore, RestoredLine
from privacy.parts import AUDIT, PARTS
from privacy.restoring import requests
from privacy.restoring.requests import CannotRestore
from privacy.restoring.tables import BY_OPERATION, TABLES
from privacy.web.present_progress import ProgressWords

# What a part holds, in words; of other tables its owner need not know.
_COUNTED = {
    "conversations.conversation": ("1 conversation", "{:,} conversations"),
    "conversations.message": ("1 message", "{:,} messages"),
    "conversations.topic": ("1 topic", "{:,} topics"),
    "memory.profilefact": ("1 fact", "{:,} facts"),
    "memory.memory": ("1 memory", "{:,} memories"),
    "memory.memoryblock": ("1 memory block", "{:,} memory blocks"),
    "memory.namespaceentry": ("1 entry from other apps", "{:,} entries from other apps"),
    "ledger.contradiction": ("1 conflict", "{:,} conflicts"),
    "memory.blockedslot": (
        "1 kind of fact that is never noted",
        "{:,} kinds of fact that are never noted",
    ),
    "memory.namespaceconsent": ("1 consent", "{:,} consents"),
    "memory.registerednamespace": ("1 namespace", "{:,} namespaces"),
    "accounts.privacysettings": ("your choices", "your choices"),
    AUDIT: ("1 line", "{:,} lines"),
}
_TAKEN = {table.name for table in TABLES} | set(BY_OPERATION)


@dataclass(frozen=True)
class UploadedCopy:
    """The newest copy that was brought, as its owner sees it."""

    restore: Restore
    made: str

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Each part that comes back with what it holds."""
        return [
            (part.label, _counts_in_words(self.restore.rows, part.tables))
            for part in PARTS.values()
            if _TAKEN & set(part.tables) & set(self.restore.rows)
        ]

    @property
    def words(self) -> ProgressWords:
        """What is said while the worker has it."""
        name = self.restore.gathering
        part = PARTS[name].label if name in PARTS else ""
        if self.restore.state == Restore.State.FINDING:
            return ProgressWords(
                "Restored. Preparing search",
                "Everything is back. Search will find all of it soon.",
                "Restore progress",
                part=part,
            )
        waits = self.restore.state == Restore.State.WAITING
        return ProgressWords(
            "Waiting to restore your copy" if waits else "Restoring your copy",
            "You can leave this page. Please don’t write anything new until it’s done.",
            "Restore progress",
            "the restore",
            part,
        )

    @property
    def left_out(self) -> int:
        """How many rows had nothing to stand beside."""
        return sum(self.restore.left_out.values())


@dataclass(frozen=True)
class Line:
    """A line of the history that a copy told of."""

    when: str
    who: str
    deed: str
    about: str
    why: str


def section(user: User) -> dict[str, Any]:
    """The copy that was brought last, and why none can be brought now, where that is so."""
    restore = requests.COPIES.newest(user.pk)
    try:
        requests.refuse_where_it_cannot_be(user)
        refused = ""
    except CannotRestore as error:
        refused = str(error)
    return {
        "brought": UploadedCopy(restore, _day(restore.copied_at)) if restore else None,
        "cannot_restore": refused,
        "most_megabytes": settings.PRIVACY["restore_megabytes"],
    }


def line(told: RestoredLine) -> Line:
    """A line in words. What it claims is not looked up: it may be of another account."""
    label = SLOTS[told.slot].label if told.slot in SLOTS else ""
    change = " → ".join(part for part in (told.before, told.after) if part)
    return Line(
        when=f"{localtime(told.at):%-d %B %Y, %H:%M}",
        who=DOERS[AuditEvent.By(told.by)],
        deed=DEEDS[AuditEvent.Action(told.deed)],
        about=": ".join(part for part in (label, change) if part),
        why=told.why,
    )


def _counts_in_words(rows: dict[str, int], tables: tuple[str, ...]) -> str:
    told = [(table, rows.get(table, 0)) for table in tables if table in _COUNTED]
    return (
        formatting.listed([_COUNTED[table][n != 1].format(n) for table, n in told if n])
        or "nothing"
    )


def _day(at: datetime) -> str:
    return formatting.plain_date(localtime(at).date(), localtime(now()).date())
