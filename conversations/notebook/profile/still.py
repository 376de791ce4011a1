"""'Do I still sing in the choir?': no, where the newest note of it says that it is over."""

import re

from conversations.markdown import literal
from conversations.notebook.answer_builder import Answer, on, used_note
from conversations.prompt import Prompt
from memory.language.reading import Reading
from memory.notes import note_end_detection
from memory.retrieval.relevance import ScoredNote

_STILL = re.compile(r"(?:do|am|are|have|can) (?:i|we) still (?P<what>.+)", re.IGNORECASE)


def still(prompt: Prompt, made: Answer) -> bool:
    """Say that it is over, and by which words; False where no note says so."""
    asked = _STILL.fullmatch(prompt.question.reading.core)
    if asked is None:
        return False
    over = _over(prompt, note_end_detection.stems_of(asked["what"]))
    if over is None:
        return False
    made.say("No longer, as far as I have noted:")
    said = literal(over.original or over.content)
    made.point(f"{said}, as you said on {on(over.said_at)}", used_note(over))
    return True


def _over(prompt: Prompt, wanted: frozenset[int]) -> ScoredNote | None:
    """The newest note that speaks of it, where that says it is over."""
    for note in sorted(prompt.remembered, key=lambda note: note.said_at, reverse=True):
        text = note.original or note.content
        if note.category == "summary" or note.message_id == prompt.question.pk:
            continue
        if any(ending.stems <= wanted for ending in note_end_detection.read(Reading(text))):
            return note
        if wanted and wanted <= note_end_detection.stems_of(text):
            return None
    return None
