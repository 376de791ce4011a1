"""The client without asyncio, made from `_async.py`."""

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx2

from throughline_client.errors import ThroughlineError
from throughline_client.types import (
    Conflict,
    Context,
    Conversation,
    Exchange,
    Fact,
    Ingested,
    Memory,
    Message,
    Page,
    Resolution,
    SearchResults,
)

# A slow model may take minutes to answer; connecting does not.
_TIMEOUT = httpx2.Timeout(600, connect=10)


class Throughline:
    """A client of one server, acting for the owner of a token.

    `act_as` is the external id or id of a sub-user to act for instead. Every method raises
    ThroughlineError if the server refuses, and `httpx2.TransportError` if it cannot be reached.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        act_as: str = "",
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} | ({"X-Act-As": act_as} if act_as else {})
        self._http = httpx2.Client(
            base_url=f"{url.rstrip('/')}/api/v1/",
            headers=headers,
            timeout=_TIMEOUT,
            transport=transport,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # --- Profile ---

    def profile(self, *, as_of: str = "") -> list[Fact]:
        """Return the current facts, or those that were true on a day (`2026-03-14`)."""
        answer = self._get("profile", as_of=as_of, limit=1000)
        facts: list[Fact] = answer["results"]
        return facts

    def add_fact(self, slot: str, value: str, *, since: str | None = None) -> Fact:
        """Add a fact to the profile, as if the user typed it."""
        fact: Fact = self._send("POST", "profile", slot=slot, value=value, since=since)
        return fact

    def confirm_fact(self, fact: str) -> Fact:
        """Confirm that a fact is true."""
        confirmed: Fact = self._send("POST", f"profile/{fact}/confirm")
        return confirmed

    def end_fact(self, fact: str) -> None:
        """Mark a fact as no longer true; it stays in the history."""
        self._send("DELETE", f"profile/{fact}")

    # --- Memories ---

    def memories(
        self, q: str = "", *, status: str = "", category: str = "", limit: int = 0, offset: int = 0
    ) -> Page[Memory]:
        """Return a page of memories, newest first; with `q` best matches first."""
        page: Page[Memory] = self._get(
            "memories", q=q, status=status, category=category, limit=limit, offset=offset
        )
        return page

    def memory(self, memory: str) -> Memory:
        """Return a memory."""
        read: Memory = self._get(f"memories/{memory}")
        return read

    def add_memory(
        self, content: str, *, category: str | None = None, by_agent: bool = False
    ) -> Memory:
        """Add a memory. With `by_agent`, it waits until the user approves it."""
        added: Memory = self._send(
            "POST", "memories", content=content, category=category, by_agent=by_agent
        )
        return added

    def change_memory(self, memory: str, content: str, *, by_agent: bool = False) -> Memory:
        """Replace the text of a memory; the old one stays in the history."""
        changed: Memory = self._send(
            "PATCH", f"memories/{memory}", content=content, by_agent=by_agent
        )
        return changed

    def remove_memory(self, memory: str) -> None:
        """Stop using a memory; it can be restored."""
        self._send("DELETE", f"memories/{memory}")

    # --- Conflicts ---

    def conflicts(self, *, status: str = "", limit: int = 0, offset: int = 0) -> Page[Conflict]:
        """Return a page of conflicts."""
        page: Page[Conflict] = self._get("conflicts", status=status, limit=limit, offset=offset)
        return page

    def resolve_conflict(self, conflict: str, resolution: Resolution, **details: Any) -> Conflict:
        """Resolve a conflict. `details` are `value`, `until`, `since` and `reason`."""
        resolved: Conflict = self._send(
            "POST", f"conflicts/{conflict}/resolve", resolution=resolution, **details
        )
        return resolved

    # --- Conversations ---

    def conversations(
        self, *, archived: bool = False, limit: int = 0, offset: int = 0
    ) -> Page[Conversation]:
        """Return a page of conversations, most recently used first."""
        page: Page[Conversation] = self._get(
            "conversations", archived="true" if archived else "", limit=limit, offset=offset
        )
        return page

    def start_conversation(
        self, title: str | None = None, *, temporary: bool = False
    ) -> Conversation:
        """Start a conversation. A temporary one is not remembered."""
        started: Conversation = self._send(
            "POST", "conversations", title=title, temporary=temporary
        )
        return started

    def messages(self, conversation: str, *, limit: int = 0, offset: int = 0) -> Page[Message]:
        """Return a page of the messages of a conversation, in order."""
        page: Page[Message] = self._get(
            f"conversations/{conversation}/messages", limit=limit, offset=offset
        )
        return page

    def say(self, conversation: str, content: str, *, key: str = "") -> Exchange:
        """Send a message and return it with the answer. The same `key` sends it only once."""
        exchange: Exchange = self._send(
            "POST",
            f"conversations/{conversation}/messages",
            headers={"Idempotency-Key": key or str(uuid4())},
            content=content,
        )
        return exchange

    def stream(
        self, conversation: str, content: str, *, key: str = ""
    ) -> Iterator[httpx2.ServerSentEvent]:
        """Send a message and yield events: `message`, `delta`, `steps`, then `done` or `error`."""
        headers = {"Idempotency-Key": key or str(uuid4()), "Accept": "text/event-stream"}
        path = f"conversations/{conversation}/messages"
        body = {"content": content}
        with self._http.stream("POST", path, json=body, headers=headers) as response:
            if response.is_error:
                response.read()
                raise ThroughlineError(response)
            for event in httpx2.EventSource(response):
                yield event

    def ingest(self, conversation: str, messages: list[dict[str, Any]]) -> Ingested:
        """Store up to 1,000 messages without an answer; one with an `external_id` only once."""
        ingested: Ingested = self._send(
            "POST", f"conversations/{conversation}/ingest", messages=messages
        )
        return ingested

    # --- Recall ---

    def context(
        self, question: str, *, budget: int | None = None, conversation: str | None = None
    ) -> Context:
        """Return the context for a prompt about a question, in at most `budget` tokens."""
        context: Context = self._send(
            "POST", "context", question=question, budget=budget, conversation=conversation
        )
        return context

    def search(self, q: str, *, limit: int = 0, **narrowed: str) -> SearchResults:
        """Search all conversations; `narrowed` are `since`, `until`, `role`, `topic` and others."""
        results: SearchResults = self._get("search", q=q, limit=limit, **narrowed)
        return results

    def events(self, *, after: str = "") -> Iterator[httpx2.ServerSentEvent]:
        """Yield each change of memory; `after` is the id of the last received event."""
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": after} if after else {})
        timeout = httpx2.Timeout(10, read=None)
        with self._http.stream("GET", "events", headers=headers, timeout=timeout) as response:
            if response.is_error:
                response.read()
                raise ThroughlineError(response)
            for event in httpx2.EventSource(response):
                yield event

    # --- Requests ---

    def _get(self, path: str, **query: str | int) -> Any:
        shown = {name: value for name, value in query.items() if value}
        return _read(self._http.get(path, params=shown))

    def _send(
        self, method: str, path: str, headers: dict[str, str] | None = None, **body: Any
    ) -> Any:
        shown = {name: value for name, value in body.items() if value is not None}
        return _read(self._http.request(method, path, json=shown, headers=headers))


def _read(response: httpx2.Response) -> Any:
    if response.is_error:
        raise ThroughlineError(response)
    return response.json() if response.content else None
