"""What happens when things change while a model reads, and with several workers at once."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.learning import listening_runs
from conversations.models import Conversation, LearningOutcome
from ledger import erasure
from memory import manager
from memory.facts import revision
from memory.models import ProfileFact
from tests.conversations.looking import (
    KEYS,
    NOTE,
    alone,
    answer,
    answered,
    fact,
    for_real,
    look,
    notes,
    operation,
    read_up_to,
    sent,
    summaries,
    the_note,
    waiting,
    work_on,
)
from tests.fakes.model_server import Script, Serve, normal, slow
from tests.people import let_time_pass, tell, together, values


def switch_memory_off(user: User) -> None:
    User.objects.filter(pk=user.pk).update(memory_on=False)


@alone
def test_without_a_model_nothing_waits(alice: User) -> None:
    message = tell(alice, KEYS)
    look(alice, message.conversation)
    assert waiting(alice) == []


@alone
def test_a_model_that_was_taken_away_is_not_waited_for(
    alice: User, serve: Serve, settings: Settings
) -> None:
    serve(normal(answer(operation())))
    message = tell(alice, KEYS)
    with acting_as(alice):
        listening_runs.listen_soon(alice, message.conversation)
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
    let_time_pass(alice)
    work.do_waiting_work()
    assert waiting(alice) == []
    assert read_up_to(message.conversation) == 0


@alone
def test_asking_twice_is_asking_once_and_waits_a_little(alice: User, serve: Serve) -> None:
    serve(normal(answer()))
    message = tell(alice, KEYS)
    with acting_as(alice):
        listening_runs.listen_soon(alice, message.conversation)
        listening_runs.listen_soon(alice, message.conversation)
    (row,) = waiting(alice)
    assert 1 < (row.run_after - row.created_at).total_seconds() <= 2


@alone
def test_with_memory_off_nobody_asks(alice: User, serve: Serve) -> None:
    server = serve(normal(answer(operation())))
    message = tell(alice, KEYS)
    switch_memory_off(alice)
    look(alice, message.conversation)
    assert waiting(alice) == []
    assert server.requests == []


@alone
def test_memory_switched_off_before_the_look_ends_it(alice: User, serve: Serve) -> None:
    server = serve(normal(answer(operation())))
    message = tell(alice, KEYS)
    with acting_as(alice):
        listening_runs.listen_soon(alice, message.conversation)
    switch_memory_off(alice)
    let_time_pass(alice)
    work.do_waiting_work()
    assert server.requests == []
    assert waiting(alice) == []
    assert read_up_to(message.conversation) == 1


def meanwhile(deed: Callable[[], None], *operations: dict[str, Any]) -> Script:
    """A model during whose answer something else happens."""

    def reply(messages: Any) -> str:
        thread = threading.Thread(target=deed)
        thread.start()
        thread.join(10)
        return answer(*operations or [operation()], summary="The new home.")

    return normal(reply)


@for_real
def test_memory_switched_off_during_the_look_keeps_nothing(alice: User, serve: Serve) -> None:
    serve(meanwhile(lambda: _close_after(lambda: switch_memory_off(alice))))
    message = tell(alice, KEYS)
    look(alice, message.conversation)
    assert (notes(alice), summaries(alice)) == ([], [])
    assert waiting(alice) == []


@for_real
def test_a_conversation_made_private_during_the_look_teaches_nothing(
    alice: User, serve: Serve
) -> None:
    talk = tell(alice, KEYS).conversation

    def make_private() -> None:
        with acting_as(alice):
            privacy.choose(Conversation.objects.get(pk=talk.pk), "private")

    server = serve(meanwhile(lambda: _close_after(make_private)))
    look(alice, talk)
    work_on(alice)
    assert (notes(alice), summaries(alice)) == ([], [])
    assert len(server.requests) == 1
    assert waiting(alice) == []


@alone
def test_a_private_conversation_is_not_read_and_not_made_up_for(alice: User, serve: Serve) -> None:
    server = serve(normal(answer(operation(), summary="The new home.")))
    talk = tell(alice, KEYS).conversation
    with acting_as(alice):
        privacy.choose(talk, "private")
    look(alice, talk)
    with acting_as(alice):
        privacy.choose(talk, "auto")
    tell(alice, "The neighbours brought us cake", talk)
    look(alice, talk)
    assert len(server.requests) == 1
    assert KEYS not in sent(server)
    assert notes(alice) == []


@for_real
def test_what_is_taken_back_during_the_look_is_not_learned_again(alice: User, serve: Serve) -> None:
    message = tell(alice, "I work at Acme")

    def take_back() -> None:
        with acting_as(alice):
            for held in ProfileFact.objects.for_user(alice.pk).current():
                manager.undo(held)

    serve(meanwhile(lambda: _close_after(take_back), fact("employer", "Acme", "I work at Acme")))
    look(alice, message.conversation)
    work_on(alice)
    assert values(alice, "employer") == set()


@for_real
def test_what_is_erased_during_the_look_is_not_written_down_by_it(
    alice: User, serve: Serve
) -> None:
    talk = tell(alice, KEYS).conversation
    tell(alice, "The neighbours brought us cake", talk)
    with acting_as(alice):
        home = revision.write_by_hand(alice.pk, "location", "Leeds")
    # Read again, the cake is all that is left: its line is the first then.
    of_cake = operation(text="Has kind neighbours", words="neighbours brought us cake")
    of_leeds = operation(text="Has a first home in Leeds")

    erased = []

    def let_it_go() -> None:
        with acting_as(alice):
            erased.append(erasure.erase(home))

    server = serve(meanwhile(lambda: _close_after(let_it_go), of_leeds, of_cake))
    look(alice, talk)
    assert erased[0] is not None
    assert notes(alice) == ["Has kind neighbours"]
    assert KEYS not in sent(server)


@alone
def test_what_was_erased_is_not_shown_to_the_model(alice: User, serve: Serve) -> None:
    server = serve(normal(answer()))
    talk = tell(alice, KEYS).conversation
    answered(alice, talk, "Leeds, how nice")
    tell(alice, "The neighbours brought us cake", talk)
    with acting_as(alice):
        erasure.erase(revision.write_by_hand(alice.pk, "location", "Leeds"))
    look(alice, talk)
    assert "cake" in sent(server)
    assert "Leeds" not in sent(server)


@alone
def test_what_was_said_while_memory_was_off_is_not_made_up_for(alice: User, serve: Serve) -> None:
    server = serve(normal(answer()))
    alice.memory_on = False
    alice.save()
    talk = tell(alice, KEYS).conversation
    answered(alice, talk, "Congratulations on the place in Leeds!")
    alice.memory_on = True
    alice.save()
    tell(alice, "The neighbours brought us cake", talk)
    look(alice, talk)
    assert "cake" in sent(server)
    assert "Leeds" not in sent(server)


@for_real
def test_a_conversation_deleted_during_the_look_leaves_nothing(alice: User, serve: Serve) -> None:
    message = tell(alice, KEYS)

    def delete() -> None:
        with acting_as(alice):
            Conversation.objects.filter(pk=message.conversation_id).delete()

    serve(meanwhile(lambda: _close_after(delete)))
    look(alice, message.conversation)
    assert (notes(alice), summaries(alice)) == ([], [])
    assert waiting(alice) == []


@alone
def test_a_conversation_deleted_before_the_look_ends_it(alice: User, serve: Serve) -> None:
    server = serve(normal(answer(operation())))
    message = tell(alice, KEYS)
    with acting_as(alice):
        listening_runs.listen_soon(alice, message.conversation)
        Conversation.objects.filter(pk=message.conversation_id).delete()
    let_time_pass(alice)
    work.do_waiting_work()
    assert server.requests == []
    assert waiting(alice) == []


@for_real
def test_what_is_said_during_the_look_is_looked_at_next(alice: User, serve: Serve) -> None:
    message = tell(alice, KEYS)

    def go_on() -> None:
        tell(alice, "The neighbours brought us cake", message.conversation)
        with acting_as(alice):
            listening_runs.listen_soon(alice, message.conversation)

    server = serve(meanwhile(lambda: _close_after(go_on) if len(server.requests) == 1 else None))
    look(alice, message.conversation)
    work_on(alice)
    assert len(server.requests) == 2
    assert "cake" in sent(server)
    assert read_up_to(message.conversation) == 2


@for_real
def test_of_two_workers_at_once_one_does_it_and_a_third_look_adds_nothing(
    alice: User, serve: Serve
) -> None:
    server = serve(slow(answer(operation()), first_pause=0.3))
    message = tell(alice, KEYS)
    with acting_as(alice):
        listening_runs.listen_soon(alice, message.conversation)
    let_time_pass(alice, kind="reflect")
    assert sorted(together(work.do_waiting_work, work.do_waiting_work)) == [0, 1]
    assert len(server.requests) == 1
    assert notes(alice) == [NOTE]


@for_real
def test_a_worker_that_slept_through_its_lease_keeps_nothing(alice: User, serve: Serve) -> None:
    message = tell(alice, KEYS)
    late = answer(operation(text="Kept too late"))

    def take_over() -> None:
        let_time_pass(alice, kind="reflect")
        serve(normal(answer(operation())))
        work.do_waiting_work()

    def reply(messages: Any) -> str:
        thread = threading.Thread(target=lambda: _close_after(take_over))
        thread.start()
        thread.join(10)
        return late

    serve(normal(reply))
    look(alice, message.conversation)
    assert notes(alice) == [NOTE]
    assert waiting(alice) == []


@for_real
def test_a_late_worker_leaves_the_work_to_whoever_took_it_over(alice: User, serve: Serve) -> None:
    message = tell(alice, KEYS)

    def take_over() -> None:
        let_time_pass(alice, kind="reflect")
        assert work.claim(alice.pk, listening_runs.KIND, message.conversation_id)

    serve(meanwhile(lambda: _close_after(take_over)))
    look(alice, message.conversation)
    assert (notes(alice), summaries(alice)) == ([], [])
    (row,) = waiting(alice)
    assert row.attempts == 2


@alone
def test_the_same_lines_read_twice_change_nothing_more(alice: User, serve: Serve) -> None:
    serve(normal(answer(operation())))
    message = tell(alice, KEYS)
    look(alice, message.conversation)
    before = the_note(alice)
    with acting_as(alice):
        # As after a restored backup: the notes are there, the mark is not.
        Conversation.objects.filter(pk=message.conversation_id).update(reflected_up_to=0)
    look(alice, message.conversation)
    after = the_note(alice)
    assert (after.pk, after.trust) == (before.pk, before.trust)
    with acting_as(alice):
        assert LearningOutcome.objects.filter(message=message).count() == 1


@alone
def test_the_log_says_how_much_and_nothing_of_what(
    alice: User, serve: Serve, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("DEBUG")
    serve(normal(answer(operation(), operation(words="never said this"))))
    look(alice, tell(alice, KEYS).conversation)
    shown = capsys.readouterr()
    logged = caplog.text + shown.out + shown.err
    assert "listened" in logged
    assert "not said" in logged
    for word in ("Leeds", "better half", "partner", "never said"):
        assert word not in logged


def _close_after(deed: Callable[[], object]) -> None:
    from django.db import connections

    try:
        deed()
    finally:
        connections.close_all()
