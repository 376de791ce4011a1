"""A file made to keep the worker busy: refused, or worked at while others get their turn."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.learning import indexing
from conversations.models import Message
from privacy.models import Restore
from privacy.restoring import requests, writing
from privacy.restoring.opening import NotACopy
from tests.people import said, tell
from tests.privacy.restored import brought, changed, copied, restored, rewritten

pytestmark = pytest.mark.django_db(transaction=True)
State = Restore.State
MESSAGES = "conversations.message"


@pytest.fixture
def file(alice: User) -> bytes:
    """A small copy of Alice's."""
    for number in range(12):
        tell(alice, f"Number {number}: I walked along the river and saw a heron")
    return copied(alice)


def bomb(file: bytes) -> bytes:
    """Many files of zeros, each small enough to be packed as tightly as it likes."""
    made = io.BytesIO(file)
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(100):
            archive.writestr(f"readable/{number}.md", b"0" * 1_000_000)
    return made.getvalue()


def counting(rows: int) -> Callable[[bytes], bytes]:
    """The same copy, with another number of messages in its manifest."""

    def manifest(old: bytes) -> bytes:
        told = json.loads(old)
        told["tables"][MESSAGES]["rows"] = rows
        return json.dumps(told).encode()

    return lambda file: rewritten(file, {"manifest.json": manifest})


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (bomb, "compressed too much"),
        (counting(1_000_000), "rows, but I can take at most 500,000"),
    ],
)
def test_a_bomb_is_refused_when_it_is_brought(
    file: bytes, bob: User, make: Callable[[bytes], bytes], expected: str
) -> None:
    bad = make(file)
    assert len(bad) < 200_000
    with acting_as(bob), pytest.raises(NotACopy, match=expected):
        requests.bring(bob, io.BytesIO(bad))


def test_rows_that_the_manifest_does_not_name_are_not_read(
    file: bytes, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    parsed = writing.lines._parsed

    def noting(table: str, number: int, line: bytes) -> Any:
        read.append(number if table == MESSAGES else 0)
        return parsed(table, number, line)

    monkeypatch.setattr(writing.lines, "_parsed", noting)
    done = restored(bob, counting(2)(file))
    assert (done.state, "has more rows" in done.failure) == (State.FAILED, True)
    assert max(read) == 2


def test_long_messages_are_read_a_few_at_a_time_with_others_work_between(
    file: bytes, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lengthen(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row["content"] = f"{row['content']}. " * 200

    monkeypatch.setattr("privacy.restoring.making._TURN", 0.0)
    key = accepted(bob, changed(file, MESSAGES, lengthen))
    others = said(alice, "I saw an otter")
    with acting_as(alice):
        Work.objects.filter(user=alice).delete()
        work.enqueue(alice, indexing.KIND, others.pk)
    work.do_waiting_work(limit=2)
    with acting_as(alice):
        assert not Work.objects.filter(user=alice).exists()
    with acting_as(bob):
        going = Restore.objects.get(pk=key)
        assert going.state == State.FINDING
        assert 0 < going.done < 4
    work.do_waiting_work()
    with acting_as(bob):
        assert Restore.objects.get(pk=key).state == State.READY
        assert Message.objects.count() == 12


def accepted(user: User, file: bytes) -> Any:
    """A copy that was brought and said yes to."""
    key = brought(user, file).pk
    with acting_as(user):
        requests.accept(user, key)
    return key
