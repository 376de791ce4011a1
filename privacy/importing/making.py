"""The worker's part: what was brought and said yes to is written, then read; or taken out again."""

import tempfile

from django.conf import settings

from accounts import audit, work
from accounts.audit import Action
from accounts.database.isolation import acting_as
from privacy.importing import counting, learning, undoing, writing
from privacy.importing.requests import IMPORTS, MemoryIsOff
from privacy.importing.shapes import NotAnImport
from privacy.models import Import

State = Import.State
_GAVE_UP = "I couldn’t import everything, but the file is fine. Undo the import, then try again."
_NOT_UNDONE = "I couldn’t remove all of this import. Please choose Undo again."


def make(claim: work.Claim) -> None:
    """Worker entry point. Raises PutOff to let others come first, and where its owner has changed
    their mind meanwhile.
    """
    row = _begin(claim)
    if row is None:
        return
    with work.keeping(claim):
        if row.state == State.UNDOING:
            undoing.take_out(claim, row)
            _end(claim, row, State.UNDOING, State.UNDONE)
            return
        try:
            if row.state == State.MAKING:
                _write(claim, row)
        except (NotAnImport, MemoryIsOff) as refused:
            _end(claim, row, State.MAKING, State.FAILED, str(refused))
            return
        learning.learn(claim, row)
        _end(claim, row, State.FINDING, State.READY)


def _begin(claim: work.Claim) -> Import | None:
    """None when it was cancelled, or finished by somebody who did not come to say so."""
    with acting_as(claim.user_id):
        if not work.still_holding(claim):
            return None
        row = IMPORTS.of(claim.user_id).filter(pk=claim.subject).first()
        if row is None or not row.in_progress:
            work.finish(claim)
            return None
        if claim.attempt >= work.MOST_ATTEMPTS:
            _give_up(claim, row)
            return None
        if row.state == State.WAITING:
            row.state = State.MAKING
            row.save(update_fields=["state"])
        return row


def _give_up(claim: work.Claim, row: Import) -> None:
    """What is written stays, and can be undone; what was not read is read message by message."""
    undone = row.state == State.UNDOING
    if undone:
        undoing.give_receipt(row)
    else:
        learning.learn_later(row)
    IMPORTS.end(claim.user_id, row.pk, State.FAILED, _NOT_UNDONE if undone else _GAVE_UP)
    work.finish(claim)


def _write(claim: work.Claim, row: Import) -> None:
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
        with acting_as(claim.user_id):
            for data in IMPORTS.file_of(claim.user_id, row.pk):
                file.write(data)
        writing.write(claim, row, file)


def _end(
    claim: work.Claim, row: Import, before: Import.State, state: Import.State, why: str = ""
) -> None:
    """It is over. Raises PutOff where its owner wants something else by now."""
    with acting_as(claim.user_id):
        writing.go_on(claim, row.pk, before)
        if state == State.FAILED:
            learning.learn_later(row)
        if state == State.READY:
            summary = f"From {row.get_source_display()}: {counting.in_words(row)}"
            audit.record(claim.user_id, Action.IMPORTED, subject=row.pk, why=summary)
        IMPORTS.end(claim.user_id, row.pk, state, why)
        work.finish(claim)
