"""The official client of the Model Context Protocol against the served site, and over stdio."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from django.test import Client as Browser
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from accounts.access import sub_users, tokens
from accounts.database.connections import release_connection
from accounts.models import User
from tests.live import House
from tests.people import Api, tell, the_fact, values
from tests.serving import served

ROOT = Path(__file__).resolve().parents[2]
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
READ = {
    "search_memories", "get_memories", "get_memory", "list_conflicts", "get_context", "get_profile",
}  # fmt: skip
PROPOSE = {"add_memory", "update_memory"}
DESTROY = {"delete_memory", "resolve_conflict"}


@dataclass
class Agent:
    """A program that uses the server in somebody's name; each deed is a connection of its own."""

    port: int
    token: str
    mode: str = "auto"
    act_as: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def do(self, deed: Callable[[Client], Any]) -> Any:
        async def connected() -> Any:
            async with AsyncExitStack() as stack:
                headers = {"Authorization": f"Bearer {self.token}"}
                headers |= {"X-Act-As": self.act_as} if self.act_as else {}
                http = httpx2.AsyncClient(headers=headers, timeout=60)
                await stack.enter_async_context(http)
                transport = streamable_http_client(self.url, http_client=http)
                return await deed(
                    await stack.enter_async_context(Client(transport, mode=self.mode))
                )

        return asyncio.run(connected())

    def call(self, tool: str, **arguments: Any) -> Any:
        """The structured result of a tool."""
        result = self.do(lambda client: client.call_tool(tool, arguments))
        assert not result.is_error, result.content
        return result.structured_content

    def refused(self, tool: str, **arguments: Any) -> str:
        """The words of a tool's error."""
        result = self.do(lambda client: client.call_tool(tool, arguments))
        assert result.is_error
        return str(result.content[0].text).removeprefix(f"Error executing tool {tool}: ")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as port:
        yield port


@pytest.fixture
def agent(transactional_db: None, alice: User, port: int) -> Agent:
    return Agent(port, tokens.make(alice, "<b>Claude</b> Desktop")[1])


def test_the_tools_say_what_they_take_and_what_they_change(agent: Agent) -> None:
    tools = {tool.name: tool for tool in agent.do(lambda client: client.list_tools()).tools}
    assert tools.keys() == READ | PROPOSE | DESTROY
    hints = {name: tool.annotations for name, tool in tools.items()}
    assert {name for name, hint in hints.items() if hint.read_only_hint} == READ
    assert {name for name, hint in hints.items() if hint.destructive_hint} == DESTROY
    assert not any(hint.open_world_hint for hint in hints.values())
    for tool in tools.values():
        assert tool.description
        assert tool.output_schema
        taken = tool.input_schema["properties"].values()
        assert all("description" in field for field in taken)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_an_agent_adds_waits_for_its_owner_and_is_found_then(
    agent: Agent, alice_api: Api, as_alice: Browser, mode: str
) -> None:
    agent.mode = mode
    added = agent.call("add_memory", content="Keeps three hens called Ada, Bea and Cleo")
    assert (added["status"], added["reason"], added["origin"]) == ("waiting", "not_typed", "tool")
    assert added["written_by"] == "<b>Claude</b> Desktop"
    assert "hens" not in agent.call("get_context", question="Do I keep hens?")["text"]
    page = as_alice.get("/notebook/profile/").content.decode()
    assert "&lt;b&gt;Claude&lt;/b&gt; Desktop wrote it, so I’m asking first" in page
    assert alice_api.post(f"proposals/{added['id']}/accept").status_code == 200
    (kept,) = agent.call("search_memories", query="hens")["results"]
    assert (kept["id"], kept["status"], kept["reason"]) == (added["id"], "active", "said_yes")
    assert "hens" in agent.call("get_context", question="Do I keep hens?")["text"]
    why = as_alice.get(f"/notebook/memories/{added['id']}/why/").content.decode()
    assert "&lt;b&gt;Claude&lt;/b&gt; Desktop wrote it" in why
    assert "<b>Claude" not in page + why


def test_an_agent_changes_a_memory_only_with_its_owners_yes(
    agent: Agent, alice_api: Api, as_alice: Browser
) -> None:
    first = alice_api.post("memories", {"content": "Keeps three hens in the garden"}).json()
    other = agent.call("update_memory", memory_id=first["id"], content="Keeps five hens outdoors")
    assert (other["status"], other["content"]) == ("waiting", "Keeps five hens outdoors")
    assert other["id"] != first["id"]
    again = agent.call("update_memory", memory_id=first["id"], content="Keeps five hens outdoors")
    assert again["id"] == other["id"]
    assert agent.call("get_memory", memory_id=first["id"])["status"] == "active"
    page = as_alice.get("/notebook/profile/").content.decode()
    assert "It would replace “Keeps three hens in the garden”." in page
    assert alice_api.post(f"proposals/{other['id']}/accept").status_code == 200
    former = agent.call("get_memory", memory_id=first["id"])
    assert (former["status"], former["superseded_by"]) == ("superseded", other["id"])


