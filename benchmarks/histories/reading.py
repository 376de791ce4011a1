"""What the product learns from annotated histories without a language model.

Each file holds one person's conversations with the operations that a careful reader would note
(`benchmarks.histories.gold` describes the format). The person's messages are said in order by a new
user, at their dates, in their conversations; after each one the waiting work is done and what is
held is compared with the annotations. The folder `--out` gets `reading.json`, the shares, and
`reading.md`, which lists every miss, wrong fact and unnoticed change for a person to judge.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.histories import scores
from benchmarks.histories.gold import (
    Entry,
    Gold,
    Item,
    alike,
    finally_wrong,
    holds,
    read_gold,
    was_said,
)
from benchmarks.histories.replaying import Entries, Replayed, replay
from benchmarks.histories.scores import Score
from tests.clock import own_time

# Tried where no file is named.
EXAMPLE = Path(__file__).with_name("reading_sample.json")
# Each share: what is counted, and of how many. "Distilled" counts facts, and of the notes only
# those that name a slot: the others repeat a message, and go on saying what it said.
SHARES = {
    "facts_found": ("found", "to_find"),
    "facts_found_distilled": ("found_distilled", "to_find"),
    "facts_found_as_facts": ("found_as_fact", "to_find"),
    "facts_wrong": ("wrong", "noted"),
    "changes_noticed": ("noticed", "changes"),
    "changes_noticed_of_held": ("noticed_of_held", "changes_of_held"),
    "changes_noticed_distilled": ("noticed_distilled", "changes"),
    "changes_noticed_of_held_distilled": ("noticed_of_held_distilled", "changes_of_held_distilled"),
    "final_right": ("final_right", "final"),
    "final_right_distilled": ("final_right_distilled", "final"),
    "final_wrong": ("final_wrong", "current"),
}


def add_arguments(reader: argparse.ArgumentParser) -> None:
    reader.add_argument("files", type=Path, nargs="*", default=[EXAMPLE], metavar="FILE")
    reader.add_argument(
        "--judged",
        type=Path,
        help='a JSON list of "person: slot: value" that a reader judged right',
    )


def report(namespace: argparse.Namespace) -> Iterator[str]:
    """The figures and all that is to be judged; both files are written where a folder is named."""
    judged = json.loads(namespace.judged.read_text("utf-8")) if namespace.judged else []
    by_file: dict[str, Score] = {}
    replays = []
    with own_time() as clock:
        for path in namespace.files:
            history = json.loads(path.read_text("utf-8"))
            replays.append(replay(history, f"{path.stem}@example.org", clock))
            by_file[path.stem] = scored(read_gold(history), replays[-1], set(judged))
    table = scores.figures(by_file, _named(by_file))
    page = "\n".join([table, _cost(replays), *scores.listed(by_file)])
    if namespace.out:
        scores.write(namespace.out, "reading", page, by_file, SHARES)
    yield page


# --- Scoring -------------------------------------------------------------------------------------


def scored(gold: Gold, replayed: Replayed, judged: set[str]) -> Score:
    """Compare what was held with the annotations."""
    score = Score()
    for item in gold.items:
        if _is_to_find(item):
            _score_found(item, replayed, score)
        elif item.op in {"update", "end"} and item.old and item.counts:
            _score_change(item, replayed, score)
    _score_facts(gold, replayed, judged, score)
    for item in gold.final:
        if item.kind == "fact":
            score.counts["final"] += 1
            held = bool(holds(replayed.end, item))
            score.counts["final_right"] += held
            score.counts["final_right_distilled"] += bool(holds(_distilled(replayed.end), item))
            if not held:
                score.note("Not held at the end", _missing(item, replayed.end))
    return score


def _is_to_find(item: Item) -> bool:
    is_fact = item.op == "add" and item.kind == "fact" and item.about == "self"
    return is_fact and item.counts and item.lasting


def _score_found(item: Item, replayed: Replayed, score: Score) -> None:
    """Count a fact as found if it is held after its message, after its conversation or at the
    end.
    """
    moments = (item.message, replayed.last_of[item.message])
    states = [*(replayed.states[moment] for moment in moments), replayed.end]
    holding = [entry for state in states for entry in holds(state, item)]
    score.counts["to_find"] += 1
    score.counts["found"] += bool(holding)
    score.counts["found_as_fact"] += any(entry.slot for entry in holding)
    score.counts["found_distilled"] += any(not entry.verbatim for entry in holding)
    if not holding:
        score.note("Facts not found", _missing(item, states[0]))
    elif not any(entry.slot for entry in holding):
        score.note("Facts found as notes only", f"{item} (held: {holding[0]})")


def _missing(item: Item, entries: Iterable[Entry]) -> str:
    near = [str(entry) for entry in entries if entry.slot and alike(entry.slot, item.slot)]
    return f'{item} (held: {", ".join(near) or "nothing"}) "{item.quote}"'


def _score_change(item: Item, replayed: Replayed, score: Score) -> None:
    """Count a change by its kind, and whether it was noticed, with verbatim notes and without."""
    before, after = replayed.before(item.message), replayed.states[item.message]
    kind = item.why or item.op
    noticed, still = _is_noticed(item, before, after, score.counts)
    score.counts["changes"] += 1
    score.counts[f"changes: {kind}"] += 1
    score.counts[f"noticed: {kind}"] += noticed
    if not noticed and item.old:
        why = f"still held: {still[0]}" if still else "neither value held"
        score.note("Changes not noticed", f"{item} (before: {item.old.value}; {why})")
    _is_noticed(item, _distilled(before), _distilled(after), score.counts, "_distilled")


def _is_noticed(
    item: Item, before: Entries, after: Entries, counts: Counter[str], suffix: str = ""
) -> tuple[bool, list[Entry]]:
    """Count and return whether the old value no longer holds unmarked, and what still says it.

    Where the old value was not held before, the new one has to be held.
    """
    assert item.old is not None
    new = holds(after, item) if item.op == "update" else []
    held_before = bool(holds(before, item.old))
    still = [entry for entry in holds(after, item.old) if entry not in new and not entry.marked]
    noticed = (held_before or bool(new)) and not still
    counts[f"noticed{suffix}"] += noticed
    counts[f"changes_of_held{suffix}"] += held_before
    counts[f"noticed_of_held{suffix}"] += held_before and noticed
    return noticed, still


def _distilled(entries: Entries) -> Entries:
    return tuple(entry for entry in entries if not entry.verbatim)


def _score_facts(gold: Gold, replayed: Replayed, judged: set[str], score: Score) -> None:
    """Count the wrong ones of all facts that ever were current, and of those that are at the
    end.
    """
    at_end = {(entry.slot, entry.value): entry.marked for entry in replayed.end if entry.slot}
    noted = {
        (entry.slot, entry.value): message
        for message, state in reversed(replayed.states.items())
        for entry in state
        if entry.slot
    }
    for fact, message in reversed(noted.items()):
        entry = Entry(*fact, marked=at_end.get(fact, False))
        right = was_said(entry, gold.items) or f"{gold.person}: {entry}" in judged
        score.counts["noted"] += 1
        score.counts["wrong"] += not right
        heading = "Facts that were said" if right else "Wrong facts"
        score.note(heading, f"{gold.person}: {entry} (noted after {message})")
        if fact in at_end:
            wrong = not right or finally_wrong(entry, gold)
            score.counts["current"] += 1
            score.counts["final_wrong"] += wrong
            score.counts["final_wrong_but_marked"] += wrong and entry.marked
            if wrong:
                open_question = " (a question is open)" if entry.marked else ""
                score.note("Wrong at the end", f"{gold.person}: {entry}{open_question}")


# --- Reporting -----------------------------------------------------------------------------------


def _named(by_file: scores.Scores) -> scores.Shares:
    """Return the shares, and those of the changes noticed by their kind."""
    counts = scores.total_of(by_file).counts
    kinds = sorted(name for name in counts if name.startswith("changes: "))
    return SHARES | {name: (name.replace("changes", "noticed"), name) for name in kinds}


def _cost(replays: list[Replayed]) -> str:
    messages = max(1, sum(len(replayed.states) for replayed in replays))
    answering = sum(replayed.answering for replayed in replays) / messages
    learning = sum(replayed.learning for replayed in replays) / messages
    return f"\nCPU seconds a message: {answering:.3f} for the turn, {learning:.3f} for later work."
