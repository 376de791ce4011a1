"""Receipts and previews of erasures, as pages and the API show them."""

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
    """A row that still contains erased text, and what the user can do."""

    table: str
    row: str
    column: str
    remedy: str


@dataclass(frozen=True)
class View:
    """A receipt. `tables`, `rows` and `files` were searched; `more` rows remain beside those in
    `left`.
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
        """Return what was erased, as part of a sentence."""
        return lowered(self.title)

    @property
    def is_clean(self) -> bool:
        """Return whether nothing remains."""
        return not self.left


def view(receipt: Erasure) -> View:
    """Return a receipt as a page shows it."""
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
    """Return the title of a receipt; an undone import has one for all its conversations."""
    several = receipt.counts.get("conversations") != 1
    if receipt.kind == Erasure.Kind.CONVERSATION and several:
        return "An import"
    return str(receipt.get_kind_display())


def foreseen(
    kind: Erasure.Kind, counts: Mapping[str, int], stays: Mapping[str, int | None]
) -> dict[str, Any]:
    """Return the preview of an erasure as the API shows it."""
    return {"kind": kind, "goes": kinds.counted(counts), "stays": kinds.staying(stays)}


def receipt_message(text: str, receipt: Erasure) -> SafeString:
    """Return the success message with a link to the receipt."""
    link = "See the receipt"
    if receipt.many_left:
        link = "A search still found something: see the receipt"
    return format_html('{} <a href="{}">{}</a>', text, receipt.get_absolute_url(), link)
