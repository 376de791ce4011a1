"""Signals from memory to the higher packages, which memory must not import."""

from django.dispatch import Signal

# A user ended a current fact by hand; sent inside the transaction, before a new fact replaces it.
# Arguments: fact (ProfileFact), rewritten (bool: a new value follows).
fact_ended_by_hand = Signal()

# A user retracted a fact or limited it to one conversation; sent inside the transaction. Argument:
# fact (ProfileFact). Messages that state it must not be quoted in other conversations.
fact_taken_back = Signal()

# A deletion or its preview starts; nothing is changed. Receivers with further copies return a
# list[memory.deletion.sought.ErasurePart]. Arguments: user_id (UUID), target
# (memory.deletion.sought.ErasureTarget), messages (Collection[UUID]: messages that contain the
# words and stay).
collect_erasure_parts = Signal()

# A user erased something for good; sent inside the transaction, before the rows are deleted.
# Arguments: user_id (UUID), messages (Collection[UUID]: messages that contain the words), words
# (Collection[memory.deletion.redaction_terms.RedactionTerms]: the words), subjects
# (Collection[UUID]: the facts and memories that are deleted).
words_erased = Signal()

# Messages are about to be deleted for good; sent inside the transaction. Arguments: user_id (UUID),
# conversation (UUID: of the messages), messages (Collection[UUID]), whole (bool: the conversation
# is deleted too).
messages_taken_out = Signal()

# A user blocked a slot, whose lock is held; sent before its facts and memories are retracted.
# Arguments: user_id (UUID), slot (str).
slot_closed = Signal()

# A user judged a fact by hand: it is right, does not belong in the profile, or was retracted by
# mistake. Sent inside the transaction, before the trust changes. Arguments: fact (ProfileFact),
# deed (accounts.audit.Action).
fact_judged_by_hand = Signal()

# A more or less precise value replaced another value with the same meaning; sent inside the
# transaction. Arguments: replaced, current (ProfileFact).
fact_refined = Signal()
