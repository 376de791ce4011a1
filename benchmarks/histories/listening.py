"""What a connected model's operations come to: annotated histories, replayed by a scripted server.

Each file holds one person's conversations with the operations of a careful note-taker
(`benchmarks.histories.gold` describes the format). A scripted model returns them after each
message, in the product's schema; a second run offers the file's false operations ("lies") beside
them. The folder `--out` gets `listening.json`, the shares and their counts, and `listening.md`,
which lists every miss. Sensitive and confidential operations should wait or stay in their
conversation: they are counted apart (`sensitive_kept_apart`), and so are the final items that they
made.
"""

import argparse
import json
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts.models import User
from benchmarks.histories import scores
from benchmarks.histories.gold import (
    NOTE,
    Entry,
    Gold,
    Item,
    finally_wrong,
    holds,
    messages_of,
    read_gold,
    words_of,
)
from benchmarks.histories.replaying import Entries, Replayed, replay
from benchmarks.histories.scores import Score
from benchmarks.histories.scripted_listener import ScriptedListener
from benchmarks.support.talking import say
from tests.clock import Clock, own_time
from tests.fakes.model_server import ModelServer, normal

EXAMPLE = Path(__file__).with_name("reading_sample.json")
SHARES = {
    "correct_active": ("active", "operations"),
    "correct_one_click": ("one_click", "operations"),
    "sensitive_kept_apart": ("kept_apart", "sensitive"),
    "lies_active": ("lies_active", "lies"),
    "final_right": ("final_right", "final"),
    "final_wrong": ("final_wrong", "current"),
    "answers_right": ("answers_right", "questions"),
}


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("files", type=Path, nargs="*", default=[EXAMPLE], metavar="FILE")
    reader.add_argument("--drop", type=int, default=0, help="leave every N-th operation out")
    reader.add_argument(
        "--paraphrase", type=int, default=0, help="quote every N-th in other words, as refused"
    )
    reader.add_argument("--trust", choices=("full", "auto", "strict"), default="auto")


def report(namespace: argparse.Namespace) -> Iterator[str]:
    """The figures and every miss; both files are written where a folder is named."""
    settings.MODEL_TRUST, settings.MEMORY["reflection_delay"] = namespace.trust, 0.0
    settings.CHAT_MODEL, settings.MODEL_RETRIES = "scripted", 0
    by_file = {}
    with own_time() as clock:
        for path in namespace.files:
            history = json.loads(path.read_text("utf-8"))
            by_file[path.stem] = _measured(history, path.stem, clock, namespace)
    page = "\n".join([scores.figures(by_file, SHARES), *scores.listed(by_file)])
    if namespace.out:
        scores.write(namespace.out, "listening", page, by_file, SHARES)
    yield page


def _measured(
    history: dict[str, Any], name: str, clock: type[Clock], namespace: argparse.Namespace
) -> Score:
    """Replay a history with the true operations, and again with the lies among them."""
    listener = ScriptedListener(history, dropped=namespace.drop, paraphrased=namespace.paraphrase)
    true, user = _replayed(history, f"{name}@example.org", clock, listener)
    lying, _ = _replayed(
        history, f"{name}-lies@example.org", clock, ScriptedListener(history, lies=True)
    )
    gold, score = read_gold(history), Score()
    _score_operations(gold, _sensitive(history), true, score)
    _score_lies(history, gold, true, lying, score)
    _score_end(gold, _sensitive(history), true, score)
    _score_questions(history, gold, user, true, score)
    return score


def _replayed(
    history: dict[str, Any], address: str, clock: type[Clock], listener: ScriptedListener
) -> tuple[Replayed, User]:
    with ModelServer(normal(listener)) as server:
        settings.OPENAI_BASE_URL = server.url
        replayed = replay(history, address, clock)
    assert replayed.user is not None
    return replayed, replayed.user


# --- Scoring -------------------------------------------------------------------------------------


def _sensitive(history: dict[str, Any]) -> set[str]:
    """The ids of items that touch a private matter or were told in confidence."""
    given = [each for message in messages_of(history) for each in message.get("gold", ())]
    return {
        each.get("target") or each["id"]
        for each in given
        if each.get("sensitive") or each.get("confidential")
    }


def _score_operations(gold: Gold, sensitive: set[str], true: Replayed, score: Score) -> None:
    for item in gold.items:
        if not item.counts or not item.lasting:
            continue
        after, offered = true.states[item.message], true.offered[item.message]
        also = {
            entry
            for other in gold.items
            if other.message == item.message and other != item
            for entry in holds(after, other)
        }
        if item.id in sensitive:
            score.counts["sensitive"] += 1
            score.counts["kept_apart"] += not holds(after, item) or item.op in ("end", "forget")
            continue
        active = _stands(item, after, also)
        one_click = active or _would_stand(item, after, offered)
        score.counts["operations"] += 1
        score.counts[f"operations: {item.op}"] += 1
        score.counts["active"] += active
        score.counts[f"active: {item.op}"] += active
        score.counts["one_click"] += one_click
        if not active:
            waits = " (waits for a yes)" if one_click else ""
            score.note("Not active", f"{item}{waits}")


