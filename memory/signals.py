"""What memory tells the rooms above it, which it must not import."""

from django.dispatch import Signal

# A person's own hand ended a current fact; sent inside the transaction, before anything takes its
# place. Arguments: fact (ProfileFact), rewritten (bool: another wording follows).
fact_ended_by_hand = Signal()

# A person let a fact hold in one conversation only: what was said of it is for that one alone.
# Arguments: fact (ProfileFact).
fact_narrowed = Signal()
