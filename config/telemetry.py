"""Telemetry of the site: Prometheus metrics and OpenTelemetry spans.

Both are off unless an environment variable enables them, and contain neither keys nor text. Values
that are read at each scrape, such as the number of waiting jobs, are in `config.monitoring.gauges`.
"""

import hmac
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.support.measuring import Measured, measure_listeners
from memory.core.tracing import Operation, operation_exporters

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

# Buckets in seconds; the threshold of slow operations is one of them.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
# The same for what takes longer.
LONG_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0)
# What is measured besides: the names of its counter and histogram, its words, all its labels, and
# those by which its duration is told.
MEASURED: dict[Measured, tuple[str, str, str, tuple[str, ...], tuple[str, ...]]] = {
    "http_request": (
        "throughline_http_requests",
        "throughline_http_request_seconds",
        "HTTP requests, until the answer or the beginning of a stream.",
        ("method", "route", "status"),
        ("route",),
    ),
    "job": (
        "throughline_jobs",
        "throughline_job_seconds",
        "Background jobs.",
        ("kind", "result"),
        ("kind",),
    ),
    "model_call": (
        "throughline_model_calls",
        "throughline_model_call_seconds",
        "Calls of the language model and of the embedding server.",
        ("use", "result"),
        ("use",),
    ),
}


def begin() -> None:
    """Connect the exporters enabled by settings; once in a process, before its first operation."""
    if settings.METRICS_TOKEN:
        metrics_of_process = Metrics(settings.METRICS_DIR)
        operation_exporters.append(metrics_of_process.count)
        measure_listeners.append(metrics_of_process.observe)
    if settings.OTEL_ENDPOINT:
        operation_exporters.append(Spans.to_endpoint().export)


# --- Prometheus -----------------------------------------------------------------------------------


class Metrics:
    """Counters of this process, in files that `/metrics` sums over all processes."""

    def __init__(self, place: Path) -> None:
        place.mkdir(parents=True, exist_ok=True)
        # Set before the import: the library reads it when loaded.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(place)
        from prometheus_client import CollectorRegistry, Counter, Histogram

        registry = CollectorRegistry()
        self.operations = Counter(
            "throughline_memory_operations",
            "Operations on memory.",
            ["verb", "namespace", "door", "outcome"],
            registry=registry,
        )
        self.seconds = Histogram(
            "throughline_memory_operation_seconds",
            "Duration of memory operations.",
            ["verb"],
            buckets=BUCKETS,
            registry=registry,
        )
        self.tokens = Counter(
            "throughline_memory_tokens_saved",
            "Tokens saved by the compact form, compared with full sentences.",
            ["namespace"],
            registry=registry,
        )

        # Of what is measured: its counter with all labels, and its histogram with some of them.
        self.measured = {
            what: (
                Counter(count, words, labels, registry=registry),
                Histogram(
                    duration,
                    f"Duration. {words}",
                    timed_by,
                    buckets=LONG_BUCKETS,
                    registry=registry,
                ),
                timed_by,
            )
            for what, (count, duration, words, labels, timed_by) in MEASURED.items()
        }

    def observe(self, what: Measured, seconds: float, labels: Mapping[str, str]) -> None:
        """Count one request, job or call of a model, and its duration."""
        counter, histogram, timed_by = self.measured[what]
        counter.labels(**labels).inc()
        histogram.labels(*(labels[name] for name in timed_by)).observe(seconds)

    def count(self, done: Operation) -> None:
        """Count one operation."""
        labels = (done.verb.value, done.namespace, done.door.value, done.outcome.value)
        self.operations.labels(*labels).inc()
        self.seconds.labels(done.verb.value).observe(done.milliseconds / 1000)
        self.tokens.labels(done.namespace).inc(max(0, done.tokens_saved))


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics of all processes to holders of METRICS_TOKEN. Raises Http404."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    sent = request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(sent.encode(), expected.encode()):
        raise Http404
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    from config.monitoring.gauges import SiteCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(settings.METRICS_DIR))  # type: ignore[no-untyped-call]
    registry.register(SiteCollector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


# --- OpenTelemetry --------------------------------------------------------------------------------


class Spans:
    """Exports each operation as a span; operations of one turn share a trace across processes."""

    def __init__(self, exporter: "SpanExporter", *, at_once: bool = False) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        self.provider = TracerProvider(resource=Resource.create({"service.name": "throughline"}))
        processor = SimpleSpanProcessor if at_once else BatchSpanProcessor
        self.provider.add_span_processor(processor(exporter))

    @classmethod
    def to_endpoint(cls) -> "Spans":
        """Return an exporter to OTEL_EXPORTER_OTLP_ENDPOINT. Raises ModuleNotFoundError."""
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        return cls(OTLPSpanExporter())

    @cached_property
    def tracer(self) -> Any:
        """Return the tracer."""
        return self.provider.get_tracer("throughline.memory")

    def export(self, done: Operation) -> None:
        """Export one operation with its start and end time."""
        from opentelemetry import trace

        # Trace ids have 128 bits, like UUIDs; the second half represents the request or message.
        parent = trace.SpanContext(
            trace_id=done.trace_id.int,
            span_id=done.trace_id.int & 0xFFFF_FFFF_FFFF_FFFF,
            is_remote=True,
            trace_flags=trace.TraceFlags(trace.TraceFlags.SAMPLED),
        )
        begun = int(done.at.timestamp() * 1e9)
        span = self.tracer.start_span(
            f"memory.{done.verb.value}",
            context=trace.set_span_in_context(trace.NonRecordingSpan(parent)),
            start_time=begun,
            attributes={
                "memory.namespace": done.namespace,
                "memory.outcome": done.outcome.value,
                "memory.door": done.door.value,
                "memory.statements": done.statements,
                "memory.tokens_saved": done.tokens_saved,
            },
        )
        span.end(begun + int(done.milliseconds * 1e6))
