"""What erasing leaves of a question, and what happens with two at once."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.models import LearningOutcome
from ledger.conflicts.resolution import AlreadySettled, Answer, resolve
from ledger.conflicts.undo import CannotUndo, undo
from ledger.erasure import erase
from ledger.history import timeline
from ledger.models import Contradiction, Decision, Resolution
from ledger.promotion import proposals
from memory import sharing
from memory.facts import revision
from memory.facts.revision import NowhereToStay, SlotTaken
from memory.models import Override, ProfileFact
from memory.notes.note_gate import NotKept
from tests.ledger.erasing import RARE, let_go, note_of, told
from tests.people import dispute, tell, the_fact, together, values

pytestmark = pytest.mark.django_db


def test_the_other_side_of_an_open_question_holds(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    let_go(alice, entry.new_fact)
    assert values(alice, "employer") == {"Google"}
    with acting_as(alice):
        assert not Contradiction.objects.exists()
        assert not LearningOutcome.objects.filter(kind=LearningOutcome.Kind.CONFLICT).exists()
    assert told(alice)[0] == "You erased this for good: Employer"


def test_a_challenger_left_alone_becomes_what_is_held_with_a_line_that_says_why(
    alice: User,
) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    let_go(alice, entry.old_fact)
    assert values(alice, "employer") == {"Microsoft"}
    assert told(alice)[:2] == [
        "You erased this for good: Employer",
        "You settled where you work: Microsoft",
    ]
    with acting_as(alice):
        line = AuditEvent.objects.get(deed=Action.SETTLED)
        assert (line.subject, line.why) == (entry.new_fact_id, "The other value was erased")


def test_of_several_challengers_the_newest_holds_and_the_others_stand_against_it(
    alice: User,
) -> None:
    first = dispute(alice, "Google", "Microsoft")
    tell(alice, "I work at Initech")
    let_go(alice, first.old_fact)
    assert values(alice, "employer") == {"Initech"}
    with acting_as(alice):
        entry = Contradiction.objects.for_user(alice.pk).get()
        assert entry.is_open
        assert (entry.old_fact.value, entry.new_fact.value) == ("Initech", "Microsoft")
        assert not AuditEvent.objects.filter(before__contains="Google").exists()


def test_disliking_holds_when_liking_the_same_is_erased(alice: User) -> None:
    tell(alice, "I like olives")
    tell(alice, "I hate olives")
    let_go(alice, the_fact(alice, "likes"))
    assert values(alice, "dislikes") == {"olives"}
    assert values(alice, "likes") == set()
    assert told(alice)[:2] == [
        "You erased this for good: Likes",
        "You settled what you dislike: olives",
    ]


def test_a_settled_question_goes_with_its_answer_and_changes_nothing_else(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    with acting_as(alice):
        resolve(entry, Answer("timeline"), by=alice)
        assert erase(ProfileFact.objects.get(value="Google"))
        assert not Contradiction.objects.exists()
        assert not Resolution.objects.exists()
        (strand,) = timeline.slot_histories(timeline.read(alice.pk))
    assert [span.value for span in strand.spans] == ["Microsoft"]


def test_an_answer_can_still_be_undone_when_a_value_it_dated_is_erased(alice: User) -> None:
    with acting_as(alice):
        old = revision.write_by_hand(alice.pk, "employer", "Hooli", now() - timedelta(days=90))
        revision.rewrite(old, "Google", now() - timedelta(days=30))
    tell(alice, "I work at Microsoft")
    with acting_as(alice):
        entry = Contradiction.objects.get()
        begins = (now() - timedelta(days=60)).date()
        made = resolve(entry, Answer("timeline", until=begins, since=begins), by=alice)
        assert str(old.pk) in made.before["facts"]
        assert erase(old)
        undo(entry)
    assert values(alice, "employer") == {"Google"}


def test_what_was_written_as_the_answer_is_blanked_and_the_question_still_reads_well(
    alice: User, as_alice: Client
) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    with acting_as(alice):
        made = resolve(entry, Answer("merge", RARE), by=alice, reason=f"It was {RARE} all along")
        assert erase(the_fact(alice, "employer"))
        made.refresh_from_db()
        assert (made.value, made.reason, made.kept) == ("", "", None)
    page = as_alice.get(entry.get_absolute_url()).content.decode()
    assert (
        "You wrote another value and later erased it. Google and Microsoft stay in your history."
        in page
    )
    assert RARE not in page


def test_what_was_decided_about_it_teaches_nothing_any_more(alice: User) -> None:
    tell(alice, "I work at Google")
    with acting_as(alice):
        revision.confirm(the_fact(alice, "employer"))
        assert Decision.objects.count() == 1
        erase(the_fact(alice, "employer"))
        assert not Decision.objects.exists()


at_once = pytest.mark.django_db(transaction=True)


@at_once
def test_of_two_erasures_at_once_one_does_it_and_the_other_says_it_is_gone(alice: User) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    assert sorted(together(*[lambda: let_go(alice, fact)] * 2)) == [False, True]
    with acting_as(alice):
        assert AuditEvent.objects.filter(deed=Action.ERASED).count() == 1


DEEDS: dict[str, Callable[[ProfileFact], object]] = {
    "confirm": revision.confirm,
    "take back": revision.retract,
    "end": lambda fact: revision.close(fact, now()),
    "rewrite": lambda fact: revision.rewrite(fact, "Initech"),
    "narrow": revision.narrow,
}


@at_once
@pytest.mark.parametrize("deed", DEEDS)
def test_whatever_else_is_done_to_it_at_once_it_is_gone_and_nothing_breaks(
    deed: str, alice: User
) -> None:
    tell(alice, "I work at Google")
    fact, same = the_fact(alice, "employer"), the_fact(alice, "employer")

    def do() -> None:
        with acting_as(alice), suppress(SlotTaken, NowhereToStay):
            DEEDS[deed](same)

    results = together(lambda: let_go(alice, fact), do)
    assert results[0] is True
    assert results[1] is None
    assert values(alice, "employer") in (set(), {"Initech"})
    with acting_as(alice):
        assert not ProfileFact.objects.filter(value="Google").exists()
        assert not Override.objects.filter(value="Google").exists()
        assert not AuditEvent.objects.filter(before="Google").exists()
        assert not AuditEvent.objects.filter(after="Google").exists()


@pytest.mark.parametrize("deed", [*DEEDS, "bring back"])
def test_what_comes_too_late_finds_it_gone_and_breaks_nothing(deed: str, alice: User) -> None:
    tell(alice, "I work at Google")
    late = the_fact(alice, "employer")
    assert let_go(alice, the_fact(alice, "employer"))
    with acting_as(alice), suppress(SlotTaken, NowhereToStay):
        (DEEDS | {"bring back": revision.restore})[deed](late)
    with acting_as(alice):
        assert not ProfileFact.objects.exists()
        assert AuditEvent.objects.order_by("at").last().deed == Action.ERASED


def test_answers_that_come_too_late_are_told_so(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    waits = note_of(alice, "Works at Google", slot="employer", value="Google", ask=True)
    assert let_go(alice, entry.old_fact)
    with acting_as(alice):
        with pytest.raises(AlreadySettled):
            resolve(entry, Answer("keep_new"), by=alice)
        with pytest.raises(CannotUndo, match="You erased one of the two"):
            undo(entry)
        with pytest.raises(NotKept):
            proposals.accept(waits)
        with pytest.raises(NotKept):
            proposals.decline(waits)


def test_a_shared_page_keeps_the_later_wording_of_a_line_that_is_erased(alice: User) -> None:
    with acting_as(alice):
        first = revision.write_by_hand(alice.pk, "interests", "kites")
        share = sharing.make(alice.pk, "For the fair", [first.pk], days=7)
        second = revision.rewrite(first, "kite festivals")
        third = revision.rewrite(second, "flying things")
        for gone, shown in ((second, third), (first, third)):
            assert erase(gone)
            assert sharing.shown_on(alice.pk, [share])[share.pk] == [shown]
        assert erase(third)
        assert sharing.shown_on(alice.pk, [share])[share.pk] == []
