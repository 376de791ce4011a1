"""Signals from memory to the packages above it, which it must not import."""

from django.dispatch import Signal

# A person's own hand ended a current fact; sent inside the transaction, before anything takes its
# place. Arguments: fact (ProfileFact), rewritten (bool: another wording follows).
fact_ended_by_hand = Signal()

# A person took a fact back, or keeps it to one conversation; sent inside the transaction.
# Argument: fact (ProfileFact). What said so must not be quoted in other conversations either.
fact_taken_back = Signal()

# Something is to be erased, or its owner wants to see what would go. Nothing is changed; whoever
# keeps more of it answers with a list[memory.deletion.sought.ErasurePart]. Arguments: user_id
# (UUID), target (memory.deletion.sought.ErasureTarget), messages (Collection[UUID]: those that
# said it, or have its words, and stay).
collect_erasure_parts = Signal()

# A person erased something for good; sent inside the transaction, before its rows go. Arguments:
# user_id (UUID), messages (Collection[UUID]: those that said it, or have its words), words
# (Collection[memory.deletion.redaction_terms.RedactionTerms]: how it was put), subjects
# (Collection[UUID]: the facts and notes that go).
words_erased = Signal()

# Messages are taken out for good; sent inside the transaction, before they go. Arguments: user_id
# (UUID), conversation (UUID: theirs), messages (Collection[UUID]), whole (bool: it goes as well).
messages_taken_out = Signal()

# A person closed a kind of fact for good, and holds its slot; sent before what is noted is taken
# back. Arguments: user_id (UUID), slot (str).
slot_closed = Signal()

# A person's own hand said something of a fact: that it is right, that it has no place in the
# profile, or that taking it out was a mistake. Sent inside the transaction, while the fact is still
# believed as it was. Arguments: fact (ProfileFact), deed (accounts.audit.Action).
fact_judged_by_hand = Signal()

# Of two values that say the same, one more closely than the other, one took the other's place; sent
# inside the transaction. Arguments: replaced, current (ProfileFact).
fact_refined = Signal()