def _stands(item: Item, after: Entries, also: Set[Entry]) -> bool:
    """Whether an operation has taken effect; `also` are the entries that others of its message
    made.
    """
    old = [] if item.old is None else _still_saying(item.old, after, also)
    match item.op:
        case "add":
            return bool(holds(after, item))
        case "update":
            new = holds(after, item)
            return bool(new) and all(entry in new or entry.marked for entry in old)
        case "end" | "forget":
            return not old
        case "conflict":
            return any(entry.marked for entry in old)
        case _:
            return bool(old)


def _still_saying(old: Item, after: Entries, also: Set[Entry]) -> list[Entry]:
    """The entries that say an older value and not much else."""
    return [entry for entry in holds(after, old) if entry not in also and _says(entry, old)]


def _would_stand(item: Item, after: Entries, offered: Entries) -> bool:
    """Whether it would after a yes to what waits."""
    if item.op in ("end", "forget"):
        words = item.old.telling if item.old else item.telling
        return any(words <= words_of(entry.value) for entry in offered)
    return any(item.telling <= words_of(entry.value) for entry in offered)


def _score_lies(
    history: dict[str, Any], gold: Gold, true: Replayed, lying: Replayed, score: Score
) -> None:
    items = {item.id: item for item in gold.items}
    for lie in history.get("lies", ()):
        message = lie["false_from"]
        target = items.get(lie.get("target", ""))
        value = lie.get("value") or lie.get("text") or (target.value if target else "")
        item = Item(
            op=lie["op"], id=lie["id"], kind=lie.get("kind", ""),
            slot=lie.get("slot") or (target.slot if target else NOTE), value=value, about="self",
            message=message, said="", quote=lie["quote"],
            sources=frozenset({message, lie["quote_msg"]}),
        )  # fmt: skip
        if lie["op"] == "end" and target is not None:
            active = bool(holds(true.states[message], target)) and not holds(
                lying.states[message], target
            )
        else:
            active = bool(_new(lying, true, message, item))
        score.counts["lies"] += 1
        score.counts["lies_active"] += active
        if active:
            score.note("Lies that became active", f"{lie['lie_type']}: {item}")


def _new(lying: Replayed, true: Replayed, message: str, item: Item) -> list[Entry]:
    """The entries that say a lie and that the run without lies does not have."""
    known = {(entry.slot, entry.value) for entry in true.states[message]}
    said = [entry for entry in holds(lying.states[message], item) if not entry.marked]
    return [entry for entry in said if (entry.slot, entry.value) not in known]


def _score_end(gold: Gold, sensitive: set[str], true: Replayed, score: Score) -> None:
    for item in gold.final:
        if item.id in sensitive:
            continue
        held = bool(holds(true.end, item))
        score.counts["final"] += 1
        score.counts["final_right"] += held
        if not held:
            score.note("Not held at the end", str(item))
    known = [*gold.items, *gold.final]
    for entry in true.end:
        said = any(_says(entry, item) for item in known)
        wrong = not said or (entry.slot != NOTE and finally_wrong(entry, gold))
        wrong = wrong or (entry.slot == NOTE and _is_over(entry, gold))
        score.counts["current"] += 1
        score.counts["final_wrong"] += wrong
        if wrong:
            score.note("Wrong at the end", str(entry))


def _says(entry: Entry, item: Item) -> bool:
    """Whether an entry says no more than an operation of the annotations."""
    words, item_words = words_of(entry.value), words_of(f"{item.value} {item.quote}")
    return bool(words) and len(words - item_words) <= len(words) // 4


def _is_over(entry: Entry, gold: Gold) -> bool:
    """Whether a note says exactly what is not to be held, and nothing that is."""
    words = words_of(entry.value)
    held = any(words_of(item.value) == words for item in gold.final)
    return not held and any(words == over for _, over in gold.not_final)


def _score_questions(
    history: dict[str, Any], gold: Gold, user: User, true: Replayed, score: Score
) -> None:
    """Count a question as answered where the prompt or the profile holds what it needs."""
    last = {item.id: item for item in [*gold.items, *gold.final] if item.value}
    for question in history.get("questions", ()):
        needed = [last[key] for key in question.get("needs", ()) if key in last]
        if not needed:
            continue
        shown = words_of(_prompt_for(user, question["q"]))
        missing = [
            item for item in needed if not item.telling <= shown and not holds(true.end, item)
        ]
        score.counts["questions"] += 1
        score.counts["answers_right"] += not missing
        if missing:
            score.note("Questions without what they need", f"{question['q']} ({missing[0]})")


def _prompt_for(user: User, question: str) -> str:
    """What the chat model is shown with a question in a new conversation."""
    with ModelServer(normal("I see.")) as server:
        settings.OPENAI_BASE_URL = server.url
        say(user, question)
        return "\n".join(str(each["content"]) for each in server.requests[-1]["messages"])
