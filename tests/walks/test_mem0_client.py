"""mem0's client against the served site, with no more than its host and a token changed.

Everything is tried with requests as they were recorded. Where an environment has the official
client (`make mem0`, or MEM0_PYTHON), it is tried too, synchronous and asynchronous: that it sends
what was recorded, and that it reads what is answered.
"""

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from accounts.access import sub_users, tokens
from accounts.database.connections import release_connection
from accounts.models import User
from tests.mem0_clients import HOUSE, OPENERS, PYTHON, RECORDED, Official, Refused
from tests.people import Api, tell, values
from tests.serving import served

pytestmark = pytest.mark.django_db(transaction=True)
official = pytest.mark.skipif(not PYTHON.exists(), reason="mem0ai is not installed: make mem0")
Opener = Callable[..., Any]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served() as port:
        yield port


@pytest.fixture
def opened(request: pytest.FixtureRequest, port: int) -> Iterator[Opener]:
    """Opens a client with the token of a person and these scopes."""
    kind = getattr(request, "param", "recorded")
    clients = []

    def connect(owner: User, *scopes: str, secret: str = "") -> Any:
        secret = secret or tokens.make(owner, "Support bot", scopes=scopes)[1]
        clients.append(OPENERS[kind](f"http://127.0.0.1:{port}", secret))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()
    release_connection()


@pytest.fixture
def service(alice: User, opened: Opener) -> Any:
    return opened(alice, "people")


def of(name: str) -> dict[str, Any]:
    return {"filters": {"user_id": name}}


def texts(found: Any) -> list[str]:
    return [row["memory"] for row in found["results"]]


def the_person(creator: User, name: str) -> User:
    found = sub_users.find(creator, name)
    assert found is not None
    return found.person


# --- What it is for -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opened",
    [
        "recorded",
        *(pytest.param(kind, marks=[official, pytest.mark.slow]) for kind in ("sync", "async")),
    ],
    indirect=True,
)
def test_what_is_said_is_learned_found_and_told(alice: User, service: Any) -> None:
    # An address would be passed on to mem0's statistics.
    assert service.user_email is None
    said = [
        {"role": "user", "content": "I live in Oslo and I work at Qwertzfirm."},
        {"role": "assistant", "content": "Noted!"},
    ]
    added = service.call("add", said, user_id="jo-1", metadata={"kept": "nowhere"})
    assert added["status"] == "SUCCEEDED"
    assert {one["event"] for one in added["results"]} == {"ADD"}
    person = the_person(alice, "jo-1")
    assert values(person, "location") == {"Oslo"}
    assert values(alice, "location") == set()
    listed = service.call("get_all", **of("jo-1"))
    assert {row["id"] for row in listed["results"]} == {row["id"] for row in added["results"]}
    assert {row["user_id"] for row in listed["results"]} == {"jo-1"}
    assert (listed["count"], listed["next"], listed["previous"]) == (2, None, None)
    best, *_ = service.call("search", "Where does the user live?", **of("jo-1"))["results"]
    assert "Oslo" in best["memory"]
    assert best["score"] > 0.25
    assert service.call("get", best["id"])["memory"] == best["memory"]
    again = service.call("add", "I live in Oslo", user_id="jo-1")["results"]
    assert [(one["id"], one["event"]) for one in again] == [(best["id"], "NONE")]


def test_a_text_is_stored_word_for_word_and_waits(alice: User, service: Any) -> None:
    (kept,) = service.call("add", "Prefers tea to coffee", infer=False, user_id="jo-1")["results"]
    assert (kept["memory"], kept["event"]) == ("Prefers tea to coffee", "ADD")
    assert kept["metadata"]["status"] == "waiting"
    assert texts(service.call("get_all", **of("jo-1"))) == ["Prefers tea to coffee"]
    assert texts(service.call("search", "tea or coffee", **of("jo-1"))) == ["Prefers tea to coffee"]
    api, pk = Api(alice, "people", act_as="jo-1"), kept["id"].rpartition(".")[2]
    assert api.get(f"memories/{pk}").json()["written_by"] == "Support bot"
    assert "tea" not in api.post("context", {"question": "Do I like tea?"}).json()["text"]
    assert api.post(f"proposals/{pk}/accept").status_code == 200
    assert service.call("get", kept["id"])["metadata"]["status"] == "active"
    assert "tea" in api.post("context", {"question": "Do I like tea?"}).json()["text"]


