"""What one message says and asks, part by part: two questions in it get two answers."""

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from conversations.notebook import intents
from conversations.notebook.intents import Intent
from conversations.prompt import Prompt
from conversations.search import message_recall
from memory.language import (
    Reading,
    content_words,
    is_explicit_correction,
    is_question_in_full,
    read_together,
)
from memory.slots import asked_about

# Where a second question begins within a sentence: "how old is Nora and what can't she eat?"
_ASKS = (
    r"what|who|whom|where|when|which|how|why|whose|is|are|was|were|do|does|did|can|has|have"
    r"|wer|wo|wann|wie|qui[eé]n|d[oó]nde|cu[aá]ndo|c[oó]mo"
)
_AND_ASKS = re.compile(
    r"(?:,? (?:and|adn|n|&|und|y|et)|,? but"
    r"|[,;](?! (?:\w+ )?wh\w+ (?:the|my|our|i|we|he|she|they|it)\b)|,? also)\s+"
    r"(?=(?:also )?(?:(?:to|with|for|in|at|on|from|by) )?"
    rf"(?:{_ASKS})\b(?:'s|n't)?\s+\w+)",
    re.IGNORECASE,
)
_BEGINS_TO_ASK = re.compile(
    r"\W*(?:(?:and|but|so|or|also)\s+)?(?:quick (?:one|question)\W+)?"
    rf"(?:(?:{_ASKS})(?<!can(?='))|tell me|remind me|any idea)\b",
    re.IGNORECASE,
)
# What asks for something that was told, whatever its form: "everything I told you about Lukas".
_ASKS_FOR_TOLD = re.compile(
    r"\W*(?:please )?(?:(?:tell|remind|give|show|gather|list|collect|find)(?: me)? )?"
    r"(?:all|everything|anything|whatever|what)(?: that)? (?:i|i've|you|we)\b.*"
    r"\b(?:said|told|know|mentioned|noted|remember)\b"
    r"|\W*i wonder(?:ed)? (?:whether|if|what|who|whose|where|when|which|how)\b"
    r"|\W*(?:i (?:should|would)|i'd) (?:be (?:glad|happy|pleased)|like|love) to (?:know|be told)\b"
    r"|\W*(?:please )?list (?:all |every\w* )?(?:\w+ )?(?:in |of )?(?:my|our|i|the)\b",
    re.IGNORECASE,
)
# What is to be kept for a day, though nobody is reminded here.
_ASKS_FOR_A_REMINDER = re.compile(
    r"\W*(?:please |(?:can|could|would|will) you (?:please )?)*remind me (?:to|that|about|of)\b"
    r"(?! (?:what|when|where|who|which|how)\b)",
    re.IGNORECASE,
)
# The order of words in a question, also behind another clause: "if I move, how do I ...".
_INVERTED = (
    r"\b(?:(?:who|what|which|when|where|why|how) (?:do|does|can|could|is|are|will|would|should)"
    r"|(?:do|does|can|could|will|would) (?:you|it))\b"
)
# "If they take me, when would that be?"
_ASKS_BEHIND_A_CONDITION = re.compile(
    r"\W*(?:if|when|once|before|after|since)\b(?!.*\b(?:asked|told|knew|wondered|said)\b)"
    r"[^?]{4,80}?"
    r"\b(?:who|what|which|when|where|why|how)(?: \w+)? (?:do|does|did|can|could|is|are|will|would"
    r"|should) (?:i|you|we|they|he|she|it|my|our|the|this|that)\b",
    re.IGNORECASE,
)
# Who begins so tells something, whatever a task or a question may sound like ...
_TELLS = re.compile(
    r"\W*(?:(?:and|but|so|well|oh|anyway|also|then|because|since|yes|no)\b[\s,]*)*"
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|my|our|he|she|he's|she's|they|they're|it|it's|the|a|an"
    rf"|this|that|there|(?:when|if) (?:i|we)\b(?!.*{_INVERTED}))\b",
    re.IGNORECASE,
)
# ... but for a wish to whom it is said.
_WANTS_SOMETHING = re.compile(
    r"\W*(?:i|we)(?:'d| would)? (?:need|want|like|wish)(?: for)? "
    r"(?:you|help|your help|to (?:know|see))\b"
    r"|\W*i (?:wonder|forgot|forget|can't remember|don't remember|do not remember)\b"
    r"|\W*(?:i'd|i would) like (?:a|an|some|to have)\b"
    r"|.*,\s*(?:so |and |but )?(?:can|could|would|will) (?:you|u)\b",
    re.IGNORECASE,
)
# What a later question calls by a pronoun that the first calls by its name.
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|her|his|its|their|them)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<=\s)[A-Z][\w'-]+|\bmy (?:[a-z]+ ){0,1}[a-z]+(?='s\b| is\b| are\b|\b)", re.UNICODE
)
# What is no question by its form asks only where that is very probable: "write me a poem"; a little
# less so of the product: "turn your memory off".
_SURELY_ASKS, _SURELY_HELP, _PROBABLY_ASKS = 0.6, 0.7, 0.4
# Beside another question about the product this is enough.
_ALSO_HELP = 0.55
_RHETORICAL = 0.7
# From here on a message may be the courtesy that a part of it seems to be.
_MAY_BE = 0.15
# Beside another question this asks nothing: "did I tell you that?", "have I ever mentioned it?"
_WHETHER_TOLD = re.compile(r"\W*(?:and )?(?:did|didn't|have|haven't|had) i\b", re.IGNORECASE)
_OF_TELLING = frozenset("tell told say said mention mentioned give gave given write wrote".split())
_MOST, _SEVERAL = 5, 2
# So many sentences at the beginning and at the end of a message are looked at one by one.
_AT_EACH_END = 6
_MERE_WORDS, _FEW_WORDS = 2, 3
# A question with no more telling words than so goes on from the one before it.
_FEW_TELLING = 2
# So many lines of so few words are a list.
_LINES, _WORDS_A_LINE = 3, 5


