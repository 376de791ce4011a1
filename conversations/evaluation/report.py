"""What was measured, for people (report.md) and for programs (report.json)."""

from collections.abc import Mapping
from typing import Any

# The figures that are followed over time: key of report.json -> (part, path within its result).
FIGURES = {
    "locomo.recall_at_10": ("retrieval", ("locomo", "recall@10")),
    "locomo.mrr": ("retrieval", ("locomo", "mrr")),
    "beam.recall_at_10": ("retrieval", ("beam", "recall@10")),
    "realmem.recall_at_10": ("retrieval", ("realmem", "recall@10")),
    "extraction.slot_recall": ("extraction", ("slot_recall",)),
    "extraction.value_recall": ("extraction", ("value_recall",)),
    "injection.refused": ("injection", ("refused",)),
    "injection.false_positive": ("injection", ("false_positive",)),
    "tokens.saved_vs_history": ("tokens", ("saved_vs_history",)),
    "tokens.saved_vs_prose": ("tokens", ("saved_vs_prose",)),
    "questions.right": ("questions", ("right",)),
    "questions.wrong": ("questions", ("wrong",)),
    "questions.held_out_right": ("questions", ("held_out_right",)),
    "questions.held_out_wrong": ("questions", ("held_out_wrong",)),
}


def flat(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The followed figures as shares of 1, then everything that was measured, by part."""
    followed = {key: _at(found, part, path) for key, (part, path) in FIGURES.items()}
    return {key: value for key, value in followed.items() if value is not None} | dict(found)


def in_words(found: Mapping[str, Mapping[str, Any]]) -> str:
    """A page: the followed figures as a chart, each part's figures as a table, what was skipped."""
    shares = {key: value for key, value in flat(found).items() if key in FIGURES}
    lines = ["# What was measured", ""]
    if shares:
        lines += [
            "```mermaid",
            "xychart-beta horizontal",
            f"  x-axis [{', '.join(shares)}]",
            '  y-axis "share" 0 --> 1',
            f"  bar [{', '.join(str(value) for value in shares.values())}]",
            "```",
            "",
        ]
    for part, result in found.items():
        lines += [f"## {part.capitalize()}", "", "| figure | value |", "|---|---|"]
        lines += [f"| {name} | {value} |" for name, value in _rows(result)]
        skipped = result.get("skipped") or []
        lines += ["", f"Not there, so not measured: {', '.join(skipped)}." if skipped else "", ""]
    return "\n".join(lines)


def _at(found: Mapping[str, Any], part: str, path: tuple[str, ...]) -> Any:
    value: Any = found.get(part)
    for step in path:
        value = value.get(step) if isinstance(value, Mapping) else None
    return value


def _rows(result: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in result.items():
        if isinstance(value, Mapping):
            rows += _rows(value, f"{before}{name}, ")
        elif isinstance(value, int | float | str):
            rows.append((f"{before}{name}", value))
    return rows