def test_a_wording_is_changed_and_the_old_one_is_history(service: Any) -> None:
    (fact,) = service.call("add", "I live in Oslo", user_id="jo-1")["results"]
    changed = service.call("update", fact["id"], text="Lives in Bergen")
    assert changed["memory"] == "Lives in Bergen"
    # The first id leads to what took its place.
    assert service.call("get", fact["id"]) == service.call("get", changed["id"])
    lines = service.call("history", fact["id"])
    assert [line["event"] for line in lines] == ["ADD", "UPDATE"]
    assert (lines[1]["old_memory"], lines[1]["new_memory"]) == ("Oslo", "Bergen")
    assert {line["memory_id"] for line in lines} == {fact["id"]}
    with pytest.raises(Refused, match="Write it like"):
        service.call("update", fact["id"], text="Whatever")
    (note,) = service.call("add", "Prefers tea", infer=False, user_id="jo-1")["results"]
    assert service.call("update", note["id"], text="Prefers mint tea")["memory"] == (
        "Prefers mint tea"
    )
    assert service.call("get", note["id"])["memory"] == "Prefers mint tea"


def test_pages_filters_top_k_and_threshold(service: Any) -> None:
    for animal in ("hens", "bees", "goats"):
        service.call("add", f"Keeps {animal}", infer=False, user_id="jo-1")
    first = service.call("get_all", page=1, page_size=2, **of("jo-1"))
    assert (first["count"], texts(first)) == (3, ["Keeps goats", "Keeps bees"])
    assert "page=2" in first["next"]
    assert texts(service.call("get_all", page=2, page_size=2, **of("jo-1"))) == ["Keeps hens"]

    def found(*filters: Any) -> set[str]:
        asked = {"AND": [{"user_id": "jo-1"}, *filters]}
        return set(texts(service.call("get_all", filters=asked)))

    hens, bees, goats = "Keeps hens", "Keeps bees", "Keeps goats"
    assert found({"keywords": {"icontains": "HENS"}}) == {hens}
    assert found({"NOT": [{"keywords": {"contains": "hens"}}]}) == {bees, goats}
    either = [{"keywords": {"contains": "hens"}}, {"keywords": {"contains": "bees"}}]
    assert found({"OR": either}) == {hens, bees}
    assert found({"created_at": {"gte": "2020-01-01", "lt": "2021-01-01"}}) == set()
    assert found({"created_at": {"gte": "2020-01-01T00:00:00Z"}}) == {hens, bees, goats}
    assert found({"categories": {"in": ["fact"]}}, {"agent_id": "*"}) == {hens, bees, goats}
    one = service.call("search", "Which animals does the user keep?", top_k=1, **of("jo-1"))
    assert len(one["results"]) == 1
    assert service.call("search", "Keeps hens", threshold=0.9, **of("jo-1"))["results"]
    assert service.call("search", "tax return", threshold=0.9, **of("jo-1"))["results"] == []


# --- Whose it is ----------------------------------------------------------------------------------


def test_a_token_without_people_is_its_owner(alice: User, opened: Opener) -> None:
    client = opened(alice)
    client.call("add", "I live in Oslo")
    assert values(alice, "location") == {"Oslo"}
    for name in (str(alice.pk), alice.email, "Alice@Example.org"):
        (row,) = client.call("get_all", **of(name))["results"]
        assert row["user_id"] == name
        assert client.call("get", row["id"])["memory"] == row["memory"]
    (own,) = client.call("users")["results"]
    assert own["name"] == str(alice.pk)
    for method, args in (("add", ["I live in Rome"]), ("delete_all", [])):
        with pytest.raises(Refused) as refused:
            client.call(method, *args, user_id="jo-1")
        assert refused.value.error == "MemoryNotFoundError"
    with pytest.raises(Refused, match="“people”"):
        client.call("delete_users", user_id=str(alice.pk))