@dataclass(frozen=True)
class Part:
    """A sentence, or a question within one; `about` adds what its pronouns stand for."""

    text: str
    asks: bool
    intent: Intent | None
    about: str = ""
    # Whether its form is that of a question or a request, and not only its words.
    asks_plainly: bool = False


def read(reading: Reading) -> list[Part]:
    """The parts of a message in their order, without what somebody else wrote."""
    if reading.foreign:
        reading = Reading(_own_words(reading))
    if _is_list(reading.text):
        return [Part(reading.text, False, None)]
    found: list[Part] = []
    acts = _acts_to_look_at(reading.acts)
    read_together(sentence for sentence, _ in acts)
    for sentence, asks in acts:
        pieces = _questions(sentence) if _BEGINS_TO_ASK.match(sentence) else [sentence]
        if found and not found[-1].asks and asks and _asks_of_the_last(sentence):
            pieces = [f"{found[-1].text} {sentence}"]
        first = _part(pieces[0], asks=asks, within=reading.text if len(acts) > 1 else "")
        if first.asks and first.intent and first.intent.name == "task":
            # What is to be written may name what belongs in it: "about the match, where and when".
            found.append(replace(first, text=sentence))
            continue
        found.append(first)
        named = " ".join(_NAMED.findall(pieces[0]) or content_words(pieces[0]))
        for piece in pieces[1:]:
            part = _part(piece, asks=first.asks)
            # Who asks for what was told asks nothing about the product with the same breath.
            if part.intent and part.intent.is_help and not (first.intent and first.intent.is_help):
                part = replace(part, intent=None)
            alone = len(content_words(piece)) > _FEW_TELLING and not _PRONOUN.search(piece)
            found.append(replace(part, about="" if alone else named))
    if len(found) == 1 and not found[0].asks and found[0].intent is not None:
        # A sentence is read without its thanks: "Thank you, that was kind".
        return [replace(found[0], intent=intents.read(reading.text, asks=False))]
    found = _with_the_help_beside(found, reading.text)
    return _by_the_whole(_as_asked(_without_asides(found)), reading.text)


