"""A contradiction as the interface for other software shows it."""

from ledger.models import Contradiction
from ledger.web.present import Side, view
from memory.models import ProfileFact


def shown_entry(entry: Contradiction) -> dict[str, object]:
    """An entry as the API shows it."""
    shown = view(entry)
    resolution = entry.resolution
    return {
        "id": str(entry.pk),
        "slot": entry.slot,
        "status": entry.status,
        "question": shown.question,
        "drift": round(entry.drift, 4),
        "opened_at": entry.opened_at,
        "old": _side(entry.old_fact, shown.old),
        "new": _side(entry.new_fact, shown.new),
        "old_value": shown.old.value,
        "new_value": shown.new.value,
        "resolution": None
        if resolution is None
        else {
            "method": resolution.method,
            "by": resolution.by_whom,
            "at": resolution.at,
            "reason": resolution.reason,
            "value": resolution.value,
            "until": resolution.until,
            "since": resolution.since,
            "can_undo": shown.can_undo,
        },
        "suggestion": None
        if shown.suggestion is None
        else {
            "method": shown.suggestion.method,
            "reason": shown.suggestion.words.removeprefix("Suggested because "),
            "until": shown.suggestion.until,
            "since": shown.suggestion.since,
        },
        "help_asked_at": entry.help_asked_at,
    }


def _side(fact: ProfileFact, side: Side) -> dict[str, object]:
    return {
        "fact": str(fact.pk),
        "value": side.value,
        "trust": round(fact.trust, 4),
        "conversations": side.conversation_count,
        "last_said": side.last_said,
        "source_conversations": sorted(
            {str(mention.conversation_id) for mention in fact.mentions.all()}
        ),
    }
