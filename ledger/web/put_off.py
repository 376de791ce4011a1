"""Conflicts postponed with the button Later: hidden in this session until the next visit.

A visit ends when no conversation is opened for a while. The conflicts page still shows them.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.sessions.backends.base import SessionBase
from django.utils.timezone import now

_KEY = "folded_away"
_A_VISIT_ENDS_AFTER = timedelta(hours=3)
# Maximum number of postponed conflicts.
_MOST = 50


def fold(session: SessionBase, conflict: UUID) -> None:
    """Postpone a conflict for this visit."""
    folded = [key for key in _still(session) if key != str(conflict)]
    session[_KEY] = {"seen": now().isoformat(), "conflicts": [*folded, str(conflict)][-_MOST:]}


def folded_away(session: SessionBase) -> frozenset[str]:
    """Return the keys of the postponed conflicts, and extend the visit."""
    if _KEY not in session:
        return frozenset()
    folded = _still(session)
    if folded:
        session[_KEY] = {"seen": now().isoformat(), "conflicts": folded}
    else:
        del session[_KEY]
    return frozenset(folded)


def _still(session: SessionBase) -> list[str]:
    kept = session.get(_KEY)
    if not kept or now() - datetime.fromisoformat(kept["seen"]) > _A_VISIT_ENDS_AFTER:
        return []
    return list(kept["conflicts"])
