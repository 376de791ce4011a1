"""A copy of everything: asked for, made by the worker in one snapshot, downloaded by its owner."""

import io
import json
import re
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as
from accounts.database.owned import owned_models
from accounts.models import AuditEvent, User
from conversations.deletion import erase_all
from memory.models import ProfileFact
from privacy import exporting, parts, transfers
from privacy.models import Export, ExportPiece
from tests.accounts.test_isolation_tables import fill_the_notebook_of
from tests.people import Api, tell

for_real = pytest.mark.django_db(transaction=True)
State = Export.State


def made(user: User, *chosen: str) -> Export:
    """Ask for a copy and let the worker make it."""
    with acting_as(user):
        key = exporting.ask(user, chosen).pk
    work.do_waiting_work()
    with acting_as(user):
        return Export.objects.get(pk=key)


def opened(export: Export) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(exporting.pieces(export.user_id, export.pk))))


def rows(archive: zipfile.ZipFile, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(f"data/{table}.jsonl").splitlines()]


def test_every_table_that_is_taken_away_is_in_one_part() -> None:
    placed = [table for part in parts.PARTS.values() for table in part.tables]
    exported = [model._meta.label_lower for model in owned_models() if model.exported]
    assert sorted(placed) == sorted([*exported, parts.AUDIT])


@for_real
def test_a_copy_has_all_rows_for_programs_and_all_words_for_people(alice: User, bob: User) -> None:
    fill_the_notebook_of(alice)
    tell(bob, "I live in Oslo")
    export = made(alice)
    assert (export.state, export.done, export.percent) == (State.READY, export.total, 100)
    with opened(export) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert (manifest["format"], manifest["version"]) == ("throughline.export", 3)
        for table, told in manifest["tables"].items():
            found = rows(archive, table)
            assert len(found) == told["rows"] > 0
            assert set(found[0]) == set(told["fields"])
        with acting_as(alice):
            values = set(ProfileFact.objects.for_user(alice.pk).values_list("value", flat=True))
        assert {row["value"] for row in rows(archive, "memory.profilefact")} == values
        text = b"".join(
            archive.read(name) for name in archive.namelist() if name.startswith("readable/")
        ).decode()
    assert "I live in Rome" in text
    assert all(value in text for value in values)
    assert "Oslo" not in text


@for_real
def test_one_is_made_at_a_time_and_some_a_day(alice: User, settings: Any) -> None:
    settings.PRIVACY = settings.PRIVACY | {"exports_a_day": 2}
    with acting_as(alice):
        first = exporting.ask(alice)
        with pytest.raises(transfers.OneAtATime):
            exporting.ask(alice)
        assert exporting.cancel(alice, first.pk)
        assert not exporting.cancel(alice, first.pk)
    assert made(alice).state == State.READY
    with acting_as(alice), pytest.raises(transfers.TooMany):
        exporting.ask(alice)
    with acting_as(alice), pytest.raises(exporting.UnknownPart):
        exporting.ask(alice, ["dreams"])


@for_real
def test_what_is_cancelled_while_it_is_made_leaves_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(alice, "I live in Rome")
    total = exporting.archive.total

    def cancelled_meanwhile(*given: Any) -> int:
        connection.cursor().execute("select 1")
        with_another_connection(alice)
        return total(*given)

    def with_another_connection(user: User) -> None:
        import threading

        def cancel() -> None:
            with acting_as(user):
                exporting.cancel(user, Export.objects.get().pk)
            connection.close()

        other = threading.Thread(target=cancel)
        other.start()
        other.join()

    monkeypatch.setattr(exporting.archive, "total", cancelled_meanwhile)
    assert made(alice).state == State.CANCELLED
    with acting_as(alice):
        assert not ExportPiece.objects.exists()


@for_real
def test_a_download_is_its_owners_and_logged_and_ends(
    alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    tell(alice, "I live in Rome")
    export = made(alice)
    page = as_alice.get("/notebook/privacy/").content.decode()
    # Signed with the second in which the page was made.
    (address,) = re.findall(r'href="(/notebook/privacy/copy/file/[^"]+)"', page)
    sent = as_alice.get(address)
    assert sent["Content-Type"] == "application/zip"
    assert as_bob.get(address).status_code == 404
    assert Client().get(address).status_code == 302
    tampered = address[:-1] + ("A" if address[-1] != "A" else "B")
    assert as_alice.get(tampered).status_code == 404
    with acting_as(alice):
        lines = AuditEvent.objects.for_user(alice.pk)
        assert lines.filter(deed="downloaded", subject=export.pk).count() == 1
        Export.objects.filter(pk=export.pk).update(expires_at=now() - timedelta(seconds=1))
    assert as_alice.get(address).status_code == 404
    assert exporting.drop_all_expired() == 1
    with acting_as(alice):
        assert not Export.objects.exists()
        assert not ExportPiece.objects.exists()


@for_real
def test_forgetting_everything_takes_the_copies_along(alice: User) -> None:
    tell(alice, "I live in Rome")
    made(alice)
    erase_all.forget_everything(alice)
    with acting_as(alice):
        assert not Export.objects.exists()
        assert not ExportPiece.objects.exists()


@for_real
def test_other_software_asks_watches_and_downloads(alice_api: Api, bob_api: Api) -> None:
    asked = alice_api.post("exports", {"parts": ["profile"]})
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    assert alice_api.post("exports").status_code == 409
    place = asked["Location"].removeprefix("/api/v1/")
    work.do_waiting_work()
    ready = alice_api.get(place).json()
    assert (ready["state"], ready["done"]) == ("ready", ready["total"])
    file = ready["file"].removeprefix("/api/v1/")
    assert alice_api.get(file).status_code == 200
    assert alice_api.get(file.partition("?")[0]).status_code == 404
    assert bob_api.get(file).status_code == 404
    assert bob_api.get(place).status_code == 404
    assert [one["id"] for one in alice_api.listed("exports")] == [ready["id"]]
    assert alice_api.post("exports", {"parts": ["dreams"]}).status_code == 400


@pytest.mark.django_db
def test_staff_see_that_it_was_asked_for_and_nothing_of_it(alice: User, mira: User) -> None:
    with acting_as(alice):
        exporting.ask(alice)
    staff = Client()
    staff.force_login(mira)
    page = staff.get("/admin/privacy/export/").content.decode()
    assert "alice@example.org" in page
    assert staff.get("/admin/privacy/exportpiece/").status_code == 404
