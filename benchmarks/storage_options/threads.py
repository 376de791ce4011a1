"""The threads of one person as plain values: what every design keeps, each in its own way.

Each thread has its passages; the first ten of them state ten of the person's facts instead, thread
after thread through all facts and then from the first again. So the first thread states the ten
facts that are asked for, and later threads repeat what earlier ones said.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
Encode = Callable[[str], Vector]

STATED = 10
"""How many facts a thread states."""

STATED_TRUST, CONTEXT_TRUST = 0.92, 0.6


@dataclass(frozen=True)
class Fact:
    """A value of a slot, and the sentence that states it; `many` where values do not conflict."""

    slot: str
    value: str
    text: str
    many: bool = False


@dataclass(frozen=True)
class Said:
    """A passage of a thread; `at` in seconds since 1970."""

    text: str
    at: float
    by_user: bool = True


@dataclass(frozen=True)
class Memory:
    """A row of a thread. `vector` is the meaning of `text` as a JSON list of numbers."""

    memory_id: str
    thread: str
    text: str
    vector: str
    at: float
    trust: float
    source: str
    fact: Fact | None = None
    override: bool = False

    @property
    def confidence(self) -> float:
        """How sure it was when it was noted, 0..1."""
        return 0.95 if self.fact else 0.7

    @property
    def tags(self) -> str:
        """The slot and the value that it states, as JSON; an empty object for none."""
        fact = self.fact
        return json.dumps({"slot": fact.slot, "value": fact.value} if fact else {})


Thread = tuple[str, list[Memory]]


class Encoder:
    """Vectors as JSON, each text embedded once."""

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        if text not in self._known:
            self._known[text] = json.dumps(self._encode(text).tolist())
        return self._known[text]


def threads_of(
    talks: Sequence[Sequence[Said]], facts: Sequence[Fact], encoder: Encoder
) -> list[Thread]:
    """The memories of each talk, named "thread_00000" and so on, in order."""
    return [
        (name, list(_memories(name, talk, _stated(facts, position), encoder)))
        for position, talk in enumerate(talks)
        for name in [f"thread_{position:05d}"]
    ]


def stating(fact: Fact, thread: str, memory_id: str, at: float, encoder: Encoder) -> Memory:
    """A memory that states a fact with the trust of what is plainly said."""
    vector = encoder(fact.text)
    return Memory(memory_id, thread, fact.text, vector, at, STATED_TRUST, "user", fact)


def _stated(facts: Sequence[Fact], position: int) -> list[Fact]:
    count = min(STATED, len(facts))
    return [facts[(position * count + number) % len(facts)] for number in range(count)]


def _memories(
    thread: str, talk: Sequence[Said], facts: Sequence[Fact], encoder: Encoder
) -> Iterator[Memory]:
    for number, (said, fact) in enumerate(zip(talk, facts, strict=False)):
        yield stating(fact, thread, f"{thread}_{number:03d}", said.at, encoder)
    for number, said in enumerate(islice(talk, len(facts), None), start=len(facts)):
        source = "user" if said.by_user else "system"
        vector = encoder(said.text)
        yield Memory(
            f"{thread}_{number:03d}", thread, said.text, vector, said.at, CONTEXT_TRUST, source
        )
