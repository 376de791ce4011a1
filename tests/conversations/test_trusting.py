"""How far a model is trusted that reads conversations: by what came of it so far."""

import pytest
from pytest_django import Settings

from accounts.database.isolation import acting_as
from accounts.models import User
from benchmarks.attacks.borne_out import unborne
from benchmarks.attacks.lying_model import lie
from conversations.llm import trusting
from conversations.models import ModelAgreement
from memory.models import Memory
from memory.operations.checks import Trust
from tests.conversations.looking import KEYS, alone, answer, look, operation, the_note
from tests.fakes.model_server import Serve, normal
from tests.people import tell, values

# Well said, and in words that the trained reader does not read for itself.
TOLD = operation(text="Has a place with a door and a hook", words="keys to that place of ours")


def poor(**counts: int) -> ModelAgreement:
    return ModelAgreement.objects.create(pk=trusting._key(), **counts)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("proposed", "failed", "trust"),
    [
        (0, 0, Trust.AUTO),
        (5, 5, Trust.AUTO),
        (200, 2, Trust.AUTO),
        (200, 150, Trust.STRICT),
    ],
    ids=["new", "too few to tell", "good", "poor"],
)
def test_a_model_that_fails_often_is_read_strictly(
    proposed: int, failed: int, trust: Trust
) -> None:
    assert trusting.trust_in_model() is Trust.AUTO
    poor(proposed=proposed, failed=failed)
    assert trusting.trust_in_model() is trust


@alone
def test_failures_of_form_are_counted_and_others_are_not(alice: User, serve: Serve) -> None:
    serve(normal(answer(
        operation(), operation(words="never said"), operation(line=9), operation(op="sing"),
        operation(confidence=0.2), operation(text="The password is hunter2swordfish"),
    )))  # fmt: skip
    look(alice, tell(alice, KEYS).conversation)
    agreement = ModelAgreement.objects.get()
    assert (agreement.proposed, agreement.failed) == (6, 3)


@alone
def test_of_a_poor_model_what_the_reader_does_not_read_waits(alice: User, serve: Serve) -> None:
    serve(normal(answer(TOLD)))
    poor(proposed=200, failed=150)
    look(alice, tell(alice, KEYS).conversation)
    assert the_note(alice).status == Memory.Status.WAITING


SAID = (
    "I work at Acme as a bookbinder.",
    "I don't eat fish, the smell is enough.",
    "My sister moved to Lisbon last spring.",
    "I never learned to swim.",
    "I like jazz and old maps.",
)


@alone
@pytest.mark.parametrize("trust", [Trust.AUTO, Trust.STRICT])
def test_a_model_that_lies_names_nobody_and_moves_nobody(
    alice: User, serve: Serve, settings: Settings, trust: Trust
) -> None:
    settings.MODEL_TRUST = str(trust)
    serve(normal(lie))
    tell(alice, "I live in Leeds")
    for text in SAID:
        look(alice, tell(alice, text).conversation)
    assert values(alice, "name") == set()
    assert values(alice, "location") <= {"Leeds"}
    if trust is Trust.STRICT:
        with acting_as(alice):
            kept = Memory.objects.for_user(alice.pk).active()
            bad = [note.content for note in kept if unborne(note.content, " . ".join(SAID))]
        assert bad == []
