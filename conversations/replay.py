"""Replaying recorded, dated dialogues as turns of a user.

Two file formats are read: daily exchanges of a person with an assistant (`{name: {"history": {date:
[{"query", "response"}]}}}`) and long conversations of two people (`[{"sample_id", "conversation":
{"speaker_a", "session_1_date_time", "session_1": [...]}}]`).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

from accounts.database.isolation import acting_as
from accounts.models import User
from conversations.learning import message_learning
from conversations.messages import NewMessage, UnfitText, fit
from conversations.models import Conversation, Message
from conversations.turns import turn

# Recorded turns have a date, at best the hour in which their session began; the turns of a session
# follow at this interval.
BETWEEN_TURNS = timedelta(seconds=30)


class NotADialogue(ValueError):
    """The file has none of the formats that can be replayed."""


@dataclass(frozen=True)
class Turn:
    """One recorded turn; `key` identifies it in the file, so that replaying twice adds nothing."""

    key: str
    speaker: str
    text: str
    at: datetime
    by_user: bool


@dataclass(frozen=True)
class Session:
    """One recorded session, which becomes a conversation."""

    title: str
    turns: list[Turn]


@dataclass(frozen=True)
class Dialogue:
    """All sessions of one pair of speakers."""

    name: str
    user_speaker: str
    sessions: list[Session]

    @property
    def count(self) -> int:
        """The number of turns."""
        return sum(len(session.turns) for session in self.sessions)


@dataclass(frozen=True)
class Progress:
    """The progress of a replay."""

    done: int
    total: int
    session: str
    added: int


def load(path: Path, *, speaker: str = "") -> list[Dialogue]:
    """Return the dialogues in a file. `speaker`: who of two is the user, if not the first. Raises
    NotADialogue with the reason, and OSError if the file cannot be read.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise NotADialogue(f"{path.name} is not a JSON file: {error}") from None
    try:
        if isinstance(raw, dict):
            dialogues = [
                _daily(name, person) for name, person in raw.items() if "history" in person
            ]
        else:
            dialogues = [_two_people(sample, speaker) for sample in raw]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotADialogue(f"{path.name} has a format that isn’t recognised: {error!r}") from None
    if not dialogues:
        raise NotADialogue(f"{path.name} contains no dialogues.")
    return dialogues


def play(dialogue: Dialogue, user: User) -> Iterator[Progress]:
    """Replay a dialogue as a user, turn by turn; yield the progress after each turn. Every turn is
    stored in its own transaction before it is learned from. An interrupted replay is resumed.
    """
    done = added = 0
    for session in dialogue.sessions:
        conversation = _conversation_of(session, user)
        for recorded in session.turns:
            done += 1
            if not _is_known(recorded, user):
                conversation = conversation or _begin(session, user)
                message = turn.record(user, conversation, _draft(recorded))
                message_learning.learn_now(message)
                added += 1
            yield Progress(done, dialogue.count, session.title, added)


def _draft(recorded: Turn) -> NewMessage:
    return NewMessage(
        role=Message.Role.USER if recorded.by_user else Message.Role.ASSISTANT,
        content=recorded.text,
        client_key=recorded.key,
        author=recorded.speaker,
        said_at=recorded.at,
    )


def _is_known(recorded: Turn, user: User) -> bool:
    with acting_as(user):
        return Message.objects.for_user(user.pk).filter(client_key=recorded.key).exists()


def _conversation_of(session: Session, user: User) -> Conversation | None:
    """Return the conversation of an earlier, interrupted replay of this session; None if none."""
    with acting_as(user):
        keys = [recorded.key for recorded in session.turns]
        rows = Conversation.objects.for_user(user.pk)
        return rows.filter(messages__client_key__in=keys).first()


def _begin(session: Session, user: User) -> Conversation:
    at = session.turns[0].at
    with acting_as(user):
        return Conversation.objects.create(
            user=user, title=session.title, started_at=at, last_at=at
        )


# --- The two formats -----------------------------------------------------------------------------


def _daily(name: str, person: dict[str, Any]) -> Dialogue:
    sessions = []
    for date, exchanges in person["history"].items():
        at = datetime.combine(datetime.fromisoformat(date).date(), time(9), tzinfo=UTC)
        turns: list[Turn] = []
        for exchange in exchanges:
            for speaker, text in ((name, exchange["query"]), ("", exchange["response"])):
                position = len(turns)
                key = f"replay:{name}:{date}:{position}"
                turns.append(
                    Turn(key, speaker, text, at + position * BETWEEN_TURNS, by_user=speaker == name)
                )
        if fitting := _fitting(turns):
            sessions.append(Session(f"{name}, {date}", fitting))
    return Dialogue(name, name, sessions)


# Such as "1:56 pm on 8 May, 2023".
_TIME_FORMAT = "%I:%M %p on %d %B, %Y"


def _two_people(sample: dict[str, Any], speaker: str) -> Dialogue:
    talk = sample["conversation"]
    name = str(sample.get("sample_id", "dialogue"))
    people = (talk["speaker_a"], talk["speaker_b"])
    user_speaker = speaker if speaker in people else people[0]
    sessions = []
    numbers = sorted(
        int(match[1]) for key in talk if (match := re.fullmatch(r"session_(\d+)", key))
    )
    for number in numbers:
        at = datetime.strptime(talk[f"session_{number}_date_time"], _TIME_FORMAT).replace(
            tzinfo=UTC
        )
        turns = [
            Turn(
                key=f"replay:{name}:{recorded['dia_id']}",
                speaker=recorded["speaker"],
                text=_with_picture(recorded),
                at=at + position * BETWEEN_TURNS,
                by_user=recorded["speaker"] == user_speaker,
            )
            for position, recorded in enumerate(talk[f"session_{number}"])
        ]
        if fitting := _fitting(turns):
            sessions.append(Session(f"{people[0]} and {people[1]}, session {number}", fitting))
    return Dialogue(name, user_speaker, sessions)


def _with_picture(recorded: dict[str, Any]) -> str:
    """Return the text of a turn, with the caption of its picture."""
    caption = recorded.get("blip_caption")
    return f"{recorded['text']} [shares a picture: {caption}]" if caption else recorded["text"]


def _fitting(turns: list[Turn]) -> list[Turn]:
    """Return the turns in order, without those that are no valid message, such as empty ones."""
    kept = []
    for recorded in turns:
        try:
            kept.append(replace(recorded, text=fit(recorded.text)))
        except UnfitText as unfit:
            if unfit.mended.strip():
                kept.append(
                    replace(recorded, text=unfit.mended.strip()[: settings.MESSAGE_MAX_LENGTH])
                )
    return kept
