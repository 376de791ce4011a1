"""What a note says at a glance: the thing itself, without the words around it."""

import re

from memory.language import (
    content_stem_ids,
    load_lexicon,
    split_lines_and_sentences,
    truncate_at_clause,
)

# An order to remember, and what opens a sentence without saying anything.
_LEAD = re.compile(
    r"^\W*(?:(?:(?:and|so|ok|okay|oh|well|also|btw|by the way|please|pls|can you|could you|just)\b"
    r"[\s,:]*)*(?:remember|remind me|note|don'?t forget|keep in mind|make a note"
    r"|(?:write|jot|take|note) (?:this|that|it) down)\b"
    r"(?:\s+(?:that|to|about|of))?[\s,:]*"
    r"|(?:(?:and|so|ok|okay|oh|well|also|btw|by the way)\b[\s,:]*)+"
    r"|(?:i'?ve |we'?ve |i have |we have )?got (?:an? |the |my )(?=.*\d))",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]*\b(?:btw|lol|haha+|tho|though|please|pls|you know|i think|i guess)[\s.!]*$",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_BEFORE = 340, 140
# Somebody or something that is called by a name, or by what they are to the writer; no place.
_NAMED = re.compile(
    r"(?<=[\w,] )(?<!\bin )(?<!\bto )(?<!\bfrom )(?<!\bat )(?<!\bnear )(?<!\bof )"
    r"(?!(?:I|I'm|I've|I'll|I'd)\b)[A-Z][\w-]+"
    rf"|\b(?i:my|our|me|the)\s+(?:\w+\s+)?(?:{'|'.join(sorted(load_lexicon('kin')))})\b"
)
_CLAUSE = re.compile(r"[,;:]\s+|\s+(?=(?:and|but|so|because|cause|that|which|who)\b)")


def note_label(text: str, before: str = "") -> str:
    """A note in its own words, at most 340 characters, cut after a whole clause: without an order
    to remember and the little words around it. Behind it stands what it goes on from, if anything.
    """
    label = _shortened(text, _LONGEST)
    behind = context_label(before, _LONGEST_BEFORE, text)
    return f"{label} (after “{behind}”)" if behind else label


def context_label(before: str, longest: int, text: str = "") -> str:
    """Of what a note goes on from, about as many characters as are enough to know of whom or what
    it speaks: all of it, else the sentence that has most words in common with the note's `text`, or
    the first that names anybody, from the clause on where the name stands.
    """
    whole = " ".join(before.split())
    if len(whole) <= longest:
        return whole.rstrip(" .")
    sentences, told = split_lines_and_sentences(whole), content_stem_ids(text)
    sharing = max(sentences, key=lambda one: len(told & content_stem_ids(one)))
    naming = next((one for one in sentences if _NAMED.search(one)), sentences[-1])
    sentence = sharing if told & content_stem_ids(sharing) else naming
    room = len(sentence) - longest
    if room <= 0:
        return sentence.rstrip(" .")
    named = _NAMED.search(sentence)
    first = named.start() if named else room
    clauses = [0, *(found.end() for found in _CLAUSE.finditer(sentence))]
    start = max(at for at in clauses if at <= first)
    shown = truncate_at_clause(sentence[start:].rstrip(" ."), longest)
    return f"…{shown}" if start else shown


def _shortened(text: str, longest: int) -> str:
    short = _TAIL.sub("", _LEAD.sub("", text, count=1)).strip() or text
    short = truncate_at_clause(short, longest)
    return f"{short[0].upper()}{short[1:]}" if short[:1].islower() else short
