"""Operations on memory for whoever runs the site: metrics for Prometheus, spans, a dashboard."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import values

from accounts.models import User
from config.telemetry import Metrics, Spans
from conversations.models import Message
from memory.core import tracing
from tests.people import Talk, client_for

SAID = "I live in Rome and I work at Google"


@pytest.fixture
def counted(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A site that counts, with a token for who reads it."""
    settings.METRICS_DIR, settings.METRICS_TOKEN = tmp_path / "metrics", "a-token-of-the-house"
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    # The library keeps the files that it opened first for the whole process.
    monkeypatch.setattr(values, "ValueClass", values.MultiProcessValue())
    count = Metrics(settings.METRICS_DIR).count
    tracing.operation_exporters.append(count)
    yield
    tracing.operation_exporters.remove(count)


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
