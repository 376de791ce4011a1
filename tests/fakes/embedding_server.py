"""A stand-in for a server of embeddings, in a process of its own that a test may kill.

A word is a direction of its own, but for a few that mean the same in two languages. By
`/v1/NAME/embeddings` it behaves in another way: `slow` never answers, `dripping` sends a byte now
and then, `broken` answers with a status of 500, `nonsense` with a page, `short` with one vector too
few. A text with REFUSED in it gets a status of 400, the whole batch with it. Each request prints a
line of JSON: what it was sent.

    python tests/fakes/embedding_server.py PORT [how many requests it answers before it dies]
"""

import json
import math
import os
import re
import sys
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIMENSIONS = 64
SAME = {"perro": "dog", "ladra": "barks", "ruidoso": "loud"}
REFUSED = "unspeakable"


def vector(text: str) -> list[float]:
    """The sum of the directions of its words and of one that all texts share, of length 1."""
    numbers = [0.0] * DIMENSIONS
    numbers[0] = 3.0
    for word in re.findall(r"\w+", text.lower()):
        numbers[1 + zlib.crc32(SAME.get(word, word).encode()) % (DIMENSIONS - 1)] += 1.0
    length = math.hypot(*numbers)
    return [number / length for number in numbers]


class Handler(BaseHTTPRequestHandler):
    answered, most = 0, 10**9

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        told = {"path": self.path, "key": self.headers.get("Authorization", ""), **asked}
        print(json.dumps(told), flush=True)
        if Handler.answered >= Handler.most:
            os._exit(1)
        Handler.answered += 1
        manner = self.path.removesuffix("/embeddings").rsplit("/", 1)[-1]
        if manner == "slow":
            time.sleep(600)
        texts = asked["input"]
        if any(REFUSED in text for text in texts):
            self.send_error(400)
        elif manner == "broken":
            self.send_error(500)
        elif manner == "nonsense":
            self.send(b"<html>")
        else:
            given = texts[:-1] if manner == "short" else texts
            data = [{"index": at, "embedding": vector(text)} for at, text in enumerate(given)]
            self.send(json.dumps({"data": data[::-1]}).encode(), drips=manner == "dripping")

    def send(self, body: bytes, *, drips: bool = False) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for at in range(0, len(body), 1 if drips else len(body)):
            self.wfile.write(body[at : at + 1] if drips else body)
            time.sleep(0.2 if drips else 0)

    def log_message(self, *_args: object) -> None:
        """What was asked is printed."""


if __name__ == "__main__":
    Handler.most = int(sys.argv[2]) if len(sys.argv) > 2 else Handler.most
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
