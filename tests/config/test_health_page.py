"""The staff page Health: how the site runs, for staff alone, without anybody's words."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils.timezone import now

from accounts import work
from accounts.database.isolation import acting_as_worker
from accounts.models import User, Work, WorkerSeen
from config.monitoring import last_backup, report
from conversations.llm import background
from tests.people import client_for

pytestmark = pytest.mark.django_db
HEALTH = "/admin/health/"


def job(kind: str = "topics", **more: Any) -> UUID:
    """A job of the site's own that is due."""
    with acting_as_worker():
        # A test is one transaction, and so one moment of the database's clock.
        due = now() - timedelta(minutes=1)
        return Work.objects.create(kind=kind, subject=uuid4(), run_after=due, **more).pk


def given_up(kind: str = "topics") -> UUID:
    return job(kind, attempts=work.MOST_ATTEMPTS, failure="TimeoutError", failed_at=now())


def state_of(pk: UUID) -> tuple[int, str] | None:
    with acting_as_worker():
        return Work.objects.filter(pk=pk).values_list("attempts", "failure").first()


def staff(*permissions: str) -> Client:
    user = User.objects.create_user("joe@example.org", "a phrase 42", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return client_for(user)


def shown(client: Client) -> str:
    answer = client.get(HEALTH)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.fixture
def no_note(tmp_path: Path, settings: Any) -> Path:
    """The place of the note about the last backup, which nobody wrote yet."""
    settings.LAST_BACKUP = str(tmp_path / "last-backup.json")
    return Path(settings.LAST_BACKUP)


def test_only_staff_who_may_see_jobs_see_it(alice: User, bob: User, mira: User) -> None:
    pk = given_up()
    for visitor in (Client(), client_for(alice), client_for(bob)):
        assert visitor.get(HEALTH).status_code == 302
        assert visitor.post(f"{HEALTH}{pk}/retry/").status_code == 302
        assert visitor.post(f"{HEALTH}{pk}/drop/").status_code == 302
    without = staff()
    assert without.get(HEALTH).status_code == 403
    assert without.post(f"{HEALTH}{pk}/retry/").status_code == 403
    assert without.post(f"{HEALTH}{pk}/drop/").status_code == 403
    assert state_of(pk) == (work.MOST_ATTEMPTS, "TimeoutError")
    assert client_for(mira).get(HEALTH).status_code == 200


def test_staff_without_the_right_to_change_jobs_only_look(db: None) -> None:
    pk = given_up()
    looking = staff("view_work")
    page = shown(looking)
    assert "TimeoutError" in page
    assert f"{pk}/retry/" not in page
    assert f"{pk}/drop/" not in page
    assert looking.post(f"{HEALTH}{pk}/retry/").status_code == 403


def test_it_shows_jobs_by_kind_of_everybody_and_their_failures(alice: User, mira: User) -> None:
    job("topics")
    job("topics", attempts=2, failure="ConnectionError", failed_at=now() - timedelta(hours=3))
    with acting_as_worker():
        due = now() - timedelta(minutes=7, seconds=5)
        Work.objects.create(user=alice, kind="learn", subject=uuid4(), run_after=due)
    page = shown(client_for(mira))
    assert (
        'learn</th> <td data-label="Due">1</td> <td data-label="Oldest due for">7 minutes</td>'
        in page
    )
    assert 'topics</th> <td data-label="Due">2</td>' in page
    assert "ConnectionError" in page
    assert "3 hours ago" in page
    assert alice.email not in page


def test_a_job_that_was_given_up_is_tried_again(mira: User) -> None:
    pk = given_up()
    client = client_for(mira)
    answer = client.post(f"{HEALTH}{pk}/retry/", follow=True)
    assert "The job is tried again now." in answer.content.decode()
    assert state_of(pk) == (0, "")
    with acting_as_worker():
        assert Work.objects.get(pk=pk).run_after <= now()


def test_a_job_that_was_given_up_is_dropped(mira: User) -> None:
    pk, other = given_up(), given_up()
    answer = client_for(mira).post(f"{HEALTH}{pk}/drop/", follow=True)
    assert "The job was dropped." in answer.content.decode()
    assert state_of(pk) is None
    assert state_of(other) is not None


def test_what_still_runs_or_was_promised_to_a_person_is_not_dropped(mira: User) -> None:
    waiting, promised = job(), given_up("delete_account")
    client = client_for(mira)
    page = shown(client)
    assert f"{promised}/retry/" in page
    assert f"{promised}/drop/" not in page
    for pk in (waiting, promised):
        answer = client.post(f"{HEALTH}{pk}/drop/", follow=True)
        assert "no longer waiting for a decision" in answer.content.decode()
        assert state_of(pk) is not None
    assert client.post(f"{HEALTH}{waiting}/retry/", follow=True).status_code == 200
    assert state_of(waiting) == (0, "")


def test_a_decision_is_posted_and_never_followed(mira: User) -> None:
    pk = given_up()
    assert client_for(mira).get(f"{HEALTH}{pk}/retry/").status_code == 405
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(mira)
    assert forged.post(f"{HEALTH}{pk}/drop/").status_code == 403
    assert state_of(pk) is not None


def test_a_failure_is_kept_with_its_time_and_class_only(db: None) -> None:
    pk = job("no such kind")
    held = work.claim_next()
    assert held is not None
    with acting_as_worker():
        work.give_back(held, "ValueError")
        row = Work.objects.get(pk=pk)
    assert row.failure == "ValueError"
    assert row.failed_at is not None


def test_it_names_workers_seen_within_a_day(mira: User) -> None:
    WorkerSeen.objects.create(host="worker-a", at=now())
    WorkerSeen.objects.create(host="worker-old", at=now() - timedelta(days=2))
    page = shown(client_for(mira))
    assert "worker-a" in page
    assert "worker-old" not in page


def test_it_shows_the_configured_models_and_that_one_rests(mira: User, settings: Any) -> None:
    client = client_for(mira)
    assert shown(client).count("Not connected") == 2
    settings.OPENAI_BASE_URL, settings.CHAT_MODEL = "http://user:secret@model.test/v1", "small"
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "https://x@vectors.test/v1", "words"
    page = shown(client)
    assert "small at model.test; no failure lately" in page
    assert "words at vectors.test; no failure lately" in page
    assert "secret" not in page
    background._note_failure(0)
    assert "small at model.test failed lately" in shown(client)


def test_it_shows_size_connections_disk_and_version(mira: User, settings: Any) -> None:
    page = shown(client_for(mira))
    gathered = report.gather()
    assert gathered.site is not None
    assert gathered.site.database.in_use >= 1
    assert gathered.site.database.all >= gathered.site.database.in_use + gathered.site.database.idle
    assert 0 < gathered.disk.free <= gathered.disk.size
    assert settings.VERSION in page
    assert "All applied" in page


def test_it_tells_the_age_of_the_last_backup_where_one_is_known(mira: User, no_note: Path) -> None:
    assert "Not known" in shown(client_for(mira))
    at = now() - timedelta(days=3)
    last_backup.note_backup(at, 2048)
    assert last_backup.last_backup() == last_backup.LastBackup(at, 2048)
    assert "3 days ago (2.0 KB)" in shown(client_for(mira))


@pytest.mark.parametrize("note", ["", "{}", "[]", '{"at": 5, "size": 1}', '{"at": "x", "size": 1}'])
def test_a_note_that_cannot_be_read_is_none(no_note: Path, note: str) -> None:
    no_note.write_text(note)
    assert last_backup.last_backup() is None


def test_a_note_that_cannot_be_written_fails_no_backup(settings: Any, tmp_path: Path) -> None:
    settings.LAST_BACKUP = str(tmp_path / "missing" / "note.json")
    last_backup.note_backup(datetime(2026, 1, 1, tzinfo=UTC), 1)
    assert last_backup.last_backup() is None


def test_its_queries_do_not_grow_with_the_jobs(
    mira: User, django_assert_max_num_queries: Any
) -> None:
    client = client_for(mira)
    shown(client)
    with django_assert_max_num_queries(30) as few:
        shown(client)
    for number in range(30):
        given_up(f"kind {number}")
        job(f"kind {number}", attempts=1, failure="OSError", failed_at=now())
        WorkerSeen.objects.create(host=f"worker {number}", at=now())
    with django_assert_max_num_queries(len(few)) as many:
        shown(client)
    assert len(many) == len(few)


def test_health_page_and_probe_say_the_same(mira: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "worker_seen", lambda: now() - timedelta(seconds=90))
    said = Client().get("/healthz").json()
    assert said["worker"] == "was last seen 90 seconds ago"
    assert "Was last seen 90 seconds ago" in shown(client_for(mira))
