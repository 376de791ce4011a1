"""What a person allows decides what becomes of what they say: noted, asked about, or let be."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, PrivacySettings, User
from conversations import prompt
from conversations.models import Conversation, LearningOutcome, Message
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import CannotUndo, undo
from ledger.models import Contradiction
from ledger.promotion import gates, proposals
from ledger.promotion.proposals import Accepted
from memory.facts import blocked_slots, revision
from memory.facts.revision import SlotTaken
from memory.language.reading import extract_facts
from memory.models import Memory, Override
from memory.notes.note_gate import NotKept
from tests.people import Talk, dispute, tell, the_fact, together, values

pytestmark = pytest.mark.django_db


def wants_to_be_asked(user: User) -> None:
    with acting_as(user):
        PrivacySettings.objects.create(user=user, promotion=PrivacySettings.Promotion.ASK)


def waiting(user: User) -> list[str]:
    with acting_as(user):
        return [memory.content for memory in proposals.waiting(user.pk)]


def answer(user: User, deed: Callable[[Memory], object] = proposals.accept) -> object:
    with acting_as(user):
        return deed(proposals.waiting(user.pk).get())


def conversation(user: User, privacy: str) -> Conversation:
    with acting_as(user):
        return Conversation.objects.create(user=user, privacy=privacy)


def test_who_wants_to_be_asked_finds_a_proposal_and_no_fact(alice: User) -> None:
    wants_to_be_asked(alice)
    tell(alice, "I work at Google")
    assert values(alice, "employer") == set()
    assert waiting(alice) == ["Works at Google"]


@pytest.mark.parametrize(
    ("kind", "above", "sure"),
    [
        ("statement", 0.01, True),
        ("correction", 0.01, True),
        ("statement", 0.0, False),
        ("statement", -0.01, False),
        ("past", 0.01, False),
    ],
)
def test_only_what_is_true_now_and_said_plainly_enough_is_sure(
    kind: Any, above: float, sure: bool
) -> None:
    (candidate,) = extract_facts("I work at Google")
    trust = settings.MEMORY["promotion_trust"] + above
    assert gates.is_surely_said(replace(candidate, kind=kind, trust=trust)) is sure


def test_a_yes_makes_it_a_fact_with_its_message_as_evidence(alice: User) -> None:
    wants_to_be_asked(alice)
    message = tell(alice, "I work at Google")
    done = answer(alice)
    assert isinstance(done, Accepted)
    fact = the_fact(alice, "employer")
    assert done.fact == fact
    assert (fact.trust, fact.source_message_id) == (1.0, message.pk)
    assert waiting(alice) == []
    with acting_as(alice):
        mention = fact.mentions.get()
        assert message.content[mention.start : mention.end] == "Google"
        assert AuditEvent.objects.get(deed=Action.ACCEPTED).after == "Google"


def test_a_no_is_remembered_and_not_asked_again(alice: User) -> None:
    wants_to_be_asked(alice)
    tell(alice, "I work at Google")
    answer(alice, proposals.decline)
    tell(alice, "I work at Google")
    assert (waiting(alice), values(alice, "employer")) == ([], set())


def test_never_closes_the_kind_for_good(alice: User) -> None:
    wants_to_be_asked(alice)
    tell(alice, "I work at Google")
    answer(alice, lambda memory: proposals.decline(memory, never=True))
    tell(alice, "I work at Microsoft")
    assert (waiting(alice), values(alice, "employer")) == ([], set())
    with acting_as(alice):
        assert blocked_slots.slots_of(alice.pk) == {"employer"}


def test_what_disagrees_is_a_question_of_its_own_even_then(alice: User) -> None:
    tell(alice, "I work at Google")
    wants_to_be_asked(alice)
    tell(alice, "I work at Microsoft")
    with acting_as(alice):
        assert Contradiction.objects.open().count() == 1
    assert waiting(alice) == []


def test_a_yes_to_what_stands_against_a_value_opens_the_question(alice: User) -> None:
    wants_to_be_asked(alice)
    tell(alice, "I work at Google")
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "employer", "Microsoft")
    done = answer(alice)
    assert isinstance(done, Accepted)
    assert done.contradiction is not None
    assert values(alice, "employer") == {"Microsoft"}
    assert values(alice, "employer", "challenger") == {"Google"}


def test_everything_from_one_conversation_is_accepted_at_once(alice: User) -> None:
    wants_to_be_asked(alice)
    message = tell(alice, "I'm Nick, I work at Google and live in Rome")
    tell(alice, "I enjoy hiking")
    with acting_as(alice):
        proposals.accept_all(alice.pk, message.conversation_id)
    assert values(alice, "employer") | values(alice, "location") == {"Google", "Rome"}
    assert waiting(alice) == ["Enjoys hiking"]


def test_what_is_chosen_for_a_conversation_counts_in_it_alone(alice: User) -> None:
    tell(alice, "I work at Google", conversation(alice, "ask"))
    tell(alice, "I live in Rome")
    assert (values(alice, "employer"), values(alice, "location")) == (set(), {"Rome"})
    wants_to_be_asked(alice)
    tell(alice, "I speak Welsh", conversation(alice, "auto"))
    assert values(alice, "languages") == {"Welsh"}


def test_nothing_is_learned_from_a_private_conversation(alice: User) -> None:
    talk = Talk(alice, conversation(alice, "private"))
    talk.say("I'm Nick, I work at Google. My neighbour repairs old clocks.")
    with acting_as(alice):
        assert not Memory.objects.exists()
        assert all(message.confidential for message in Message.objects.all())
        kinds = set(LearningOutcome.objects.values_list("kind", flat=True))
    assert kinds == {LearningOutcome.Kind.OVERRIDE}
    assert values(alice, "employer") == set()


def test_it_is_found_in_its_own_conversation_and_in_no_other(alice: User) -> None:
    private = Talk(alice, conversation(alice, "private"))
    private.say("I keep my bees on the roof of the old mill")
    inside = private.say("Where do I keep my bees?")
    outside = Talk(alice).say("Where do I keep my bees?")
    assert "old mill" in inside.content
    assert "old mill" not in outside.content
    with acting_as(alice):
        question = Message.objects.select_related("user", "conversation").get(
            conversation=outside.conversation_id, number=1
        )
        assert "mill" not in prompt.build(question).injected.text


def test_closing_a_kind_takes_back_what_is_noted_and_notes_nothing_more(alice: User) -> None:
    tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft")
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "employer")
        assert not Contradiction.objects.open().exists()
    message = tell(alice, "I work at Apple")
    assert values(alice, "employer") | values(alice, "employer", "challenger") == set()
    with acting_as(alice):
        message.refresh_from_db()
    assert message.confidential, "nor is the sentence quoted elsewhere"


def test_opening_it_again_notes_what_is_said_from_then_on(alice: User) -> None:
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "employer")
        blocked_slots.block_slot(alice.pk, "employer")
        blocked_slots.unblock(alice.pk, "employer")
        blocked_slots.unblock(alice.pk, "employer")
        deeds = list(AuditEvent.objects.order_by("pk").values_list("deed", flat=True))
    assert deeds == [Action.BLOCKED, Action.UNBLOCKED]
    tell(alice, "I work at Apple")
    assert values(alice, "employer") == {"Apple"}


def test_what_seems_over_is_asked_about_and_a_yes_ends_it(alice: User) -> None:
    tell(alice, "I work at Google")
    tell(alice, "I don't work at Google")
    assert values(alice, "employer") == {"Google"}
    assert waiting(alice) == ["No longer: Works at Google"]
    done = answer(alice)
    assert isinstance(done, Accepted)
    assert done.ended is not None
    assert (values(alice, "employer"), values(alice, "employer", "past")) == (set(), {"Google"})
    with acting_as(alice):
        assert AuditEvent.objects.get(deed=Action.ENDED).before == "Google"


def test_a_fact_can_be_kept_to_its_conversation_and_brought_out_again(alice: User) -> None:
    talk = Talk(alice)
    talk.say("I work at Google")
    with acting_as(alice):
        revision.narrow(the_fact(alice, "employer"))
    assert "Google" not in Talk(alice).say("Where do I work?").content
    assert "In this conversation: You work at Google" in talk.say("Where do I work?").content
    with acting_as(alice):
        revision.widen(Override.objects.get())
    assert "Google" in Talk(alice).say("Where do I work?").content
    with acting_as(alice):
        assert not Override.objects.exists()


def test_bringing_out_gives_way_to_what_is_noted(alice: User) -> None:
    tell(alice, "For this conversation, call me Nicky.")
    tell(alice, "Call me Nico")
    with acting_as(alice), pytest.raises(SlotTaken):
        revision.widen(Override.objects.get())
    assert values(alice, "preferred_name") == {"Nico"}


def test_a_closed_kind_does_not_hold_in_one_conversation_either(alice: User) -> None:
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "employer")
    message = tell(alice, "For this conversation, I work at Hoolitron.")
    with acting_as(alice):
        assert not Override.objects.exists()
        message.refresh_from_db()
    assert message.confidential


def test_closing_a_disputed_kind_says_so_and_invents_no_deed(alice: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "employer")
        made = Contradiction.objects.for_user(alice.pk).get(pk=entry.pk).resolution
        line = AuditEvent.objects.get(deed=Action.SETTLED)
    assert made is not None
    assert (made.method, made.kept, made.reason) == (
        "overtaken",
        None,
        "You asked me never to note this kind of fact.",
    )
    assert (line.before, line.after, line.why) == (
        "Google / Microsoft",
        "",
        "You asked me never to note this kind of fact.",
    )
    assert values(alice, "employer", "challenger") == set()


def test_closing_the_kind_of_a_challenger_leaves_what_is_held(alice: User) -> None:
    tell(alice, "I like olives")
    tell(alice, "I don't like olives")
    with acting_as(alice):
        blocked_slots.block_slot(alice.pk, "dislikes")
        assert not Contradiction.objects.open().exists()
    assert values(alice, "likes") == {"olives"}
    assert values(alice, "dislikes") | values(alice, "dislikes", "challenger") == set()


def test_nothing_is_opened_again_in_a_closed_kind(alice: User) -> None:
    entry = dispute(alice)
    with acting_as(alice):
        resolve(entry, Answer("keep_new"), by=alice)
        blocked_slots.block_slot(alice.pk, "employer")
        with pytest.raises(CannotUndo):
            undo(entry)
    assert values(alice, "employer") == set()


@pytest.mark.django_db(transaction=True)
def test_of_a_yes_and_a_no_at_once_one_stands(alice: User) -> None:
    wants_to_be_asked(alice)
    tell(alice, "I work at Google")

    def say(deed: Callable[[Memory], object]) -> Callable[[], object]:
        return lambda: answer(alice, deed)

    told = together(say(proposals.accept), say(proposals.decline), say(proposals.accept))
    refused = [one for one in told if isinstance(one, (NotKept, Memory.DoesNotExist))]
    assert len(refused) == 2
    with acting_as(alice):
        deeds = AuditEvent.objects.filter(deed__in=[Action.ACCEPTED, Action.DECLINED])
        assert deeds.count() == 1


@pytest.mark.django_db(transaction=True)
def test_liking_and_disliking_at_once_are_told_by_one_after_the_other(alice: User) -> None:
    def write(slot: str) -> Callable[[], object]:
        def deed() -> object:
            with acting_as(alice):
                return revision.write_by_hand(alice.pk, slot, "olives")

        return deed

    told = together(write("likes"), write("dislikes"))
    assert sum(isinstance(one, SlotTaken) for one in told) == 1
    assert len(values(alice, "likes") | values(alice, "dislikes")) == 1


@pytest.mark.django_db(transaction=True)
def test_writing_and_closing_at_once_leave_nothing_in_a_closed_kind(alice: User) -> None:
    def write() -> object:
        with acting_as(alice):
            return revision.write_by_hand(alice.pk, "location", "Bern")

    def close() -> object:
        with acting_as(alice):
            return blocked_slots.block_slot(alice.pk, "location")

    together(write, close)
    assert values(alice, "location") == set()
