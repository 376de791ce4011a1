"""Facts that a person states about themselves, as the trained reader marks them."""

from __future__ import annotations

from memory.language.budget import apply_budget
from memory.language.engine.masking import mask_text
from memory.language.engine.sentences import find_sentence_spans, whole_sentences
from memory.language.reader.facts import FactCandidate, fact_candidates
from memory.language.reader.network import network


def extract_facts(text: str, context: str = "") -> list[FactCandidate]:
    """Return the facts that a text states about its author, in the order of the text.

    `context` is what was said just before it. Reads what the budget allows
    (:mod:`memory.language.budget`). No duplicates; at most one current value for a single-valued
    slot; nothing from masked text, so no password, key or card number is ever returned.
    """
    prepared = mask_text(apply_budget(text)[0])
    bounds = whole_sentences(find_sentence_spans(prepared))
    return fact_candidates(prepared, network().read(prepared, bounds, context))
