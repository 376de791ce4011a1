"""What belongs in a profile: what people decide, what is learned from it, and who may use it."""

import random
from collections.abc import Callable
from typing import Any

import pytest
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
from memory.facts import blocked_slots, revision
from memory.language.origin import Origin
from memory.models import Memory, ProfileFact
from memory.notes.note_gate import NotKept
from tests.people import candidate, dispute, said, scope_of, tell, the_fact, values

pytestmark = pytest.mark.django_db


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


def test_the_side_that_its_owner_kept_was_worth_it_until_they_open_it_again(alice: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice)
        kept = Decision.objects.get()
        assert (kept.subject, kept.worthy) == (entry.new_fact_id, True)
        assert kept.trust < 1.0
        undo(entry)
    assert decisions(alice) == {}


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