def test_a_service_reaches_nobody_else(alice: User, bob: User, opened: Opener) -> None:
    theirs = opened(bob, "people")
    (hers,) = theirs.call("add", "I live in Xylophonia", user_id="jo-1")["results"]
    tell(bob, "I live in Thistlewick")
    (own,) = theirs.call("get_all")["results"]
    person = the_person(bob, "jo-1")
    for client in (opened(alice, "people"), opened(alice)):
        ids = [hers["id"], own["id"], hers["id"].rpartition(".")[2], f"{person.pk}.{own['id']}"]
        names = ["jo-1", str(person.pk), str(bob.pk), bob.email]
        tried = [
            *(("get", [pk], {}) for pk in ids),
            *(("history", [pk], {}) for pk in ids),
            *(("update", [pk], {"text": "Lives in Rome"}) for pk in ids),
            *(("delete", [pk], {}) for pk in ids),
            *(("batch_update", [[{"memory_id": pk, "text": "x y z"}]], {}) for pk in ids),
            *(("batch_delete", [[{"memory_id": pk}]], {}) for pk in ids),
            *(("get_all", [], of(name)) for name in names),
            *(("search", ["Where?"], of(name)) for name in names),
            *(("delete_all", [], {"user_id": name}) for name in names),
            *(("delete_users", [], {"user_id": name}) for name in names),
        ]
        for method, args, named in tried:
            with pytest.raises(Refused) as refused:
                client.call(method, *args, **named)
            assert refused.value.error in {"MemoryNotFoundError", "AuthenticationError"}
            assert "Xylophonia" not in refused.value.says + str(client.call("users"))
            assert "Thistlewick" not in refused.value.says
    assert values(person, "location") == {"Xylophonia"}
    assert values(bob, "location") == {"Thistlewick"}


def test_the_same_name_in_two_services_is_two_people(
    alice: User, bob: User, opened: Opener
) -> None:
    opened(bob, "people").call("add", "I live in Xylophonia", user_id="jo-1")
    mine = opened(alice, "people")
    mine.call("add", "I live in Oslo", user_id="jo-1")
    (row,) = mine.call("get_all", **of("jo-1"))["results"]
    assert "Oslo" in row["memory"]


# --- The recording, and the example ---------------------------------------------------------------


@official
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_the_client_sends_what_was_recorded(kind: str) -> None:
    sent: list[tuple[Any, ...]] = []

    class Recorder(BaseHTTPRequestHandler):
        def answer(self) -> None:
            address = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            if address.path != "/v1/ping/":
                sent.append((self.command, address.path, dict(parse_qsl(address.query)), body))
            assert self.headers["Authorization"] == "Token secret"
            told = b'{"org_id": "o", "project_id": "p"}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_: Any) -> None:
            pass

    for verb in ("GET", "POST", "PUT", "DELETE"):
        setattr(Recorder, f"do_{verb}", Recorder.answer)
    calls: list[tuple[str, list[Any], dict[str, Any]]] = [
        ("add", ["I live in Oslo"], {"user_id": "jo-1", "infer": False}),
        ("search", ["Where?"], {"filters": {"user_id": "jo-1"}, "top_k": 3, "threshold": 0.5}),
        ("get_all", [], {"filters": {"user_id": "jo-1"}}),
        ("get_all", [], {"filters": {"user_id": "jo-1"}, "page": "2", "page_size": "5"}),
        ("get", ["a.b"], {}),
        ("update", ["a.b"], {"text": "Lives in Rome"}),
        ("delete", ["a.b"], {}),
        ("delete_all", [], {"user_id": "jo-1"}),
        ("history", ["a.b"], {}),
        ("users", [], {}),
        ("delete_users", [], {"user_id": "a/b"}),
        ("batch_update", [[{"memory_id": "a.b", "text": "Lives in Rome"}]], {}),
        ("batch_delete", [[{"memory_id": "a.b"}]], {}),
    ]
    assert {method for method, *_ in calls} == RECORDED.keys() - {"ping"}
    with HTTPServer(("127.0.0.1", 0), Recorder) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            client = Official(f"http://127.0.0.1:{server.server_port}", "secret", kind)
            for method, args, named in calls:
                client.call(method, *args, **named)
            client.close()
        finally:
            server.shutdown()
            thread.join()
    assert sent == [RECORDED[method](*args, **named) for method, args, named in calls]


@official
@pytest.mark.slow
def test_the_example_runs(alice: User, port: int) -> None:
    env = {
        **os.environ,
        "THROUGHLINE_URL": f"http://127.0.0.1:{port}",
        "THROUGHLINE_TOKEN": tokens.make(alice, "App", scopes=["people"])[1],
    }
    for _ in range(2):
        done = subprocess.run(
            [str(PYTHON), str(HOUSE / "examples" / "mem0_client.py")],
            env=env,
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
    assert "Oslo" in done.stdout
    assert values(the_person(alice, "jo-1"), "location") == {"Oslo"}
    release_connection()
