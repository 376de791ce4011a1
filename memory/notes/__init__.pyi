"""What other rooms may use of the notes beside the profile.

Reading a text for notes: `Remark`, `NoteDraft`, `read_remarks`, `needs_privacy_consent`,
`as_note_draft`, `day_named`, `SHORT_LINE`, `WHOLE_NOTE`, `significance_of`,
`greatest_significance`; what is over: `notes_ended_by`.

Keeping: `check_note` says why not; `keep_note` comes back with a `NoteOutcome`, `NoteKept` or
`NoteAgreed`; `update_waiting_note`, `take_over_notes`, `settle_slot`, `findable_columns`,
`mark_used`, `notes_from_same_words`, `end_note`, `withdraw_note`. Refusals are `NotKept`.

What other software writes, which waits for its owner's yes: `propose_memory`.

What their owner does: `accept_note`, `decline_note`, `was_declined`, `fulfil_note`, `pause_note`,
`remove_note`, `check_note_return`; what they changed or took back of messages: `edited_notes`,
`edited_notes_since`, `retracted_messages`, `superseded_messages`.

Saying them: `note_label`, `context_label`, `in_second_person`, `leading_clause`.

Summaries of conversations: `keep_summary`, `drop_summary`, `drop_summaries_of`.
"""

from .agent_notes import propose_memory as propose_memory
from .drafts import NoteDraft as NoteDraft
from .labels import context_label as context_label
from .labels import note_label as note_label
from .message_notes import edited_notes as edited_notes
from .message_notes import edited_notes_since as edited_notes_since
from .message_notes import retracted_messages as retracted_messages
from .message_notes import superseded_messages as superseded_messages
from .note_ends import notes_ended_by as notes_ended_by
from .note_extraction import SHORT_LINE as SHORT_LINE
from .note_extraction import WHOLE_NOTE as WHOLE_NOTE
from .note_extraction import Remark as Remark
from .note_extraction import as_note_draft as as_note_draft
from .note_extraction import day_named as day_named
from .note_extraction import needs_privacy_consent as needs_privacy_consent
from .note_extraction import read_remarks as read_remarks
from .note_gate import NotKept as NotKept
from .note_gate import check_note as check_note
from .note_gate import check_note_return as check_note_return
from .note_store import NoteAgreed as NoteAgreed
from .note_store import NoteKept as NoteKept
from .note_store import NoteOutcome as NoteOutcome
from .note_store import accept_note as accept_note
from .note_store import decline_note as decline_note
from .note_store import end_note as end_note
from .note_store import findable_columns as findable_columns
from .note_store import fulfil_note as fulfil_note
from .note_store import keep_note as keep_note
from .note_store import notes_from_same_words as notes_from_same_words
from .note_store import pause_note as pause_note
from .note_store import remove_note as remove_note
from .note_store import settle_slot as settle_slot
from .note_store import take_over_notes as take_over_notes
from .note_store import update_waiting_note as update_waiting_note
from .note_store import was_declined as was_declined
from .note_store import withdraw_note as withdraw_note
from .note_usage import mark_used as mark_used
from .second_person import in_second_person as in_second_person
from .second_person import leading_clause as leading_clause
from .significance import greatest_significance as greatest_significance
from .significance import significance_of as significance_of
from .summary_store import drop_summaries_of as drop_summaries_of
from .summary_store import drop_summary as drop_summary
from .summary_store import keep_summary as keep_summary
