"""Times of the five designs and of the product on the same threads, in interleaved rounds."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.storage_options import product
from benchmarks.storage_options.design import Design
from benchmarks.storage_options.designs import DESIGNS
from benchmarks.storage_options.estimates import MEGABYTES, MILLISECONDS, ROWS, Operation
from benchmarks.storage_options.product import Product
from benchmarks.storage_options.threads import Encoder, Fact, Memory, stating
from benchmarks.support.timing import Times, shortest
from memory.slots import SLOTS

WARM_UP = 2
# How often an operation is timed at least, however long it takes.
LEAST = 3
QUESTIONS = {Operation.ONE: "What's my name?", Operation.TEN: "Tell me about myself."}
DISPUTED = "employer"
NAME = "Throughline"
BLOCK = "`select 1` in a block"
"""The least that reading a row of one person's can cost: a transaction in their name."""
_NUMBERS = {kind.name: number for number, kind in enumerate(DESIGNS)}


@dataclass(frozen=True)
class Figure:
    """Milliseconds of one operation, once for each time it was done, and what was expected."""

    operation: Operation
    threads: int
    who: str
    times: Times
    expected: float | None = None


@dataclass(frozen=True)
class Size:
    """What the memories of so many threads take."""

    threads: int
    who: str
    rows: int
    bytes: int
    expected_rows: int | None = None
    expected_bytes: float | None = None


@dataclass
class Timed:
    """What is done, and what is done after it without being timed."""

    act: Callable[[], Any]
    after: Callable[[Any], object] = lambda _: None


class Limits(NamedTuple):
    """How often each is timed. What has taken `longest` seconds in all is not repeated any more,
    once it was timed `LEAST` times.
    """

    rounds: int
    longest: float


@dataclass
class Measured:
    """All figures of a run."""

    figures: list[Figure] = field(default_factory=list)
    sizes: list[Size] = field(default_factory=list)


def measure(
    folder: Path, threads: int, chosen: Collection[int], limits: Limits, measured: Measured
) -> Iterator[str]:
    """Fill the site and the files with so many threads and time everything on them; `chosen` are
    the numbers of the designs that are built, from 1. Yields what it is doing.
    """
    yield f"Filling {threads:,} threads ..."
    site = Product(threads)
    encoder = Encoder(product.encode)
    kept = site.threads(encoder)
    designs = [DESIGNS[number - 1](folder / str(number), product.encode) for number in chosen]
    for design in designs:
        yield f"Building {design.name} ..."
        design.build(kept)
    measured.sizes += _sizes(designs, threads)
    for operation, timed in _operations(site, designs).items():
        yield f"Timing {operation} ..."
        for who, times in interleaved(timed, limits).items():
            expected = _expected(MILLISECONDS[operation].get(threads), who)
            measured.figures.append(Figure(operation, threads, who, times, expected))


def interleaved(timed: Mapping[str, Timed], limits: Limits) -> dict[str, Times]:
    """Each in turn, round after round, so that all meet the same machine."""
    times = {who: Times(who, 0) for who in timed}
    spent = dict.fromkeys(timed, 0.0)
    for number in range(WARM_UP + limits.rounds):
        for who, timing in timed.items():
            timed_before = len(times[who].milliseconds)
            if spent[who] > limits.longest and (number < WARM_UP or timed_before >= LEAST):
                continue
            began = time.perf_counter()
            results: list[Any] = []
            if number < WARM_UP:
                results.append(timing.act())
            else:
                # Slower designs let the database's process sleep: this one wakes it, for nothing.
                shortest()
                times[who].take(lambda: results.append(timing.act()))  # noqa: B023 - called at once
            spent[who] += time.perf_counter() - began
            timing.after(results[0])
    return times


# --- What is timed --------------------------------------------------------------------------------


def _operations(site: Product, designs: Sequence[Design]) -> dict[Operation, dict[str, Timed]]:
    facts = site.known()
    thread = f"thread_{site.count - 1:05d}"
    slots = [fact.slot for fact in facts[:10]]
    disputed = next(fact for fact in facts if fact.slot == DISPUTED)
    new = _Stating(thread)
    return {
        Operation.ONE: _reading(site, designs, Operation.ONE, slots[:1], thread),
        Operation.TEN: _reading(site, designs, Operation.TEN, slots, thread),
        Operation.CHECK: _checking(site, designs, disputed, new),
        # The last: with each, there is a little more.
        Operation.WRITE: {
            **{d.name: Timed(partial(_write, d, new)) for d in designs},
            f"{NAME}: message and fact": Timed(site.write),
        },
    }


def _reading(
    site: Product, designs: Sequence[Design], operation: Operation, slots: list[str], thread: str
) -> dict[str, Timed]:
    question, expected = QUESTIONS[operation], site.facts(slots)
    assert set(expected) == set(slots)

    def compare(known: dict[str, str]) -> None:
        # A time of what finds something else would say nothing.
        assert known == expected, (known, expected)

    return {
        **{d.name: Timed(partial(d.facts, question, slots, thread), compare) for d in designs},
        BLOCK: Timed(site.nothing),
        f"{NAME}: profile": Timed(lambda: site.facts(slots), compare),
        f"{NAME}: profile, thread and search of all": Timed(lambda: site.recall(question)),
    }


def _checking(
    site: Product, designs: Sequence[Design], disputed: Fact, new: "_Stating"
) -> dict[str, Timed]:
    def compare(values: dict[str, float]) -> None:
        assert set(values) == {disputed.value}, values

    rival = Fact(disputed.slot, "a rival", "")
    assert site.contradicted(rival) is not None
    return {
        **{d.name: Timed(partial(_contradictions, d, new), compare) for d in designs},
        BLOCK: Timed(site.nothing),
        f"{NAME}: looking": Timed(lambda: site.contradicted(rival)),
        f"{NAME}: message kept, question opened": Timed(
            lambda: site.dispute(DISPUTED), site.settle
        ),
    }


def _write(design: Design, new: "_Stating") -> None:
    design.write(new("interests", "pastime"))


def _contradictions(design: Design, new: "_Stating") -> dict[str, float]:
    return design.contradictions(new(DISPUTED, "rival"))


class _Stating:
    """Makes memories that state a value that was never told before, as they are to be written."""

    def __init__(self, thread: str) -> None:
        self._thread, self._numbers = thread, count(1)

    def __call__(self, slot: str, value: str) -> Memory:
        number = next(self._numbers)
        said = f"{value} {number}"
        fact = Fact(slot, said, SLOTS[slot].note.format(value=said), SLOTS[slot].many)
        encoder = Encoder(product.encode)
        return stating(fact, self._thread, f"new_{number}", time.time(), encoder)


# --- Sizes ----------------------------------------------------------------------------------------


def _sizes(designs: Sequence[Design], threads: int) -> Iterator[Size]:
    # Between and beside the figures that were given, in proportion to those of 500.
    megabytes = MEGABYTES.get(threads) or [each * threads / 500 for each in MEGABYTES[500]]
    for design in designs:
        position, rows = _NUMBERS[design.name], ROWS.get(threads)
        yield Size(
            threads,
            design.name,
            design.rows(),
            design.size(),
            rows[position] if rows else None,
            megabytes[position] * 1e6,
        )
    rows_here, size = product.rows_and_bytes()
    yield Size(threads, NAME, rows_here, size)


def _expected(figures: Sequence[float] | None, who: str) -> float | None:
    """Return the estimate of a design; None for the product."""
    return figures[_NUMBERS[who]] if figures and who in _NUMBERS else None