def patch(api: Api, path: str, body: dict[str, Any]) -> int:
    headers = {"Authorization": f"Token {api.token}"}
    kind = "application/json"
    return api.client.patch(f"/api/v1/{path}", body, headers=headers, content_type=kind).status_code


def test_an_agent_proposes_a_text_and_nothing_else(agent: Agent, alice_api: Api) -> None:
    kept = alice_api.post("memories", {"content": "Keeps three hens"}).json()
    for change in ({}, {"paused": True}, {"content": "Keeps five hens", "priority": 3}):
        assert patch(alice_api, f"memories/{kept['id']}", {**change, "by_agent": True}) == 400
    assert alice_api.get(f"memories/{kept['id']}").json() == kept


def test_with_memory_off_nothing_is_taken(agent: Agent, alice_api: Api) -> None:
    assert patch(alice_api, "memory", {"on": False}) == 200
    assert "Memory is off" in agent.refused("add_memory", content="Keeps three hens")


def test_a_conflict_is_listed_and_settled(alice: User, agent: Agent) -> None:
    tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft")
    (conflict,) = agent.call("list_conflicts")["results"]
    refused = agent.refused("resolve_conflict", conflict_id=conflict["id"], resolution="merge")
    assert "Enter what’s right" in refused
    settled = agent.call("resolve_conflict", conflict_id=conflict["id"], resolution="keep_new")
    assert settled["resolution"]["method"] == "keep_new"
    assert agent.call("list_conflicts")["results"] == []
    assert values(alice, "employer") == {"Microsoft"}


def test_the_resources_and_the_prompt_are_there(alice: User, agent: Agent) -> None:
    tell(alice, "I work at Initech")
    listed = agent.do(lambda client: client.list_resources()).resources
    assert {str(resource.uri) for resource in listed} == {
        "throughline://profile", "throughline://conflicts"
    }  # fmt: skip
    profile = agent.do(lambda client: client.read_resource("throughline://profile")).contents[0]
    assert profile.mime_type == "application/json"
    assert "Initech" in profile.text
    conflicts = agent.do(lambda client: client.read_resource("throughline://conflicts"))
    assert '"count": 0' in conflicts.contents[0].text
    asked = {"question": "Where do I work?"}
    prompt = agent.do(lambda client: client.get_prompt("what_do_you_know", asked))
    assert "get_context" in prompt.messages[0].content.text
    assert "Where do I work?" in prompt.messages[0].content.text


def test_nobody_elses_is_seen_or_touched(
    alice: User, bob: User, agent: Agent, alice_api: Api
) -> None:
    tell(alice, "I work at Google")
    tell(alice, "I work at Microsoft")
    (conflict,) = alice_api.get("conflicts").json()["results"]
    kept = alice_api.post("memories", {"content": "Keeps three hens"}).json()
    stranger = Agent(agent.port, tokens.make(bob)[1])
    assert stranger.call("get_memories", status="all")["count"] == 0
    assert stranger.call("search_memories", query="hens")["results"] == []
    assert stranger.call("list_conflicts", status="all")["count"] == 0
    assert "Microsoft" not in str(stranger.call("get_profile"))
    assert "hens" not in stranger.call("get_context", question="Do I keep hens?")["text"]
    missing = stranger.refused("get_memory", memory_id=kept["id"])
    assert missing == stranger.refused("get_memory", memory_id=str(the_fact(alice, "employer").pk))
    for tool, more in (("delete_memory", {}), ("update_memory", {"content": "Keeps no hens"})):
        assert stranger.refused(tool, memory_id=kept["id"], **more) == missing
    settle = {"conflict_id": conflict["id"], "resolution": "keep_new"}
    assert stranger.refused("resolve_conflict", **settle) == missing
    assert alice_api.get(f"memories/{kept['id']}").json() == kept
    assert alice_api.get("conflicts").json()["results"] == [conflict]


@pytest.mark.usefixtures("transactional_db")
def test_without_a_token_nothing_is_read(port: int) -> None:
    for method in ("GET", "POST", "DELETE"):
        for sent in (None, "Bearer wrong", "Bearer \xe9", "Basic YTpi"):
            headers = {} if sent is None else {"Authorization": sent.encode("latin-1")}
            url = f"http://127.0.0.1:{port}/mcp"
            answer = httpx2.request(method, url, headers=headers, content="no JSON", timeout=60)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.json()["status"] == 401


