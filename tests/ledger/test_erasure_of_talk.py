"""What erasing does to what was typed, and what only one conversation supports."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils.timezone import now

from accounts import work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.deletion.learned_only_there import only_from
from conversations.learning import message_learning
from conversations.models import Conversation, Message
from conversations.search import message_recall
from ledger.erasure import erase, erase_all
from ledger.models import Contradiction
from memory.core.scope import Scope
from memory.facts import revision
from memory.models import Memory, Mention, Merge, MergedMemory
from memory.notes import note_store, summary_store
from memory.notes.drafts import NoteDraft
from memory.retrieval import passage_index
from tests.ledger.erasing import LETTERS, RARE, let_go, note_of, told
from tests.people import Talk, dispute, said, scope_of, tables_with, tell, the_fact, values

pytestmark = pytest.mark.django_db


def test_what_was_typed_stays_and_is_quoted_in_its_own_conversation_only(
    alice: User, talk: Callable[..., Talk]
) -> None:
    there = talk()
    there.say(f"I work at {RARE}")
    elsewhere = tell(alice, f"The choir of {RARE} sings on Monday evenings")
    let_go(alice, the_fact(alice, "employer"))
    with acting_as(alice):
        told_in = Message.objects.get(conversation=there.conversation, number=1)
        assert told_in.content == f"I work at {RARE}"
        assert Message.objects.filter(content__contains=RARE, confidential=False).count() == 0
    question = tell(alice, f"What sings on Monday at {RARE}?")
    with acting_as(alice):
        assert message_recall.passages(question) == []
        own = said_in(alice, elsewhere, "When does the choir sing on Monday?")
        assert [one.message.pk for one in message_recall.passages(own)] == [elsewhere.pk]


def said_in(user: User, message: Message, text: str) -> Message:
    with acting_as(user):
        conversation = Conversation.objects.get(pk=message.conversation_id)
    return said(user, text, conversation)


def test_a_title_made_of_the_words_is_taken_away_and_one_that_was_given_stays(
    alice: User, talk: Callable[..., Talk]
) -> None:
    made = talk().say(f"I work at {RARE}").conversation
    given = tell(alice, f"I still work at {RARE}").conversation
    with acting_as(alice):
        Conversation.objects.filter(pk=given.pk).update(title=f"Thoughts on {RARE}")
    let_go(alice, the_fact(alice, "employer"))
    with acting_as(alice):
        made.refresh_from_db()
        given.refresh_from_db()
    assert made.name == "A conversation"
    assert given.title == f"Thoughts on {RARE}"


def test_old_messages_do_not_bring_it_back_however_they_are_read_again(
    alice: User, talk: Callable[..., Talk]
) -> None:
    message = tell(alice, f"I work at {RARE}")
    late = said(alice, f"I really do work at {RARE}")
    let_go(alice, the_fact(alice, "employer"))
    message_learning.learn_now(late)
    with acting_as(alice):
        Message.objects.filter(pk=message.pk).update(learned_at=None)
        work.enqueue(alice, message_learning.KIND, message.pk)
    message_learning.learn_now(message)
    passage_index.reindex_passages(alice.pk)
    assert tables_with(alice, RARE) == LETTERS
    assert RARE not in talk().say("Where do I work?").content


def test_said_again_later_it_is_new_and_may_be_learned(alice: User) -> None:
    tell(alice, f"I work at {RARE}")
    let_go(alice, the_fact(alice, "employer"))
    again = tell(alice, f"I work at {RARE}")
    fact = the_fact(alice, "employer")
    assert (fact.value, fact.source_message_id) == (RARE, again.pk)
    with acting_as(alice):
        assert list(Mention.objects.values_list("message", flat=True)) == [again.pk]


def test_a_summary_of_where_it_was_said_goes_in_whatever_words_it_tells_it(alice: User) -> None:
    first = tell(alice, "I moved to Lisbon in March")
    there = first.conversation
    tell(alice, f"I work at {RARE}", there)
    with acting_as(alice):
        scope = Scope(alice.pk, there.pk, None, now())
        summary_store.keep_summary(scope, "They run, and earn their bread with search engines")
        erase(the_fact(alice, "employer"))
        assert not Memory.objects.filter(category="summary").exists()


def alone_from(user: User, message: Message) -> tuple[set[str], set[str]]:
    """The values and the notes that no other conversation supports."""
    with acting_as(user):
        found = only_from(user.pk, Message.objects.beside(message))
        facts = (*found.facts, *found.fallen)
        return {fact.value for fact in facts}, {note.content for note in found.notes}


def test_only_from_one_conversation_is_what_no_other_and_no_hand_supports(alice: User) -> None:
    here = tell(alice, "I work at Google and I live in Lyon")
    tell(alice, "I speak Welsh", here.conversation)
    tell(alice, "I live in Lyon")
    tell(alice, "I like olives")
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "pets", "a hen")
        revision.retract(the_fact(alice, "languages"))
    tell(alice, "I have a hen.", here.conversation)
    assert alone_from(alice, here)[0] == {"Google", "Welsh"}


def test_a_note_that_was_said_or_merged_elsewhere_has_other_support(alice: User) -> None:
    here, there = tell(alice, "Hello there"), tell(alice, "Hello again")
    note_of(alice, "Plans a week in Lisbon", here)
    again = note_of(alice, "Owns the stamp of 1903", here)
    kept = note_of(alice, "Sings in the choir on Monday", here)
    other = note_of(alice, "Bakes bread with rye", there)
    note_of(alice, "Rows on the lake", there)
    with acting_as(alice):
        draft = NoteDraft(
            content=again.content,
            category=Memory.Category.FACT,
            kind=Memory.Kind.SEMANTIC,
            confidence=0.9,
            trust=0.8,
        )
        assert isinstance(note_store.keep_note(scope_of(there), draft), note_store.NoteAgreed)
        merge = Merge.objects.create(user=alice, kept=kept, trust_before=0.8, made_at=now())
        MergedMemory.objects.create(user=alice, merge=merge, memory=other)
    assert alone_from(alice, here)[1] == {"Plans a week in Lisbon"}
    assert alone_from(alice, there)[1] == {"Bakes bread with rye", "Rows on the lake"}


def test_erasing_what_is_named_leaves_the_same_value_where_others_support_it(alice: User) -> None:
    here = tell(alice, "I work at Google")
    with acting_as(alice):
        revision.close(the_fact(alice, "employer"), now() - timedelta(days=30))
    tell(alice, "I work at Google")
    tell(alice, "I speak Welsh", here.conversation)
    elsewhere = note_of(alice, "Learns Welsh with Gwen", tell(alice, "Hello there"), ask=True)
    with acting_as(alice):
        note_store.accept_note(elsewhere)
    mine = note_of(alice, "Had lunch with Tom", here)
    with acting_as(alice):
        found = only_from(alice.pk, Message.objects.beside(here))
        gone = erase_all(alice.pk, found.facts, found.notes)
        assert {one.value for one in gone.facts} == {"Google", "Welsh"}
        assert set(Memory.objects.all()) == {elsewhere}
        lines = AuditEvent.objects.filter(deed=Action.ERASED)
        assert {line.subject for line in lines} == gone.fact_ids | {mine.pk}
        (line,) = AuditEvent.objects.filter(after__contains="Welsh")
        assert line.subject == elsewhere.pk, "its own"
        assert AuditEvent.objects.filter(after="Google").count() == 1
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "languages") == set()
    assert told(alice)[0] == "You erased this for good: A memory"


def test_erasing_many_settles_each_question_that_loses_a_side(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    tell(alice, "I live in Lyon")
    tell(alice, "I live in Nantes")
    with acting_as(alice):
        city = Contradiction.objects.get(slot="location")
        erase_all(alice.pk, [entry.old_fact, city.new_fact])
        assert not Contradiction.objects.exists()
    assert values(alice, "employer") == {"Microsoft"}
    assert values(alice, "location") == {"Lyon"}


def test_nobody_erases_what_is_somebody_elses(alice: User, bob: User) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    with acting_as(bob):
        fact.user_id = bob.pk
        assert not erase(fact)
        assert erase_all(bob.pk, [fact]).facts == []
    assert values(alice, "employer") == {"Google"}


def test_everybody_elses_rows_stay(alice: User, bob: User) -> None:
    tell(alice, f"I work at {RARE}")
    tell(bob, f"I work at {RARE}")
    before = tables_with(bob, RARE)
    let_go(alice, the_fact(alice, "employer"))
    assert tables_with(bob, RARE) == before
    assert values(bob, "employer") == {RARE}
