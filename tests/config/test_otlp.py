"""Spans that really go out: OTLP over HTTP, read again as protobuf by a receiver."""

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from accounts.database.isolation import acting_as
from accounts.models import User
from config.telemetry import Spans
from conversations.models import Message
from memory.core import tracing
from tests.people import Talk

SAID = "I live in Rome and I work at Google"
ASKED = "Where do I live?"
ATTRIBUTES = ("namespace", "outcome", "door", "statements", "tokens_saved")
WORDS = ("Rome", "Google", "live", "alice@example.org", "Alice")


class Receiver(ThreadingHTTPServer):
    """A receiver of OTLP/HTTP that keeps what comes."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[bytes] = []
        self.paths: set[str] = set()

    def spans(self) -> list[Span]:
        """All spans so far."""
        sent = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        resources = [resource for request in sent for resource in request.resource_spans]
        names = {
            (entry.key, entry.value.string_value)
            for resource in resources
            for entry in resource.resource.attributes
        }
        assert ("service.name", "throughline") in names
        return [
            span for resource in resources for scope in resource.scope_spans for span in scope.spans
        ]


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_packed = self.headers.get("Content-Encoding") == "gzip"
        self.server.bodies.append(gzip.decompress(body) if is_packed else body)
        self.server.paths.add(self.path)
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def sending(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Spans]:
    """A process that sends its spans where the environment says."""
    endpoint = f"http://127.0.0.1:{receiver.server_address[1]}"
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
    spans = Spans.to_endpoint()
    tracing.operation_exporters.append(spans.export)
    yield spans
    tracing.operation_exporters.remove(spans.export)
    spans.provider.shutdown()


def test_the_spans_of_a_turn_arrive_as_one_trace_without_words(
    alice: User, receiver: Receiver, sending: Spans
) -> None:
    talk = Talk(alice)
    talk.say(SAID)
    answer = talk.say(ASKED)
    assert "Rome" in answer.content
    assert sending.provider.force_flush()

    assert receiver.paths == {"/v1/traces"}
    with acting_as(alice):
        turns = Message.objects.filter(role=Message.Role.USER)
        traces = {message.pk.bytes: message.content for message in turns}
    spans = receiver.spans()
    of_turns = {trace: [span for span in spans if span.trace_id == trace] for trace in traces}
    assert len(of_turns) == 2
    for ours in of_turns.values():
        assert {"memory.learn", "memory.recall"} <= {span.name for span in ours}
        assert len({span.span_id for span in ours}) == len(ours)
        # All stand beside each other below the turn.
        assert {span.parent_span_id for span in ours} == {ours[0].trace_id[8:]}
        for span in ours:
            assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
    held = {attribute.key for span in spans for attribute in span.attributes}
    assert held == {f"memory.{name}" for name in ATTRIBUTES}
    everything = b"".join(receiver.bodies)
    assert not [word for word in WORDS if word.encode() in everything]
    assert not [1 for key in (alice.pk.bytes, str(alice.pk).encode()) if key in everything]


def test_a_receiver_that_is_away_costs_no_turn(
    alice: User, receiver: Receiver, sending: Spans
) -> None:
    receiver.shutdown()
    receiver.server_close()
    assert "Rome" in Talk(alice).say(SAID).content + Talk(alice).say(ASKED).content
