"""uvicorn's HTTP protocol with a limit on the request head; gunicorn has its own."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# Bytes of a request line with its headers; all cookies and URLs of this site are far smaller.
MOST_HEAD = 64 * 1024


class BoundedHttpProtocol(HttpToolsProtocol):
    """Responds with 400 and closes the connection if the head of a request is too long."""

    # Bytes of an incomplete head; -1 outside of heads.
    _head = -1

    def data_received(self, data: bytes) -> None:
        """Process received bytes, unless the incomplete head is already too long."""
        if self._head >= 0:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self._head = -1
                self.send_400_response("The request line and headers are too long.")
        if not self.transport.is_closing():
            super().data_received(data)

    def on_message_begin(self) -> None:
        """Start counting the bytes of a head."""
        self._head = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Finish the head. Raises ValueError, which becomes a 400, if it is too long."""
        self._head = -1
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > MOST_HEAD:
            raise ValueError
        super().on_headers_complete()
