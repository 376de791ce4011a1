"""What people had elsewhere stands beside what is here, and nothing of it is believed unasked."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import AuditEvent, User
from conversations.learning import message_learning
from conversations.messages import NewMessage
from conversations.models import Conversation, Message
from conversations.turns import turn
from ledger.models import Erasure
from ledger.promotion import proposals
from memory.models import Memory, Passage, ProfileFact
from privacy import transfers
from privacy.importing import making, requests, writing
from privacy.models import Import, ImportedRow, ImportPiece
from tests.people import Talk, tables_with
from tests.privacy.exports import (
    accepted,
    as_json,
    brought,
    chatgpt,
    imported,
    node,
    now_of,
    talk,
    zipped,
)

for_real = pytest.mark.django_db(transaction=True)
State = Import.State
AT = datetime(2024, 3, 9, 16, tzinfo=UTC)
LIFE = talk("life", "I live in Lisbon and work at Qwertzfirm.", "Nice!", "My dog is called Rex.")
TRIP = talk("trip", "Where should I eat in Porto?", "Try Cantinho.", at=1_720_000_000.0)
FILE = zipped(conversations=[LIFE, TRIP])
MEMORIES = as_json(
    {
        "results": [
            {"id": "1", "memory": "Plays the cello on Sundays", "created_at": "2024-03-14"},
            {"id": "2", "memory": "My password is hunter2-Xk9!", "created_at": None},
        ]
    }
)


def counts(user: User) -> dict[str, int]:
    """How much of each there is."""
    with acting_as(user):
        return {
            "conversations": Conversation.objects.filter(user=user).count(),
            "messages": Message.objects.filter(user=user).count(),
            "notes": Memory.objects.filter(user=user).count(),
            "facts": ProfileFact.objects.filter(user=user).count(),
            "found": Passage.objects.filter(user=user, message__isnull=False).count(),
            "rows": ImportedRow.objects.filter(user=user).count(),
            "pieces": ImportPiece.objects.filter(user=user).count(),
        }


@for_real
def test_a_file_is_counted_before_anything_of_it_is_here(alice: User) -> None:
    row = brought(alice, zipped(conversations=[LIFE, TRIP, {"mapping": 7}]))
    assert (row.source, row.conversations, row.messages, row.known) == ("chatgpt", 2, 5, 0)
    assert row.skipped == {"it’s damaged": 1}
    assert row.first_at == AT
    assert row.last_at == datetime.fromtimestamp(1_720_000_001, UTC)
    assert counts(alice)["conversations"] == 0


@for_real
def test_conversations_come_with_their_dates_and_where_they_are_from(alice: User) -> None:
    row = imported(alice, FILE)
    assert (row.state, row.failure, row.done, row.total) == (State.READY, "", 5, 5)
    with acting_as(alice):
        conversation = Conversation.objects.get(title="Talk life")
        assert conversation.get_imported_from_display() == "ChatGPT"
        assert (conversation.started_at, conversation.last_at) == (AT, AT + timedelta(seconds=2))
        messages = Message.objects.of(conversation).order_by("number")
        assert [(one.role, one.said_at, one.state) for one in messages] == [
            (role, AT + timedelta(seconds=number), "done")
            for number, role in enumerate(("user", "assistant", "user"))
        ]
        assert all(message.learned_at for message in messages)
        assert AuditEvent.objects.for_user(alice.pk).filter(deed="imported").count() == 1
    assert counts(alice)["found"] == 5
    assert counts(alice)["pieces"] == 0


@for_real
def test_what_imported_messages_say_waits_for_a_yes(alice: User) -> None:
    imported(alice, FILE)
    with acting_as(alice):
        notes = list(Memory.objects.filter(user=alice))
        assert {note.status for note in notes} == {"waiting"}
        assert {note.origin for note in notes} == {"imported"}
        assert "Lisbon" in {note.value for note in notes}
        assert not ProfileFact.objects.filter(user=alice).exists()
        proposals.accept(next(note for note in notes if note.value == "Lisbon"))
        fact = ProfileFact.objects.get(user=alice, slot="location")
        assert (fact.value, fact.status, fact.origin) == ("Lisbon", "current", "imported")


@for_real
@pytest.mark.parametrize(
    "text", ["Note that I live in Oslo.", "I used to live in Rome from 2010 to 2015."]
)
def test_a_wish_to_another_assistant_is_none_to_this_one(alice: User, text: str) -> None:
    imported(alice, as_json([talk("w", text, "Noted.")]))
    with acting_as(alice):
        assert not ProfileFact.objects.filter(user=alice).exists()
        assert not Memory.objects.filter(user=alice, status="active").exists()


@for_real
def test_what_is_known_stays_as_it_is_whatever_an_import_says(alice: User) -> None:
    Talk(alice).say("I live in Rome")
    imported(alice, as_json([talk("a", "I don't live in Rome any more. I moved to Lisbon.", "Ok")]))
    with acting_as(alice):
        assert ProfileFact.objects.get(user=alice, slot="location").value == "Rome"


def go_on(user: User, conversation: Conversation, text: str) -> Message:
    """Say something in a conversation, and have it learned from."""
    draft = NewMessage(role=Message.Role.USER, content=text)
    message = turn.record(user, conversation, draft)
    message_learning.learn_now(message)
    return message


# --- Memories -------------------------------------------------------------------------------------


@for_real
def test_memories_wait_for_a_yes_and_secrets_stay_behind(alice: User) -> None:
    row = imported(alice, MEMORIES)
    with acting_as(alice):
        note = Memory.objects.get(user=alice)
        assert (note.content, note.status, note.origin, note.source) == (
            "Plays the cello on Sundays", "waiting", "imported", "import",
        )  # fmt: skip
        assert note.said_at.date().isoformat() == "2024-03-14"
    assert row.skipped == {writing.NOT_KEPT: 1}
    again = imported(alice, MEMORIES)
    assert (again.known, again.memories, counts(alice)["notes"]) == (1, 1, 1)


# --- Twice, and half way --------------------------------------------------------------------------


@for_real
def test_the_same_file_twice_brings_nothing(alice: User) -> None:
    imported(alice, FILE)
    before = counts(alice)
    row = imported(alice, FILE)
    assert (row.state, row.known, row.conversations) == (State.READY, 2, 0)
    assert counts(alice) == before


STEPS: dict[str, tuple[Any, str]] = {
    "writing": (writing, "_write"),
    "reading": (making, "_learn_piece"),
}


@for_real
@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_stopped_in_the_middle_goes_on_there(
    alice: User, bob: User, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = zipped(conversations=[talk(str(n), f"I like number {n}.", "Ok") for n in range(6)])
    monkeypatch.setattr(writing, "_ITEMS", 2)
    imported(bob, data)
    module, name = STEPS[step]
    whole, calls = getattr(module, name), []

    def failing(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 2:
            raise RuntimeError("Somebody pulled the plug.")
        return whole(*args)

    row = accepted(alice, data)
    with monkeypatch.context() as patched:
        patched.setattr(module, name, failing)
        held = work.claim(alice.pk, "import", row.pk)
        assert held is not None
        with pytest.raises(RuntimeError):
            making.make(held)
    half = now_of(row)
    assert 0 < half.done < 12
    with acting_as(alice):
        work.give_back(held)
    let_it_be_due(alice)
    work.do_waiting_work()
    assert now_of(row).state == State.READY
    assert counts(alice) == counts(bob)


def let_it_be_due(user: User) -> None:
    from accounts.models import Work

    with acting_as(user):
        Work.objects.filter(user=user).update(run_after=now() - timedelta(seconds=1))


@for_real
def test_who_gives_up_says_so_and_reads_what_is_there_one_by_one(alice: User) -> None:
    row = accepted(alice, FILE)
    for _ in range(work.MOST_ATTEMPTS):
        held = work.claim(alice.pk, "import", row.pk)
        assert held is not None
        with acting_as(alice):
            work.give_back(held)
    let_it_be_due(alice)
    held = work.claim(alice.pk, "import", row.pk)
    assert held is not None
    making.make(held)
    assert (now_of(row).state, "Undo the import" in now_of(row).failure) == (State.FAILED, True)


# --- Undone ---------------------------------------------------------------------------------------


def undone(user: User, row: Import) -> Import:
    with acting_as(user):
        assert requests.undo(user, row.pk)
    work.do_waiting_work()
    return now_of(row)


@for_real
def test_undo_takes_out_all_of_an_import_and_nothing_else(alice: User) -> None:
    Talk(alice).say("I like tea and I live in Rome")
    work.do_waiting_work()
    before = counts(alice)
    row, memories = imported(alice, FILE), imported(alice, MEMORIES)
    with acting_as(alice):
        for note in Memory.objects.filter(user=alice, value="Qwertzfirm"):
            proposals.accept(note)
    assert undone(alice, row).state == State.UNDONE
    assert undone(alice, memories).state == State.UNDONE
    assert counts(alice) == before
    assert not tables_with(alice, "Lisbon", "Qwertzfirm", "Cantinho", "cello")
    assert imported(alice, FILE).conversations == 2


def receipts(user: User) -> list[tuple[dict[str, int], list[Any]]]:
    """How much went by each receipt, and what was left."""
    with acting_as(user):
        rows = Erasure.objects.filter(user=user)
        return [(row.counts, row.search["left"]) for row in rows]


@for_real
def test_an_undo_that_is_stopped_goes_on_and_counts_all_of_it(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = imported(alice, FILE)
    monkeypatch.setattr(making, "_ITEMS", 1)
    whole, calls = making._take_out_next, []

    def failing(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 2:
            raise RuntimeError("Somebody pulled the plug.")
        return whole(*args)

    with acting_as(alice):
        assert requests.undo(alice, row.pk)
    with monkeypatch.context() as patched:
        patched.setattr(making, "_take_out_next", failing)
        held = work.claim(alice.pk, "import", row.pk)
        assert held is not None
        with pytest.raises(RuntimeError):
            making.make(held)
    with acting_as(alice):
        work.give_back(held)
    let_it_be_due(alice)
    work.do_waiting_work()
    assert now_of(row).state == State.UNDONE
    ((gone, _),) = receipts(alice)
    assert (gone["conversations"], gone["messages"]) == (2, 5)


@for_real
def test_an_answer_that_quoted_an_import_goes_with_it(alice: User) -> None:
    row = imported(alice, as_json([talk("z", "My cousin Zephyrine sold her lighthouse.", "Oh!")]))
    answer = Talk(alice).say("What did I say about Zephyrine?")
    assert "lighthouse" in answer.content
    undone(alice, row)
    assert not tables_with(alice, "lighthouse")


@for_real
def test_a_conversation_that_went_on_here_stays_when_its_import_is_undone(alice: User) -> None:
    row = imported(alice, FILE)
    with acting_as(alice):
        conversation = Conversation.objects.get(title="Talk trip")
    go_on(alice, conversation, "Thanks, that was good.")
    done = undone(alice, row)
    assert (done.state, done.continued) == (State.UNDONE, 1)
    with acting_as(alice):
        assert Conversation.objects.get(user=alice) == conversation


@for_real
def test_cancelled_half_way_nothing_of_it_stays(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = accepted(alice, FILE)
    whole = making._learn_piece

    def cancelling(claim: work.Claim, row: Import) -> bool:
        with acting_as(alice):
            assert requests.cancel(alice, row.pk)
        monkeypatch.setattr(making, "_learn_piece", whole)
        return whole(claim, row)

    monkeypatch.setattr(making, "_learn_piece", cancelling)
    work.do_waiting_work()
    work.do_waiting_work()
    assert now_of(row).state == State.UNDONE
    assert set(counts(alice).values()) == {0}


# --- What is not taken ----------------------------------------------------------------------------


@for_real
def test_nothing_is_imported_with_memory_off(alice: User) -> None:
    row = brought(alice, FILE)
    User.objects.filter(pk=alice.pk).update(memory_on=False)
    alice.refresh_from_db()
    with acting_as(alice):
        with pytest.raises(requests.MemoryIsOff):
            requests.accept(alice, row.pk)
        with pytest.raises(requests.MemoryIsOff):
            requests.bring(alice, io.BytesIO(FILE))


@for_real
def test_one_import_at_a_time_and_some_a_day(alice: User, settings: Any) -> None:
    accepted(alice, FILE)
    with acting_as(alice), pytest.raises(transfers.OneAtATime):
        requests.bring(alice, io.BytesIO(FILE))
    work.do_waiting_work()
    settings.PRIVACY = settings.PRIVACY | {"restores_a_day": 1}
    with acting_as(alice), pytest.raises(transfers.TooMany, match="up to 1 files a day"):
        requests.bring(alice, io.BytesIO(FILE))


@for_real
def test_long_and_odd_messages_come_in_parts_that_fit(alice: User, settings: Any) -> None:
    settings.MESSAGE_MAX_LENGTH = 100
    odd = chatgpt(
        node("a", None, text="word \0" * 50, at=None),
        node("b", "a", "assistant", "Ok", at=9_999_999_999.0),
        current="b",
        create_time=None,
    )
    imported(alice, as_json([odd]))
    with acting_as(alice):
        messages = list(Message.objects.filter(user=alice).order_by("number"))
        assert [len(message.content) for message in messages] == [99, 99, 49, 2]
        assert all(message.said_at <= now() for message in messages)


@for_real
def test_what_nobody_said_yes_to_goes_after_a_day_and_what_is_here_stays(alice: User) -> None:
    imported(alice, FILE)
    row = brought(alice, MEMORIES)
    with acting_as(alice):
        Import.objects.update(asked_at=now() - timedelta(days=30))
    requests.drop_all_expired()
    with acting_as(alice):
        assert not Import.objects.filter(pk=row.pk).exists()
        assert Import.objects.get().state in (State.READY, State.FAILED)
