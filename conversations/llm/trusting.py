"""Trust in the background model, by how many of its earlier operations failed a check."""

from django.conf import settings
from django.db.models import F

from conversations.llm import adapting
from conversations.llm.connection import current
from conversations.models import ModelAgreement
from memory.operations.checks import Trust
from memory.operations.listening import Listened

_OF_FORM = frozenset(
    {"malformed", "no such line", "no such target", "not the person's", "not said"}
)
"""Rules that a model fails that does not read what it is shown."""
_MOST_COUNTED = 400
"""Operations after which the counts are halved: a model that gets better is trusted again."""


def trust_in_model() -> Trust:
    """Return how far the background model is trusted now."""
    trust = Trust(settings.MODEL_TRUST)
    return Trust.STRICT if trust is Trust.AUTO and agreement().is_poor else trust


def agreement() -> ModelAgreement:
    """Return how many operations the background model proposed, and how many of them failed."""
    return ModelAgreement.objects.filter(pk=_key()).first() or ModelAgreement(pk=_key())


def count(listened: Listened) -> None:
    """Count the operations that the model proposed, and how many failed."""
    proposed = len(listened.operations)
    failed = sum(checked.refused in _OF_FORM for checked in listened.operations)
    if not proposed:
        return
    rows = ModelAgreement.objects.filter(pk=_key())
    if not rows.update(proposed=F("proposed") + proposed, failed=F("failed") + failed):
        ModelAgreement.objects.create(pk=_key(), proposed=proposed, failed=failed)
    rows.filter(proposed__gt=_MOST_COUNTED).update(
        proposed=F("proposed") / 2, failed=F("failed") / 2
    )


def _key() -> str:
    return adapting.key_of(current().background)