def _acts_to_look_at(acts: Sequence[tuple[str, bool]]) -> Sequence[tuple[str, bool]]:
    """The sentences of a message that are looked at one by one: of a long one those at both ends,
    and the first of the others that ask by their form.
    """
    if len(acts) <= 2 * _AT_EACH_END:
        return acts
    asking = [act for act in acts[_AT_EACH_END:-_AT_EACH_END] if act[1]]
    return (*acts[:_AT_EACH_END], *asking[:_MOST], *acts[-_AT_EACH_END:])


def _with_the_help_beside(parts: list[Part], text: str) -> list[Part]:
    """Where one part surely asks about the product, the others that may do so as well; and where
    none does, but the message as a whole, its first question.
    """
    helping = [
        part.intent.score for part in parts if part.asks and part.intent and part.intent.is_help
    ]
    if not any(part.asks for part in parts) or len(parts) < _SEVERAL:
        return parts
    whole = intents.read(text, asks=True)
    if whole is not None and whole.is_help and whole.score > max(helping, default=0.0):
        first = next(index for index, part in enumerate(parts) if part.asks)
        if max(helping, default=0.0) < _ALSO_HELP and not asked_about(parts[first].text):
            parts = [*parts[:first], replace(parts[first], intent=whole), *parts[first + 1 :]]
            helping = [whole.score]
    if not helping:
        return parts
    return [part if part.asks else _asking_for_help(part) for part in parts]


def _asking_for_help(part: Part) -> Part:
    intent = intents.rank(part.text, asks=True)[0]
    may = intent.is_help and intent.score >= _ALSO_HELP and not _is_telling(part.text)
    return replace(part, asks=True, intent=intent) if may else part


def _asks_of_the_last(sentence: str) -> bool:
    """Whether a question has no word and no wish of its own: "These things listen. Do you?" """
    intent = intents.read(sentence, asks=True)
    of_the_product = intent is not None and intent.is_help and intent.score >= _SURELY_HELP
    return not (content_words(sentence) or of_the_product or asked_about(sentence))


def _without_asides(parts: list[Part]) -> list[Part]:
    """Without the questions that only ask whether what is asked for was told."""
    asides = [
        part
        for part in parts
        if part.asks
        and _WHETHER_TOLD.match(part.text.replace("’", "'"))
        and _OF_TELLING.issuperset(content_words(part.text))
    ]
    others = [part for part in parts if part.asks and part not in asides]
    return [part for part in parts if part not in asides] if others else parts


def _as_asked(parts: list[Part]) -> list[Part]:
    """Beside a plain question about what was told, what only sounds like one about the product asks
    nothing: "When is the operation? Need to put it in my calendar."
    """
    plainly = [part for part in parts if part.asks_plainly]
    if not any(part.intent is None or not part.intent.is_help for part in plainly):
        return parts
    return [
        replace(part, asks=False, intent=None)
        if part.asks and not part.asks_plainly and part.intent and part.intent.is_help
        else part
        for part in parts
    ]


def _by_the_whole(parts: list[Part], text: str) -> list[Part]:
    """With the feeling that the message as a whole tells, at the first part that asks nothing
    ("could have cried" of good news is no sorrow), and of courtesies those that it may be.
    """
    told = [part for part in parts if not part.asks]
    if not told:
        return parts
    whole = intents.rank(text, asks=False)[0]
    feeling = whole if whole.name in intents.FEELINGS else None
    felt = [part if _may_be_of(part.intent, text) else replace(part, intent=None) for part in told]
    if feeling is not None:
        felt[0] = replace(felt[0], intent=feeling)
    changed = iter(felt)
    return [part if part.asks else next(changed) for part in parts]


def _may_be_of(intent: Intent | None, text: str) -> bool:
    """Whether a part of a text may be of this intent, by the whole of it."""
    if intent is None or intent.name not in intents.FEELINGS | intents.COURTESIES:
        return True
    courteous = intent.name in intents.COURTESIES
    return courteous and intents.probability_of([intent.name], text) >= _MAY_BE


