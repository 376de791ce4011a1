"""A stand-in for a language model: the OpenAI chat API over real HTTP, following a script.

In a test:

    with ModelServer(normal("Hello there.")) as server:
        ...  # OPENAI_BASE_URL=server.url; afterwards server.requests holds what was sent

By hand, to try the product without a model:

    python -m tests.fakes.model_server --port 9999 --script normal
    curl -X PUT localhost:9999/script -d 429     # change what it does while it runs
"""

from __future__ import annotations

import argparse
import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self, cast

Messages = list[dict[str, Any]]


@dataclass(frozen=True)
class Calls:
    """An answer that calls functions: (name, arguments), these as JSON or word for word."""

    functions: tuple[tuple[str, dict[str, Any] | str], ...]
    text: str = ""


def calls(*functions: tuple[str, dict[str, Any] | str], text: str = "") -> Calls:
    """Calls these functions, all at once, after saying `text`."""
    return Calls(functions, text)


Reply = str | Calls | Callable[[Messages], str | Calls]
Manner = Literal["answer", "status", "cut", "unfinished", "nonsense", "html", "empty", "raw"]
# How a refusal tells which parameter it is about: in a field of its own, within its sentence, as
# FastAPI does, or not at all.
Naming = Literal["param", "sentence", "loc", "unnamed"]


@dataclass(frozen=True)
class Script:
    """What the server does with each chat request.

    replies: one after the other, the last one for ever; none means a plain default.
    manner: how it answers. times: for so many requests, then it answers normally; None is always.
    status: the HTTP status of manner 'status'; code: the reason in its body, by default the usual
    one for the status; retry_after: seconds, sent with it.
    pieces: how many pieces of text get through before manner 'cut' or 'nonsense' strikes.
    first_pause, pause: seconds before the first piece and before each later one.
    finish: the finish_reason of manner 'answer'.
    usage: tokens in and out, counted in a last piece for a request that asks for it.
    broken_after_end: whether what follows the finish_reason is no JSON, and the socket closes.
    refuses: parameters whose presence is a 400 (422 for naming 'loc'); 'json_schema' and
    'json_object' are kinds of response_format, and 'stream' stands for a wish to stream.
    naming: how that refusal names the parameter.
    only_whole: whether it answers whole, as JSON, even where a stream was asked for.
    most_characters: longer prompts are a 400 with the code of a full context.
    raw, content_type: the body of manner 'raw', byte for byte, and its type.
    endless: whether `raw` or the answer is repeated until the reader leaves.
    """

    replies: tuple[Reply, ...] = ()
    manner: Manner = "answer"
    times: int | None = None
    status: int = 200
    retry_after: float | None = None
    code: str | None = None
    pieces: int = 0
    first_pause: float = 0.0
    pause: float = 0.0
    finish: str = "stop"
    usage: tuple[int, int] | None = None
    broken_after_end: bool = False
    refuses: tuple[str, ...] = ()
    naming: Naming = "param"
    only_whole: bool = False
    most_characters: int | None = None
    raw: tuple[bytes, ...] = ()
    content_type: str = "text/event-stream"
    endless: bool = False


def normal(
    *replies: Reply,
    pause: float = 0.0,
    finish: str = "stop",
    usage: tuple[int, int] | None = None,
) -> Script:
    """Answers, word by word when streamed."""
    return Script(replies=replies, pause=pause, finish=finish, usage=usage)


def refusing(*parameters: str, replies: Sequence[Reply] = (), naming: Naming = "param") -> Script:
    """Answers, and refuses every request with one of these parameters."""
    return Script(replies=tuple(replies), refuses=parameters, naming=naming)


def raw(*body: bytes, content_type: str = "text/event-stream", endless: bool = False) -> Script:
    """Answers 200 with these bytes; repeated until the reader leaves when `endless`."""
    return Script(manner="raw", raw=body, content_type=content_type, endless=endless)


def slow(*replies: Reply, first_pause: float = 0.0, pause: float = 0.0) -> Script:
    """Answers with pauses, in seconds."""
    return Script(replies=replies, first_pause=first_pause, pause=pause)


def failing(
    status: int,
    *,
    times: int | None = None,
    retry_after: float | None = None,
    code: str | None = None,
) -> Script:
    """Answers with an HTTP error, `times` times or always."""
    return Script(manner="status", status=status, times=times, retry_after=retry_after, code=code)


def cut(*replies: Reply, pieces: int = 3) -> Script:
    """Closes the socket in the middle of a streamed answer, after so many pieces."""
    return Script(replies=replies, manner="cut", pieces=pieces)


