"""What is no copy, or comes at a wrong time, is refused with what to do, and nothing changes."""

import io
import json
import threading
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User, Work
from conversations.models import Message
from memory.core import switch
from memory.models import ProfileFact
from privacy import transfers
from privacy.models import Restore, RestorePiece
from privacy.restoring import requests, writing
from privacy.restoring.opening import NotACopy
from tests.people import Api, let_time_pass, tell, together, values
from tests.privacy.restored import brought, changed, copied, restored, rewritten

for_real = pytest.mark.django_db(transaction=True)
State = Restore.State
Rows = list[dict[str, Any]]
MESSAGES, FACTS = "conversations.message", "memory.profilefact"


@pytest.fixture
def file(alice: User) -> bytes:
    """A small copy of Alice's."""
    tell(alice, "I work at Qwertzfirm. I live in Alphaville.")
    tell(alice, "My sister Wilhelmina lives in Porto")
    return copied(alice)


def told(**changes: Any) -> Callable[[bytes], bytes]:
    """A manifest with other values."""
    return lambda old: json.dumps(json.loads(old) | changes).encode()


def zipped(*members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return made.getvalue()


def added(file: bytes, *members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO(file)
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return made.getvalue()


NO_COPIES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no zip": (lambda _: b"What a day", "isn’t a ZIP file"),
    "cut": (lambda file: file[: len(file) // 2], "isn’t a ZIP file"),
    "another format": (
        lambda file: rewritten(file, {"manifest.json": told(format="diary")}),
        "a copy that I made",
    ),
    "an old version": (
        lambda file: rewritten(file, {"manifest.json": told(version=1)}),
        "is version 1, but I can only restore version 3",
    ),
    "an unknown table": (
        lambda file: rewritten(file, {"manifest.json": told(tables={"accounts.user": {}})}),
        "a part I don’t know: “accounts.user”",
    ),
    "a way out": (lambda file: added(file, ("../../etc/passwd", b"x")), "doesn’t belong in a copy"),
    "a table of its own": (
        lambda file: added(file, ("data/accounts.user.jsonl", b"{}")),
        "not the ones it lists",
    ),
    "a bomb": (
        lambda file: added(file, ("readable/zeros.md", b"0" * 20_000_000)),
        "compressed too much",
    ),
}


@for_real
@pytest.mark.parametrize("name", NO_COPIES)
def test_a_file_that_is_no_copy_is_refused_when_it_is_brought(
    name: str, file: bytes, bob: User, as_bob: Client, bob_api: Api
) -> None:
    make, expected = NO_COPIES[name]
    bad = make(file)
    with acting_as(bob), pytest.raises(NotACopy, match=expected):
        requests.bring(bob, io.BytesIO(bad))
    sent = as_bob.post("/notebook/privacy/restore/", {"file": SimpleUploadedFile("copy.zip", bad)})
    assert sent.status_code == 422
    with acting_as(bob):
        assert not Restore.objects.exists()
        assert not RestorePiece.objects.exists()


@for_real
def test_what_is_larger_than_anything_taken_is_refused_before_it_is_read(
    file: bytes, bob: User, as_bob: Client, bob_api: Api, settings: Any
) -> None:
    settings.PRIVACY = settings.PRIVACY | {"restore_megabytes": 0}
    long = file + b"0" * 70_000
    sent = as_bob.post("/notebook/privacy/restore/", {"file": SimpleUploadedFile("c.zip", long)})
    assert (sent.status_code, "limit of 0 MB" in sent.content.decode()) == (422, True)
    answer = sent_to_the_api(bob_api, long)
    assert (answer.status_code, answer.json()["status"]) == (413, 413)
    settings.PRIVACY = settings.PRIVACY | {
        "restore_megabytes": 1,
        "restore_unpacked_megabytes": 0,
    }
    with acting_as(bob), pytest.raises(NotACopy, match="Unpacked, this is larger"):
        requests.bring(bob, io.BytesIO(file))


def first(**fields: Any) -> Callable[[Rows], None]:
    return lambda rows: rows[0].update(fields)


def without(name: str) -> Callable[[Rows], None]:
    return lambda rows: rows[0].__delitem__(name)


A_UUID = "01a20ff2-0000-7000-8000-000000000000"
BAD_ROWS: dict[str, tuple[str, Callable[[Rows], object], str]] = {
    "a field too many": (FACTS, first(user_id=A_UUID), "line 1: it must have the fields"),
    "too long": (FACTS, first(value="x" * 501), '"value" This is too long'),
    "no such slot": (FACTS, first(slot="shoe_size"), '"slot" isn’t a kind of fact I know'),
    "nobody's message": (FACTS, first(source_message_id=A_UUID), "refers to a row that is not in"),
    "an id twice": (MESSAGES, lambda rows: rows.append(rows[-1]), "its id must come after"),
    "a number twice": (
        MESSAGES,
        lambda rows: rows[1].update(number=1, conversation_id=rows[0]["conversation_id"]),
        "line 2: it contradicts another line",
    ),
    "odd steps": (MESSAGES, first(steps=[{"tool": "x"}]), '"steps" must contain'),
}  # fmt: skip


@for_real
@pytest.mark.parametrize("name", BAD_ROWS)
def test_a_row_that_is_not_right_is_named_and_nothing_is_restored(
    name: str, file: bytes, bob: User
) -> None:
    table, change, expected = BAD_ROWS[name]
    done = restored(bob, changed(file, table, change))
    assert done.state == State.FAILED
    assert done.failure.startswith(f"data/{table}.jsonl, line ")
    assert expected in done.failure
    with acting_as(bob):
        assert requests.is_empty(bob.pk)
        assert not RestorePiece.objects.exists()
        assert not Work.objects.exists()
    assert restored(bob, file).state == State.READY


@for_real
def test_a_copy_with_rows_that_its_manifest_does_not_count_is_refused(
    file: bytes, bob: User
) -> None:
    name = f"data/{FACTS}.jsonl"
    done = restored(bob, rewritten(file, {name: lambda old: old.splitlines(keepends=True)[0]}))
    assert (done.state, "rows, but the copy lists" in done.failure) == (State.FAILED, True)


@for_real
def test_only_an_empty_account_that_remembers_takes_a_copy(
    file: bytes, alice: User, bob: User, as_alice: Client
) -> None:
    with acting_as(alice), pytest.raises(requests.NotEmpty, match="Forget everything first"):
        requests.bring(alice, io.BytesIO(file))
    page = as_alice.get("/notebook/privacy/").content.decode()
    assert "Forget everything first" in page
    assert 'type="file"' not in page
    with acting_as(bob):
        switch.switch_memory(bob, on=False)
        with pytest.raises(requests.MemoryIsOff, match="Turn memory on first"):
            requests.bring(bob, io.BytesIO(file))
        switch.switch_memory(bob, on=True)
    key = brought(bob, file).pk
    tell(bob, "I live in Oslo")
    with acting_as(bob), pytest.raises(requests.NotEmpty):
        requests.accept(bob, key)
    assert values(bob, "location") == {"Oslo"}


@for_real
def test_what_is_said_between_the_yes_and_the_worker_stays_and_is_said(
    file: bytes, bob: User
) -> None:
    key = brought(bob, file).pk
    with acting_as(bob):
        requests.accept(bob, key)
    tell(bob, "I live in Oslo")
    work.do_waiting_work()
    with acting_as(bob):
        done = Restore.objects.get(pk=key)
        assert (done.state, "Forget everything first" in done.failure) == (State.FAILED, True)
    assert values(bob, "location") == {"Oslo"}


@for_real
def test_one_is_restored_at_a_time_and_some_are_taken_a_day(
    file: bytes, bob: User, settings: Any
) -> None:
    settings.PRIVACY = settings.PRIVACY | {"restores_a_day": 2}
    first_one = brought(bob, file)
    second = brought(bob, file)
    with acting_as(bob):
        assert requests.accept(bob, first_one.pk) is None
        assert RestorePiece.objects.values("restore").distinct().get()["restore"] == second.pk
        requests.accept(bob, second.pk)
        with pytest.raises(transfers.OneAtATime):
            requests.bring(bob, io.BytesIO(file))
        assert requests.cancel(bob, second.pk)
        assert not requests.cancel(bob, second.pk)
        assert not RestorePiece.objects.exists()
        with pytest.raises(transfers.TooMany, match="up to 2 copies a day"):
            requests.bring(bob, io.BytesIO(file))


@for_real
def test_two_who_say_yes_at_once_begin_one(file: bytes, bob: User) -> None:
    key = brought(bob, file).pk

    def accept() -> Any:
        with acting_as(bob):
            return requests.accept(bob, key)

    outcomes = together(accept, accept)
    assert sum(isinstance(one, Restore) for one in outcomes) == 1
    with acting_as(bob):
        assert Work.objects.filter(kind=Restore.KIND).count() == 1


@for_real
def test_what_is_cancelled_in_the_middle_leaves_nothing(
    file: bytes, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_right = writing.put_right

    def cancelled_meanwhile(user: User) -> None:
        def cancel() -> None:
            with acting_as(user):
                requests.cancel(user, Restore.objects.get().pk)
            connection.close()

        other = threading.Thread(target=cancel)
        other.start()
        other.join()
        put_right(user)

    monkeypatch.setattr(writing, "put_right", cancelled_meanwhile)
    assert restored(bob, file).state == State.CANCELLED
    with acting_as(bob):
        assert requests.is_empty(bob.pk)
        assert not Work.objects.exists()


@for_real
def test_who_fails_in_the_middle_leaves_nothing_and_the_next_one_begins_anew(
    file: bytes, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(writing, "put_right", lambda user: 1 / 0)
        assert restored(bob, file).state == State.MAKING
    with acting_as(bob):
        assert not Message.objects.exists()
        assert not ProfileFact.objects.exists()
    let_time_pass(bob)
    work.do_waiting_work()
    with acting_as(bob):
        assert Restore.objects.get().state == State.READY
    assert values(bob, "employer") == {"Qwertzfirm"}


@for_real
def test_a_copy_that_nobody_said_yes_to_goes_after_a_day(file: bytes, bob: User) -> None:
    restore = brought(bob, file)
    assert requests.drop_all_expired() == 0
    with acting_as(bob):
        Restore.objects.update(asked_at=restore.asked_at - transfers.WAITS)
    assert requests.drop_all_expired() == 1
    with acting_as(bob):
        assert not Restore.objects.exists()
        assert not RestorePiece.objects.exists()


def sent_to_the_api(api: Api, content: bytes) -> Any:
    return api.client.post(
        "/api/v1/restores",
        {"file": SimpleUploadedFile("copy.zip", content)},
        headers={"Authorization": f"Token {api.token}"},
    )


@for_real
def test_other_software_sends_looks_accepts_and_watches(
    file: bytes, alice_api: Api, bob_api: Api
) -> None:
    sent = sent_to_the_api(bob_api, file)
    assert (sent.status_code, sent.json()["state"]) == (201, "brought")
    assert sent.json()["rows"][FACTS] > 0
    place = sent["Location"].removeprefix("/api/v1/")
    assert alice_api.get(place).status_code == 404
    assert alice_api.post(f"{place}/accept").status_code == 404
    assert bob_api.post(f"{place}/accept").status_code == 202
    assert bob_api.post(f"{place}/accept").status_code == 409
    work.do_waiting_work()
    assert bob_api.get(place).json()["state"] == "ready"


@for_real
def test_the_page_shows_what_a_copy_holds_and_restores_it_after_a_yes(
    file: bytes, bob: User, as_bob: Client
) -> None:
    upload = {"file": SimpleUploadedFile("copy.zip", file)}
    page = as_bob.post("/notebook/privacy/restore/", upload, follow=True).content.decode()
    assert "Preview" in page
    assert "2 conversations and 2 messages" in page
    assert "Not restored: shared pages" in page
    with acting_as(bob):
        assert requests.is_empty(bob.pk)
        key = Restore.objects.get().pk
    page = as_bob.post(f"/notebook/privacy/restore/{key}/accept/", follow=True).content.decode()
    assert "Waiting to restore your copy" in page
    work.do_waiting_work()
    page = as_bob.get("/notebook/privacy/restore/progress/").content.decode()
    assert "Restored from your copy of" in page
    assert as_bob.post("/notebook/privacy/restore/").status_code == 422
