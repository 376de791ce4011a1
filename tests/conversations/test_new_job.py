"""From two turns to the profile and the timeline, with a model that answers and listens."""

from collections.abc import Callable
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.models import Message
from conversations.web.present import chips
from tests.conversations.looking import FIRST_DAY, answer, fact, for_real, work_through
from tests.fakes.model_server import Serve, normal
from tests.people import Talk, client_for, values

WORKS = "I work at Acme"


def listening(moves: str) -> Callable[[list[dict[str, Any]]], str]:
    """A model that answers, and that reads what it is shown of a conversation."""

    def reply(messages: list[dict[str, Any]]) -> str:
        shown = str(messages[-1]["content"])
        if "You keep the notes" not in str(messages[0]["content"]):
            return "How lovely!"
        if moves not in shown:
            return answer(fact("employer", "Acme", WORKS))
        assert '<item id="f1" slot="employer"' in shown
        where = {"line": shown.partition(moves)[0].count("<line "), "reason": "change"}
        change = fact("none", "Globex", moves, op="update", target="f1", **where)
        return answer(change, summary="They have a new job.")

    return reply


def background_calls(server: Any) -> int:
    prompts = [str(request["messages"][0]["content"]) for request in server.requests]
    return sum("You keep the notes" in prompt for prompt in prompts)


@for_real
def test_a_change_of_jobs_is_named_with_both_and_kept_in_the_timeline(
    alice: User, serve: Serve
) -> None:
    moves = FIRST_DAY
    server = serve(normal(listening(moves)))
    talk = Talk(alice)
    talk.say(WORKS)
    # What the reader reads is there at once: the turn waited for no listening model.
    assert (values(alice, "employer"), background_calls(server)) == ({"Acme"}, 0)
    work_through(alice)
    assert (values(alice, "employer"), background_calls(server)) == ({"Acme"}, 1)

    talk.say(moves)
    work_through(alice)
    assert background_calls(server) == 2
    assert (values(alice, "employer"), values(alice, "employer", "past")) == ({"Globex"}, {"Acme"})
    with acting_as(alice):
        question = Message.objects.get(content=moves)
        (chip,) = chips.notes_of(question)
        assert chip.conflict is not None
    client = client_for(alice)
    page = client.get(f"/talk/{question.conversation_id}/").content.decode()
    card = page.split(f'id="note-{chip.pk}"', 1)[1]
    assert "Acme" in card
    assert "Globex" in card
    assert "Globex" in client.get("/notebook/profile/").content.decode()
    timeline = client.get("/notebook/timeline/").content.decode()
    assert "Acme" in timeline
