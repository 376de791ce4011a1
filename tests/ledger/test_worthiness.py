"""What belongs in a profile: what people decide, what is learned from it, and who may use it."""

import json
import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import PrivacySettings, User
from conversations.models import Conversation
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import undo
from ledger.models import Decision, ProfileClassifier
from ledger.promotion import promotion_policy, proposals, training
from ledger.promotion.candidate_promotion import consider
from ledger.promotion.gates import Gates, SourcedCandidate
from ledger.promotion.training import Example
from memory import manager
from memory.facts import blocked_slots, revision
from memory.language.origin import Origin
from memory.models import Memory, ProfileFact
from memory.notes.note_gate import NotKept
from tests.people import candidate, dispute, said, scope_of, tell, the_fact, values

pytestmark = pytest.mark.django_db


# --- What people decide --------------------------------------------------------------------------


def decisions(user: User) -> dict[str, bool]:
    """What is kept of this person's decisions, by slot."""
    with acting_as(user):
        return dict(Decision.objects.values_list("slot", "worthy"))


BY_HAND: dict[str, tuple[Callable[[ProfileFact], Any], bool]] = {
    "confirmed": (revision.confirm, True),
    "removed": (revision.retract, False),
    "kept to one conversation": (revision.narrow, False),
    "closed for good": (lambda fact: blocked_slots.block_slot(fact.user_id, fact.slot), False),
}


@pytest.mark.parametrize("deed", BY_HAND)
def test_what_the_hand_does_to_a_new_fact_is_a_decision(alice: User, deed: str) -> None:
    tell(alice, "I live in Rome")
    act, worthy = BY_HAND[deed]
    fact = the_fact(alice, "location")
    with acting_as(alice):
        act(fact)
    assert decisions(alice) == {"location": worthy}


def test_a_decision_keeps_how_far_it_was_believed_before(alice: User) -> None:
    tell(alice, "I live in Rome")
    tell(alice, "I live in Rome")
    fact = the_fact(alice, "location")
    with acting_as(alice):
        revision.confirm(fact)
        kept = Decision.objects.get()
    assert kept.trust < 1.0
    assert (kept.confirmations, kept.edits) == (1, 0)
    assert kept.subject == fact.pk


def test_writing_another_value_over_it_is_counted_for_what_is_said_next(alice: User) -> None:
    tell(alice, "I speak German")
    fact = the_fact(alice, "languages")
    with acting_as(alice):
        revision.rewrite(fact, "Swiss German")
    tell(alice, "I speak Italian")
    with acting_as(alice):
        revision.confirm(ProfileFact.objects.get(value="Italian"))
        assert Decision.objects.get().edits == 1


def test_taking_out_what_stood_for_long_decides_nothing(alice: User) -> None:
    tell(alice, "I live in Rome")
    with acting_as(alice):
        ProfileFact.objects.update(created_at=now() - timedelta(days=8))
        manager.retract(the_fact(alice, "location"))
    assert decisions(alice) == {}


def test_the_last_word_counts_once_and_a_slip_not_at_all(alice: User) -> None:
    tell(alice, "I live in Rome")
    fact = the_fact(alice, "location")
    with acting_as(alice):
        revision.confirm(fact)
        manager.retract(fact)
        assert [one.worthy for one in Decision.objects.all()] == [False]
        manager.restore(fact)
    assert decisions(alice) == {}


def test_a_line_written_by_hand_was_never_to_be_decided(alice: User) -> None:
    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, "location", "Rome")
        revision.confirm(fact)
        revision.retract(fact)
    assert decisions(alice) == {}


def asked_about(user: User, text: str) -> Memory:
    """What the person is asked about, because they want to be."""
    with acting_as(user):
        PrivacySettings.objects.get_or_create(user=user, defaults={"promotion": "ask"})
    tell(user, text)
    with acting_as(user):
        return proposals.waiting(user.pk).get()


