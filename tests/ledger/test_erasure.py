"""Erasing a fact: nothing that holds it stays but what was typed, and no question is left alone."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from accounts.audit import Action, By
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.models import Message, Topic
from conversations.tools.steps import Step
from ledger.conflicts.resolution import Answer, resolve
from ledger.conflicts.undo import undo
from ledger.erasure import counts_of, erase
from ledger.models import Contradiction
from ledger.promotion import proposals
from memory import sharing
from memory.core.scope import Scope
from memory.core.signals import words_erased
from memory.deletion.erasing import ErasureScope
from memory.facts import revision
from memory.language.origin import Origin
from memory.language.text import terms
from memory.models import Memory, Merge, MergedMemory, Override, ProfileFact, SharedFact
from memory.notes import note_store, summary_store
from tests.ledger.erasing import LETTERS, RARE, let_go, note_of, told
from tests.people import Talk, tables_with, tell, the_fact, values

pytestmark = pytest.mark.django_db
Status = ProfileFact.Status


def fill_every_place(alice: User, mira: User, talk: Callable[..., Talk]) -> ProfileFact:
    """The word in every table and standing that can hold it; the current fact of it."""
    first = talk().say(f"I work at {RARE}")
    assert first.conversation_id
    with acting_as(alice):
        fact = the_fact(alice, "employer")
        share = sharing.make(alice.pk, "For the fair", [fact.pk], days=7)
        revision.confirm(fact)
        revision.retract(fact)
        revision.restore(fact)
        assert SharedFact.objects.filter(share=share).exists()
    settled(alice, mira)
    narrowed(alice)
    notes(alice, first)
    tell(alice, f"I work at {RARE}")
    tell(alice, "I work at Zephyrsoft")
    with acting_as(alice):
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
    tell(alice, "I work at Siemens")
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
        note_store.rewrite(rewritten, "Cycles to the office")
        proposals.decline(supposed)
        assert over.status == Memory.Status.WAITING
        merge = Merge.objects.create(user=alice, kept=kept, trust_before=0.8, made_at=now())
        MergedMemory.objects.create(user=alice, merge=merge, memory=merged)
        Memory.objects.filter(pk=merged.pk).update(status="merged", superseded_by=kept)
        scope = Scope(alice.pk, first.conversation_id, None, now())
        summary_store.keep_summary(scope, f"Where they work: {RARE}")
        Topic.objects.create(user=alice, name=f"{RARE} choir", key=RARE.lower())
        first.steps = [
            Step("recall_memories", {"query": query}, "done", "2 found", 1).as_kept()
            for query in (RARE, "tea")
        ]
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
        number = terms.stem_id(RARE.lower()).to_bytes(4, "little", signed=True)
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
            (Action.SETTLED, "", "Zephyrsoft"),
            (Action.ERASED, "", ""),
        ]
        assert (new[1].subject, new[1].slot, new[1].by) == (fact.pk, "employer", By.OWNER)
    sentences = told(alice)
    assert sentences[0] == "You erased this for good: Employer"
    assert "You settled where you work: Employer" in sentences
    assert "You confirmed this: Employer" in sentences


def test_lines_about_something_else_keep_their_words(alice: User) -> None:
    tell(alice, "I live in Portland")
    with acting_as(alice):
        wide = the_fact(alice, "location")
        revision.close(wide, now())
        narrow = revision.write_by_hand(alice.pk, "location", "Portland, Oregon")
        revision.write_by_hand(alice.pk, "interests", "Portland history")
        note_store.write_by_hand(alice.pk, "Moved house in Portland, Oregon")
        assert narrow.value_key != wide.value_key
    let_go(alice, wide)
    assert values(alice, "location") == {"Portland, Oregon"}
    assert told(alice) == [
        "You erased this for good: Lives in",
        "You added this yourself: Enjoys Portland history",
        "You added this yourself: Lives in Portland, Oregon",
        "You ended this: Lives in",
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
        ("location", "Zürich", "Rows on the lake in Zurich"),
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
        assert AuditEvent.objects.get(deed=Action.ERASED).subject == current.pk


def test_memories_proposals_and_summaries_are_counted_apart() -> None:
    notes = [
        *(Memory(status=Memory.Status.ACTIVE) for _ in range(3)),
        *(Memory(status=Memory.Status.WAITING) for _ in range(2)),
        Memory(category=Memory.Category.SUMMARY),
    ]
    counts = counts_of(ErasureScope(facts=(), notes=notes))
    assert counts == {"facts": 0, "notes": 3, "proposals": 2, "summaries": 1, "here_only": 0}
