"""Results for people (report.md, with charts) and for programs (report.json)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.timezone import localdate

from evaluation.charts import Bar, chart, in_words
from evaluation.figures import PARTS, Figure, Part

Found = Mapping[str, Mapping[str, Any]]
# How many runs are shown, including this one; the file has all.
_SHOWN = 6
# Figures are shown with three digits: smaller differences are no change.
_SAME = 0.0005


class Run(NamedTuple):
    """A run: its start, version, and figures by part and path."""

    at: str
    version: str
    figures: Mapping[str, float]


def write(out: Path, found: Found, began: datetime | None = None) -> None:
    """Write the results; with `began`, add this run to the history and show earlier ones."""
    runs: list[Run] = []
    if began is not None:
        run = Run(began.isoformat(), settings.VERSION, _figures_of(found))
        runs = _record(out / "history.jsonl", run)
    (out / "report.json").write_text(json.dumps(flat(found), indent=2) + "\n", encoding="utf-8")
    (out / "report.md").write_text(
        page(found, settings.VERSION, localdate(), runs), encoding="utf-8"
    )
    for name, result in found.items():
        if bars := _bars(PARTS[name], result):
            picture = chart(PARTS[name].title, bars)
            (out / f"{name}.svg").write_text(picture, encoding="utf-8")


def flat(found: Found) -> dict[str, Any]:
    """Return the tracked figures as shares, then everything measured, by part."""
    followed = {
        figure.key: figure.of(found[name])
        for name, part in PARTS.items()
        for figure in part.figures
        if figure.key and name in found
    }
    return {key: value for key, value in followed.items() if value is not None} | dict(found)


def is_measured(part: str, result: Mapping[str, Any]) -> bool:
    """Return whether any figure of the part was measured."""
    return any(figure.of(result) is not None for figure in PARTS[part].figures)


def page(found: Found, version: str, today: date, runs: Sequence[Run] = ()) -> str:
    """Return the report as Markdown: for each part a chart, the figures and their meaning."""
    lines = [
        "# What was measured",
        "",
        f"Throughline {version}, {today.day} {today:%B %Y}. Shares run from 0 to 1.",
        "",
    ]
    for name, result in found.items():
        lines += _section(name, result, runs)
    return "\n".join(lines)


def _section(name: str, result: Mapping[str, Any], runs: Sequence[Run]) -> Iterator[str]:
    part = PARTS[name]
    yield from (f"## {part.title}", "", part.about, "")
    if skipped := result.get("skipped"):
        yield from (f"Missing, so not measured: {', '.join(skipped)}.", "")
    if not is_measured(name, result):
        return
    if bars := _bars(part, result):
        yield from (f"![{part.title}. {in_words(bars)}]({name}.svg)", "")
    yield from ("| figure | value | target | reached | what it means |", "|---|--:|--:|---|---|")
    for figure in part.figures:
        if (value := figure.of(result)) is not None:
            yield _line(figure, value)
    yield ""
    yield from _courses(name, runs)
    if slots := result.get("slots"):
        yield from _slots(slots)
    yield from ("<details><summary>Everything that was counted</summary>", "")
    yield from ("| figure | value |", "|---|--:|")
    yield from (f"| {label} | {value} |" for label, value in _rows(result))
    yield from ("", "</details>", "")


def _line(figure: Figure, value: float) -> str:
    good = "high is good" if figure.high_is_good else "low is good"
    target = ""
    if figure.target is not None:
        target = f"at {'least' if figure.high_is_good else 'most'} {figure.target:.2f}"
    reached = {True: "yes", False: "no", None: ""}[figure.is_reached(value)]
    means = f"{figure.means} {good.capitalize()}."
    return f"| {figure.name} | {value:.3f} | {target} | {reached} | {means} |"


def _slots(slots: list[dict[str, Any]]) -> Iterator[str]:
    yield from ("By kind of fact, in how many sentences it was marked:", "")
    yield from ("| kind | sentences | right kind | right kind and value |", "|---|--:|--:|--:|")
    for one in slots:
        # There is no share if no sentence is of this kind.
        shares = [f"{one[key]:.3f}" if one["rows"] else "" for key in _OF_A_SLOT]
        yield f"| {one['slot'].replace('_', ' ')} | {one['rows']} | {' | '.join(shares)} |"
    yield ""


_OF_A_SLOT = ("slot_recall", "value_recall")


def _bars(part: Part, result: Mapping[str, Any]) -> list[Bar]:
    return [
        Bar(
            figure.name if figure.high_is_good else f"{figure.name} (low is good)",
            value,
            figure.target,
            figure.high_is_good,
        )
        for figure in part.figures
        if figure.is_share and (value := figure.of(result)) is not None
    ]


def _rows(result: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in result.items():
        if isinstance(value, Mapping):
            rows += _rows(value, f"{before}{name}, ")
        elif isinstance(value, int | float | str):
            rows.append((f"{before}{name}", value))
    return rows


# --- Earlier runs, a line of JSON each ------------------------------------------------------------


def _key_of(part: str, figure: Figure) -> str:
    """Return the key of a figure in the history."""
    return ".".join((part, *figure.path))


def _record(file: Path, run: Run) -> list[Run]:
    """Add a run to the file, once; return all runs, oldest first."""
    runs = [each for each in _recorded(file) if each.at != run.at] + [run]
    written = file.with_suffix(".new")
    lines = (json.dumps(each._asdict()) + "\n" for each in runs)
    written.write_text("".join(lines), encoding="utf-8")
    written.replace(file)
    return runs


def _recorded(file: Path) -> Iterator[Run]:
    """Yield the runs in the file; invalid lines are skipped."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    for line in lines:
        with suppress(ValueError, TypeError):
            yield Run(**json.loads(line))


def _figures_of(found: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Return all measured figures."""
    measured = {
        _key_of(name, figure): figure.of(result)
        for name, result in found.items()
        for figure in PARTS[name].figures
    }
    return {key: value for key, value in measured.items() if value is not None}


def _courses(part: str, runs: Sequence[Run]) -> Iterator[str]:
    """Yield a table of a part's figures over earlier runs; declines are marked."""
    lines = [line for figure in PARTS[part].figures for line in _course(part, figure, runs)]
    if lines:
        yield from ("From run to run, the oldest first:", "")
        yield from ("| figure | course | since the run before |", "|---|---|---|")
        yield from (*lines, "")


def _course(part: str, figure: Figure, runs: Sequence[Run]) -> Iterator[str]:
    key = _key_of(part, figure)
    values = [run.figures[key] for run in runs if key in run.figures]
    if len(values) > 1 and key in runs[-1].figures:
        shown = " → ".join(f"{value:.3f}" for value in values[-_SHOWN:])
        yield f"| {figure.name} | {shown} | {_change(figure, values[-1] - values[-2])} |"


def _change(figure: Figure, change: float) -> str:
    if abs(change) < _SAME:
        return "the same"
    better = (change > 0) == figure.high_is_good
    return f"better by {abs(change):.3f}" if better else f"**worse by {abs(change):.3f}**"