def test_a_yes_and_a_no_to_a_proposal_are_decisions(alice: User) -> None:
    note = asked_about(alice, "I live in Rome")
    with acting_as(alice):
        proposals.accept(note)
    note = asked_about(alice, "I speak German")
    with acting_as(alice):
        proposals.decline(note)
        with pytest.raises(NotKept):
            proposals.decline(note)
    assert decisions(alice) == {"location": True, "languages": False}
    with acting_as(alice):
        assert Decision.objects.get(worthy=True).trust < 1.0


def test_a_no_to_an_ending_says_nothing_about_the_slot(alice: User) -> None:
    tell(alice, "I work at Acme")
    tell(alice, "I don't work at Acme")
    with acting_as(alice):
        proposals.decline(proposals.waiting(alice.pk).get())
    assert decisions(alice) == {}


def test_the_side_that_its_owner_kept_was_worth_it_until_they_open_it_again(alice: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice)
        kept = Decision.objects.get()
        assert (kept.subject, kept.worthy) == (entry.new_fact_id, True)
        assert kept.trust < 1.0
        undo(entry)
    assert decisions(alice) == {}


@pytest.mark.parametrize(("method", "who"), [("dismiss", "alice"), ("keep_new", "mira")])
def test_what_its_owner_did_not_choose_is_no_decision_of_theirs(
    alice: User, method: str, who: str, request: pytest.FixtureRequest
) -> None:
    entry, by = dispute(alice), request.getfixturevalue(who)
    with acting_as(alice):
        resolve(entry, Answer(method), by=by, reason="It says so")
    assert decisions(alice) == {}


# --- Learning ------------------------------------------------------------------------------------

WANTED = ("employer", "location", "languages")
UNWANTED = ("possessions", "vehicle", "dislikes")


def generated(people: int = 20, each: int = 20, seed: int = 3) -> list[Example]:
    """Decisions of people who want some slots and not others, whatever the trust; one in twenty
    is a whim.
    """
    dice = random.Random(seed)
    made = []
    for number in range(people * each):
        slot = dice.choice(WANTED + UNWANTED)
        whim = dice.random() < 0.05
        made.append(
            Example(
                user=f"person {number % people}",
                slot=slot,
                trust=dice.uniform(0.6, 1.0),
                confidence=dice.uniform(0.7, 1.0),
                confirmations=dice.randrange(3),
                edits=dice.randrange(2),
                worthy=(slot in WANTED) != whim,
            )
        )
    return made


def test_what_is_learned_beats_the_heuristic_where_trust_tells_nothing() -> None:
    figures = training.train(generated()).figures
    assert figures["classifier"]["precision"] > 0.9
    assert figures["classifier"]["f1"] > figures["heuristic"]["f1"] + 0.2
    assert figures["classifier"]["precision"] > figures["heuristic"]["precision"] + 0.2


def test_nobody_is_both_learned_from_and_measured_on() -> None:
    examples = generated()
    learned, held_out = training.split(examples)
    assert {one.user for one in learned}.isdisjoint(one.user for one in held_out)
    assert len(learned) + len(held_out) == len(examples)
    assert 0 < len({one.user for one in held_out}) < len({one.user for one in learned})
    shuffled = random.Random(1).sample(examples, len(examples))
    assert {one.user for one in training.split(shuffled)[1]} == {one.user for one in held_out}


def test_the_numbers_are_where_the_likelihood_is_highest() -> None:
    """At the top its slope is nothing: asked of the formula itself, whoever climbed there."""
    examples = generated()
    weights = training.fit(examples)
    slope = dict.fromkeys(weights, 0.0)
    for one in examples:
        told = promotion_policy.features(*one.told)
        missed = one.worthy - promotion_policy.probability(weights, told)
        for name, value in told.items():
            slope[name] += missed * value
    for name, weight in weights.items():
        pulled_back = 0.0 if name == promotion_policy.ALWAYS else weight
        assert np.isclose(slope[name], pulled_back, atol=1e-6), name


