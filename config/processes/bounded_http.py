"""uvicorn's HTTP protocol, with a bound on the head of a request; gunicorn has its own."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# Bytes of a request line and its headers together; every cookie and address of ours is far below.
MOST_HEAD = 64 * 1024


class BoundedHttpProtocol(HttpToolsProtocol):
    """Answers 400 and closes the connection where the head of a request is too long."""

    # Bytes of a head that is not complete; -1 when none is being read.
    _head = -1

    def data_received(self, data: bytes) -> None:
        """Read on, unless what came of the head so far is too long already."""
        if self._head >= 0:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self._head = -1
                self.send_400_response("The request line and headers are too long.")
        if not self.transport.is_closing():
            super().data_received(data)

    def on_message_begin(self) -> None:
        """A head begins."""
        self._head = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole. Raises ValueError, which is answered with 400, for one too long."""
        self._head = -1
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > MOST_HEAD:
            raise ValueError
        super().on_headers_complete()
