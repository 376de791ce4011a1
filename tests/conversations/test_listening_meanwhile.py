"""What happens when things change while a model reads, and with several workers at once."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import privacy
from conversations.learning import listening_runs
from conversations.models import Conversation
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
    waiting,
    work_on,
)
from tests.fakes.model_server import Script, Serve, normal
from tests.people import let_time_pass, tell, values


def switch_memory_off(user: User) -> None:
    User.objects.filter(pk=user.pk).update(memory_on=False)


def make_private(user: User, talk: Conversation) -> None:
    with acting_as(user):
        privacy.choose(Conversation.objects.get(pk=talk.pk), "private")


def delete(user: User, talk: Conversation) -> None:
    with acting_as(user):
        Conversation.objects.filter(pk=talk.pk).delete()


Deed = Callable[[User, Conversation], None]
ENDS: list[Deed] = [lambda user, _: switch_memory_off(user), make_private, delete]
NAMES = ["memory off", "private", "deleted"]


@alone
@pytest.mark.parametrize("end", ENDS, ids=NAMES)
def test_what_ends_the_look_before_it_began_sends_nothing(
    alice: User, serve: Serve, end: Deed
) -> None:
    server = serve(normal(answer(operation())))
    talk = tell(alice, KEYS).conversation
    with acting_as(alice):
        listening_runs.listen_soon(alice, talk)
    end(alice, talk)
    let_time_pass(alice)
    work.do_waiting_work()
    assert (server.requests, waiting(alice)) == ([], [])


def meanwhile(deed: Callable[[], None], *operations: dict[str, Any]) -> Script:
    """A model during whose answer something else happens."""

    def reply(messages: Any) -> str:
        thread = threading.Thread(target=deed)
        thread.start()
        thread.join(10)
        return answer(*operations or [operation()], summary="The new home.")

    return normal(reply)


@for_real
@pytest.mark.parametrize("end", ENDS, ids=NAMES)
def test_what_ends_the_look_while_the_model_reads_leaves_nothing(
    alice: User, serve: Serve, end: Deed
) -> None:
    talk = tell(alice, KEYS).conversation
    server = serve(meanwhile(lambda: _close_after(lambda: end(alice, talk))))
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
def test_a_worker_that_slept_through_its_lease_keeps_nothing(alice: User, serve: Serve) -> None:
    message = tell(alice, KEYS)

    def take_over() -> None:
        let_time_pass(alice, kind="reflect")
        serve(normal(answer(operation())))
        work.do_waiting_work()

    serve(meanwhile(lambda: _close_after(take_over), operation(text="Kept too late")))
    look(alice, message.conversation)
    assert (notes(alice), summaries(alice)) == ([NOTE], [])
    assert waiting(alice) == []


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
