"""`python -m tests.talk.ask DIALOGUES --out FILE`: is what was said shown, and nothing else?

Replays recorded dialogues (LoCoMo) into one person each on a throw-away site, without a language
model, and asks in that person's words: questions whose evidence recall has among its first ten
passages, and questions about other dialogues with the names changed, which nobody answered here.
Prints and writes which share of the first was shown (the answer links to a message that holds the
evidence, or says what the recording gives as the answer) and of the second answered by nothing.
"""

import argparse
import json
import random
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks.support.site import site

_FIRST = 10
_KINDS = (1, 2, 4)


@dataclass
class Asked:
    """A question, what was said to it, and whether that is what it should be."""

    question: str
    was_said: bool
    reply: str
    good: bool


def main() -> None:
    """Ask twenty questions that were answered, and ten that were not, of each dialogue."""
    reader = argparse.ArgumentParser(prog="python -m tests.talk.ask", description=__doc__)
    reader.add_argument("dialogues", type=Path)
    reader.add_argument("--out", type=Path, required=True)
    reader.add_argument("--seed", type=int, default=7)
    wanted = reader.parse_args()
    with site():
        told = list(_ask_all(wanted.dialogues, random.Random(wanted.seed)))
    wanted.out.write_text(json.dumps([asdict(one) for one in told], indent=1), encoding="utf-8")
    for was_said, words in ((True, "said, and shown"), (False, "never said, and nothing found")):
        some = [one for one in told if one.was_said is was_said]
        unsure = sum(one.good and "surely" in one.reply for one in some)
        print(f"{words}: {sum(one.good for one in some)} of {len(some)} ({unsure} as unsure)")


def _ask_all(path: Path, chance: random.Random) -> Iterator[Asked]:
    from evaluation.retrieval import locomo_pairs

    pairs = list(locomo_pairs(path))
    for place, (recording, dialogue) in enumerate(pairs):
        others = [other for at, (other, _) in enumerate(pairs) if at != place]
        yield from _ask(recording, dialogue, others, chance)


def _ask(
    recording: dict[str, Any], dialogue: Any, others: list[dict[str, Any]], chance: random.Random
) -> Iterator[Asked]:
    """Of one dialogue: twenty questions of its own, and ten of the others."""
    from accounts.database.isolation import acting_as
    from conversations import replay
    from conversations.models import Message
    from evaluation.retrieval import somebody

    names = [recording["conversation"][f"speaker_{which}"] for which in "ab"]
    own = [one for one in recording["qa"] if one["category"] in _KINDS and one.get("evidence")]
    foreign = [(one, other) for other in others for one in other["qa"] if one["category"] in _KINDS]
    with somebody() as user, acting_as(user):
        for _ in replay.play(dialogue, user):
            pass
        rows = Message.objects.for_user(user.pk)
        keys = {key: pk for pk, key in rows.values_list("id", "client_key") if key}
        asked = 0
        for one in chance.sample(own, len(own)):
            evidence = {pk for key, pk in keys.items() if _names(key, one["evidence"])}
            reply = _reply(user, _in_own_words(one["question"], names[0]))
            if evidence & set(reply.found[:_FIRST]):
                shown = bool(evidence & reply.linked) or _says(reply.text, str(one["answer"]))
                yield Asked(one["question"], True, reply.text, shown)
                asked += 1
            if asked == 20:
                break
        for one, other in chance.sample(foreign, 10):
            text = one["question"]
            for which, name in zip("ab", names, strict=True):
                text = text.replace(other["conversation"][f"speaker_{which}"], name)
            reply = _reply(user, _in_own_words(text, names[0]))
            yield Asked(text, False, reply.text, _finds_nothing(reply.text))


@dataclass
class _Reply:
    text: str
    found: list[UUID]
    linked: set[UUID]


def _reply(user: Any, text: str) -> _Reply:
    """What is answered in a conversation of its own, which is gone again afterwards."""
    from conversations import notebook, prompt
    from conversations.messages import NewMessage, append
    from conversations.models import Conversation, Message
    from evaluation.retrieval import AFTERWARDS

    last = Message.objects.for_user(user.pk).latest("said_at")
    talk = Conversation.objects.create(user=user)
    (message,) = append(
        user, talk, [NewMessage(Message.Role.USER, text, said_at=last.said_at + AFTERWARDS)]
    )
    built = prompt.remembering(message)
    made = notebook.compose_answer(built)
    told = "".join(made.pieces)
    places = {
        (str(conversation), int(number))
        for conversation, number in re.findall(r"/talk/([0-9a-f-]{36})/\?at=(\d+)", told)
    }
    rows = Message.objects.for_user(user.pk).values_list("id", "conversation", "number")
    linked = {pk for pk, conversation, number in rows if (str(conversation), number) in places}
    found = [passage.message.pk for passage in built.passages]
    talk.delete()
    return _Reply(told, found, linked)


def _in_own_words(question: str, speaker: str) -> str:
    from evaluation.questions import as_oneself

    return as_oneself(question, speaker)


def _names(key: str, evidence: list[str]) -> bool:
    """Whether a message is among those that the recording names: "D1:3"."""
    return any(re.search(rf"(?:^|\D){re.escape(one)}$", key) for one in evidence)


def _finds_nothing(reply: str) -> bool:
    """Whether it says so; what comes near may follow."""
    return "I don’t know that yet" in reply or "need a language model" in reply


def _says(reply: str, answer: str) -> bool:
    wanted = set(re.findall(r"[\w']{3,}", answer.lower()))
    return bool(wanted) and wanted <= set(re.findall(r"[\w']+", reply.lower()))


if __name__ == "__main__":
    main()
