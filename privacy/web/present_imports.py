"""What the page about imports shows."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.timezone import localtime, now

from accounts.models import PrivacySettings, User
from accounts.support import formatting
from privacy.importing import counting, requests
from privacy.importing.requests import CannotImport
from privacy.models import Import
from privacy.web.present_progress import ProgressWords

State = Import.State
_TITLES = {
    State.WAITING: "Waiting to import",
    State.MAKING: "Importing",
    State.FINDING: "Imported. Looking for facts",
    State.UNDOING: "Removing the import",
}
_LEAVE = "You can leave this page."


@dataclass(frozen=True)
class UploadedImport:
    """A file that was brought, as its owner sees it."""

    row: Import

    @property
    def source(self) -> str:
        """Where it is from."""
        return self.row.get_source_display()

    @property
    def counts(self) -> str:
        """What is new in it."""
        return counting.in_words(self.row)

    @property
    def span(self) -> str:
        """From which day to which, '' where it does not say."""
        first, last = self.row.first_at, self.row.last_at
        if first is None or last is None:
            return ""
        days = [formatting.plain_date(localtime(at).date(), _today()) for at in (first, last)]
        return days[0] if days[0] == days[1] else f"{days[0]} to {days[1]}"

    @property
    def day(self) -> str:
        """When it was brought."""
        return formatting.plain_date(localtime(self.row.asked_at).date(), _today())

    @property
    def skipped(self) -> list[tuple[str, int]]:
        """Why some stay behind, and how many, the most first."""
        return sorted(self.row.skipped.items(), key=lambda reason: -reason[1])

    @property
    def words(self) -> ProgressWords:
        """What is said while the worker has it."""
        title = _TITLES.get(State(self.row.state), "")
        if self.row.state == State.UNDOING:
            return ProgressWords(title, _LEAVE, "Removal progress")
        note = _LEAVE
        if self.row.state == State.FINDING:
            note = f"Everything is here. Facts in it are waiting for you to confirm them. {_LEAVE}"
        return ProgressWords(title, note, "Import progress", "the import")


def section(user: User) -> dict[str, Any]:
    """The file that was brought last, the imports before it, and why none can be brought now."""
    newest = requests.IMPORTS.newest(user.pk)
    earlier = Import.objects.filter(user=user, state__in=[State.READY, State.FAILED])
    earlier = earlier.exclude(pk__in=[newest.pk] if newest else []).order_by("-asked_at")
    try:
        requests.refuse_with_memory_off(user)
        refused = ""
    except CannotImport as error:
        refused = str(error)
    return {
        "brought": UploadedImport(newest) if newest else None,
        "earlier": [UploadedImport(row) for row in earlier],
        "cannot_import": refused,
        "kept_days": PrivacySettings.of(user.pk).conversation_days,
        "most_megabytes": settings.PRIVACY["restore_megabytes"],
    }


def _today() -> Any:
    return localtime(now()).date()