def _questions(sentence: str) -> list[str]:
    """The questions within a sentence; "and which day" asks nothing by itself."""
    pieces: list[str] = []
    for piece in _AND_ASKS.split(sentence):
        if pieces and len(piece.split()) <= _MERE_WORDS:
            pieces[-1] = f"{pieces[-1]} {piece}"
        else:
            pieces.append(piece)
    return pieces


def _own_words(reading: Reading) -> str:
    """A message without the stretches that somebody else wrote."""
    text = reading.text
    for span in reversed(reading.foreign):
        text = f"{text[: span.start]}\n{text[span.end :]}"
    return text


def _is_list(text: str) -> bool:
    """Whether it is a few words a line, and so neither asks nor tells: "eggs / flour / card??"."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) >= _LINES and all(len(line.split()) <= _WORDS_A_LINE for line in lines)


def asking_parts(parts: list[Part]) -> list[Part]:
    """Those that ask, at most five."""
    return [part for part in parts if part.asks][:_MOST]


def prompt_for(prompt: Prompt, part: Part, parts: list[Part]) -> Prompt:
    """The prompt as if only this part had been asked."""
    if len(parts) == 1:
        return prompt
    question = copy.copy(prompt.question)
    question.content = f"{part.text} {part.about}".strip()
    found = message_recall.passages(question, count=len(prompt.passages) or 12)
    slots = asked_about(part.text)
    return replace(prompt, question=question, asked_slots=slots, passages=found)


def _part(text: str, *, asks: bool = False, within: str = "") -> Part:
    """A part of a message; `within` is the whole message, where there are others."""
    if asks_for_a_reminder(text):
        return Part(text, False, None)
    forms = (_ASKS_FOR_TOLD, _ASKS_BEHIND_A_CONDITION)
    if asks or is_question_in_full(text) or any(form.match(text) for form in forms):
        return _question(text)
    if within and len(text.split()) <= _FEW_WORDS:
        # The whole message tells what a few words want: "can't stand it. literal soap".
        return Part(text, False, intents.read(within, asks=False))
    if is_explicit_correction(text):
        return Part(text, False, None)
    intent, asked = intents.rank(text, asks=False)[0], intents.rank(text, asks=True)[0]
    asks_within = not within or intents.asking_probability(within) >= _PROBABLY_ASKS
    may_ask = asks_within and not (_is_telling(text) or intents.is_foreign(within or text))
    if may_ask and _asks(text, intent, asked):
        plainly = text.rstrip().endswith("?") or _BEGINS_TO_ASK.match(text) is not None
        return Part(text, True, intents.sure_of(asked), asks_plainly=plainly)
    return Part(text, False, intents.sure_of(intent))


def _question(text: str) -> Part:
    """What has the form of a question; "who does that?" wants no answer."""
    intent = intents.read(text, asks=True)
    if intent and intent.name == "rhetorical" and intent.score >= _RHETORICAL:
        return Part(text, False, None)
    return Part(text, True, intent, asks_plainly=True)


def _asks(text: str, intent: Intent, asked: Intent) -> bool:
    """Whether what has not the form of a question asks all the same, by what it most probably
    tells and asks.
    """
    least = _PROBABLY_ASKS if _BEGINS_TO_ASK.match(text) else _SURELY_ASKS
    # A question about the product may have the form of an order, and so stands in both lists.
    is_help = asked.is_help and asked.score >= max(intent.score, _SURELY_HELP)
    return is_help or intents.asking_probability(text) > max(intent.score, least)


def asks_for_a_reminder(sentence: str) -> bool:
    """Whether a sentence wants that its writer is reminded of something: "remind me to call Jo"."""
    return _ASKS_FOR_A_REMINDER.match(sentence) is not None


def is_request(sentence: str) -> bool:
    """Whether a sentence that is no question asks for something: "give me five names"."""
    return not _is_telling(sentence) and intents.asking_probability(sentence) > _SURELY_ASKS


def _is_telling(sentence: str) -> bool:
    return _TELLS.match(sentence) is not None and not _WANTS_SOMETHING.match(sentence)
