"""The story the product exists for, walked through the real turn and through the API."""

from collections.abc import Callable

from accounts.database.isolation import acting_as
from accounts.models import User
from ledger.models import Contradiction
from memory.models import ProfileFact
from tests.people import Api, Talk


def test_what_is_told_in_one_conversation_is_known_in_the_next(talk: Callable[..., Talk]) -> None:
    talk().say("My name is Nick, I work at Google and live in Seattle")
    second = talk()
    answer = second.say("What's my name?")
    assert "Nick" in answer.content
    assert answer.used_conversations == 1
    assert "Google" in second.say("Where do I work?").content
    assert "Seattle" in second.say("which city do I live in").content


def test_a_name_for_one_conversation_holds_there_only(talk: Callable[..., Talk]) -> None:
    talk().say("My name is Nick")
    here = talk()
    here.say("call me Nicky in this chat")
    assert "Nicky" in here.say("What's my name?").content
    assert "Nicky" not in talk().say("What's my name?").content


def test_a_second_value_is_asked_about_and_never_overwrites(
    alice: User, talk: Callable[..., Talk]
) -> None:
    talk().say("I work at Google")
    answer = talk().say("I work at Microsoft")
    assert "Google" in answer.content
    assert "Microsoft" in answer.content
    with acting_as(alice):
        assert ProfileFact.objects.current().get(slot="employer").value == "Google"
        assert Contradiction.objects.open().get().new_fact.value == "Microsoft"
    asked = talk().say("Where do I work?").content
    assert "Google" in asked
    assert "Microsoft" in asked


def test_the_same_story_through_the_api(alice_api: Api) -> None:
    first = alice_api.post("conversations").json()["id"]
    kept = alice_api.post(
        f"conversations/{first}/messages", {"content": "I'm Nick, I work at Google"}
    )
    assert kept.status_code == 201
    assert kept.json()["message"]["number"] == 1
    assert {note["slot"] for note in kept.json()["notes"]} == {"name", "employer"}
    second = alice_api.post("conversations").json()["id"]
    reply = alice_api.post(f"conversations/{second}/messages", {"content": "What's my name?"})
    assert "Nick" in reply.json()["reply"]["content"]
    alice_api.post(f"conversations/{second}/messages", {"content": "I work at Microsoft"})
    conflict = alice_api.get("conflicts").json()["results"][0]
    assert (conflict["old_value"], conflict["new_value"]) == ("Google", "Microsoft")
    settled = alice_api.post(f"conflicts/{conflict['id']}/resolve", {"resolution": "keep_new"})
    assert settled.status_code == 200
    again = alice_api.post(f"conflicts/{conflict['id']}/resolve", {"resolution": "keep_old"})
    assert again.status_code == 409
    facts = {f["slot"]: f["value"] for f in alice_api.get("profile").json()["results"]}
    assert facts["employer"] == "Microsoft"
    listed = alice_api.get(f"conversations/{second}/messages").json()["results"]
    assert [(m["number"], m["role"]) for m in listed] == [
        (1, "user"),
        (2, "assistant"),
        (3, "user"),
        (4, "assistant"),
    ]
