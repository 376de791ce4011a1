"""What the heads of the reader tell apart, in the order of their outputs."""

from training.markup import KINDS, LABELS, PRIVATE

SPAN_TAGS = ("O", *(f"{place}-{label}" for label in LABELS for place in "BI"))
"""Beginning and inside of each label."""

PAIR_LABELS = ("unrelated", "same", "replaces", "contradicts")
"""What a new statement is to one that was made before."""

SENTENCE_OUTPUTS = len(KINDS) + 2 + len(PRIVATE) + 1
"""Kinds (one of them), then worth a note, said as a change, each private matter, and a good note by
itself (yes or no).
"""
