"""Slow statements and recalls are logged with their request, and without any value."""

from typing import Any

import pytest
from django.db import connection
from structlog.testing import capture_logs

from accounts.database import slow_log
from accounts.database.slow_log import fingerprint
from accounts.models import User
from accounts.support.visit import current_visit
from tests.people import Talk, client_for

pytestmark = pytest.mark.django_db
SLEEP = "select pg_sleep(%s), %s"
SECRET = "Umbrella Corporation"


def slow(logs: list[Any], event: str = "slow_statement") -> list[dict[str, Any]]:
    return [line for line in logs if line["event"] == event]


def run(seconds: float) -> list[dict[str, Any]]:
    with capture_logs() as logs, connection.cursor() as cursor:
        cursor.execute(SLEEP, [seconds, SECRET])
    return slow(logs)


def test_a_slow_statement_is_logged_without_its_values(settings: Any) -> None:
    settings.SLOW_QUERY_MS = 50
    (line,) = run(0.06)
    assert line["statement"] == SLEEP
    assert line["milliseconds"] >= 60
    assert SECRET not in str(line)


def test_a_quick_one_and_zero_are_not_logged(settings: Any) -> None:
    settings.SLOW_QUERY_MS = 60_000
    assert run(0.0) == []
    settings.SLOW_QUERY_MS = 0
    assert run(0.06) == []


def test_it_names_the_request_and_its_route(mira: User, settings: Any) -> None:
    settings.SLOW_QUERY_MS = 1
    held = slow_log.log_if_slow
    with capture_logs() as logs, pytest.MonkeyPatch.context() as patch:
        patch.setattr(slow_log, "log_if_slow", lambda sql, seconds: held(sql, seconds + 1))
        client_for(mira).get("/admin/", headers={"X-Request-ID": "walk-7"})
    named = [line for line in slow(logs) if "route" in line]
    assert named
    assert {line["route"] for line in named} == {"GET /admin/"}
    assert {line["request_id"] for line in named} == {"walk-7"}
    assert current_visit.get() is None


def test_the_route_holds_no_words_of_the_address(alice: User, settings: Any) -> None:
    settings.SLOW_QUERY_MS = 1
    held = slow_log.log_if_slow
    with capture_logs() as logs, pytest.MonkeyPatch.context() as patch:
        patch.setattr(slow_log, "log_if_slow", lambda sql, seconds: held(sql, seconds + 1))
        client_for(alice).get(f"/api/v1/namespaces/project/entries/{SECRET}")
    assert slow(logs)
    assert SECRET not in str(slow(logs))
    assert "Umbrella" not in str(slow(logs))


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("select 'it''s Rome'", "select ?"),
        ("select $q$Rome$q$, $$it's$$", "select ?, …"),
        ("select *\n  from t1\n where id in (%s, %s,%s)", "select * from t1 where id in (%s, …)"),
        ("insert into t (a, b) values (%s, %s), (%s, %s)", None),
        ("select * from t limit 21", "select * from t limit ?"),
        ("select " + "x" * 5_000, "select " + "x" * 1_993),
    ],
)
def test_a_fingerprint_is_one_short_line_without_literals(sql: str, text: str | None) -> None:
    made = fingerprint(sql)
    assert "\n" not in made
    assert len(made) <= 2_000
    assert "Rome" not in made
    assert text is None or made == text


def test_slow_recalls_are_logged_by_a_limit_of_their_own(alice: User, settings: Any) -> None:
    settings.MEMORY = settings.MEMORY | {"slow_ms": 3_600_000.0}
    for limit, logged in ((3_600_000, False), (0, False), (1, True)):
        settings.SLOW_RECALL_MS = limit
        with capture_logs() as logs:
            talk = Talk(alice)
            talk.say("I work at Umbrella Corporation")
            talk.say("Where do I work?")
        lines = slow(logs, "slow_memory_operation")
        assert bool(lines) is logged
        assert {line["verb"] for line in lines} <= {"recall"}
        assert "Umbrella" not in str(lines)
