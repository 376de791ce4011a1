"""One gate says where something may be kept, and why: every gate, and their order."""

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
    closing,
    decide_persistence,
)
from memory.language.origin import Origin
from memory.slots import SLOTS

FACT, NOTE = RecordKind.FACT, RecordKind.NOTE
HEALTH = "medical"
# A slot of one value, and one of many.
ONE, MANY = "employer", "interests"


def fact(slot: str = ONE, **more: object) -> PersistenceRequest:
    return PersistenceRequest(FACT, slot=slot, value="Google", **more)  # type: ignore[arg-type]


def note(slot: str = "", **more: object) -> PersistenceRequest:
    return PersistenceRequest(NOTE, slot=slot, **more)  # type: ignore[arg-type]


def allows(**more: object) -> Allowances:
    return Allowances(**more)  # type: ignore[arg-type]


CASES = [
    # what is asked, what its person allows, where it goes, and why
    ("plainly said", fact(), allows(), KeepingPlace.PROFILE, PersistenceReason.ALLOWED),
    ("a note", note(), allows(), KeepingPlace.MEMORY, PersistenceReason.ALLOWED),
    (
        "a summary",
        PersistenceRequest(RecordKind.SUMMARY),
        allows(),
        KeepingPlace.MEMORY,
        PersistenceReason.ALLOWED,
    ),
    (
        "a past fact",
        PersistenceRequest(RecordKind.PAST_FACT),
        allows(),
        KeepingPlace.PROFILE,
        PersistenceReason.ALLOWED,
    ),
    (
        "by hand",
        fact(authority=Authority.HAND),
        allows(),
        KeepingPlace.PROFILE,
        PersistenceReason.BY_HAND,
    ),
    # 1 secret
    ("a secret", fact(secret=True), allows(), KeepingPlace.NOWHERE, PersistenceReason.SECRET),
    (
        "a secret by hand",
        note(secret=True, authority=Authority.HAND),
        allows(),
        KeepingPlace.NOWHERE,
        PersistenceReason.SECRET,
    ),
    (
        "a secret in a rewording",
        note(secret=True, authority=Authority.CHANGE),
        allows(),
        KeepingPlace.NOWHERE,
        PersistenceReason.SECRET,
    ),
    (
        "a secret in an entry",
        PersistenceRequest(RecordKind.ENTRY, secret=True),
        allows(memory_on=False),
        KeepingPlace.NOWHERE,
        PersistenceReason.SECRET,
    ),
    # 2 memory on
    (
        "memory off",
        fact(),
        allows(memory_on=False),
        KeepingPlace.NOWHERE,
        PersistenceReason.MEMORY_OFF,
    ),
    (
        "memory off, by hand",
        note(authority=Authority.HAND),
        allows(memory_on=False),
        KeepingPlace.NOWHERE,
        PersistenceReason.MEMORY_OFF,
    ),
    (
        "memory off, what is kept is reworded",
        note(authority=Authority.CHANGE),
        allows(memory_on=False),
        KeepingPlace.MEMORY,
        PersistenceReason.BY_HAND,
    ),
    (
        "memory off, an entry",
        PersistenceRequest(RecordKind.ENTRY),
        allows(memory_on=False, consented=False),
        KeepingPlace.SESSION,
        PersistenceReason.HELD_MEMORY_OFF,
    ),
    (
        "memory off comes before private",
        fact(),
        allows(memory_on=False, private=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.MEMORY_OFF,
    ),
    # 3 private
    (
        "private",
        fact(),
        allows(private=True),
        KeepingPlace.CONVERSATION,
        PersistenceReason.PRIVATE_HERE,
    ),
    (
        "private, and to ask first",
        fact(),
        allows(private=True, ask=True),
        KeepingPlace.CONVERSATION,
        PersistenceReason.PRIVATE_HERE,
    ),
    (
        "private, unclear",
        fact(plain=False),
        allows(private=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.PRIVATE,
    ),
    (
        "private, pasted",
        fact(origin=Origin.PASTED),
        allows(private=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.PRIVATE,
    ),
    (
        "private, a note",
        note(),
        allows(private=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.PRIVATE,
    ),
    (
        "private and sensitive, with a yes",
        fact(HEALTH, sensitive=True, authority=Authority.YES),
        allows(private=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.PRIVATE,
    ),
    (
        "private and of a closed kind",
        fact(),
        allows(private=True, blocked=frozenset({ONE})),
        KeepingPlace.NOWHERE,
        PersistenceReason.PRIVATE,
    ),
    (
        "private, found here",
        PersistenceRequest(RecordKind.PASSAGE),
        allows(private=True),
        KeepingPlace.CONVERSATION,
        PersistenceReason.PRIVATE_HERE,
    ),
    # 4 consent
    (
        "a namespace that is not allowed",
        PersistenceRequest(RecordKind.ENTRY),
        allows(consented=False),
        KeepingPlace.SESSION,
        PersistenceReason.HELD_NOT_ALLOWED,
    ),
    (
        "learning together is off",
        PersistenceRequest(RecordKind.LESSON),
        allows(consented=False),
        KeepingPlace.NOWHERE,
        PersistenceReason.NOT_SHARED,
    ),
    (
        "a note needs no such consent",
        note(),
        allows(consented=False),
        KeepingPlace.MEMORY,
        PersistenceReason.ALLOWED,
    ),
    # 5 sensitive
    (
        "sensitive",
        fact(HEALTH, sensitive=True),
        allows(),
        KeepingPlace.NOWHERE,
        PersistenceReason.SENSITIVE,
    ),
    (
        "sensitive, and asked for",
        fact(HEALTH, sensitive=True, authority=Authority.YES),
        allows(),
        KeepingPlace.PROFILE,
        PersistenceReason.SAID_YES,
    ),
    (
        "sensitive, by hand",
        fact(HEALTH, sensitive=True, authority=Authority.HAND),
        allows(),
        KeepingPlace.NOWHERE,
        PersistenceReason.SENSITIVE_BY_HAND,
    ),
    (
        "sensitive comes before closed",
        fact(HEALTH, sensitive=True),
        allows(blocked=frozenset({HEALTH})),
        KeepingPlace.NOWHERE,
        PersistenceReason.SENSITIVE,
    ),
    # 6 blocked
    (
        "closed",
        fact(),
        allows(blocked=frozenset({ONE})),
        KeepingPlace.NOWHERE,
        PersistenceReason.BLOCKED,
    ),
    (
        "closed, by hand",
        fact(authority=Authority.HAND),
        allows(blocked=frozenset({ONE})),
        KeepingPlace.NOWHERE,
        PersistenceReason.BLOCKED,
    ),
    (
        "closed, though asked for",
        fact(HEALTH, sensitive=True, authority=Authority.YES),
        allows(blocked=frozenset({HEALTH})),
        KeepingPlace.NOWHERE,
        PersistenceReason.BLOCKED,
    ),
    (
        "a note whose sentence tells of a closed kind",
        note(tells=((ONE, "Google"), ("", "I work at Google."))),
        allows(blocked=frozenset({ONE})),
        KeepingPlace.NOWHERE,
        PersistenceReason.BLOCKED,
    ),
    (
        "an allergy to a food, with Health closed",
        PersistenceRequest(FACT, slot="diet", value="allergic to peanuts"),
        allows(blocked=frozenset({HEALTH})),
        KeepingPlace.NOWHERE,
        PersistenceReason.BLOCKED,
    ),
    (
        "closed comes before for here",
        fact(here_only=True),
        allows(blocked=frozenset({ONE})),
        KeepingPlace.NOWHERE,
        PersistenceReason.BLOCKED,
    ),
    # 7 here only
    (
        "for here",
        fact(here_only=True),
        allows(),
        KeepingPlace.CONVERSATION,
        PersistenceReason.SAID_HERE,
    ),
    (
        "for here, though to ask first",
        fact(here_only=True, worthy=False),
        allows(ask=True),
        KeepingPlace.CONVERSATION,
        PersistenceReason.SAID_HERE,
    ),
    # 8 too faint
    (
        "too faint",
        note(faint=True, origin=Origin.PASTED),
        allows(),
        KeepingPlace.NOWHERE,
        PersistenceReason.FAINT,
    ),
    # 9 origin
    (
        "pasted",
        fact(origin=Origin.PASTED),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.NOT_TYPED,
    ),
    (
        "a note from a tool",
        note(origin=Origin.TOOL),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.NOT_TYPED,
    ),
    (
        "a note of the assistant's",
        note(origin=Origin.ASSISTANT),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.NOT_TYPED,
    ),
    (
        "an imported note",
        note(origin=Origin.IMPORTED),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.NOT_TYPED,
    ),
    (
        "read by a model",
        note(origin=Origin.MODEL),
        allows(),
        KeepingPlace.MEMORY,
        PersistenceReason.ALLOWED,
    ),
    (
        "origin comes before asking",
        note(origin=Origin.PASTED),
        allows(ask=True),
        KeepingPlace.WAITS,
        PersistenceReason.NOT_TYPED,
    ),
    # 10 profile-worthy
    (
        "not plain, of many",
        fact(MANY, worthy=False),
        allows(),
        KeepingPlace.MEMORY,
        PersistenceReason.NOT_PLAIN,
    ),
    (
        "not plain, of one",
        fact(worthy=False),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.ASKED_NOT_PLAIN,
    ),
    (
        "a note of one value",
        note(ONE),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.ASKED_NOT_PLAIN,
    ),
    ("a note of many values", note(MANY), allows(), KeepingPlace.MEMORY, PersistenceReason.ALLOWED),
    (
        "it may be over",
        note(MANY, doubtful=True),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.DOUBTFUL,
    ),
    (
        "a sensitive thing that may be over",
        note(HEALTH, doubtful=True, sensitive=True, authority=Authority.YES),
        allows(),
        KeepingPlace.WAITS,
        PersistenceReason.DOUBTFUL,
    ),
    # 11 auto or ask
    ("to ask first", fact(), allows(ask=True), KeepingPlace.WAITS, PersistenceReason.ASK_FIRST),
    (
        "to ask first, no news",
        fact(known=True),
        allows(ask=True),
        KeepingPlace.PROFILE,
        PersistenceReason.ALLOWED,
    ),
    (
        "to ask first, unclear",
        fact(MANY, worthy=False, known=True),
        allows(ask=True),
        KeepingPlace.WAITS,
        PersistenceReason.ASK_FIRST,
    ),
    (
        "a note, to ask first",
        note(),
        allows(ask=True),
        KeepingPlace.WAITS,
        PersistenceReason.ASK_FIRST,
    ),
    (
        "a summary, to ask first",
        PersistenceRequest(RecordKind.SUMMARY),
        allows(ask=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.UNASKED,
    ),
    (
        "a topic, to ask first",
        PersistenceRequest(RecordKind.TOPIC),
        allows(ask=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.UNASKED,
    ),
    (
        "a past fact, to ask first",
        PersistenceRequest(RecordKind.PAST_FACT),
        allows(ask=True),
        KeepingPlace.NOWHERE,
        PersistenceReason.UNASKED,
    ),
    (
        "by hand, to ask first",
        note(authority=Authority.HAND),
        allows(ask=True),
        KeepingPlace.MEMORY,
        PersistenceReason.BY_HAND,
    ),
]


@pytest.mark.parametrize(
    ("asked", "allowed", "place", "reason"),
    [pytest.param(*case, id=name) for name, *case in CASES],
)
def test_each_gate_and_their_order(
    asked: PersistenceRequest, allowed: Allowances, place: KeepingPlace, reason: PersistenceReason
) -> None:
    decision = decide_persistence(asked, allowed)
    assert (decision.place, decision.reason) == (place, reason)


def test_every_reason_is_given_to_somebody() -> None:
    assert {reason for *_, reason in CASES} == set(PersistenceReason)


def test_what_a_closed_kind_keeps_out_says_which_it_is() -> None:
    allergy = PersistenceRequest(FACT, slot="diet", value="allergic to peanuts")
    assert decide_persistence(allergy, allows(blocked=frozenset({HEALTH}))).slot == HEALTH
    assert closing({ONE}, ONE, "Google") == ONE
    assert closing({ONE}, MANY, "Google") == ""


def test_every_reason_has_a_code_of_its_own_and_a_whole_sentence() -> None:
    assert len({reason.code for reason in PersistenceReason}) == len(PersistenceReason)
    assert all(
        reason.in_full[0].isupper() and reason.in_full.endswith(".") for reason in PersistenceReason
    )


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
