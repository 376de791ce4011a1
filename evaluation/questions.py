"""How truly the assistant without a model answers questions about what was said.

A recorded person's whole dialogue goes through the product's own way in: messages, learning,
passages. Then thirty questions are asked, six of a kind, as that person would ask them ("I" for
their own name). For who, when and lists they are the recording's own questions with its own
answers. For how often and last time the truth is counted from the recording by the rules below,
which share no code with the product. An answer is right, wrong, or silent: it said that it does
not know.

Of the recordings the first is what the answers were built with; the last two were held out. Thirty
are few: "many" asks every question of these kinds that each recording has, and two dozen of those
that are counted, of all recordings.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations import notebook, prompt, replay
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.replay import Dialogue, Turn
from evaluation.counting import Progress, mean
from evaluation.files import reading
from evaluation.judging import JudgedQuestion, Judgement, judge, told
from evaluation.retrieval import AFTERWARDS, locomo_pairs, somebody

KINDS = ("who", "when", "how often", "list", "last time")
EACH = 6
# And of a kind where many are asked.
MANY = 24
# So many of the recordings at the end were held out while the answers were built.
HELD_OUT = 2


def evaluate(data: Path, progress: Progress) -> dict[str, Any]:
    """Ask about the dialogues below `data`/locomo; shares run from 0 to 1."""
    paths = sorted((data / "locomo").glob("*.json"))
    samples = [pair for path in paths for pair in _pairs(path)]
    if not samples:
        return {"skipped": ["locomo"]}
    apart = samples[1:][-HELD_OUT:]
    read = samples[: len(samples) - len(apart)]
    result: dict[str, Any] = {}
    many: dict[str, list[Judgement]] = {"read": [], "held out": []}
    for position, (sample, dialogue) in enumerate([*read, *apart]):
        progress(position, len(samples), f"questions: {dialogue.name}")
        held_out = max(0, position - len(read) + 1)
        asked = [questions(sample, dialogue), questions(sample, dialogue, MANY)]
        thirty, all_of_them = ask_all(dialogue, asked)
        many["held out" if held_out else "read"] += all_of_them
        if held_out or not position:
            result[f"held out {held_out}" if held_out else "built with"] = summary(thirty)
    held = [part for name, part in result.items() if name != "built with"]
    return {
        "right": result["built with"]["right"],
        "wrong": result["built with"]["wrong"],
        "held_out_right": mean([part["right"] for part in held]),
        "held_out_wrong": mean([part["wrong"] for part in held]),
        **result,
        "many": {name: {**summary(found), **by_kind(found)} for name, found in many.items()},
    }


def _pairs(path: Path) -> list[tuple[dict[str, Any], Dialogue]]:
    """Each sample and its dialogue, of which questions can be made. Raises Unreadable."""
    pairs = locomo_pairs(path)
    with reading(path):
        for pair in pairs:
            questions(*pair)
    return pairs


def ask_all(dialogue: Dialogue, asked: Sequence[Sequence[JudgedQuestion]]) -> list[list[Judgement]]:
    """Play a dialogue to a person of its own, and ask them all."""
    with somebody() as user, acting_as(user):
        for _ in replay.play(dialogue, user):
            pass
        return [
            [judge(question, *answer(user, question.text)) for question in some] for some in asked
        ]


def answer(user: User, text: str) -> tuple[str, int]:
    """What the assistant answers a day after the last word was said, and from how many sources."""
    last = Message.objects.for_user(user.pk).latest("said_at")
    conversation = Conversation.objects.create(user=user)
    draft = NewMessage(Message.Role.USER, text, said_at=last.said_at + AFTERWARDS)
    (question,) = append(user, conversation, [draft])
    made = notebook.compose_answer(prompt.remembering(question))
    conversation.delete()
    return "".join(made.pieces), len(made.used)


def summary(found: Sequence[Judgement]) -> dict[str, Any]:
    """The shares by verdict, of all and of each kind."""
    made: dict[str, Any] = {"questions": len(found), **_shares(found)}
    for kind in KINDS:
        of_kind = [judgement for judgement in found if judgement.kind == kind]
        if of_kind:
            counted = Counter(judgement.verdict for judgement in of_kind)
            made[kind] = {
                **{verdict: counted[verdict] for verdict in ("right", "wrong", "silent")},
                "sources": round(mean([judgement.sources for judgement in of_kind]), 1),
            }
            if kind == "list":
                made[kind]["items"] = mean([judgement.share for judgement in of_kind])
    return made


def by_kind(found: Sequence[Judgement]) -> dict[str, float]:
    """The shares as if each kind were asked equally often, as among the thirty."""
    kinds = [[judgement for judgement in found if judgement.kind == kind] for kind in KINDS]
    shares = [_shares(of_kind) for of_kind in kinds if of_kind]
    return {
        f"{verdict}_by_kind": mean([share[verdict] for share in shares])
        for verdict in ("right", "wrong", "silent")
    }


def _shares(found: Sequence[Judgement]) -> dict[str, float]:
    return {
        verdict: mean([float(judgement.verdict == verdict) for judgement in found])
        for verdict in ("right", "wrong", "silent")
    }


# --- The questions -------------------------------------------------------------------------------


def questions(sample: dict[str, Any], dialogue: Dialogue, each: int = EACH) -> list[JudgedQuestion]:
    """So many of each kind, evenly spread over those there are; from MANY on all of its own."""
    gold = [entry for entry in sample["qa"] if entry["category"] != 5]
    own = each if each < MANY else len(gold)
    of_kind = {
        "who": _spread(list(_who(gold))[:own], own),
        "when": _spread(list(_when(gold)), own),
        "list": _spread(list(_lists(gold)), own),
        "how often": _spread(list(_how_often(dialogue, each)), each),
        "last time": _spread(list(_last_time(dialogue, each)), each),
    }
    name = dialogue.user_speaker
    return [
        replace(one, text=as_oneself(one.text, name)) for kind in KINDS for one in of_kind[kind]
    ]


def _spread(found: Sequence[JudgedQuestion], count: int) -> list[JudgedQuestion]:
    step = max(1.0, len(found) / count)
    return [found[int(position * step)] for position in range(min(count, len(found)))]


def _who(gold: Sequence[dict[str, Any]]) -> Iterator[JudgedQuestion]:
    """Who somebody is or was; filled up with what is asked of a person ('What is Ada's job?')."""
    people = [
        e for e in gold if re.match(r"(?:who|whose|with whom)\b", e["question"], re.IGNORECASE)
    ]
    of_people = [
        entry
        for entry in gold
        if re.match(r"what (?:is|was) [A-Z]\w+'s \w+", entry["question"], re.IGNORECASE)
        and len(str(entry["answer"]).split()) <= 3
    ]
    for entry in [*people, *of_people]:
        yield JudgedQuestion("who", entry["question"], tuple(_things(str(entry["answer"]))))


def _when(gold: Sequence[dict[str, Any]]) -> Iterator[JudgedQuestion]:
    for entry in gold:
        if re.match(r"when (?:did|was|is|has)\b", entry["question"], re.IGNORECASE):
            days = told(str(entry["answer"]))
            if days is not None:
                yield JudgedQuestion("when", entry["question"], days=days)


def _lists(gold: Sequence[dict[str, Any]]) -> Iterator[JudgedQuestion]:
    for entry in gold:
        things = _things(str(entry["answer"]))
        plural = re.match(r"(?:what|which|where)\b", entry["question"], re.IGNORECASE)
        short = all(len(thing.split()) <= 4 for thing in things)
        if entry["category"] == 1 and plural and len(things) >= 2 and short:
            yield JudgedQuestion("list", entry["question"], tuple(things))


def _things(answer: str) -> list[str]:
    parts = re.split(r",|;|\band\b|\bor\b", re.sub(r"[\"'“”]s\b|[\"“”.]", "", answer))
    return [" ".join(part.split()) for part in parts if part.strip()]


def as_oneself(question: str, name: str) -> str:
    """The question as the person of that name would ask it."""
    be = {"is": "am", "has": "have", "does": "do"}
    text = re.sub(rf"\b{name}'s\b", "my", question)
    text = re.sub(
        rf"\b(is|has|does|was|did|will|would|can|could|should) {name}\b",
        lambda found: f"{be.get(found[1], found[1])} I",
        text,
    )
    text = re.sub(rf"\b(to|for|with|by|of|from|support|supports|about|at) {name}\b", r"\1 me", text)
    return re.sub(rf"\b{name}\b", "I", text)


# --- What is counted -----------------------------------------------------------------------------

_COMMON = frozenset(
    """about after again already always amazing another anything around awesome because been before
    being better between could does doing done down each even ever every everything feel feeling
    felt find first from getting give glad going gonna good great gotta happy hard have having here
    hope just keep know last life like little long look looking lots love made make making many
    maybe more most much need never next nice nothing only other over people picture pretty really
    right said seem seen shares should since some someone something soon sounds start still stuff
    such super sure take talk tell than thank thanks that their them then there these they thing
    things think this those though thought through time today together told took totally tried
    trying until very want wanted wants well were what when where which while will wish with
    without wonderful work world would yeah year years yesterday your yours definitely cool keep
    guys came come been means mean being best both into also share shared sharing week weekend
    month months days check believe guess kind help helped helps helping""".split()
)
# Words that an ending does not tell from their other forms.
_IRREGULAR = frozenset(
    """children found spoke spoken broke chose drawn drove fought grown heard himself itself knew
    known leave meant myself people spent stood taught themselves thrown women worn wrote written
    yourself""".split()
)


def _nouns(dialogue: Dialogue) -> list[str]:
    """Words that come up in 3 to 12 messages, the same on every run, in the order of the talk."""
    in_messages: Counter[str] = Counter()
    for turn in _turns(dialogue):
        in_messages.update(set(re.findall(r"[a-z]{5,}", turn.text.lower())))
    return [
        word
        for word, count in in_messages.items()
        if 3 <= count <= 12
        and word not in _COMMON | _IRREGULAR
        and not word.endswith(("ly", "ing", "ed", "s"))
    ]


def _turns(dialogue: Dialogue) -> list[Turn]:
    return [turn for session in dialogue.sessions for turn in session.turns]


def _has(word: str, text: str) -> bool:
    """The word, in the singular or the plural."""
    return bool(re.search(rf"\b{word}(?:s|es|'s)?\b", text.lower()))


def _apart(dialogue: Dialogue) -> Iterator[str]:
    """Words whose count no other form of the word could blur."""
    words = {w for turn in _turns(dialogue) for w in re.findall(r"[a-z]+", turn.text.lower())}
    for word in sorted(_nouns(dialogue)):
        root = word[: max(4, len(word) - 2)]
        if not {w for w in words if w.startswith(root)} - {word, f"{word}s", f"{word}es"}:
            yield word


def _how_often(dialogue: Dialogue, each: int) -> Iterator[JudgedQuestion]:
    """By turns in messages of one's own and in conversations of both."""
    for position, word in enumerate(_spread_words(dialogue, 0, each)):
        if position % 2:
            count = sum(
                any(_has(word, turn.text) for turn in session.turns)
                for session in dialogue.sessions
            )
            text = f"In how many conversations did we talk about {word}?"
        else:
            count = sum(turn.by_user and _has(word, turn.text) for turn in _turns(dialogue))
            text = f"How often did I mention {word}?"
        yield JudgedQuestion("how often", text, number=count)


def _last_time(dialogue: Dialogue, each: int) -> Iterator[JudgedQuestion]:
    for position, word in enumerate(_spread_words(dialogue, 1, each)):
        mine = position % 2 == 0
        days = [
            turn.at.date()
            for turn in _turns(dialogue)
            if _has(word, turn.text) and (turn.by_user or not mine)
        ]
        said = f"When did I last mention {word}?"
        text = said if mine else f"When did we last talk about {word}?"
        if days:
            yield JudgedQuestion("last time", text, days=(max(days), max(days)))
        else:
            yield JudgedQuestion("last time", text, number=0)


def _spread_words(dialogue: Dialogue, offset: int, each: int) -> list[str]:
    words = list(_apart(dialogue))
    return words[offset :: max(1, len(words) // each)][:each]
