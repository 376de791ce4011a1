"""What nobody waits for comes after who waits, and leaves an unwell model alone."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.models import ModelHealth
from conversations.turns import turn
from tests.conversations.looking import KEYS, alone, answer, look, notes, operation, work_on
from tests.fakes.model_server import Serve, failing, normal, slow
from tests.people import tell


def answer_in_progress(user: User) -> Work:
    exchange = turn.begin(user, None, "Write a poem")
    held = work.claim(user.pk, turn.KIND, exchange.answer.pk)
    assert held is not None
    with acting_as(user):
        return Work.objects.get(pk=held.work_id)


@alone
def test_nothing_is_read_while_anybodys_answer_is_being_written(
    alice: User, bob: User, serve: Serve
) -> None:
    server = serve(normal(answer(operation())))
    message = tell(alice, KEYS)
    writing = answer_in_progress(bob)
    look(alice, message.conversation)
    assert server.requests == []
    with acting_as(alice):
        (row,) = Work.objects.filter(user=alice, kind="reflect")
    assert (row.attempts, row.lease_until, row.failure) == (0, None, "")
    assert row.run_after > now()
    with acting_as(bob):
        writing.delete()
    work_on(alice)
    assert len(notes(alice)) == 1


@pytest.mark.django_db(transaction=True)
def test_a_reading_under_way_makes_room_for_an_answer(alice: User, bob: User, serve: Serve) -> None:
    server = serve(slow(answer(operation()), first_pause=30), BACKGROUND_SECONDS=30)
    message = tell(alice, KEYS)

    def read() -> None:
        look(alice, message.conversation)
        connection.close()

    reading = threading.Thread(target=read)
    reading.start()
    until = time.monotonic() + 20
    while not server.requests and time.monotonic() < until:
        time.sleep(0.05)
    answer_in_progress(bob)
    reading.join(10)
    assert not reading.is_alive()
    with acting_as(alice):
        (row,) = Work.objects.filter(user=alice, kind="reflect")
    assert (row.attempts, row.failure) == (0, "")


@alone
def test_a_model_that_fails_is_left_alone_longer_and_longer_by_everybody(
    alice: User, bob: User, serve: Serve
) -> None:
    server = serve(failing(503))
    tell(alice, KEYS)
    for user, seconds in ((alice, 30), (bob, 60), (alice, 120)):
        begun = now()
        look(user, tell(user, KEYS).conversation)
        look(bob, tell(bob, KEYS).conversation)
        health = ModelHealth.objects.get()
        assert begun <= health.resumes_at - timedelta(seconds=seconds) <= now()
        ModelHealth.objects.update(resumes_at=now() - timedelta(seconds=1))
    assert len(server.requests) == 3
    server.play(normal(answer()))
    work_on(alice)
    assert not ModelHealth.objects.exists()
