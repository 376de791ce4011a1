"""Operations on memory for whoever runs the site: metrics for Prometheus, spans, a dashboard."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import values

from accounts.models import User
from config.telemetry import BUCKETS, Metrics, Spans
from conversations.models import Message
from memory.core import tracing
from tests.people import Talk

DASHBOARD = Path(site.BASE_DIR) / "docs" / "grafana-memory.json"
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
def test_nobody_else_reads_the_counts(as_alice: Client, mira: User) -> None:
    assert read("another").status_code == 404
    assert as_alice.get("/metrics").status_code == 404
    staff = Client()
    staff.force_login(mira)
    assert staff.get("/metrics").status_code == 404


@pytest.mark.django_db
def test_without_a_token_of_the_site_there_are_no_counts() -> None:
    assert not site.METRICS_TOKEN
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


def test_the_dashboard_asks_for_what_is_counted(tmp_path: Path) -> None:
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    counted = Metrics(tmp_path)
    known = {
        *(f"{counted.operations._name}_total", f"{counted.tokens._name}_total"),
        *(f"{counted.seconds._name}_{end}" for end in ("bucket", "count", "sum")),
    }
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 5
    asked = {name for panel in panels for target in panel["targets"] for name in _names(target)}
    assert asked <= known
    assert len(asked) >= 4
    places = [panel["gridPos"] for panel in panels]
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for place in places:
        for other in places:
            assert place is other or not _overlap(place, other)


def test_the_slow_ones_have_a_bucket_of_their_own() -> None:
    assert site.MEMORY["slow_ms"] / 1000 in BUCKETS


def _names(target: dict[str, str]) -> set[str]:
    return set(re.findall(r"throughline_\w+", target["expr"]))


def _overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
    above = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
    return not beside and not above
