"""What a note says at a glance: the thing itself, without the words around it; and where it does
not say of whom it speaks, what was said before that does.
"""

import re

from memory.language import (
    compile_lazily,
    content_stem_ids,
    content_words,
    load_lexicon,
    puts_right,
    split_lines_and_sentences,
    truncate_at_clause,
)

# An order to remember, and what opens a sentence without saying anything.
_LEAD = re.compile(
    r"^\W*(?:(?:(?:and|so|ok|okay|oh|well|also|btw|by the way|please|pls|can you|could you|just)\b"
    r"[\s,:]*)*(?:remember|remind me|note|don'?t forget|keep in mind|make a note"
    r"|(?:write|jot|put|take|note) (?:this|that|it) down"
    r"|(?:write|jot|put|take|note) down(?=:| that\b))\b"
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

# What does not say of whom it speaks.
_LEANS = compile_lazily(
    r"\W*(?:(?:and|but|so|oh|well|also|then|anyway)\b[\s,]*)*"
    r"(?:he|she|his|her|hes|shes|their|theyre|they|it|its|it'?s|that'?s)\b",
    re.IGNORECASE,
)
# Capitals that begin no name.
_NO_NAME = (
    r"(?!(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|I|I'm|I've|I'll|I'd)\b)"
)
_SOMEBODY = compile_lazily(r"\b(?:he|she|him|her|his|hes|shes)\b", re.IGNORECASE)
_ALREADY_NAMED = compile_lazily(
    rf"(?<=[a-z,] ){_NO_NAME}[A-Z][\w'-]+|\b(?:{'|'.join(sorted(load_lexicon('kin')))})\b"
)
# A name as the subject: "Peggy wants".
_FIRST_WORD = compile_lazily(rf"\W*({_NO_NAME}[A-Z][a-z]+)(?P<subject>'s\b|\s+[a-z]+s\b)?")
_OWN_SUBJECT = compile_lazily(
    rf"\b(?:i|i'?m|i'?ve|my|we|our|(?-i:{_NO_NAME}[A-Z][a-z]+))\b", re.IGNORECASE
)
# Among the first words somebody is spoken of whom a sentence has not named: "owe him 600 quid".
_FIRST_WORDS = 8


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
    clauses = [0, *(match.end() for match in _CLAUSE.finditer(sentence))]
    start = max(index for index in clauses if index <= first)
    shown = truncate_at_clause(sentence[start:].rstrip(" ."), longest)
    return f"…{shown}" if start else shown


def _shortened(text: str, longest: int) -> str:
    short = _TAIL.sub("", _LEAD.sub("", text, count=1)).strip() or text
    short = truncate_at_clause(short, longest)
    return f"{short[0].upper()}{short[1:]}" if short[:1].islower() else short


def goes_on_from_context(text: str) -> bool:
    """Whether it begins with a word for what was said before it, speaks of somebody whom it does
    not name, or puts that right.
    """
    begins = _LEANS.match(text) is not None or speaks_of_somebody_unnamed(text)
    return begins or puts_right(text)


def speaks_of_somebody_unnamed(text: str) -> bool:
    """Whether its first words speak of somebody, and nobody is named before: "owe him 600 quid"."""
    who = _SOMEBODY.search(text)
    if who is None or len(text[: who.start()].split()) > _FIRST_WORDS:
        return False
    first = _FIRST_WORD.match(text, 0, who.start())
    named = first is not None and (
        first[1].lower() in load_lexicon("given_names")
        or bool(first["subject"] and content_words(first[1]))
    )
    return not named and _ALREADY_NAMED.search(text, 0, who.start()) is None


def leans_on_context(text: str) -> bool:
    """Whether it does not say of whom or what it speaks: "she turned 74", "it's Thursday now"."""
    leans = _LEANS.match(text)
    return leans is not None and not _OWN_SUBJECT.search(text, leans.end())