def test_a_token_that_was_revoked_or_is_limited_opens_nothing(alice: User, agent: Agent) -> None:
    limited = tokens.make(alice, scopes=["shared.people"])[1]
    assert ask(agent, token=limited).status_code == 403
    assert ask(agent).status_code == 200
    tokens.revoke_all(alice)
    assert ask(agent).status_code == 401


def ask(
    agent: Agent, method: str = "POST", token: str = "", json: Any = HELLO, **headers: str
) -> httpx2.Response:
    """Send a bare request."""
    usual = {
        "Authorization": f"Bearer {token or agent.token}",
        "Accept": "application/json, text/event-stream",
    }
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.request(method, agent.url, headers=usual | more, json=json, timeout=60)


def test_pages_and_names_of_other_sites_are_refused(agent: Agent) -> None:
    here = f"127.0.0.1:{agent.port}"
    assert ask(agent, Origin=f"http://{here}").status_code == 200
    assert ask(agent, Host="notes.evil.example").status_code == 421
    for origin in ("https://evil.example", "null", f"http://localhost:{agent.port}", ""):
        assert ask(agent, Origin=origin).status_code == 403


def test_many_first_requests_at_once_are_all_answered(agent: Agent) -> None:
    async def listed(client: Client) -> list[int]:
        lists = await asyncio.gather(*(client.call_tool("get_memories", {}) for _ in range(10)))
        return [one.structured_content["count"] for one in lists]

    assert agent.do(listed) == [0] * 10


def test_the_log_holds_no_word_of_what_was_sent(
    agent: Agent, caplog: pytest.LogCaptureFixture
) -> None:
    agent.call("add_memory", content="Keeps a xylophone")
    agent.refused("add_memory", content="My xylophone password is hunter2-Hunter2!")
    agent.refused("get_memory", memory_id="xylophone")
    agent.call("search_memories", query="xylophone")
    ask(agent, json={"xylophone": "xylophone"})
    assert "xylophone" not in caplog.text


def test_the_example_runs(agent: Agent) -> None:
    release_connection()
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "mcp_client.py")],
        env=os.environ
        | {"THROUGHLINE_URL": agent.url.removesuffix("/mcp"), "THROUGHLINE_TOKEN": agent.token},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "waiting" in done.stdout.splitlines()


# --- Standard input and output --------------------------------------------------------------------


def program(house: House, *words: str, **environment: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=[str(ROOT / "manage.py"), "mcp", *words],
        # The token is one of a demo person.
        env={**os.environ, "DATA_DIR": str(house.data_dir), "DEMO": "1", **environment},
    )


def test_a_service_acts_for_whom_its_header_names(alice: User, bob: User, agent: Agent) -> None:
    person = sub_users.create(alice, "u-1")[0].person
    theirs = sub_users.create(bob, "u-2")[0].person
    tell(person, "I live in Oslo")
    tell(alice, "I live in Rome")
    service = Agent(agent.port, tokens.make(alice, "Bot", scopes=["people"])[1], act_as="u-1")
    (fact,) = service.call("get_profile")["results"]
    assert fact["value"] == "Oslo"
    for act_as in ("u-2", str(theirs.pk), str(bob.pk)):
        answer = httpx2.post(
            service.url,
            json=HELLO,
            headers={"Authorization": f"Bearer {service.token}", "X-Act-As": act_as},
        )
        assert answer.status_code == 404
    answer = httpx2.post(
        agent.url,
        json=HELLO,
        headers={"Authorization": f"Bearer {agent.token}", "X-Act-As": "u-1"},
    )
    assert answer.status_code == 403
    assert "“people”" in answer.json()["detail"]
    release_connection()


def test_a_client_on_the_same_machine_starts_it_as_a_program(house: House, tmp_path: Path) -> None:
    secret = house.manage("create_token", "ada@example.org", "--name", "Cursor").strip()
    file = tmp_path / "token"
    file.write_text(f"{secret}\n")
    charts = {"content": "Collects old sea charts"}

    async def talk() -> None:
        async with Client(program(house, THROUGHLINE_TOKEN=secret)) as client:
            assert not (await client.call_tool("get_profile", {})).is_error
            added = (await client.call_tool("add_memory", charts)).structured_content
            assert (added["status"], added["written_by"]) == ("waiting", "Cursor")
            assert (await client.call_tool("add_memory", charts)).is_error
            with pytest.raises(MCPError):
                await client.read_resource("throughline://nothing")
            await client.call_tool("delete_memory", {"memory_id": added["id"]})
        async with Client(program(house, "--token-file", str(file))) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == READ | PROPOSE | DESTROY

    asyncio.run(talk())
