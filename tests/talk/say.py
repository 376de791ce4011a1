"""`python -m tests.talk.say FILE ... --out DIR`: say what people say, and write the replies down.

Each file holds one person (days of messages), or a list of short talks (`before` and `correction`
or `text`, or `first` and `then`). Everything goes through the product's own turns, without a
language model or with the one at `--model`, at the times that the files give. What comes back is
for a reader to judge: a Markdown page and a JSON file for each.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from benchmarks.support.site import site

# Where a file gives no day.
_FIRST_DAY = date(2026, 3, 2)
_SOME_DAYS = timedelta(days=3)


@dataclass(frozen=True)
class Line:
    """Something that is said: when, and what a good reply would do, for whoever judges it."""

    key: str
    at: datetime
    text: str
    type: str = ""
    should: str = ""


@dataclass
class Said:
    """A line and what came of it: the reply, the chips under it, and the questions left open."""

    key: str
    at: str
    text: str
    type: str
    should: str
    reply: str
    chips: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)


def main() -> None:
    """Say each file's lines by a person of its own, on a throw-away site."""
    reader = argparse.ArgumentParser(prog="python -m tests.talk.say", description=__doc__)
    reader.add_argument("files", nargs="+", type=Path, metavar="FILE")
    reader.add_argument("--out", type=Path, required=True, metavar="DIR")
    reader.add_argument("--model", default="", metavar="URL", help="of a small model: make model")
    wanted = reader.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    with site(**(_settings_of(wanted.model) if wanted.model else {})):
        for path in wanted.files:
            told = list(_replies(path))
            name = wanted.out / path.stem
            lines = [asdict(one) for one in told]
            name.with_suffix(".json").write_text(
                json.dumps(lines, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
            )
            name.with_suffix(".md").write_text(_page(path.stem, told), encoding="utf-8")
            print(f"{path.stem}: {len(told)} messages")


def _settings_of(model: str) -> dict[str, str]:
    """How the product asks the model that `make model` starts; a few words of it are enough."""
    return {
        "OPENAI_BASE_URL": model,
        "CHAT_MODEL": "smollm2",
        "MODEL_MAX_TOKENS": "16",
        "MODEL_ANSWER_SECONDS": "300",
        "MODEL_READ_TIMEOUT": "300",
    }


def _replies(path: Path) -> Iterator[Said]:
    read = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(read, dict):
        days = [
            [_line(each, _day(day["date"])) for each in day["messages"]] for day in read["days"]
        ]
        yield from talk(f"{path.stem}@example.org", days)
    else:
        for each in read:
            yield from talk(f"{path.stem}-{each['id']}@example.org", _short(each))


def _day(text: str) -> date:
    return date.fromisoformat(text)


def _line(given: dict[str, Any], day: date) -> Line:
    at = datetime.combine(day, time.fromisoformat(given["at"]), UTC)
    return Line(given["id"], at, given["text"], given.get("type", ""), given.get("should", ""))


def _short(given: dict[str, Any]) -> list[list[Line]]:
    """The days of a short talk; only its last line is judged."""
    key, should, kind = given["id"], given.get("should", ""), given.get("kind", "")
    noon = datetime.combine(_FIRST_DAY, time(12), UTC)
    if "then" in given:
        first, then = Line(key, noon, given["first"]), given["then"]
        return [[first], [Line(key, noon + _SOME_DAYS, then, kind, should)]]
    said = [*given.get("before", []), given["correction" if "correction" in given else "text"]]
    times = [noon + timedelta(minutes=number) for number in range(len(said))]
    last = len(said) - 1
    return [
        [
            Line(key, at, text, kind, should if number == last else "")
            for number, (at, text) in enumerate(zip(times, said, strict=True))
        ]
    ]


def talk(address: str, days: Iterable[list[Line]]) -> Iterator[Said]:
    """Say it all: a conversation a day, a turn a line."""
    from accounts.models import User
    from tests.clock import own_time

    person = User.objects.create_user(address, None, name="")
    for lines in days:
        conversation = None
        for line in lines:
            with own_time(line.at):
                conversation, said = _say(person, conversation, line)
            yield said


def _say(person: Any, conversation: Any, line: Line) -> tuple[Any, Said]:
    from accounts.database.isolation import acting_as
    from conversations.messages import fit
    from conversations.models import Message
    from conversations.turns import turn

    exchange = turn.begin(person, conversation, fit(line.text))
    turn.write(person.pk, exchange.answer.pk)
    with acting_as(person):
        reply = Message.objects.for_user(person.pk).get(pk=exchange.answer.pk)
        said = Said(
            line.key,
            f"{line.at:%Y-%m-%d %H:%M}",
            line.text,
            line.type,
            line.should,
            reply.content,
            list(_chips(exchange.question)),
            list(_open_questions(person)),
        )
    return exchange.question.conversation, said


def _chips(question: Any) -> Iterator[str]:
    from conversations.web.present.chips import notes_of

    for chip in notes_of(question):
        yield f"[{chip.kind}] {chip.text}"


def _open_questions(person: Any) -> Iterator[str]:
    from ledger.models import Contradiction

    for entry in Contradiction.objects.for_user(person.pk).open():
        yield f"{entry.slot}: {entry.old_fact.value} or {entry.new_fact.value}"


def _page(name: str, told: list[Said]) -> str:
    from conversations.learning.note_consent import MAY_BE_PRIVATE, MAY_BE_PRIVATE_BESIDE
    from conversations.notebook import KEPT

    parts = [f"# {name}"]
    for one in told:
        chips = "".join(f"\n- chip: {chip}" for chip in one.chips)
        waits = one.reply.startswith(KEPT) or one.reply.endswith(
            (MAY_BE_PRIVATE, MAY_BE_PRIVATE_BESIDE)
        )
        button = "\n- button: Note it" if waits else ""
        left = "".join(f"\n- open question: {entry}" for entry in one.open)
        should = f"\n\n*Should: {one.should}*" if one.should else ""
        quoted = one.reply.replace("\n", "\n> ")
        parts.append(
            f"## {one.key} · {one.at} · {one.type}\n\n**{one.text}**\n\n> {quoted}\n"
            f"{chips}{button}{left}{should}"
        )
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
