"""The search after an erasure: every remaining row has a known reason or is reported.

It runs within `acting_as(user)`, in the transaction of the erasure.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from accounts.models import User
from ledger.verification import outside, tables
from ledger.verification.tables import Row, Table
from memory.deletion.sought import ErasureTarget, texts_in_json

# How many remaining rows are listed; the rest is counted.
_MOST_NAMED = 50


@dataclass(frozen=True)
class Hit:
    """A column of a row that contains the target; `by_key` if it contains only a key."""

    row: Row
    column: str
    by_key: bool

    @property
    def table(self) -> str:
        """Return the table's name."""
        return self.row.table


# Why a hit stays, a key of `kinds.STAYS`; '' if it should be gone, None if it is irrelevant.
Judge = Callable[[Hit], str | None]


@dataclass
class VerificationResult:
    """The result of the search: numbers of rows that stay by reason, and remaining rows ({"table",
    "row", "column"}); `more` counts those not listed.
    """

    tables: int = 0
    rows: int = 0
    files: int = 0
    stays: dict[str, int] = field(default_factory=dict)
    left: list[dict[str, str]] = field(default_factory=list)
    more: int = 0

    def add(self, table: str, row: str, column: str, why: str = "") -> None:
        """Add one row: the reason why it stays, '' if it should not."""
        if why:
            self.stays[why] = self.stays.get(why, 0) + 1
        elif len(self.left) < _MOST_NAMED:
            self.left.append({"table": table, "row": row, "column": column})
        else:
            self.more += 1

    def as_kept(self) -> dict[str, Any]:
        """Return the result as stored in the receipt."""
        return asdict(self)


def search(user_id: UUID, target: ErasureTarget, judge: Judge) -> VerificationResult:
    """Search all tables, the hot tier, exports and files; return the result."""
    theirs = [table for table in tables.of_the_database() if table.mine]
    result = VerificationResult(tables=len(theirs), rows=tables.count(theirs))
    for table in theirs:
        for row in _candidates(table, target):
            _judge_row(result, row, target, judge)
    for place, keys in (
        ("hot tier", outside.in_the_hot_tier(user_id, target)),
        ("privacy_exportpiece", outside.in_copies(user_id, target)),
    ):
        for key in keys:
            result.add(place, key, "")
    email = User.objects.values_list("email", flat=True).get(pk=user_id)
    result.files, names = outside.in_files(email, target)
    for name in names:
        result.add("files", name, "")
    return result


def _candidates(table: Table, target: ErasureTarget) -> Iterator[Row]:
    if table.texts and target.fragments:
        yield from tables.rows(table, target.fragments, folded=bool(target.words))
    yield from tables.packed_rows(table)


def _judge_row(result: VerificationResult, row: Row, target: ErasureTarget, judge: Judge) -> None:
    """Count a row once: as remaining if one of its columns has no reason to stay."""
    verdicts = []
    ours = tables.fixed_value_columns(row.table)
    for column, value in row.values.items():
        if column in ours:
            continue
        texts = list(texts_in_json(value))
        by_words = target.is_in(*texts)
        if by_words or target.names(*texts):
            hit = Hit(row, column, by_key=not by_words)
            verdicts.append((judge(hit), column))
    judged = sorted((why, column) for why, column in verdicts if why is not None)
    if judged:
        why, column = judged[0]
        result.add(row.table, row.key, column, why)
