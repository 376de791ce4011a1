"""Short labels of memories, and of the text before a quote."""

import re

from memory.language.text.compression import split_lines_and_sentences, truncate_at_clause

# An order to remember, and openers without content.
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
_LONGEST = 340


def note_label(text: str) -> str:
    """Return a memory in at most 340 characters, cut after a clause, without "remember that"."""
    short = _TAIL.sub("", _LEAD.sub("", text, count=1)).strip() or text
    short = truncate_at_clause(short, _LONGEST)
    return f"{short[0].upper()}{short[1:]}" if short[:1].islower() else short


def context_label(before: str, longest: int) -> str:
    """Return the text before a quote in at most `longest` characters.

    All of it if that fits, else its last sentence, cut after a clause.
    """
    whole = " ".join(before.split())
    if len(whole) > longest:
        whole = split_lines_and_sentences(whole)[-1]
    return truncate_at_clause(whole.rstrip(" ."), longest)
