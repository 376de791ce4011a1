"""Importing on its page, in the API and by a command; and what a stranger gets."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from accounts import work
from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Conversation
from memory.models import Memory
from privacy.models import Import
from tests.people import Api
from tests.privacy.exports import as_json, brought, imported, talk, zipped

for_real = pytest.mark.django_db(transaction=True)
State = Import.State
PAGE = "/notebook/privacy/import/"
LIFE = talk("life", "I live in Lisbon.", "Nice!")
FILE = zipped(conversations=[LIFE, {"mapping": 7}])
LINES = "[2024-03-14] - Plays the cello\n[2024-03-15] - Likes long walks"


def sent(client: Client, data: bytes, name: str = "export.zip") -> Any:
    return client.post(PAGE, {"file": SimpleUploadedFile(name, data)}, follow=True)


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


@for_real
def test_a_file_is_looked_at_accepted_watched_and_undone(as_alice: Client, alice: User) -> None:
    assert PAGE in text_of(as_alice.get("/notebook/privacy/"))
    preview = text_of(sent(as_alice, FILE))
    for words in ("From ChatGPT", "1 conversation and 2 messages", "9 March", "it’s damaged"):
        assert words in preview
    with acting_as(alice):
        key = Import.objects.get().pk
    waiting = text_of(as_alice.post(f"{PAGE}{key}/accept/", follow=True))
    assert "Waiting to import" in waiting
    assert "every 1s" in waiting
    work.do_waiting_work()
    watched = as_alice.get(f"{PAGE}progress/", headers={"HX-Request": "true"})
    assert watched.headers["HX-Refresh"] == "true"
    assert "Imported from ChatGPT" in text_of(as_alice.get(PAGE))
    assert "From ChatGPT: 1 conversation and 2 messages" in text_of(
        as_alice.get("/notebook/history/")
    )
    with acting_as(alice):
        conversation = Conversation.objects.get()
    shown = text_of(as_alice.get(conversation.get_absolute_url()))
    assert "Imported from ChatGPT" in shown
    assert "I live in Lisbon." in shown
    going = text_of(as_alice.post(f"{PAGE}{key}/undo/", follow=True))
    assert "Removing the import" in going
    work.do_waiting_work()
    assert "Import removed." in text_of(as_alice.get(PAGE))
    with acting_as(alice):
        assert not Conversation.objects.exists()
    again = text_of(as_alice.post(f"{PAGE}{key}/undo/", follow=True))
    assert "nothing from this import left to remove" in again


@for_real
def test_lines_can_be_pasted_or_sent_as_a_file(as_alice: Client, alice: User) -> None:
    assert "2 memories" in text_of(as_alice.post(PAGE, {"pasted": LINES}, follow=True))
    assert "2 memories" in text_of(sent(as_alice, LINES.encode(), "memories.txt"))
    with acting_as(alice):
        key = Import.objects.get(state=State.BROUGHT).pk
    as_alice.post(f"{PAGE}{key}/accept/")
    work.do_waiting_work()
    with acting_as(alice):
        assert Memory.objects.filter(user=alice, status="waiting").count() == 2


@for_real
def test_a_stranger_sees_and_does_nothing(
    as_bob: Client, bob_api: Api, bob: User, alice: User
) -> None:
    done, waiting = imported(alice, FILE), brought(alice, as_json([talk("x", "Xylophonia", "Ok")]))
    for key, deed in ((waiting.pk, "accept"), (waiting.pk, "cancel"), (done.pk, "undo")):
        as_bob.post(f"{PAGE}{key}/{deed}/")
        method = "delete" if deed == "cancel" else "post"
        path = f"imports/{key}" if deed == "cancel" else f"imports/{key}/{deed}"
        assert ask(bob_api, method, path).status_code == 404
    assert ask(bob_api, "get", f"imports/{done.pk}").status_code == 404
    assert bob_api.listed("imports") == []
    assert "From ChatGPT" not in text_of(as_bob.get(PAGE))
    with acting_as(alice):
        states = set(Import.objects.filter(user=alice).values_list("state", flat=True))
        assert states == {State.READY, State.BROUGHT}
    # The same file is his own when he brings it.
    assert imported(bob, FILE).conversations == 1


def ask(api: Api, method: str, path: str, data: Any = None) -> Any:
    call = getattr(api.client, method)
    return call(f"/api/v1/{path}", data, headers={"Authorization": f"Token {api.token}"})


@for_real
def test_other_software_sends_looks_accepts_watches_and_undoes(alice_api: Api) -> None:
    answer = ask(alice_api, "post", "imports", {"file": SimpleUploadedFile("e.zip", FILE)})
    told = answer.json()
    assert (answer.status_code, told["state"], told["conversations"]) == (201, "brought", 1)
    assert (told["brought_from"], told["skipped"]) == ("chatgpt", {"it’s damaged": 1})
    path = answer.headers["Location"].removeprefix("/api/v1/")
    assert ask(alice_api, "post", f"{path}/accept").status_code == 202
    assert ask(alice_api, "post", f"{path}/accept").status_code == 409
    work.do_waiting_work()
    assert ask(alice_api, "get", path).json()["state"] == "ready"
    (conversation,) = ask(alice_api, "get", "conversations").json()["results"]
    assert (conversation["imported_from"], conversation["messages"]) == ("chatgpt", 2)
    assert ask(alice_api, "delete", path).status_code == 404
    undone = ask(alice_api, "post", f"{path}/undo")
    assert (undone.status_code, undone.json()["state"]) == (202, "undoing")
    work.do_waiting_work()
    assert ask(alice_api, "get", path).json()["state"] == "undone"
    bad = ask(alice_api, "post", "imports", {"file": SimpleUploadedFile("e.zip", b"PK\3\4")})
    assert (bad.status_code, "ZIP" in json.dumps(bad.json())) == (400, True)


def said_by(*words: Any, **options: Any) -> str:
    out = StringIO()
    call_command("import_conversations", *words, stdout=out, **options)
    return out.getvalue()


@for_real
def test_a_command_counts_imports_and_refuses(alice: User, tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    file.write_bytes(FILE)
    told = said_by(str(file), user="alice@example.org", dry_run=True)
    assert "ChatGPT: 1 conversation and 2 messages; already here: 0." in told
    assert "Left out, because it’s damaged: 1." in told
    with acting_as(alice):
        assert not Import.objects.exists()
    assert "Imported 2 messages." in said_by(str(file), user="Alice@example.org")
    assert "already here: 1" in said_by(str(file), user="alice@example.org")
    file.write_bytes(b"%PDF")
    with pytest.raises(CommandError, match="isn’t a JSON file"):
        said_by(str(file), user="alice@example.org")