THIN: dict[str, list[Example]] = {
    "decisions": generated(people=10, each=19),
    "less common kind": [one for one in generated(40) if one.worthy]
    + [one for one in generated(40) if not one.worthy][:29],
    "people": generated(people=4, each=100),
}


@pytest.mark.parametrize("missing", THIN)
def test_too_little_teaches_nothing_and_says_what_is_missing(missing: str) -> None:
    with pytest.raises(training.TooThin, match=missing):
        training.train(THIN[missing])
    assert not ProfileClassifier.objects.exists()


# --- The command ---------------------------------------------------------------------------------


@pytest.fixture
def from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Train on decisions in a file; returns what was printed."""

    def run(examples: list[Example], *more: str) -> str:
        path = tmp_path / "decisions.json"
        path.write_text(json.dumps([vars(one) for one in examples]))
        call_command("train_profile_classifier", "--data", str(path), *more)
        return capsys.readouterr().out

    return run


def test_the_figures_that_are_printed_are_the_ones_that_are_kept(
    from_a_file: Callable[..., str],
) -> None:
    printed = from_a_file(generated())
    kept = ProfileClassifier.objects.get()
    assert kept.figures["from_a_file"]
    for judge in ("heuristic", "classifier"):
        line = next(line for line in printed.splitlines() if line.startswith(judge))
        row = kept.figures[judge]
        assert line.split()[1:] == [f"{row[name]:.3f}" for name in ("precision", "recall", "f1")]
    counts = kept.figures["held_out"]
    assert f"Measured on {counts['decisions']} decisions of {counts['people']} people" in printed


def test_trained_twice_gives_the_same_numbers_under_two_versions(
    from_a_file: Callable[..., str],
) -> None:
    from_a_file(generated())
    from_a_file(generated())
    first, second = ProfileClassifier.objects.order_by("version")
    assert (first.version, second.version) == (1, 2)
    assert first.weights == second.weights
    assert first.figures == second.figures


def test_without_a_file_it_learns_from_what_people_decided(
    alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    tell(alice, "I live in Rome")
    with acting_as(alice):
        revision.confirm(the_fact(alice, "location"))
    call_command("train_profile_classifier")
    assert "1 decisions (at least 200)" in (printed := capsys.readouterr().out)
    assert "the heuristic still decides" in printed
    assert promotion_policy.in_force() is None


def test_enough_decisions_of_enough_people_are_learned_from_across_the_wall() -> None:
    for number in range(10):
        person = User.objects.create_user(f"person{number}@example.org")
        rows = [
            Decision(
                user=person,
                subject=person.pk.__class__(int=number * 1000 + place),
                slot=one.slot,
                trust=one.trust,
                confidence=one.confidence,
                confirmations=one.confirmations,
                edits=one.edits,
                worthy=one.worthy,
                at=now(),
            )
            for place, one in enumerate(generated(seed=number)[:30])
        ]
        with acting_as(person):
            Decision.objects.bulk_create(rows)
    made = training.train(training.read_decisions())
    counted = made.figures["learned"]["decisions"] + made.figures["held_out"]["decisions"]
    assert counted == 300
    assert made.figures["classifier"]["f1"] > made.figures["heuristic"]["f1"]


@pytest.mark.parametrize("content", ["", '{"user": 1}', '[{"slot": "name"}]', '["name"]', "[null]"])
def test_a_file_that_holds_no_decisions_is_refused_in_words(tmp_path: Path, content: str) -> None:
    path = tmp_path / "decisions.json"
    path.write_text(content)
    with pytest.raises(CommandError, match="a list of decisions"):
        call_command("train_profile_classifier", "--data", str(path))
    assert not ProfileClassifier.objects.exists()


# --- Using it ------------------------------------------------------------------------------------


def classifier(slots: dict[str, float], version: int = 1, **more: float) -> ProfileClassifier:
    """One that looks at the slot alone."""
    weights = {promotion_policy.slot_feature(slot): odds for slot, odds in slots.items()} | more
    return ProfileClassifier.objects.create(
        version=version, trained_at=now(), weights=weights, figures={}
    )


def test_a_classifier_decides_nothing_until_it_is_switched_on(alice: User) -> None:
    made = classifier({"languages": -9.0})
    tell(alice, "I speak German")
    assert values(alice, "languages") == {"German"}
    promotion_policy.switch_on(made)
    tell(alice, "I speak Italian")
    assert values(alice, "languages") == {"German"}
    promotion_policy.switch_off()
    tell(alice, "I speak French")
    assert values(alice, "languages") == {"German", "French"}


def test_what_it_keeps_out_waits_beside_the_profile(alice: User) -> None:
    promotion_policy.switch_on(classifier({"employer": -9.0}))
    tell(alice, "I work at Acme")
    assert values(alice, "employer") == set()
    with acting_as(alice):
        assert proposals.waiting(alice.pk).get().value == "Acme"


def test_only_one_is_on() -> None:
    first, second = classifier({"name": 1.0}), classifier({"name": 2.0}, version=2)
    promotion_policy.switch_on(first)
    promotion_policy.switch_on(second)
    assert promotion_policy.in_force() == second
    with pytest.raises(IntegrityError), transaction.atomic():
        ProfileClassifier.objects.filter(pk=first.pk).update(switched_on=True)


def test_a_slot_that_it_never_saw_decided_is_left_to_the_heuristic() -> None:
    made = classifier({"employer": 9.0})
    assert promotion_policy.is_worthy("employer", 0.1, 0.9, by=made)
    assert not promotion_policy.is_worthy("location", 0.85, 0.9, by=made)
    assert promotion_policy.is_worthy("location", 0.86, 0.9, by=made)


@pytest.mark.parametrize("slot", ["medical", "religion", "no such slot"])
def test_no_model_lets_a_sensitive_slot_through(slot: str) -> None:
    made = classifier({slot: 99.0})
    assert not promotion_policy.is_worthy(slot, 1.0, 1.0, 9, 0, by=made)


@pytest.mark.parametrize("gate", ["sensitive", "blocked", "private"])
def test_no_model_opens_a_gate(alice: User, gate: str) -> None:
    promotion_policy.switch_on(classifier({"location": 99.0, "medical": 99.0}))
    with acting_as(alice):
        conversation = Conversation.objects.create(
            user=alice, privacy="private" if gate == "private" else ""
        )
        if gate == "blocked":
            blocked_slots.block_slot(alice.pk, "location")
    tell(alice, "I have diabetes" if gate == "sensitive" else "I live in Rome", conversation)
    with acting_as(alice):
        assert not ProfileFact.objects.exists()
        assert not Memory.objects.exists()


def test_no_model_believes_what_was_pasted(alice: User) -> None:
    made = classifier({"location": 99.0})
    told = SourcedCandidate(candidate("location", "Rome", trust=0.5), origin=Origin.PASTED)
    message = said(alice, "Rome")
    with acting_as(alice):
        consider(scope_of(message), "Rome", told, Gates(classifier=made))
    assert values(alice, "location") == set()


def test_what_is_said_again_is_weighed_again(alice: User) -> None:
    """With a model that wants to hear it twice."""
    made = classifier({"languages": -1.0}, confirmations=2.0)
    outcomes = []
    for _ in range(2):
        message = said(alice, "German")
        told = SourcedCandidate(candidate("languages", "German"))
        with acting_as(alice):
            outcome = consider(scope_of(message), "German", told, Gates(classifier=made))
        outcomes.append(type(outcome).__name__)
    assert outcomes == ["NotedOutsideProfile", "FactStored"]
