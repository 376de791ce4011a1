"""Which codec each kind of entry has, and the same entries as plain sentences to compare with."""

from functools import partial
from typing import Any

from memory.language.text import compression
from memory.namespaces import schemas
from memory.namespaces.line_codec import LineCodec
from memory.namespaces.schemas import Entry

# In how many characters the summary of a session, or a note, is told.
_SUMMARY, _NOTE = 60, 80


CODECS: dict[type[Entry], LineCodec[Any]] = {
    codec.schema: codec
    for codec in (
        LineCodec("session", schemas.Session),
        LineCodec(
            "history", schemas.HistoryItem, {"summary": partial(compression.gist, most=_SUMMARY)}
        ),
        LineCodec("patterns", schemas.Pattern),
        LineCodec("coaching", schemas.Coaching),
        LineCodec("fast", schemas.FastState),
        LineCodec("slow", schemas.SlowState),
        LineCodec("lanes", schemas.Lane),
        LineCodec("consent", schemas.ConsentPreference),
        LineCodec("gates", schemas.GateTransition),
        LineCodec("strategies", schemas.Strategy),
        LineCodec("escalations", schemas.Escalation),
        LineCodec("routing", schemas.Routing),
        LineCodec("learned", schemas.LearnedPattern),
        LineCodec("feedback", schemas.Feedback),
        LineCodec("generalizations", schemas.Generalization),
        LineCodec("north stars", schemas.NorthStar),
        LineCodec("priorities", schemas.Priority),
        LineCodec("people", schemas.Person),
        LineCodec("signals", schemas.Signal),
        LineCodec("profile", schemas.Fact),
        LineCodec("notes", schemas.Note, {"text": partial(compression.gist, most=_NOTE)}),
        LineCodec("block", schemas.Block),
    )
}
