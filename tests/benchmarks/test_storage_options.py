"""The five designs of `python -m benchmarks options` keep and find the same."""

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from benchmarks.storage_options.design import Design
from benchmarks.storage_options.designs import (
    DESIGNS,
    Federated,
    GlobalAndThreads,
    LazyCopies,
    ProfileAndThreads,
    Unified,
)
from benchmarks.storage_options.estimates import MEGABYTES, MILLISECONDS, Operation, verdict
from benchmarks.storage_options.measuring import Figure, Measured, Size
from benchmarks.storage_options.pictures import picture
from benchmarks.storage_options.results import page, write
from benchmarks.storage_options.threads import (
    STATED,
    Encoder,
    Fact,
    Memory,
    Said,
    Thread,
    Vector,
    stating,
    threads_of,
)
from benchmarks.support.timing import Times

LENGTH = 12
ASKED = [f"slot{number}" for number in range(STATED)]
FACTS = [
    *(Fact(slot, f"value {slot}", f"The {slot} is a value") for slot in ASKED),
    *(Fact("interests", f"pastime {n}", f"Likes pastime {n}", many=True) for n in range(20)),
]
KNOWN = {slot: f"value {slot}" for slot in ASKED}
THREADS = [1, 2, 5]

each_design = pytest.mark.parametrize("kind", DESIGNS, ids=lambda kind: kind.name)


def encode(text: str) -> Vector:
    """A vector by the letters of a text: the same for the same text."""
    vector = np.zeros(26, np.float32)
    for letter in text.lower():
        if "a" <= letter <= "z":
            vector[ord(letter) - ord("a")] += 1
    return vector


ENCODER = Encoder(encode)


def threads(count: int) -> list[Thread]:
    talks = [
        [Said(f"remark {n} of talk {talk}", 1e9 + 60 * n) for n in range(LENGTH)]
        for talk in range(count)
    ]
    return threads_of(talks, FACTS, ENCODER)


def built(kind: type[Design], folder: Path, count: int) -> tuple[Design, str]:
    """A design with so many threads, and the name of the last."""
    kept = threads(count)
    design = kind(folder, encode)
    design.build(kept)
    return design, kept[-1][0]


def new(slot: str, value: str, thread: str, *, many: bool = False) -> Memory:
    return stating(Fact(slot, value, f"The {slot} is {value}", many), thread, value, 2e9, ENCODER)


def test_the_first_thread_states_what_is_asked_for_and_later_ones_repeat_it() -> None:
    slots = [[m.fact.slot for m in memories if m.fact] for _, memories in threads(4)]
    assert slots[0] == ASKED == slots[3]
    assert slots[1] == ["interests"] * STATED


@each_design
@pytest.mark.parametrize("count", THREADS)
def test_every_design_finds_one_fact_and_ten_from_the_last_thread(
    kind: type[Design], count: int, tmp_path: Path
) -> None:
    design, thread = built(kind, tmp_path, count)
    assert design.facts("What is it?", ASKED[:1], thread) == {ASKED[0]: KNOWN[ASKED[0]]}
    assert design.facts("What are they?", ASKED, thread) == KNOWN
    assert design.facts("What is it?", ["unknown"], thread) == {}


@each_design
@pytest.mark.parametrize("count", THREADS)
def test_every_design_finds_the_value_that_a_new_one_contradicts(
    kind: type[Design], count: int, tmp_path: Path
) -> None:
    design, thread = built(kind, tmp_path, count)
    assert set(design.contradictions(new("slot3", "a rival", thread))) == {KNOWN["slot3"]}
    assert not design.contradictions(new("slot3", KNOWN["slot3"], thread))
    assert not design.contradictions(new("interests", "a rival", thread, many=True))
    assert not design.contradictions(new("unknown", "a rival", thread))


@each_design
def test_what_is_written_is_found_in_its_thread(kind: type[Design], tmp_path: Path) -> None:
    design, thread = built(kind, tmp_path, 2)
    before = design.rows()
    design.write(new("hobby", "chess", thread))
    assert design.facts("Which hobby?", ["hobby"], thread) == {"hobby": "chess"}
    assert design.rows() - before in (1, 2)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (GlobalAndThreads, "chess"),
        (Unified, "chess"),
        (Federated, "chess"),
        # What is only in a thread that has not ended yet stays there: that design is stale.
        (LazyCopies, None),
        (ProfileAndThreads, "chess"),
    ],
)
def test_what_is_written_in_one_thread_is_found_in_another_but_where_threads_copy(
    kind: type[Design], expected: str | None, tmp_path: Path
) -> None:
    design, _ = built(kind, tmp_path, 2)
    design.write(new("hobby", "chess", "thread_00000"))
    assert design.facts("Which?", ["hobby"], "thread_00001").get("hobby") == expected


