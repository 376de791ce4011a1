"""What goes wrong with a request, as one exception."""

import httpx2


class ThroughlineError(Exception):
    """The server refused a request. `status` is that of HTTP; the text says what to do.

    `errors` has the sentences about each field that was refused, `retry_after` the seconds to wait
    where the server names them, `request_id` what the logs of the server name the request by.
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
