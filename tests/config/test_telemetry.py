"""Operations on memory for whoever runs the site: metrics for Prometheus, spans, a dashboard."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.db import connection
from django.test import Client
from django.utils.timezone import now
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import values

from accounts import work
from accounts.database.isolation import acting_as_worker
from accounts.models import User, Work
from accounts.support.measuring import measure_listeners
from config.telemetry import Metrics, Spans
from conversations import llm
from conversations.llm import trying
from conversations.models import Message
from memory.core import tracing
from tests.fakes.model_server import ModelServer
from tests.people import Talk, client_for

REQUESTS = "throughline_http_requests_total"
SAID = "I live in Rome and I work at Google"


@pytest.fixture
def counted(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A site that counts, with a token for who reads it."""
    settings.METRICS_DIR, settings.METRICS_TOKEN = tmp_path / "metrics", "a-token-of-the-house"
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    # The library keeps the files that it opened first for the whole process.
    monkeypatch.setattr(values, "ValueClass", values.MultiProcessValue())
    metrics = Metrics(settings.METRICS_DIR)
    tracing.operation_exporters.append(metrics.count)
    measure_listeners.append(metrics.observe)
    yield
    tracing.operation_exporters.remove(metrics.count)
    measure_listeners.remove(metrics.observe)


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    sending = Spans(exporter, at_once=True)
    tracing.operation_exporters.append(sending.export)
    yield exporter
    tracing.operation_exporters.remove(sending.export)


def read(token: str) -> Any:
    return Client().get("/metrics", headers={"Authorization": f"Bearer {token}"})


@pytest.mark.usefixtures("counted")
def test_what_was_done_is_counted_without_keys_and_words(alice: User) -> None:
    Talk(alice).say(SAID)
    told = read("a-token-of-the-house")
    assert told.status_code == 200
    text = told.content.decode()
    assert re.search(r'memory_operations_total\{.*verb="learn".*\} 1\.0', text)
    assert "throughline_memory_operation_seconds_bucket" in text
    assert not [word for word in ("Rome", "Google", str(alice.pk)) if word in text]


def sample(text: str, name: str, **labels: str) -> float | None:
    """The value of a series whose labels include these."""
    wanted = {f'{key}="{value}"' for key, value in labels.items()}
    for line in text.splitlines():
        series, _, value = line.rpartition(" ")
        if series.split("{")[0] == name and all(label in series for label in wanted):
            return float(value)
    return None


def counts() -> str:
    answer = read("a-token-of-the-house")
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.usefixtures("counted")
def test_requests_are_counted_by_route_and_status_without_ids(as_alice: Client) -> None:
    as_alice.get(f"/api/v1/conversations/{uuid4()}")
    as_alice.get("/talk/")
    as_alice.get("/Wilhelmina")
    as_alice.generic("BREW", "/talk/")
    text = counts()
    route = "/api/v1/conversations/<uuid:pk>"
    assert sample(text, REQUESTS, method="GET", route=route, status="404") == 1
    assert sample(text, REQUESTS, method="GET", route="/talk/", status="200") == 1
    assert sample(text, REQUESTS, route="no such address", status="404") == 1
    assert sample(text, REQUESTS, method="other", route="/talk/") == 1
    assert sample(text, "throughline_http_request_seconds_count", route="/talk/") == 2
    assert "Wilhelmina" not in text
    assert "BREW" not in text


@pytest.mark.usefixtures("counted", "db")
def test_jobs_are_counted_by_kind_and_result(settings: Any) -> None:
    handlers = {"well": "accounts.work.finish", "ill": "accounts.work.renew.nothing"}
    settings.WORK_HANDLERS = settings.WORK_HANDLERS | handlers
    due = now() - timedelta(minutes=1)
    with acting_as_worker():
        for kind in handlers:
            Work.objects.create(kind=kind, subject=uuid4(), run_after=due)
        Work.objects.create(kind="rests", subject=uuid4(), run_after=due, attempts=6, failure="X")
    held = work.claim_next(), work.claim_next()
    for claim in held:
        assert claim is not None
        with acting_as_worker():
            work._run_handler(claim)
    text = counts()
    assert sample(text, "throughline_jobs_total", kind="well", result="done") == 1
    assert sample(text, "throughline_jobs_total", kind="ill", result="failed") == 1
    assert sample(text, "throughline_job_seconds_count", kind="ill") == 1
    assert sample(text, "throughline_jobs_failing", kind="ill") == 1
    assert sample(text, "throughline_jobs_given_up", kind="rests") == 1
    assert sample(text, "throughline_job_oldest_seconds", kind="rests") == 0


@pytest.mark.usefixtures("counted", "db")
def test_calls_of_the_model_are_counted_by_their_result(settings: Any) -> None:
    with ModelServer(script="normal") as server:
        settings.OPENAI_BASE_URL, settings.CHAT_MODEL = server.url, "small"
        list(llm.stream([{"role": "user", "content": SAID}]))
        trying.try_each(llm.current())
    settings.MODEL_RETRIES = 0
    with pytest.raises(llm.ModelFailure):
        list(llm.stream([{"role": "user", "content": SAID}]))
    text, calls = counts(), "throughline_model_calls_total"
    assert sample(text, calls, use="answer", result="answered") == 1
    assert sample(text, calls, use="trial", result="answered") == 1
    assert sample(text, calls, use="answer", result="unreachable") == 1
    assert sample(text, "throughline_model_call_seconds_count", use="answer") == 2
    assert "Rome" not in text


@pytest.mark.usefixtures("counted", "db")
def test_without_a_database_the_counts_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    read("another")
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nonexistent")
    text = counts()
    assert sample(text, "throughline_part_up", part="database") == 0
    assert sample(text, REQUESTS, route="/metrics", status="404") == 1
    assert sample(text, "throughline_database_size_bytes") is None


@pytest.mark.usefixtures("counted", "db")
def test_counts_of_another_process_are_added(settings: Any) -> None:
    Client().get("/talk/")
    script = (
        "import sys, django; from pathlib import Path; django.setup();"
        "from config.telemetry import Metrics;"
        "Metrics(Path(sys.argv[1])).observe('http_request', 0.1,"
        " {'method': 'GET', 'route': '/talk/', 'status': '302'})"
    )
    other = [sys.executable, "-c", script, str(settings.METRICS_DIR)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run(other, check=True, cwd=site.BASE_DIR, env=environment)
    assert sample(counts(), REQUESTS, route="/talk/", status="302") == 2


@pytest.mark.usefixtures("counted", "db")
def test_nobody_else_reads_the_counts(as_alice: Client, mira: User, settings: Any) -> None:
    staff = client_for(mira)
    assert [client.get("/metrics").status_code for client in (as_alice, staff)] == [404, 404]
    assert read("another").status_code == 404
    settings.METRICS_TOKEN = ""
    assert read("").status_code == 404


def test_the_spans_of_a_turn_are_one_trace(alice: User, spans: InMemorySpanExporter) -> None:
    Talk(alice).say(SAID)
    question = Message.objects.filter(role=Message.Role.USER)
    from accounts.database.isolation import acting_as

    with acting_as(alice):
        asked = question.get()
    ours = [
        span
        for span in spans.get_finished_spans()
        if span.context is not None and span.context.trace_id == asked.pk.int
    ]
    assert {"memory.learn", "memory.recall"} <= {span.name for span in ours}
    for span in ours:
        assert span.end_time is not None
        assert span.start_time is not None
        assert span.end_time >= span.start_time
        assert "Rome" not in str(span.attributes)