def overriding(count: int) -> Iterator[Thread]:
    """The last thread says that the first slot is another there."""
    *others, (name, memories) = threads(count)
    text = "Another one, here only"
    fact = Fact(ASKED[0], "another", text)
    override = Memory("o", name, text, ENCODER(text), 2e9, 0.92, "user", fact, override=True)
    yield from others
    yield name, [*memories, override]


@pytest.mark.parametrize("kind", [GlobalAndThreads, Unified, ProfileAndThreads])
def test_what_holds_in_one_thread_only_comes_first_there_and_nowhere_else(
    kind: type[Design], tmp_path: Path
) -> None:
    design = kind(tmp_path, encode)
    design.build(list(overriding(2)))
    here = design.facts("What is it?", ASKED[:1], "thread_00001")
    elsewhere = design.facts("What is it?", ASKED[:1], "thread_00000")
    assert (here, elsewhere) == ({ASKED[0]: "another"}, {ASKED[0]: KNOWN[ASKED[0]]})


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        # 3 threads of 12 memories, which state 30 facts in all.
        (GlobalAndThreads, 36 + 30),
        (Unified, 36),
        (Federated, 36),
        # The second thread copies 10, the third 20; the pool has 30.
        (LazyCopies, 36 + 10 + 20 + 30),
        (ProfileAndThreads, 36 + 30),
    ],
)
def test_each_design_keeps_the_rows_that_it_is_described_with(
    kind: type[Design], expected: int, tmp_path: Path
) -> None:
    design, _ = built(kind, tmp_path, 3)
    assert design.rows() == expected
    assert design.size() > 0


@pytest.mark.parametrize(
    ("measured", "expected", "words"),
    [
        (10, None, ""),
        (10, 10, "yes"),
        (29, 10, "yes"),
        (3.4, 10, "yes"),
        (40, 10, "no, 4.0 times as much"),
        (2, 10, "no, 1/5.0"),
        (10, 5_000, "no, 1/500"),
    ],
)
def test_an_estimate_holds_within_three_times(
    measured: float, expected: float | None, words: str
) -> None:
    assert verdict(measured, expected) == words


def test_rounds_that_were_disturbed_do_not_make_an_estimate_too_low() -> None:
    assert verdict(50, 10, least=20) == "yes"
    assert verdict(50, 10, least=35) == "no, 3.5 times as much"
    assert verdict(3, 10, least=1) == "no, 1/3.3"


def test_there_is_an_estimate_for_each_design() -> None:
    for table in (*MILLISECONDS.values(), MEGABYTES):
        assert {len(figures) for figures in table.values()} == {len(DESIGNS)}


def measured() -> Measured:
    """The first operation at 10 and 100 threads: each design twice as slow as the one before."""
    figures = [
        Figure(
            Operation.ONE,
            threads,
            kind.name,
            Times(kind.name, 0, [2.0**position] * 3, [0.5] * 3),
            MILLISECONDS[Operation.ONE][threads][position],
        )
        for threads in (10, 100)
        for position, kind in enumerate(DESIGNS)
    ]
    sizes = [Size(10, kind.name, 500, 3_000_000, None, 10e6) for kind in DESIGNS]
    return Measured(figures, sizes)


def test_a_row_tells_the_times_their_multiples_and_whether_the_estimates_hold() -> None:
    rows = page(measured()).splitlines()
    assert (
        "| 10 | 3 federated | 4.00 | 4.00 | 4.00 | 8 | 500 | no, 1/125 | 0.25 | 62 | no, 1/250 |"
        in rows
    )
    assert "| 10 | 5 profile and threads | 16 | 16 | 16 | 32 | 8.00 | yes | 1.00 |  |  |" in rows
    assert "| 10 | 3 federated | 500 |  | 3.00 | 10 | no, 1/3.3 | 6.0 |" in rows


def test_the_picture_has_a_line_for_each_design_and_a_ring_for_each_estimate() -> None:
    names = {"s": "http://www.w3.org/2000/svg"}
    drawn = ElementTree.fromstring(picture(measured()))
    fields = drawn.findall("s:g", names)
    lines = fields[0].findall("s:path[@stroke-width='2']", names)
    rings = fields[0].findall("s:circle[@fill='none']", names)
    assert (len(lines), len(rings)) == (len(DESIGNS), 2 * len(DESIGNS))


def test_the_results_are_written_as_a_page_as_data_and_as_a_picture(tmp_path: Path) -> None:
    write(tmp_path / "out", measured())
    data = json.loads((tmp_path / "out" / "options.json").read_text())
    assert len(data["figures"]) == 2 * len(DESIGNS)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "options.json",
        "options.md",
        "options.svg",
    }
