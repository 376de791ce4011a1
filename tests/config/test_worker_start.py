"""The worker of `up` shows that it lives before it loads its tasks and models."""

from threading import Event
from uuid import uuid4

import pytest

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from config.management.commands import work as command


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("delay", "announced"), [(0.0, True), (60.0, False)])
def test_work_that_is_due_is_announced_to_the_worker(
    alice: User, delay: float, announced: bool
) -> None:
    stopped, announcements = Event(), command._Announcements()
    assert not announcements.wait(0.01, stopped)
    with acting_as(alice):
        work.enqueue(alice, "learn", uuid4(), delay=delay)
    assert announcements.wait(60.0 if announced else 0.01, stopped) is announced
    announcements.close()
