"""Counts of annotated histories, their shares, and the lines for a person to judge."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.support.markdown import table
from evaluation.measuring import share

Scores = Mapping[str, "Score"]
Shares = Mapping[str, tuple[str, str]]
"""Names of shares: what is counted, and of how many."""


@dataclass
class Score:
    """The counts of one history, and the lines for a person to judge by heading."""

    counts: Counter[str] = field(default_factory=Counter)
    lines: dict[str, list[str]] = field(default_factory=dict)

    def note(self, heading: str, line: str) -> None:
        """Add a line under a heading."""
        self.lines.setdefault(heading, []).append(line)

    def shares(self, named: Shares) -> dict[str, float]:
        """Return every named share, from 0 to 1."""
        return {
            name: share(self.counts[part], self.counts[whole])
            for name, (part, whole) in named.items()
        }


def total_of(scores: Scores) -> Score:
    """Return the counts of all histories together."""
    return Score(sum((score.counts for score in scores.values()), Counter()))


def figures(scores: Scores, named: Shares) -> str:
    """Return a table of the shares: a column for each history and for all."""
    total = total_of(scores)
    rows = [
        (
            name,
            *(f"{each.counts[part]} of {each.counts[whole]}" for each in (*scores.values(), total)),
            f"{share(total.counts[part], total.counts[whole]):.3f}",
        )
        for name, (part, whole) in named.items()
    ]
    return table(("figure", *scores, "all", "share"), rows)


def listed(scores: Scores) -> Iterator[str]:
    """Yield the lines of each history below their headings."""
    for name, score in scores.items():
        yield f"\n## {name}"
        for heading, lines in score.lines.items():
            yield f"\n### {heading} ({len(lines)})\n"
            yield from (f"- {line}" for line in lines)


def write(folder: Path, name: str, page: str, scores: Scores, named: Shares) -> None:
    """Write `name`.json, the shares and their counts, and `name`.md, the page."""
    folder.mkdir(parents=True, exist_ok=True)
    total = total_of(scores)
    files = {
        key: {**score.shares(named), "counts": dict(score.counts), **score.lines}
        for key, score in scores.items()
    }
    whole: dict[str, Any] = {
        **total.shares(named), "counts": dict(total.counts), "files": files,
    }  # fmt: skip
    written = json.dumps(whole, ensure_ascii=False, indent=1)
    (folder / f"{name}.json").write_text(written + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(page + "\n", encoding="utf-8")
