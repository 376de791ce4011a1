"""A receipt of an erasure, and what would go, as a page and the API show them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.support.formatting import lowered
from ledger.models import Erasure
from ledger.verification import kinds
from ledger.verification.kinds import KindCount, KindThatStays
from memory.slots import SLOTS


@dataclass(frozen=True)
class RemainingRow:
    """A row that still had it, and what its owner can do about it."""

    table: str
    row: str
    column: str
    remedy: str


@dataclass(frozen=True)
class View:
    """A receipt. `tables`, `rows` and `files` were searched; `more` rows are left beside those that
    are named in `left`.
    """

    id: UUID
    kind: str
    title: str
    at: datetime
    url: str
    goes: list[KindCount]
    stays: list[KindThatStays]
    left: list[RemainingRow]
    more: int
    tables: int
    rows: int
    files: int

    @property
    def begun(self) -> str:
        """What was erased, inside a sentence."""
        return lowered(self.title)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was left that should have gone."""
        return not self.left


def view(receipt: Erasure) -> View:
    """A receipt as it is shown."""
    search = receipt.search
    kind = Erasure.Kind(receipt.kind)
    slot = SLOTS.get(receipt.slot)
    return View(
        id=receipt.pk,
        kind=receipt.kind,
        title=f"{kind.label} ({slot.label})" if slot else _title(receipt),
        at=receipt.at,
        url=receipt.get_absolute_url(),
        goes=kinds.counted(receipt.counts),
        stays=kinds.staying({**search["stays"], "backups": None}),
        left=[RemainingRow(**row, remedy=kinds.remedy(row["table"])) for row in search["left"]],
        more=search["more"],
        tables=search["tables"],
        rows=search["rows"],
        files=search["files"],
    )


def _title(receipt: Erasure) -> str:
    """An import that was undone has one receipt for all its conversations and memories."""
    several = receipt.counts.get("conversations") != 1
    if receipt.kind == Erasure.Kind.CONVERSATION and several:
        return "An import"
    return str(receipt.get_kind_display())


def foreseen(
    kind: Erasure.Kind, counts: Mapping[str, int], stays: Mapping[str, int | None]
) -> dict[str, Any]:
    """What would go and what would stay, for other software."""
    return {"kind": kind, "goes": kinds.counted(counts), "stays": kinds.staying(stays)}


def receipt_message(text: str, receipt: Erasure) -> SafeString:
    """That it is done, with the way to the receipt."""
    link = "See the receipt"
    if receipt.many_left:
        link = "A search still found something: see the receipt"
    return format_html('{} <a href="{}">{}</a>', text, receipt.get_absolute_url(), link)
