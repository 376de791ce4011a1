"""Erasing a fact: nothing that holds it stays but what was typed, and no question is left alone."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils.timezone import now

from accounts import work
from accounts.audit import By, Deed
from accounts.isolation import acting_as
from accounts.models import AuditEvent, User, Work
from conversations import learning, search, summaries
from conversations.models import Conversation, Message, Note, Topic
from ledger import history, lines, proposals, timeline
from ledger.erasure import erase, erase_all, only_from
from ledger.history import Wanted
from ledger.models import Contradiction, Decision, Resolution
from ledger.resolution import AlreadySettled, Answer, resolve
from ledger.undoing import CannotUndo, undo
from memory import lexicon, memories, passages, revision, sharing, summing_up
from memory.drafts import Draft
from memory.memories import NotKept
from memory.models import Memory, Mention, Merge, MergedMemory, Override, ProfileFact, SharedFact
from memory.origin import Origin
from memory.revision import NowhereToStay, SlotTaken
from memory.scope import Scope
from memory.signals import words_erased
from tests.people import Talk, dispute, said, scope_of, tell, the_fact, together, values

pytestmark = pytest.mark.django_db
Status = ProfileFact.Status
RARE = "Qwertzfirm"
# What somebody typed is their own letter, and stays; a passage is the same made findable.
LETTERS = {"conversations_message", "memory_passage"}


def let_go(user: User, fact: ProfileFact) -> bool:
    with acting_as(user):
        return erase(fact)


def tables_with(user: User, word: str) -> set[str]:
    """Every table of the schema with a row of this person that has the word in any column."""
    with acting_as(user), connection.cursor() as cursor:
        cursor.execute("select tablename from pg_tables where schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        assert len(tables) > 25
        found = set()
        for table in tables:
            cursor.execute(
                f'select 1 from "{table}" t where t::text ilike %s limit 1', [f"%{word}%"]
            )
            if cursor.fetchone():
                found.add(table)
        return found


def told(user: User, **wanted: Any) -> list[str]:
    """The sentences of the history, the newest first."""
    with acting_as(user):
        events = list(history.find(user.pk, Wanted(**wanted)))
        return [line.sentence for line in lines.tell(user.pk, events)]


def note_of(user: User, content: str, message: Message | None = None, **more: Any) -> Memory:
    draft = Draft(
        content=content,
        category=Memory.Category.FACT,
        kind=Memory.Kind.SEMANTIC,
        confidence=0.9,
        trust=0.8,
        **more,
    )
    scope = scope_of(message) if message else Scope(user.pk, None, None, now())
    with acting_as(user):
        kept = memories.keep(scope, draft)
    assert isinstance(kept, memories.Kept)
    return kept.memory


# --- Nothing is left -----------------------------------------------------------------------------


def fill_every_place(alice: User, mira: User, talk: Callable[..., Talk]) -> ProfileFact:
    """The word in every table and standing that can hold it; the current fact of it."""
    first = talk().say(f"I work at {RARE}")
    assert first.conversation_id
    with acting_as(alice):
        fact = the_fact(alice, "employer")
        share = sharing.make(alice.pk, "For the fair", [fact.pk], days=7)
        revision.confirm(fact)
        revision.retract(fact)
        revision.bring_back(fact)
        assert SharedFact.objects.filter(share=share).exists()
    settled(alice, mira)
    narrowed(alice)
    notes(alice, first)
    tell(alice, f"I work at {RARE}")
    tell(alice, "I work at Zephyrsoft")
    with acting_as(alice):
        summaries.summarise(Conversation.objects.get(pk=first.conversation_id))
        assert Contradiction.objects.open().count() == 1
    return the_fact(alice, "employer")


def settled(alice: User, mira: User) -> None:
    """An answer that chose it with a reason of staff, one that wrote it, one that was undone."""
    tell(alice, "I work at Google")
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        resolve(entry, Answer("keep_old"), by=mira, reason=f"You wrote {RARE} to us")
        undo(entry)
        resolve(entry, Answer("keep_new"), by=alice)
        fact = the_fact(alice, "employer")
        revision.rewrite(fact, "Initech")
    tell(alice, "I work at Hooli")
    with acting_as(alice):
        entry = Contradiction.objects.open().get()
        resolve(entry, Answer("merge", RARE), by=alice)


def narrowed(alice: User) -> None:
    message = tell(alice, "Hello there")
    with acting_as(alice):
        Override.objects.create(
            user=alice,
            conversation_id=message.conversation_id,
            message=message,
            slot="employer",
            value=RARE,
        )


def notes(alice: User, first: Message) -> None:
    """In use, rewritten, declined, merged, from elsewhere, about its end, and a summary."""
    note_of(alice, f"Has lunch in the canteen of {RARE}")
    rewritten = note_of(alice, f"Cycles to {RARE}'s office")
    supposed = note_of(alice, f"Works at {RARE}", slot="employer", value=RARE, origin=Origin.PASTED)
    kept, merged = note_of(alice, f"Met Anna at {RARE}"), note_of(alice, f"The {RARE} choir")
    current = the_fact(alice, "employer")
    over = note_of(
        alice, f"No longer: works at {RARE}", slot="employer", value=RARE, ends=current.pk
    )
    with acting_as(alice):
        memories.rewrite(rewritten, "Cycles to the office")
        proposals.decline(supposed)
        assert over.status == Memory.Status.WAITING
        merge = Merge.objects.create(user=alice, kept=kept, trust_before=0.8, made_at=now())
        MergedMemory.objects.create(user=alice, merge=merge, memory=merged)
        Memory.objects.filter(pk=merged.pk).update(status="merged", superseded_by=kept)
        scope = Scope(alice.pk, first.conversation_id, None, now())
        summing_up.keep(scope, f"Where they work: {RARE}", original=f"I work at {RARE}")
        Topic.objects.create(user=alice, name=f"{RARE} choir", key=RARE.lower())
        step = {
            "tool": "recall_memories",
            "arguments": {"query": RARE},
            "state": "done",
            "found": "2 found",
        }
        first.steps = [step, {**step, "arguments": {"query": "tea"}}]
        first.save(update_fields=["steps"])


def test_after_an_erasure_the_word_stands_in_no_table_but_in_the_letters(
    alice: User, mira: User, talk: Callable[..., Talk]
) -> None:
    fact = fill_every_place(alice, mira, talk)
    before = tables_with(alice, RARE)
    assert before == LETTERS | {
        "memory_profilefact",
        "memory_memory",
        "memory_override",
        "ledger_resolution",
        "accounts_auditevent",
        "conversations_conversation",
        "conversations_topic",
    }
    assert let_go(alice, fact)
    assert tables_with(alice, RARE) == LETTERS
    with acting_as(alice):
        number = lexicon.number(RARE.lower()).to_bytes(4, "little", signed=True)
        assert not [one for one in Memory.objects.all() if number in bytes(one.terms)]
        assert Memory.objects.filter(content="Cycles to the office").exists()
        assert not Merge.objects.exists()
        (looked, untouched) = next(
            steps for steps in Message.objects.values_list("steps", flat=True) if steps
        )
        assert RARE not in str(looked)
        assert untouched["arguments"] == {"query": "tea"}
    assert values(alice, "employer") == {"Zephyrsoft"}


def test_the_log_keeps_who_when_and_what_kind_and_says_once_that_it_was_erased(
    alice: User, mira: User, talk: Callable[..., Talk]
) -> None:
    fact = fill_every_place(alice, mira, talk)
    with acting_as(alice):
        before = list(AuditEvent.objects.order_by("at", "pk").values_list("deed", "by", "at"))
    let_go(alice, fact)
    with acting_as(alice):
        after = AuditEvent.objects.order_by("at", "pk")
        assert list(after.values_list("deed", "by", "at"))[: len(before)] == before
        new = after.filter(at__gt=before[-1][2])
        assert [(one.deed, one.before, one.after) for one in new] == [
            (Deed.SETTLED, "", "Zephyrsoft"),
            (Deed.ERASED, "", ""),
        ]
        assert (new[1].subject, new[1].slot, new[1].by) == (fact.pk, "employer", By.OWNER)
    sentences = told(alice)
    assert sentences[0] == "You erased this for good: Employer"
    assert "You settled employer: Employer" in sentences
    assert "You confirmed: Employer" in sentences


def test_lines_about_something_else_keep_their_words(alice: User) -> None:
    tell(alice, "I live in Portland")
    with acting_as(alice):
        wide = the_fact(alice, "location")
        revision.close(wide, now())
        narrow = revision.write_by_hand(alice.pk, "location", "Portland, Oregon")
        revision.write_by_hand(alice.pk, "interests", "Portland history")
        memories.write_by_hand(alice.pk, "Moved house in Portland, Oregon")
        assert narrow.value_key != wide.value_key
    let_go(alice, wide)
    assert values(alice, "location") == {"Portland, Oregon"}
    assert told(alice) == [
        "You erased this for good: Lives in",
        "You wrote by hand: Enjoys Portland history",
        "You wrote by hand: Lives in Portland, Oregon",
        "You ended: Lives in",
        "Noted from what you said: Lives in",
    ]
    with acting_as(alice):
        assert Memory.objects.active().filter(content__contains="Portland, Oregon").exists()


def test_a_value_that_stands_in_any_text_takes_no_note_with_it(alice: User) -> None:
    note = note_of(alice, "Ran 40 km around the lake on Sunday")
    verb = note_of(alice, "Wants to go to the lake with Tom again")
    with acting_as(alice):
        age = revision.write_by_hand(alice.pk, "age", "40")
        skill = revision.write_by_hand(alice.pk, "expertise", "Go")
        assert erase(age)
        assert erase(skill)
        assert set(Memory.objects.active()) == {note, verb}
        assert not ProfileFact.objects.exists()
        assert not AuditEvent.objects.exclude(after="").exists()


@pytest.mark.parametrize(
    ("slot", "value", "note"),
    [
        ("employer", "Acme Robotics", "Likes the canteen at ACME robotics"),
        ("likes", "olives", "Puts an olive into everything"),
        ("likes", "jazz trio", "Hears jazz trios on Sundays"),
        ("location", "Zürich", "Rows on the lake in Zurich"),
        ("location", "NYC", "Marathon in New York City next autumn"),
        ("pets", "a dog called Wilma", "Dog Wilma sleeps on the sofa"),
        ("employer", "谷歌", "我在谷歌工作"),
    ],
)
def test_a_note_in_another_form_of_the_words_goes_too(
    alice: User, slot: str, value: str, note: str
) -> None:
    note_of(alice, note)
    other = note_of(alice, "Plays the cello in a quartet")
    with acting_as(alice):
        assert erase(revision.write_by_hand(alice.pk, slot, value))
        assert list(Memory.objects.all()) == [other]


def test_of_the_same_message_a_note_goes_that_has_its_words_in_another_order(alice: User) -> None:
    message = tell(alice, "I work at Acme Robotics")
    gone = note_of(alice, "The robotics people of Acme play chess", message)
    part = note_of(alice, "The people of Acme sing", message)
    elsewhere = note_of(alice, "Reads of robotics, and of a town called Acme")
    let_go(alice, the_fact(alice, "employer"))
    with acting_as(alice):
        keys = [gone.pk, part.pk, elsewhere.pk]
        assert set(Memory.objects.filter(pk__in=keys)) == {part, elsewhere}


def test_a_merge_that_has_nothing_to_give_back_is_no_merge_any_more(alice: User) -> None:
    kept, merged = note_of(alice, "Met Anna at lunch"), note_of(alice, f"Met Anna at {RARE}")
    with acting_as(alice):
        merge = Merge.objects.create(user=alice, kept=kept, trust_before=0.8, made_at=now())
        MergedMemory.objects.create(user=alice, merge=merge, memory=merged)
        erase(revision.write_by_hand(alice.pk, "employer", RARE))
        assert not Merge.objects.exists()
        assert list(Memory.objects.all()) == [kept]


def test_a_note_that_was_being_written_down_meanwhile_goes_too(alice: User) -> None:
    """Whoever holds a conversation is waited for, and may have written one by then."""
    message = tell(alice, f"I work at {RARE}")

    def write(**kwargs: Any) -> None:
        note_of(alice, f"Has lunch at {RARE}", message)

    words_erased.connect(write)
    try:
        let_go(alice, the_fact(alice, "employer"))
    finally:
        words_erased.disconnect(write)
    assert tables_with(alice, RARE) == LETTERS


def test_the_wording_that_was_typed_is_looked_for_as_well(alice: User) -> None:
    with acting_as(alice):
        fact = revision.write_by_hand(alice.pk, "location", "Portland, Oregon")
    tell(alice, "I live in Portland")
    note = note_of(alice, "Has a season ticket for the Portland gardens")
    other = note_of(alice, "Has a season ticket for the Salem gardens")
    with acting_as(alice):
        assert fact.mentions.count() == 1
        assert erase(fact)
        assert set(Memory.objects.filter(pk__in=[note.pk, other.pk])) == {other}


def test_a_wider_name_is_no_wording_of_what_is_erased(alice: User) -> None:
    tell(alice, "I live in Moscow")
    tell(alice, "I live in Russia")
    note = note_of(alice, "Reads novels from Russia")
    with acting_as(alice):
        assert the_fact(alice, "location").mentions.count() == 2
        assert erase(the_fact(alice, "location"))
        assert Memory.objects.filter(pk=note.pk).exists()


def test_every_row_of_the_value_goes_whatever_its_standing(alice: User) -> None:
    tell(alice, "I work at Google")
    with acting_as(alice):
        revision.close(the_fact(alice, "employer"), now() - timedelta(days=30))
    tell(alice, "I work at google")
    with acting_as(alice):
        first = ProfileFact.objects.get(status=Status.PAST)
        current = the_fact(alice, "employer")
        assert erase(first)
        assert not ProfileFact.objects.exists()
        assert AuditEvent.objects.get(deed=Deed.ERASED).subject == current.pk


# --- What is left of a question ------------------------------------------------------------------


def test_the_other_side_of_an_open_question_holds(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    let_go(alice, entry.new_fact)
    assert values(alice, "employer") == {"Google"}
    with acting_as(alice):
        assert not Contradiction.objects.exists()
        assert not Note.objects.filter(kind=Note.Kind.CONFLICT).exists()
    assert told(alice)[0] == "You erased this for good: Employer"


def test_a_challenger_left_alone_becomes_what_is_held_with_a_line_that_says_why(
    alice: User,
) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    let_go(alice, entry.old_fact)
    assert values(alice, "employer") == {"Microsoft"}
    assert told(alice)[:2] == [
        "You erased this for good: Employer",
        "You settled employer: Microsoft",
    ]
    with acting_as(alice):
        line = AuditEvent.objects.get(deed=Deed.SETTLED)
        assert (line.subject, line.why) == (entry.new_fact_id, "What it stood against was erased")


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
    assert told(alice)[:2] == ["You erased this for good: Likes", "You settled dislike: olives"]


def test_a_settled_question_goes_with_its_answer_and_changes_nothing_else(alice: User) -> None:
    entry = dispute(alice, "Google", "Microsoft")
    with acting_as(alice):
        resolve(entry, Answer("timeline"), by=alice)
        assert erase(ProfileFact.objects.get(value="Google"))
        assert not Contradiction.objects.exists()
        assert not Resolution.objects.exists()
        (strand,) = timeline.strands(timeline.read(alice.pk))
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
    assert "What you wrote instead is erased. Google and Microsoft stay in the history." in page
    assert RARE not in page


def test_what_was_decided_about_it_teaches_nothing_any_more(alice: User) -> None:
    tell(alice, "I work at Google")
    with acting_as(alice):
        revision.confirm(the_fact(alice, "employer"))
        assert Decision.objects.count() == 1
        erase(the_fact(alice, "employer"))
        assert not Decision.objects.exists()


# --- Two at once ---------------------------------------------------------------------------------

at_once = pytest.mark.django_db(transaction=True)


@at_once
def test_of_two_erasures_at_once_one_does_it_and_the_other_says_it_is_gone(alice: User) -> None:
    tell(alice, "I work at Google")
    fact = the_fact(alice, "employer")
    assert sorted(together(*[lambda: let_go(alice, fact)] * 2)) == [False, True]
    with acting_as(alice):
        assert AuditEvent.objects.filter(deed=Deed.ERASED).count() == 1


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
        (DEEDS | {"bring back": revision.bring_back})[deed](late)
    with acting_as(alice):
        assert not ProfileFact.objects.exists()
        assert AuditEvent.objects.order_by("at").last().deed == Deed.ERASED


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


# --- Pages that are shared -----------------------------------------------------------------------


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


# --- What was typed ------------------------------------------------------------------------------


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
        assert search.passages(question) == []
        own = said_in(alice, elsewhere, "When does the choir sing on Monday?")
        assert [one.message.pk for one in search.passages(own)] == [elsewhere.pk]


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
    assert made.title.startswith("Between the two of")
    assert given.title == f"Thoughts on {RARE}"


def test_old_messages_do_not_bring_it_back_however_they_are_read_again(
    alice: User, talk: Callable[..., Talk]
) -> None:
    message = tell(alice, f"I work at {RARE}")
    late = said(alice, f"I really do work at {RARE}")
    let_go(alice, the_fact(alice, "employer"))
    learning.learn_now(late)
    with acting_as(alice):
        Message.objects.filter(pk=message.pk).update(learned_at=None)
        work.enqueue(alice, learning.KIND, message.pk)
    learning.learn_now(message)
    passages.index_anew(alice.pk)
    with acting_as(alice):
        for conversation in Conversation.objects.all():
            summaries.summarise(conversation)
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


def test_a_summary_of_where_it_was_said_is_made_anew_without_it(alice: User) -> None:
    first = tell(alice, "I am training for the marathon in Lisbon next spring")
    there = first.conversation
    tell(alice, f"I work at {RARE}", there)
    with acting_as(alice):
        scope = Scope(alice.pk, there.pk, None, now())
        summing_up.keep(scope, "They run, and earn their bread with search engines")
        erase(the_fact(alice, "employer"))
        assert not Memory.objects.filter(category="summary").exists()
        assert Work.objects.filter(kind=summaries.KIND, subject=there.pk).exists()
        summaries.summarise(there)
        (summary,) = Memory.objects.filter(category="summary")
        assert "Lisbon" in summary.content
        assert RARE not in summary.original


# --- What one conversation alone supports --------------------------------------------------------


def alone_from(user: User, message: Message) -> tuple[set[str], set[str]]:
    """The values and the notes that no other conversation supports."""
    with acting_as(user):
        found = only_from(user.pk, message.conversation_id)
        return (
            set(found.facts.values_list("value", flat=True)),
            set(found.notes.values_list("content", flat=True)),
        )


def test_only_from_one_conversation_is_what_no_other_and_no_hand_supports(alice: User) -> None:
    here = tell(alice, "I work at Google and I live in Lyon")
    tell(alice, "I speak Welsh", here.conversation)
    tell(alice, "I live in Lyon")
    tell(alice, "I like olives")
    with acting_as(alice):
        revision.write_by_hand(alice.pk, "pets", "a hen")
        revision.retract(the_fact(alice, "languages"))
    tell(alice, "My pet is a hen", here.conversation)
    assert alone_from(alice, here)[0] == {"Google", "Welsh"}


def test_a_note_that_was_said_or_merged_elsewhere_has_other_support(alice: User) -> None:
    here, there = tell(alice, "Hello there"), tell(alice, "Hello again")
    note_of(alice, "Plans a week in Lisbon", here)
    again = note_of(alice, "Owns the stamp of 1903", here)
    kept = note_of(alice, "Sings in the choir on Monday", here)
    other = note_of(alice, "Bakes bread with rye", there)
    note_of(alice, "Rows on the lake", there)
    with acting_as(alice):
        draft = Draft(
            content=again.content,
            category=Memory.Category.FACT,
            kind=Memory.Kind.SEMANTIC,
            confidence=0.9,
            trust=0.8,
        )
        assert isinstance(memories.keep(scope_of(there), draft), memories.Agreed)
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
        memories.accept(elsewhere)
    mine = note_of(alice, "Had lunch with Tom", here)
    with acting_as(alice):
        found = only_from(alice.pk, here.conversation_id)
        gone = erase_all(alice.pk, found.facts, found.notes)
        assert {one.value for one in gone.facts} == {"Google", "Welsh"}
        assert set(Memory.objects.all()) == {elsewhere}
        lines = AuditEvent.objects.filter(deed=Deed.ERASED)
        assert {line.subject for line in lines} == gone.fact_ids | {mine.pk}
        (line,) = AuditEvent.objects.filter(after__contains="Welsh")
        assert line.subject == elsewhere.pk, "its own"
        assert AuditEvent.objects.filter(after="Google").count() == 1
    assert values(alice, "employer") == {"Google"}
    assert values(alice, "languages") == set()
    assert told(alice)[0] == "You erased this for good: A note"


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


def test_erasing_nothing_or_what_is_gone_changes_nothing(alice: User) -> None:
    tell(alice, "I work at Google")
    gone = the_fact(alice, "employer")
    let_go(alice, gone)
    with acting_as(alice):
        before = AuditEvent.objects.count()
        for facts in ([], [gone]):
            assert erase_all(alice.pk, facts).facts == []
        assert AuditEvent.objects.count() == before


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
