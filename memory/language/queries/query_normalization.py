"""A question without the courtesies around it: "When is my birthday, my dear?" asks for a birthday.

Pure. What is stored and quoted keeps them; only the reading of a question goes through here.
"""

import re

from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import lexicon
from memory.language.text import terms
from memory.language.text.abbreviation_expansion import expand_abbreviations

# Whoever writes more than this tells something.
_LONGEST = 300
_IN_SMALL_LETTERS = re.compile(r"(?<![\w'@./-])[a-z]{3,}(?![\w@/-]|\.\w)")
# A shorter word that is put right becomes one of the little words only.
_LONG_ENOUGH = 5
# Good English that the word list has not, one slip away from what it has.
_NO_SLIPS = frozenset({"dose", "flies", "preform"})
_BETWEEN = compile_lazily(r"((?<=[.!?…])\s+|\n+)")

_WHOM = (
    r"(?:(?:my|you|old|good|sweet|dear|dearest)\s+)*"
    r"(?:dear(?:est|ie)?(?:\s+(?:friend|fellow|boy|girl|one|heart|lady|sir|man|throughline))?"
    r"|friend|pal|buddy|mate|love|lovely|darling|sweetheart|sweetie|honey|hon|treasure|angel|dude"
    r"|bro|sir|madam|ma'am|chum|chap|thing|throughline|assistant|there)"
)
_REQUEST = (
    r"(?:(?:would|will|could|can|won't|can't) you(?: please| know| kindly| mind"
    r"| be so (?:kind|good))?"
    r"|if (?:you|i) (?:please|would|will|could|can|may|might|don't mind|wouldn't mind|remember|know"
    r"|like)(?: ask| be so (?:kind|good))?|(?:may|might|can) i ask|if it's no trouble|i wonder"
    r"|do you (?:happen to )?(?:still )?(?:know|remember|recall)|please|pray|kindly|tell me"
    r"|thank you(?: (?:so|very) much| kindly)?|(?:many )?thanks(?: a lot| so much| in advance)?"
    r"|there's a (?:dear|love|good \w+)|be a (?:dear|love)|as far as you know|by the way)"
)
# After a comma nearly anything is courtesy; without one only what can be nothing else.
_AFTER = compile_lazily(
    rf"(?:\s*,\s*(?:{_WHOM}|{_REQUEST})"
    r"|\s+(?:please|would you|thank you|thanks|my dear friend(?<!(?:is|as|to|of) my dear friend)"
    r"|(?<!is )(?<!are )(?<!was )(?<!to )(?<!of )(?<!for )(?<!with )(?<!about )my dear"
    r"|my darling(?<!(?:is|as|to|of) my darling)))\s*(?P<mark>[\s?.!…]*)$",
    re.IGNORECASE,
)
_BEFORE = compile_lazily(
    r"^(?:(?:good (?:morning|evening|afternoon|day)|hi|hello|hey|oh|ah|well|now|so|please|excuse me"
    rf"|sorry|forgive me)(?:,?\s+{_WHOM})?|{_WHOM}|{_REQUEST})\s*[,!:;–—-]+\s*(?=\w)",
    re.IGNORECASE,
)
_ONLY_CALLS = compile_lazily(rf"{_WHOM}[\s?.!…]*", re.IGNORECASE)
# A request to be told, before what is asked: "Would you be so kind as to tell me, please, what".
_ASKS_TO_BE_TOLD = compile_lazily(
    r"^(?:(?:can|could|would|will|may|might) (?:you|i)"
    r"(?:,? (?:please|kindly|perhaps|possibly|maybe|just|quickly|also))*"
    r"(?: be so (?:kind|good|nice)(?: as)?(?: to| and)?| be able to| mind| ask(?: you)?)?,? ?"
    r"|(?:please,? )?(?:do |just )?(?:kindly )?"
    r"|i(?:'d| would| should) (?:like|love|be (?:glad|happy|grateful)) (?:you )?(?:to )?)"
    r"(?:(?:tell|telling|remind|reminding) me|know|hear|let me know|ask(?: you)?|say)"
    r"(?:,? (?:please|again|once more|once again|kindly|quickly|perhaps|now),?)*[ ,:]+"
    r"(?=(?:what|who|whom|whose|where|when|which|how|since when|everything|all)\b)",
    re.IGNORECASE,
)
# "What my wife is called" asks as "what is my wife called" does.
_INDIRECT = compile_lazily(
    r"^(?P<asks>what|who|where|when|how old|(?:what|which) \w+) "
    r"(?P<whom>(?:my|our|the|his|her|their) (?:[\w'-]+ ){0,4}?[\w'-]+|(?-i:[A-Z])[\w'-]+)"
    r" (?P<verb>is|are|was|were)(?P<rest>(?: (?:called|named|due|from|about|again))?)"
    r"(?P<mark>[\s?.!…]*)$",
    re.IGNORECASE,
)


def read_as(text: str) -> str:
    """What is asked: hurried words written out, and no courtesies around the sentences."""
    full = _IN_SMALL_LETTERS.sub(_in_order, expand_abbreviations(text))
    if len(full) > _LONGEST:
        return full
    return "".join(_bare(one) for one in _BETWEEN.split(full.replace("’", "'")))


def _in_order(match: re.Match[str]) -> str:
    """A word with two letters that changed places, where one word alone comes of putting them
    right: "wiht" is "with". A name that is typed small is mostly no other word's letters.
    """
    word = match[0]
    if (
        any(map(terms.is_ordinary_word, (word, word[:-1])))
        or word in _NO_SLIPS | lexicon.GIVEN_NAMES
    ):
        return word
    swapped = {
        word[:index] + word[index + 1] + word[index] + word[index + 2 :]
        for index in range(len(word) - 1)
    } - {word}
    known = {one for one in swapped if one in terms.STOPWORDS}
    if len(word) >= _LONG_ENOUGH:
        known |= {one for one in swapped if terms.is_ordinary_word(one)}
    return known.pop() if len(known) == 1 else word


def _bare(sentence: str) -> str:
    """One sentence without them; as it is where little more would be left."""
    before, bare = "", sentence
    while before != bare:
        before = bare
        for courtesy in (_AFTER, _BEFORE):
            rest = courtesy.sub(lambda match: match.groupdict().get("mark") or "", bare, count=1)
            if len(rest.split()) > 1 and not _ONLY_CALLS.fullmatch(rest):
                bare = rest
    asked = _ASKS_TO_BE_TOLD.sub("", bare)
    return (
        bare
        if asked == bare
        else _INDIRECT.sub(r"\g<asks> \g<verb> \g<whom>\g<rest>\g<mark>", asked)
    )
