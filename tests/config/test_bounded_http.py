"""A request whose head is too long is refused by the server, and never reaches a page."""

import socket

import pytest

from tests.serving import served

pytestmark = pytest.mark.django_db
LONG = b"x" * 200_000
HEADS = {
    "one long header": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + LONG + b"\r\n\r\n",
    "a header without end": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + LONG,
    "many headers": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    + b"".join(b"X-%d: %s\r\n" % (number, LONG[:1000]) for number in range(200))
    + b"\r\n",
    "a long address": b"GET /" + LONG + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_head_that_is_too_long_is_refused(head: bytes) -> None:
    with served() as port, socket.create_connection(("127.0.0.1", port), timeout=120) as asking:
        asking.sendall(head)
        assert asking.makefile("rb").readline().startswith(b"HTTP/1.1 400 ")
