"""The story the product exists for, walked through the real turn and through the API."""

from collections.abc import Callable

from tests.people import Api, Talk


def test_what_is_told_in_one_conversation_is_known_in_the_next(talk: Callable[..., Talk]) -> None:
    talk().say("My name is Nick, I work at Google and live in Seattle")
    second = talk()
    answer = second.say("What's my name?")
    assert "Nick" in answer.content
    assert answer.used_conversations == 1
    assert "Google" in second.say("Where do I work?").content
    assert "Seattle" in second.say("which city do I live in").content


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
