"""Taking note: what is new is stored, what agrees makes surer, what differs waits."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.promotion import candidate_promotion
from ledger.promotion.gates import Gates, SourcedCandidate
from memory.facts import profile
from memory.facts.profile import Conflict, FactReinforced, FactStored, ProposalResult
from memory.language.reader.facts import FactCandidate
from memory.models import Mention, Override, ProfileFact
from tests.people import candidate, said, scope_of, tell, the_fact, together, values

pytestmark = pytest.mark.django_db
Status = ProfileFact.Status


def propose(user: User, offered: FactCandidate) -> ProposalResult:
    """Offer a value as a new message says it."""
    scope = scope_of(said(user, offered.value))
    with acting_as(user):
        return profile.propose_fact(scope, offered)


def test_a_first_value_is_stored_with_the_message_it_came_from(alice: User) -> None:
    at = now() - timedelta(days=3)
    message = said(alice, "I work at Google", said_at=at)
    with acting_as(alice):
        outcome = profile.propose_fact(scope_of(message), candidate(start=10, end=16))
        assert isinstance(outcome, FactStored)
        fact = outcome.fact
        assert (fact.value, fact.status, fact.trust) == ("Google", Status.CURRENT, 0.9)
        assert (fact.source_message_id, fact.valid_from) == (message.pk, at)
        assert fact.embedding is not None
        mention = Mention.objects.get(fact=fact)
    assert message.content[mention.start : mention.end] == "Google"


def test_another_value_stands_against_the_first_and_overwrites_nothing(alice: User) -> None:
    first = propose(alice, candidate())
    second = propose(alice, candidate(value="Microsoft"))
    assert isinstance(first, FactStored)
    assert isinstance(second, Conflict)
    assert (second.existing.pk, second.challenger.value) == (first.fact.pk, "Microsoft")
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "employer", "challenger") == {"Microsoft"}


def test_a_slot_for_many_takes_many_and_each_once(alice: User) -> None:
    assert isinstance(propose(alice, candidate("interests", "chess")), FactStored)
    assert isinstance(propose(alice, candidate("interests", "hiking")), FactStored)
    assert isinstance(propose(alice, candidate("interests", "Chess")), FactReinforced)
    assert values(alice, "interests") == {"chess", "hiking"}
    assert values(alice, "interests", "challenger") == set()


# --- For one conversation only -------------------------------------------------------------------


def test_an_override_holds_in_its_conversation_and_the_later_word_wins(alice: User) -> None:
    talk = tell(alice, "call me Nicky in this chat").conversation
    tell(alice, "call me Nick in this chat", talk)
    with acting_as(alice):
        override = Override.objects.get()
    assert (override.value, override.conversation_id) == ("Nick", talk.pk)
    assert values(alice, "preferred_name") == set()


# --- The gates -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offered", "outcome"),
    [
        (candidate(), "FactStored"),
        (candidate(kind="transition"), "FactStored"),
        (candidate(kind="past"), "FactStored"),
        (candidate(kind="past", trust=0.8), "NoneType"),
        (candidate(trust=0.85), "NotedOutsideProfile"),
        (candidate(scope="conversation"), "OverrideKept"),
        (candidate("medical", "a broken arm", trust=1.0), "WithheldPrivate"),
        (candidate("medical", "a broken arm", kind="past"), "WithheldPrivate"),
    ],
)
def test_what_passes_the_gates(alice: User, offered: FactCandidate, outcome: str) -> None:
    scope = scope_of(said(alice, "Something"))
    with acting_as(alice):
        assert (
            type(
                candidate_promotion.consider(scope, "Something", SourcedCandidate(offered), Gates())
            ).__name__
            == outcome
        )
        assert ProfileFact.objects.exists() == (outcome == "FactStored")


def test_letters_that_unfold_into_many_do_not_stop_the_learning(alice: User) -> None:
    """One such letter is eighteen in the key under which values are compared."""
    message = tell(alice, "I work at " + "\ufdfa" * 25)
    with acting_as(alice):
        message.refresh_from_db(fields=["learned_at"])
    assert message.learned_at is not None


# --- The database's own promises -----------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [{"value": "Microsoft", "value_key": "microsoft"}, {"trust": 1.5}, {"confidence": -0.1}],
    ids=["a second current value", "trust above 1", "confidence below 0"],
)
def test_the_database_refuses_what_must_never_be(alice: User, changes: dict[str, object]) -> None:
    propose(alice, candidate())
    fact = the_fact(alice, "employer")
    fact.pk = None
    fact._state.adding = True
    if "value" not in changes:
        fact.status, fact.value_key = Status.PAST, "another"
    for name, value in changes.items():
        setattr(fact, name, value)
    with pytest.raises(IntegrityError), acting_as(alice), transaction.atomic():
        fact.pk = ProfileFact._meta.pk.get_default()
        fact.save(force_insert=True)


@pytest.mark.django_db(transaction=True)
def test_eight_tellings_at_once_are_one_value_and_one_conflict(alice: User) -> None:
    offers = [candidate(value=v) for v in ("Google", "Microsoft") for _ in range(4)]
    results = together(*[lambda offered=offered: propose(alice, offered) for offered in offers])
    assert [r for r in results if isinstance(r, Exception)] == []
    both = values(alice, "employer"), values(alice, "employer", "challenger")
    assert both in (({"Google"}, {"Microsoft"}), ({"Microsoft"}, {"Google"}))
    with acting_as(alice):
        assert Mention.objects.count() == 8
