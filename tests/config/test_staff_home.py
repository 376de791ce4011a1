"""The staff's start page: what needs them now, in counts and links, and never a value."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils.timezone import now

from accounts.database.isolation import acting_as, acting_as_worker
from accounts.models import User, Work
from ledger.conflicts import opening
from tests.people import client_for, dispute

pytestmark = pytest.mark.django_db
HOME = "/admin/"


@pytest.fixture
def as_colleague(db: None) -> Callable[..., Client]:
    """A member of staff with the named permissions and no other."""

    def make(*permissions: str) -> Client:
        user = User.objects.create_user("joe@example.org", "a phrase 42", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
        return client_for(user)

    return make


def ask_for_help(user: User) -> None:
    entry = dispute(user)
    with acting_as(user):
        opening.ask_for_help(entry)


def failing_work(**more: Any) -> None:
    with acting_as_worker():
        Work.objects.create(kind="summary", subject=uuid4(), run_after=now(), **more)


def test_a_colleague_reads_only_what_they_may_see(
    alice: User, as_colleague: Callable[..., Client]
) -> None:
    ask_for_help(alice)
    failing_work(failure="TimeoutError", attempts=3)
    page = as_colleague("view_work").get(HOME).content.decode()
    assert "background job keeps failing" in page
    assert "waiting for your help" not in page
    assert 'href="/notebook/model/"' not in page
