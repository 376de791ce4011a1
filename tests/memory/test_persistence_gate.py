"""One gate says where something may be kept, and why: every gate, and their order."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.persistence_gate import (
    Allowances,
    Authority,
    KeepingPlace,
    PersistenceReason,
    PersistenceRequest,
    RecordKind,
    decide_persistence,
)
from memory.language.origin import Origin
from memory.slots import SLOTS

FACT, NOTE = RecordKind.FACT, RecordKind.NOTE
HAND, CHANGE = Authority.HAND, Authority.CHANGE
HEALTH = "medical"
# A slot of one value, and one of many.
ONE, MANY = "employer", "interests"


def fact(slot: str = ONE, **more: object) -> PersistenceRequest:
    return PersistenceRequest(FACT, slot=slot, value="Google", **more)  # type: ignore[arg-type]


def note(slot: str = "", **more: object) -> PersistenceRequest:
    return PersistenceRequest(NOTE, slot=slot, **more)  # type: ignore[arg-type]


def asked(kind: str, **more: object) -> PersistenceRequest:
    return PersistenceRequest(RecordKind[kind], **more)  # type: ignore[arg-type]


def allows(**more: object) -> Allowances:
    return Allowances(**more)  # type: ignore[arg-type]


CASES = [
    # what is asked, where it goes and why, and what its person allows
    ("plainly said", fact(), "PROFILE ALLOWED"),
    ("a note", note(), "MEMORY ALLOWED"),
    ("a summary", asked("SUMMARY"), "MEMORY ALLOWED"),
    ("by hand", fact(authority=HAND), "PROFILE BY_HAND"),
    # 1 secret
    ("a secret", fact(secret=True), "NOWHERE SECRET"),
    # 2 memory on
    ("memory off", fact(), "NOWHERE MEMORY_OFF", allows(memory_on=False)),
    (
        "memory off, what is kept is reworded",
        note(authority=CHANGE),
        "MEMORY BY_HAND",
        allows(memory_on=False),
    ),
    (
        "memory off, an entry",
        asked("ENTRY"),
        "SESSION HELD_MEMORY_OFF",
        allows(memory_on=False, consented=False),
    ),
    (
        "memory off comes before private",
        fact(),
        "NOWHERE MEMORY_OFF",
        allows(memory_on=False, private=True),
    ),
    # 3 private
    ("private", fact(), "CONVERSATION PRIVATE_HERE", allows(private=True)),
    ("private, pasted", fact(origin=Origin.PASTED), "NOWHERE PRIVATE", allows(private=True)),
    (
        "private and sensitive, with a yes",
        fact(HEALTH, sensitive=True, authority=Authority.YES),
        "NOWHERE PRIVATE",
        allows(private=True),
    ),
    ("private, found here", asked("PASSAGE"), "CONVERSATION PRIVATE_HERE", allows(private=True)),
    # 4 consent
    (
        "a namespace that is not allowed",
        asked("ENTRY"),
        "SESSION HELD_NOT_ALLOWED",
        allows(consented=False),
    ),
    ("learning together is off", asked("LESSON"), "NOWHERE NOT_SHARED", allows(consented=False)),
    # 5 sensitive
    ("sensitive", fact(HEALTH, sensitive=True), "NOWHERE SENSITIVE"),
    (
        "sensitive, and asked for",
        fact(HEALTH, sensitive=True, authority=Authority.YES),
        "PROFILE SAID_YES",
    ),
    (
        "sensitive, by hand",
        fact(HEALTH, sensitive=True, authority=HAND),
        "NOWHERE SENSITIVE_BY_HAND",
    ),
    # 6 blocked
    ("closed", fact(), "NOWHERE BLOCKED", allows(blocked=frozenset({ONE}))),
    ("closed, by hand", fact(authority=HAND), "NOWHERE BLOCKED", allows(blocked=frozenset({ONE}))),
    (
        "closed, though asked for",
        fact(HEALTH, sensitive=True, authority=Authority.YES),
        "NOWHERE BLOCKED",
        allows(blocked=frozenset({HEALTH})),
    ),
    (
        "a note whose sentence tells of a closed kind",
        note(tells=((ONE, "Google"), ("", "I work at Google."))),
        "NOWHERE BLOCKED",
        allows(blocked=frozenset({ONE})),
    ),
    (
        "an allergy to a food, with Health closed",
        PersistenceRequest(FACT, slot="diet", value="allergic to peanuts"),
        "NOWHERE BLOCKED",
        allows(blocked=frozenset({HEALTH})),
    ),
    # 7 here only
    ("for here", fact(here_only=True), "CONVERSATION SAID_HERE"),
    # 8 too faint
    ("too faint", note(faint=True, origin=Origin.PASTED), "NOWHERE FAINT"),
    # 9 origin
    ("pasted", fact(origin=Origin.PASTED), "WAITS NOT_TYPED"),
    ("read by a model", note(origin=Origin.MODEL), "MEMORY ALLOWED"),
    ("origin comes before asking", note(origin=Origin.PASTED), "WAITS NOT_TYPED", allows(ask=True)),
    # 10 profile-worthy
    ("not plain, of many", fact(MANY, worthy=False), "MEMORY NOT_PLAIN"),
    ("not plain, of one", fact(worthy=False), "WAITS ASKED_NOT_PLAIN"),
    ("it may be over", note(MANY, doubtful=True), "WAITS DOUBTFUL"),
    (
        "a sensitive thing that may be over",
        note(HEALTH, doubtful=True, sensitive=True, authority=Authority.YES),
        "WAITS DOUBTFUL",
    ),
    # 11 auto or ask
    ("to ask first", fact(), "WAITS ASK_FIRST", allows(ask=True)),
    ("a note, to ask first", note(), "WAITS ASK_FIRST", allows(ask=True)),
    ("a summary, to ask first", asked("SUMMARY"), "NOWHERE UNASKED", allows(ask=True)),
    ("by hand, to ask first", note(authority=HAND), "MEMORY BY_HAND", allows(ask=True)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_each_gate_and_their_order(case: tuple[Any, ...]) -> None:
    _, request, outcome, *allowed = case
    decision = decide_persistence(request, *(allowed or [allows()]))
    assert f"{decision.place.name} {decision.reason.name}" == outcome


def test_every_reason_is_given_to_somebody() -> None:
    assert {case[2].split()[1] for case in CASES} == {reason.name for reason in PersistenceReason}


requests = st.builds(
    PersistenceRequest,
    kind=st.sampled_from(RecordKind),
    slot=st.sampled_from(["", *SLOTS]),
    value=st.sampled_from(["", "Google", "allergic to peanuts"]),
    origin=st.sampled_from(Origin),
    authority=st.sampled_from(Authority),
    **{
        name: st.booleans()
        for name in (
            *("secret", "sensitive", "here_only", "plain"),
            *("faint", "worthy", "known", "doubtful"),
        )
    },
)
states = st.builds(
    Allowances,
    memory_on=st.booleans(),
    private=st.booleans(),
    consented=st.booleans(),
    ask=st.booleans(),
    blocked=st.frozensets(st.sampled_from(sorted(SLOTS)), max_size=4),
)


@given(requests, states)
def test_nothing_gets_out_that_must_not(asked: PersistenceRequest, allowed: Allowances) -> None:
    decision = decide_persistence(asked, allowed)
    if asked.secret:
        assert decision.place == KeepingPlace.NOWHERE
    if not allowed.memory_on and asked.authority != Authority.CHANGE:
        assert decision.place in (KeepingPlace.NOWHERE, KeepingPlace.SESSION)
        assert decision.place == KeepingPlace.NOWHERE or asked.kind == RecordKind.ENTRY
    if allowed.private and allowed.memory_on:
        assert decision.place in (KeepingPlace.NOWHERE, KeepingPlace.CONVERSATION)
    if asked.slot in allowed.blocked:
        assert not decision.kept
    if asked.sensitive and asked.authority in (Authority.READ, Authority.HAND):
        assert not decision.kept


@given(requests, states)
def test_allowing_less_never_keeps_more(asked: PersistenceRequest, allowed: Allowances) -> None:
    open_to_all = Allowances()
    if decide_persistence(asked, allowed).kept:
        assert decide_persistence(asked, open_to_all).kept