# The scripts that have a name on the command line and for `PUT /script`.
SCRIPTS: dict[str, Script] = {
    "normal": normal(pause=0.04),
    "slow": slow(first_pause=4.0, pause=0.5),
    "429": failing(429, retry_after=1),
    "500": failing(500),
    "401": failing(401),
    "cut": replace(cut(pieces=6), pause=0.04),
    "unfinished": Script(manner="unfinished"),
    "nonsense": Script(manner="nonsense", pieces=0),
    "html": Script(manner="html"),
    "empty": Script(manner="empty"),
}


class ModelServer:
    """Runs a script on a port of its own, from `with` to the end of the block.

    requests: the body of every POST so far, oldest first; headers: theirs, in the same order.
    url: what OPENAI_BASE_URL should be. abandoned: set once a reader left in mid-answer.
    """

    def __init__(self, script: Script | str = "normal", *, port: int = 0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.abandoned = threading.Event()
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self.play(script)
        self._http = _HTTPServer(("127.0.0.1", port), _Handler)
        self._http.model = self
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def play(self, script: Script | str) -> None:
        """Follow this script from the next request on."""
        with self._lock:
            self._script = SCRIPTS[script] if isinstance(script, str) else script
            self._served = 0

    def __enter__(self) -> Self:
        # The short poll is what makes leaving the block quick.
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()

    def note(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        """Record one request."""
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)

    def next_turn(self, body: dict[str, Any]) -> tuple[Script, str | Calls]:
        """What to do with this chat request, and the whole answer."""
        with self._lock:
            script, turn = self._script, self._served
            refused = next((name for name in script.refuses if _holds(body, name)), None)
            if refused is not None:
                return replace(script, manner="status", refuses=(refused,)), ""
            if script.most_characters is not None and _length(body) > script.most_characters:
                code = "context_length_exceeded"
                return replace(script, manner="status", status=400, code=code, refuses=()), ""
            self._served += 1
        failures = 0 if script.manner == "answer" else script.times
        if failures is not None and turn >= failures:
            script, turn = replace(script, manner="answer"), turn - failures
        if not script.replies:
            return script, _default_reply(body)
        reply = script.replies[min(turn, len(script.replies) - 1)]
        return script, reply(body["messages"]) if callable(reply) else reply


# Starts one with a script; the fixture that makes it points the product there.
Serve = Callable[..., ModelServer]


class _HTTPServer(ThreadingHTTPServer):
    model: ModelServer
    daemon_threads = True
    # Hundreds may come at the same moment; the default of five would let the rest wait a second.
    request_queue_size = 512


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60

    @property
    def model(self) -> ModelServer:
        return cast("_HTTPServer", self.server).model

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet: the test's output belongs to the test."""

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            model = {"id": "fake", "object": "model", "created": 0, "owned_by": "tests"}
            self._send_json(200, {"object": "list", "data": [model]})
        else:
            self._send_json(404, _error("There is nothing here.", "not_found"))

    def do_PUT(self) -> None:
        name = self._read_body().decode().strip()
        if self.path == "/script" and name in SCRIPTS:
            self.model.play(name)
            self._send_json(200, {"script": name})
        else:
            self._send_json(404, _error(f"Scripts: {', '.join(SCRIPTS)}.", "not_found"))

    def do_POST(self) -> None:
        body = json.loads(self._read_body())
        self.model.note(body, {name.lower(): value for name, value in self.headers.items()})
        try:
            if self.path == "/v1/chat/completions":
                self._chat(body)
            elif self.path == "/v1/embeddings":
                self._send_json(200, _embeddings(body))
            else:
                self._send_json(404, _error("There is nothing here.", "not_found"))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _chat(self, body: dict[str, Any]) -> None:
        script, reply = self.model.next_turn(body)
        if script.manner == "status":
            self._send_status(script)
        elif script.manner == "html":
            page = b"<!doctype html><title>Sign in</title><p>Sign in to the network to go on."
            self._send(200, "text/html", page)
        elif script.manner == "raw":
            self._send_raw(script)
        elif body.get("stream") and not script.only_whole:
            counts = bool(body.get("stream_options", {}).get("include_usage"))
            self._stream(script if counts else replace(script, usage=None), reply)
        else:
            self._whole(script, reply)

    def _send_raw(self, script: Script) -> None:
        self.send_response(200)
        self.send_header("Content-Type", script.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self._end_headers()
        try:
            while True:
                for part in script.raw:
                    self._send_chunk(part)
                if not script.endless:
                    break
        except (BrokenPipeError, ConnectionResetError):
            self.model.abandoned.set()
            raise
        self.wfile.write(b"0\r\n\r\n")

    def _whole(self, script: Script, reply: str | Calls) -> None:
        self.model.stopping.wait(script.first_pause)
        answer = json.dumps(_completion(reply, script.finish, script.usage)).encode()
        if script.manner == "cut":
            self._send(200, "application/json", answer, missing=len(answer) // 2)
        elif script.manner == "nonsense":
            self._send(200, "application/json", b'{"choices": [{"mess')
        elif script.manner == "empty":
            self._send_json(200, _completion("", script.finish, None))
        else:
            self._send(200, "application/json", answer)

    def _stream(self, script: Script, reply: str | Calls) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self._end_headers()
        try:
            for payload in self._payloads(script, reply):
                self._send_chunk(f"data: {payload}\n\n".encode())
        except (BrokenPipeError, ConnectionResetError):
            self.model.abandoned.set()
            raise
        if script.manner == "cut":
            self._drop()
            return
        if script.manner not in ("unfinished", "empty"):
            finish = "tool_calls" if isinstance(reply, Calls) else script.finish
            self._send_chunk(f"data: {_chunk({}, finish)}\n\n".encode())
            if script.broken_after_end:
                self._send_chunk(b'data: {"choices": [\n\n')
                self._drop()
                return
            if script.usage:
                self._send_chunk(f"data: {_count(*script.usage)}\n\n".encode())
            self._send_chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _payloads(self, script: Script, reply: str | Calls) -> Iterator[str]:
        """The pieces of the answer as they go over the wire, each after its pause."""
        deltas = [] if script.manner == "empty" else _deltas(reply)
        breaks = script.manner in ("cut", "nonsense")
        for number, delta in enumerate(deltas[: script.pieces] if breaks else deltas):
            self.model.stopping.wait(script.pause if number else script.first_pause)
            yield _chunk(delta, None)
        if script.manner == "nonsense":
            yield '{"choices": [{"del'

    def _send_status(self, script: Script) -> None:
        if script.refuses:
            status, error = _refusal(script.refuses[0], script.naming)
            self._send_json(status, error)
            return
        extra = {} if script.retry_after is None else {"Retry-After": f"{script.retry_after:g}"}
        codes = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
        code = script.code or codes.get(script.status, "server_error")
        body = json.dumps(_error("This is the scripted failure.", code)).encode()
        self._send(script.status, "application/json", body, extra=extra)

    def _send_json(self, status: int, content: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(content).encode())

    def _send(
        self,
        status: int,
        kind: str,
        body: bytes,
        *,
        missing: int = 0,
        extra: dict[str, str] | None = None,
    ) -> None:
        """Send one body; `missing` bytes of it are announced and then not sent."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self._end_headers()
        self.wfile.write(body[: len(body) - missing])

    def _end_headers(self) -> None:
        # One request a connection: no thread then lingers on an idle one after the test.
        self.send_header("Connection", "close")
        self.send_header("X-Request-Id", f"req-{len(self.model.requests)}")
        self.end_headers()

    def _send_chunk(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _read_body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))


# --- Contents ------------------------------------------------------------------------------------


def _words(text: str) -> list[str]:
    """The text in pieces that add up to it again, about one word each."""
    return [word for word in text.replace(" ", " \0").split("\0") if word]


def _completion(reply: str | Calls, finish: str, usage: tuple[int, int] | None) -> dict[str, Any]:
    text = reply if isinstance(reply, str) else reply.text
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if isinstance(reply, Calls):
        finish = "tool_calls"
        message["tool_calls"] = [
            {
                "id": f"call-{index}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for index, (name, given) in enumerate(reply.functions)
        ]
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    counted = {"usage": _usage(*usage)} if usage else {}
    return _envelope("chat.completion") | {"choices": [choice]} | counted


def _holds(body: dict[str, Any], parameter: str) -> bool:
    """Whether a request holds what a script refuses under this name."""
    if parameter.startswith("json_"):
        return bool((body.get("response_format") or {}).get("type") == parameter)
    return bool(body.get(parameter))


def _length(body: dict[str, Any]) -> int:
    return sum(len(message["content"]) for message in body["messages"])


def _refusal(parameter: str, naming: Naming) -> tuple[int, dict[str, Any]]:
    """The status and the body with which servers refuse a parameter."""
    field = "response_format" if parameter.startswith("json_") else parameter
    if naming == "loc":
        told = {"type": "extra_forbidden", "loc": ["body", field], "msg": "Not permitted."}
        return 422, {"detail": [told]}
    sentence = {"sentence": f"Unsupported parameter: '{parameter}' with this model."}
    error = _error(sentence.get(naming, "Bad request."), "invalid_request_error")
    if naming == "param":
        error["error"] |= {"param": field, "code": "unsupported_parameter"}
    return 400, error


def _deltas(reply: str | Calls) -> list[dict[str, Any]]:
    """An answer as a stream brings it: words first, then the calls, their pieces mixed."""
    text = reply if isinstance(reply, str) else reply.text
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": word} for word in _words(text)]
    if isinstance(reply, str):
        return deltas
    begun: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    for index, (name, given) in enumerate(reply.functions):
        written = given if isinstance(given, str) else json.dumps(given)
        head = {"id": f"call-{index}", "type": "function"}
        begun.append({"index": index, **head, "function": {"name": name, "arguments": ""}})
        half = len(written) // 2
        rest += [
            {"index": index, "function": {"arguments": part}}
            for part in (written[:half], written[half:])
        ]
    mixed = rest[::2] + rest[1::2]
    return deltas + [{"tool_calls": [piece]} for piece in begun + mixed]


def _count(tokens_in: int, tokens_out: int) -> str:
    usage = _usage(tokens_in, tokens_out)
    return json.dumps(_envelope("chat.completion.chunk") | {"choices": [], "usage": usage})


def _usage(tokens_in: int, tokens_out: int) -> dict[str, int]:
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return usage | {"total_tokens": tokens_in + tokens_out}


def _chunk(delta: dict[str, Any], finish: str | None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return json.dumps(_envelope("chat.completion.chunk") | {"choices": [choice]})


def _envelope(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-fake", "object": kind, "created": int(time.time()), "model": "fake"}


def _error(message: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": code, "code": code, "param": None}}


def _default_reply(body: dict[str, Any]) -> str:
    """What a server without scripted replies says: an echo, or the emptiest fitting structure."""
    wanted = body.get("response_format") or {}
    if wanted.get("type") == "json_schema":
        schema = wanted["json_schema"]["schema"]
        return json.dumps(_emptiest(schema, schema.get("$defs", {})))
    said = [message["content"] for message in body["messages"] if message["role"] == "user"]
    return f"You said: {said[-1] if said else 'nothing yet'}\n\nThat is all a stand-in can say."


def _emptiest(schema: dict[str, Any], named: dict[str, Any]) -> Any:
    """The smallest value that a JSON schema written by pydantic allows, bounds aside."""
    if "$ref" in schema:
        return _emptiest(named[schema["$ref"].rsplit("/", 1)[-1]], named)
    if "anyOf" in schema:
        nullable = any(option.get("type") == "null" for option in schema["anyOf"])
        return None if nullable else _emptiest(schema["anyOf"][0], named)
    for fixed in ("const", "enum"):
        if fixed in schema:
            return schema["const"] if fixed == "const" else schema["enum"][0]
    if schema.get("type") == "object":
        fields = schema.get("properties", {})
        return {name: _emptiest(fields[name], named) for name in schema.get("required", [])}
    empty = {"array": [], "string": "", "integer": 0, "number": 0.0, "boolean": False}
    return empty.get(schema.get("type", "null"))


def _embeddings(body: dict[str, Any]) -> dict[str, Any]:
    texts: Sequence[str] = [body["input"]] if isinstance(body["input"], str) else body["input"]
    size = int(body.get("dimensions") or 256)
    rows = [
        {"object": "embedding", "index": number, "embedding": _vector(text, size)}
        for number, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 0, "total_tokens": 0}
    return {"object": "list", "model": "fake", "data": rows, "usage": usage}


def _vector(text: str, size: int) -> list[float]:
    """A unit vector in which texts that share words point the same way."""
    counts = [0.0] * size
    for word in text.lower().split():
        counts[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % size] += 1.0
    length = sum(count * count for count in counts) ** 0.5 or 1.0
    return [count / length for count in counts]


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A scripted stand-in for a language model.")
    parser.add_argument("--port", type=int, default=9999)
    parser.add_argument("--script", choices=list(SCRIPTS), default="normal")
    chosen = parser.parse_args()
    with ModelServer(chosen.script, port=chosen.port) as server:
        print(f"OPENAI_BASE_URL={server.url}  script {chosen.script}, Ctrl-C ends it", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
