"""One gate says where something may be kept, and why: every gate, and their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.persistence_gate import (
    Allowed,
    Kind,
    Place,
    Reason,
    Request,
    Word,
    closing,
    decide,
)
from memory.language.origin import Origin
from memory.slots import SLOTS

FACT, NOTE = Kind.FACT, Kind.NOTE
HEALTH = "medical"
# A slot of one value, and one of many.
ONE, MANY = "employer", "interests"


def fact(slot: str = ONE, **more: object) -> Request:
    return Request(FACT, slot=slot, value="Google", **more)  # type: ignore[arg-type]


def note(slot: str = "", **more: object) -> Request:
    return Request(NOTE, slot=slot, **more)  # type: ignore[arg-type]


def allows(**more: object) -> Allowed:
    return Allowed(**more)  # type: ignore[arg-type]


CASES = [
    # what is asked, what its person allows, where it goes, and why
    ("plainly said", fact(), allows(), Place.PROFILE, Reason.ALLOWED),
    ("a note", note(), allows(), Place.MEMORY, Reason.ALLOWED),
    ("a summary", Request(Kind.SUMMARY), allows(), Place.MEMORY, Reason.ALLOWED),
    ("a past fact", Request(Kind.PAST_FACT), allows(), Place.PROFILE, Reason.ALLOWED),
    ("by hand", fact(word=Word.HAND), allows(), Place.PROFILE, Reason.BY_HAND),
    # 1 secret
    ("a secret", fact(secret=True), allows(), Place.NOWHERE, Reason.SECRET),
    (
        "a secret by hand",
        note(secret=True, word=Word.HAND),
        allows(),
        Place.NOWHERE,
        Reason.SECRET,
    ),
    (
        "a secret in a rewording",
        note(secret=True, word=Word.CHANGE),
        allows(),
        Place.NOWHERE,
        Reason.SECRET,
    ),
    (
        "a secret in an entry",
        Request(Kind.ENTRY, secret=True),
        allows(memory_on=False),
        Place.NOWHERE,
        Reason.SECRET,
    ),
    # 2 memory on
    ("memory off", fact(), allows(memory_on=False), Place.NOWHERE, Reason.MEMORY_OFF),
    (
        "memory off, by hand",
        note(word=Word.HAND),
        allows(memory_on=False),
        Place.NOWHERE,
        Reason.MEMORY_OFF,
    ),
    (
        "memory off, what is kept is reworded",
        note(word=Word.CHANGE),
        allows(memory_on=False),
        Place.MEMORY,
        Reason.BY_HAND,
    ),
    (
        "memory off, an entry",
        Request(Kind.ENTRY),
        allows(memory_on=False, consented=False),
        Place.SESSION,
        Reason.HELD_MEMORY_OFF,
    ),
    (
        "memory off comes before private",
        fact(),
        allows(memory_on=False, private=True),
        Place.NOWHERE,
        Reason.MEMORY_OFF,
    ),
    # 3 private
    ("private", fact(), allows(private=True), Place.CONVERSATION, Reason.PRIVATE_HERE),
    (
        "private, and to ask first",
        fact(),
        allows(private=True, ask=True),
        Place.CONVERSATION,
        Reason.PRIVATE_HERE,
    ),
    ("private, unclear", fact(plain=False), allows(private=True), Place.NOWHERE, Reason.PRIVATE),
    (
        "private, pasted",
        fact(origin=Origin.PASTED),
        allows(private=True),
        Place.NOWHERE,
        Reason.PRIVATE,
    ),
    ("private, a note", note(), allows(private=True), Place.NOWHERE, Reason.PRIVATE),
    (
        "private and sensitive, with a yes",
        fact(HEALTH, sensitive=True, word=Word.YES),
        allows(private=True),
        Place.NOWHERE,
        Reason.PRIVATE,
    ),
    (
        "private and of a closed kind",
        fact(),
        allows(private=True, blocked=frozenset({ONE})),
        Place.NOWHERE,
        Reason.PRIVATE,
    ),
    (
        "private, found here",
        Request(Kind.PASSAGE),
        allows(private=True),
        Place.CONVERSATION,
        Reason.PRIVATE_HERE,
    ),
    # 4 consent
    (
        "a namespace that is not allowed",
        Request(Kind.ENTRY),
        allows(consented=False),
        Place.SESSION,
        Reason.HELD_NOT_ALLOWED,
    ),
    (
        "learning together is off",
        Request(Kind.LESSON),
        allows(consented=False),
        Place.NOWHERE,
        Reason.NOT_SHARED,
    ),
    ("a note needs no such consent", note(), allows(consented=False), Place.MEMORY, Reason.ALLOWED),
    # 5 sensitive
    ("sensitive", fact(HEALTH, sensitive=True), allows(), Place.NOWHERE, Reason.SENSITIVE),
    (
        "sensitive, and asked for",
        fact(HEALTH, sensitive=True, word=Word.YES),
        allows(),
        Place.PROFILE,
        Reason.SAID_YES,
    ),
    (
        "sensitive, by hand",
        fact(HEALTH, sensitive=True, word=Word.HAND),
        allows(),
        Place.NOWHERE,
        Reason.SENSITIVE_BY_HAND,
    ),
    (
        "sensitive comes before closed",
        fact(HEALTH, sensitive=True),
        allows(blocked=frozenset({HEALTH})),
        Place.NOWHERE,
        Reason.SENSITIVE,
    ),
    # 6 blocked
    ("closed", fact(), allows(blocked=frozenset({ONE})), Place.NOWHERE, Reason.BLOCKED),
    (
        "closed, by hand",
        fact(word=Word.HAND),
        allows(blocked=frozenset({ONE})),
        Place.NOWHERE,
        Reason.BLOCKED,
    ),
    (
        "closed, though asked for",
        fact(HEALTH, sensitive=True, word=Word.YES),
        allows(blocked=frozenset({HEALTH})),
        Place.NOWHERE,
        Reason.BLOCKED,
    ),
    (
        "a note whose sentence tells of a closed kind",
        note(tells=((ONE, "Google"), ("", "I work at Google."))),
        allows(blocked=frozenset({ONE})),
        Place.NOWHERE,
        Reason.BLOCKED,
    ),
    (
        "an allergy to a food, with Health closed",
        Request(FACT, slot="diet", value="allergic to peanuts"),
        allows(blocked=frozenset({HEALTH})),
        Place.NOWHERE,
        Reason.BLOCKED,
    ),
    (
        "closed comes before for here",
        fact(here_only=True),
        allows(blocked=frozenset({ONE})),
        Place.NOWHERE,
        Reason.BLOCKED,
    ),
    # 7 here only
    ("for here", fact(here_only=True), allows(), Place.CONVERSATION, Reason.SAID_HERE),
    (
        "for here, though to ask first",
        fact(here_only=True, worthy=False),
        allows(ask=True),
        Place.CONVERSATION,
        Reason.SAID_HERE,
    ),
    # 8 too faint
    ("too faint", note(faint=True, origin=Origin.PASTED), allows(), Place.NOWHERE, Reason.FAINT),
    # 9 origin
    ("pasted", fact(origin=Origin.PASTED), allows(), Place.WAITS, Reason.NOT_TYPED),
    ("a note from a tool", note(origin=Origin.TOOL), allows(), Place.WAITS, Reason.NOT_TYPED),
    (
        "a note of the assistant's",
        note(origin=Origin.ASSISTANT),
        allows(),
        Place.WAITS,
        Reason.NOT_TYPED,
    ),
    ("an imported note", note(origin=Origin.IMPORTED), allows(), Place.WAITS, Reason.NOT_TYPED),
    ("read by a model", note(origin=Origin.MODEL), allows(), Place.MEMORY, Reason.ALLOWED),
    (
        "origin comes before asking",
        note(origin=Origin.PASTED),
        allows(ask=True),
        Place.WAITS,
        Reason.NOT_TYPED,
    ),
    # 10 profile-worthy
    ("not plain, of many", fact(MANY, worthy=False), allows(), Place.MEMORY, Reason.NOT_PLAIN),
    ("not plain, of one", fact(worthy=False), allows(), Place.WAITS, Reason.ASKED_NOT_PLAIN),
    ("a note of one value", note(ONE), allows(), Place.WAITS, Reason.ASKED_NOT_PLAIN),
    ("a note of many values", note(MANY), allows(), Place.MEMORY, Reason.ALLOWED),
    ("it may be over", note(MANY, doubtful=True), allows(), Place.WAITS, Reason.DOUBTFUL),
    (
        "a sensitive thing that may be over",
        note(HEALTH, doubtful=True, sensitive=True, word=Word.YES),
        allows(),
        Place.WAITS,
        Reason.DOUBTFUL,
    ),
    # 11 auto or ask
    ("to ask first", fact(), allows(ask=True), Place.WAITS, Reason.ASK_FIRST),
    ("to ask first, no news", fact(known=True), allows(ask=True), Place.PROFILE, Reason.ALLOWED),
    (
        "to ask first, unclear",
        fact(MANY, worthy=False, known=True),
        allows(ask=True),
        Place.WAITS,
        Reason.ASK_FIRST,
    ),
    ("a note, to ask first", note(), allows(ask=True), Place.WAITS, Reason.ASK_FIRST),
    (
        "a summary, to ask first",
        Request(Kind.SUMMARY),
        allows(ask=True),
        Place.NOWHERE,
        Reason.UNASKED,
    ),
    ("a topic, to ask first", Request(Kind.TOPIC), allows(ask=True), Place.NOWHERE, Reason.UNASKED),
    (
        "a past fact, to ask first",
        Request(Kind.PAST_FACT),
        allows(ask=True),
        Place.NOWHERE,
        Reason.UNASKED,
    ),
    ("by hand, to ask first", note(word=Word.HAND), allows(ask=True), Place.MEMORY, Reason.BY_HAND),
]


@pytest.mark.parametrize(
    ("asked", "allowed", "place", "reason"),
    [pytest.param(*case, id=name) for name, *case in CASES],
)
def test_each_gate_and_their_order(
    asked: Request, allowed: Allowed, place: Place, reason: Reason
) -> None:
    decision = decide(asked, allowed)
    assert (decision.place, decision.reason) == (place, reason)


def test_every_reason_is_given_to_somebody() -> None:
    assert {reason for *_, reason in CASES} == set(Reason)


def test_what_a_closed_kind_keeps_out_says_which_it_is() -> None:
    allergy = Request(FACT, slot="diet", value="allergic to peanuts")
    assert decide(allergy, allows(blocked=frozenset({HEALTH}))).slot == HEALTH
    assert closing({ONE}, ONE, "Google") == ONE
    assert closing({ONE}, MANY, "Google") == ""


def test_every_reason_has_a_code_of_its_own_and_a_whole_sentence() -> None:
    assert len({reason.code for reason in Reason}) == len(Reason)
    assert all(reason.in_full[0].isupper() and reason.in_full.endswith(".") for reason in Reason)


requests = st.builds(
    Request,
    kind=st.sampled_from(Kind),
    slot=st.sampled_from(["", *SLOTS]),
    value=st.sampled_from(["", "Google", "allergic to peanuts"]),
    origin=st.sampled_from(Origin),
    word=st.sampled_from(Word),
    **{
        name: st.booleans()
        for name in (
            *("secret", "sensitive", "here_only", "plain"),
            *("faint", "worthy", "known", "doubtful"),
        )
    },
)
states = st.builds(
    Allowed,
    memory_on=st.booleans(),
    private=st.booleans(),
    consented=st.booleans(),
    ask=st.booleans(),
    blocked=st.frozensets(st.sampled_from(sorted(SLOTS)), max_size=4),
)


@given(requests, states)
def test_nothing_gets_out_that_must_not(asked: Request, allowed: Allowed) -> None:
    decision = decide(asked, allowed)
    if asked.secret:
        assert decision.place == Place.NOWHERE
    if not allowed.memory_on and asked.word != Word.CHANGE:
        assert decision.place in (Place.NOWHERE, Place.SESSION)
        assert decision.place == Place.NOWHERE or asked.kind == Kind.ENTRY
    if allowed.private and allowed.memory_on:
        assert decision.place in (Place.NOWHERE, Place.CONVERSATION)
    if asked.slot in allowed.blocked:
        assert not decision.kept
    if asked.sensitive and asked.word in (Word.READ, Word.HAND):
        assert not decision.kept


@given(requests, states)
def test_allowing_less_never_keeps_more(asked: Request, allowed: Allowed) -> None:
    open_to_all = Allowed()
    if decide(asked, allowed).kept:
        assert decide(asked, open_to_all).kept
