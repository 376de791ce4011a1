"""The exception for refused requests."""

import httpx2


class ThroughlineError(Exception):
    """Raised when the server refuses a request. The text says what to do.

    `status` is the HTTP status, `errors` has messages by field, `retry_after` the seconds to wait
    if given, `request_id` the id in the server's logs.
    """

    def __init__(self, response: httpx2.Response) -> None:
        try:
            problem = response.json()
        except ValueError:
            problem = {}
        problem = problem if isinstance(problem, dict) else {}
        self.status: int = response.status_code
        self.errors: dict[str, list[str]] = problem.get("errors") or {}
        self.request_id: str = response.headers.get("X-Request-ID", "")
        wait = response.headers.get("Retry-After", "")
        self.retry_after: int | None = int(wait) if wait.isdecimal() else None
        super().__init__(problem.get("detail") or f"The server answered {self.status}.")
