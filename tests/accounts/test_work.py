"""Waiting work: claimed by one, given back when it fails, taken over when its holder dies."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import ProgrammingError
from django.utils.timezone import now
from pytest_django import Settings

from accounts import work
from accounts.database.isolation import acting_as, acting_as_worker
from accounts.models import User, Work, WorkerSeen
from config.celery import app
from tests.people import let_time_pass, together

done: list[work.Claim] = []


def note_it(held: work.Claim) -> None:
    """A handler that does its work."""
    with held.acting():
        assert work.still_holding(held)
        done.append(held)
        work.finish(held)


def break_down(held: work.Claim) -> None:
    """A handler that never manages."""
    raise ArithmeticError("with words that nobody may read in a log")


def take_long(held: work.Claim) -> None:
    """A handler that is busy for a while."""
    pause(0.8)
    note_it(held)


@pytest.fixture(autouse=True)
def handlers(settings: Settings) -> Iterator[None]:
    here = "tests.accounts.test_work"
    settings.WORK_HANDLERS = {"good": f"{here}.note_it", "bad": f"{here}.break_down"}
    yield
    done.clear()


def wait(user: User, kind: str = "good", **changes: Any) -> Work:
    """One row of waiting work, due now."""
    with acting_as(user):
        return Work.objects.create(
            user=user,
            kind=kind,
            subject=uuid4(),
            **{"run_after": now() - timedelta(minutes=1), **changes},
        )


def claimed(row: Work) -> work.Claim | None:
    return work.claim(row.user_id, row.kind, row.subject)


def again(row: Work) -> Work | None:
    with acting_as(row.user_id):
        return Work.objects.filter(pk=row.pk).first()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", [claimed, lambda _: work.claim_next()], ids=["by name", "next"])
def test_of_eight_who_claim_at_once_one_gets_it(alice: User, how: Callable[[Work], Any]) -> None:
    row = wait(alice)
    results = together(*[lambda: how(row)] * 8)
    winners = [result for result in results if result is not None]
    assert [winner.work_id for winner in winners] == [row.pk]
    assert work.claim_next() is None


@pytest.mark.django_db
def test_work_is_done_in_the_order_in_which_it_fell_due(alice: User, bob: User) -> None:
    late, early = wait(alice), wait(bob, run_after=now() - timedelta(minutes=2))
    not_yet = wait(alice, run_after=now() + timedelta(minutes=1))
    assert work.do_waiting_work() == 2
    assert [held.work_id for held in done] == [early.pk, late.pk]
    assert again(not_yet)
    assert again(late) is None


@pytest.mark.django_db
def test_when_a_lease_runs_out_another_takes_over_and_the_late_finisher_cannot_finish(
    alice: User,
) -> None:
    row = wait(alice)
    late = claimed(row)
    assert late is not None
    assert claimed(row) is None
    let_time_pass(alice)
    successor = claimed(row)
    assert successor is not None
    assert successor.attempt == late.attempt + 1
    with acting_as(alice):
        assert not work.still_holding(late)
        assert not work.finish(late)
        work.give_back(late, "too late")
        assert work.still_holding(successor)
    assert claimed(row) is None
    with acting_as(alice):
        assert work.finish(successor)
        assert not work.finish(successor)


@pytest.mark.django_db
def test_a_claim_of_somebody_elses_work_finds_nothing(alice: User, bob: User) -> None:
    row = wait(alice)
    assert work.claim(bob.pk, row.kind, row.subject) is None
    assert claimed(row) is not None


@pytest.mark.django_db
def test_failing_work_is_tried_later_and_later_and_then_rests(alice: User) -> None:
    row = wait(alice, "bad")
    pauses = []
    for _ in range(work.MOST_ATTEMPTS + 2):
        work.do_waiting_work()
        kept = again(row)
        assert kept is not None
        pauses.append(round((kept.run_after - now()).total_seconds()))
        let_time_pass(alice)
    assert pauses[: work.MOST_ATTEMPTS] == [2, 4, 8, 16, 32, 64]
    assert kept.attempts == work.MOST_ATTEMPTS
    assert kept.failure == "ArithmeticError"


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["bad", "unknown"])
def test_one_that_fails_does_not_keep_the_others_from_being_done(alice: User, kind: str) -> None:
    wait(alice, kind, run_after=now() - timedelta(minutes=2))
    good = wait(alice)
    assert work.do_waiting_work() == 1
    assert [held.work_id for held in done] == [good.pk]


def of_the_site() -> list[Work]:
    with acting_as_worker():
        return list(Work.objects.filter(user=None))


@pytest.mark.django_db
def test_work_of_the_site_itself_waits_beside_that_of_people_and_is_done(alice: User) -> None:
    wait(alice)
    work.enqueue_for_site("good", delay=-60)
    work.enqueue_for_site("good", delay=-60)
    (row,) = of_the_site()
    assert work.do_waiting_work() == 2
    assert {held.owner for held in done} == {alice.pk, None}
    assert of_the_site() == []
    held = next(held for held in done if held.work_id == row.pk)
    with pytest.raises(LookupError, match="belongs to nobody"):
        _ = held.user_id


@pytest.mark.django_db
def test_work_of_the_site_that_fails_is_tried_later_and_its_lease_is_renewed() -> None:
    work.enqueue_for_site("bad", delay=-60)
    assert work.do_waiting_work() == 0
    (row,) = of_the_site()
    assert (row.attempts, row.failure, row.lease_until) == (1, "ArithmeticError", None)
    with acting_as_worker():
        Work.objects.update(run_after=now() - timedelta(minutes=1))
    held = work.claim_next()
    assert held is not None
    assert work.renew(held)


@pytest.mark.django_db
def test_nobody_but_the_worker_sees_or_writes_work_of_the_site(alice: User) -> None:
    work.enqueue_for_site("good", delay=-60)
    with acting_as(alice):
        assert not Work.objects.exists()
        assert Work.objects.all().delete()[0] == 0
    with pytest.raises(ProgrammingError, match="row-level security"), acting_as(alice):
        Work.objects.create(user=None, kind="good", subject=uuid4(), run_after=now())
    assert len(of_the_site()) == 1


@pytest.mark.django_db
def test_only_whoever_holds_work_renews_its_lease(alice: User) -> None:
    row = wait(alice)
    first = claimed(row)
    assert first is not None
    assert work.renew(first)
    let_time_pass(alice)
    second = claimed(row)
    assert second is not None
    assert not work.renew(first)
    assert work.renew(second)


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_for_as_long_as_the_work_takes(alice: User, settings: Settings) -> None:
    settings.WORK_LEASE_SECONDS = 0.6
    row = wait(alice)
    held = claimed(row)
    assert held is not None
    with work.keeping(held):
        first = again(row)
        results = [claimed(row) for _ in range(6) if not pause(0.2)]
        later = again(row)
    assert results == [None] * 6
    assert first is not None
    assert later is not None
    assert later.lease_until > first.lease_until
    pause(0.9)
    assert claimed(row) is not None


def pause(seconds: float) -> None:
    import time

    time.sleep(seconds)


@pytest.mark.django_db
def test_the_health_of_the_work_can_be_read(alice: User) -> None:
    assert work.worker_seen() is None
    assert work.oldest_waiting() is None
    row = wait(alice, run_after=now() - timedelta(minutes=3))
    assert work.oldest_waiting() == row.run_after
    work.do_waiting_work()
    assert work.oldest_waiting() is None
    assert now() - work.worker_seen() < timedelta(seconds=10)
    work.beat()
    assert WorkerSeen.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_seen_to_be_alive_in_the_middle_of_long_work(
    alice: User, settings: Settings
) -> None:
    settings.WORKER_HEARTBEAT_SECONDS = 0.2
    settings.WORK_HANDLERS = {"long": "tests.accounts.test_work.take_long"}
    wait(alice, "long")
    began = now()
    work.do_waiting_work()
    assert work.worker_seen() - began > timedelta(seconds=0.4)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_costs_no_work(
    alice: User, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError

    settings.CELERY_BROKER_URL = "redis://localhost/0"
    monkeypatch.setattr(app, "send_task", refuse)
    with acting_as(alice):
        work.enqueue(alice, "good", uuid4())
    assert work.do_waiting_work() == 1
