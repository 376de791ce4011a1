"""Small pure functions that say why a clause is not a statement about the person.

A guard answers one question about a clause in its sentence; :func:`judge` asks them in order and
carries a verdict on to clauses that depend on the one before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from memory.language.engine.clauses import Clause, Subject
from memory.language.lazy_pattern import compile_lazily


class Verdict(StrEnum):
    """What a clause may be used for."""

    CLEAR = "clear"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    REPORTED = "reported"
    SUBORDINATE = "subordinate"


_INTERROGATIVE = compile_lazily(
    r"(?:do|does|did|am|are|is|was|were|have|has|had|can|could|will|would|shall|should|"
    r"(?<!since )(?<!\bin )(?<!from )(?<!until )(?<!last )may|might|"
    r"must|don't|doesn't|didn't|isn't|aren't|wasn't|won't|can't|shouldn't)"
    r"\s+(?:i|we|you|he|she|it|they|my|our|your|his|her|their|there|this|that|these|those|the|"
    r"any|anyone|someone|people)\b"
    r"|(?!how much i\b|what an?\b(?! \w+ (?:do|does|is|are|would)\b))"
    r"(?:what|who|whom|whose|where|when|why|how|which|what's|who's|where's|how's|whats|wheres)"
    r"\b"
    r"|(?:any|and you|wanna|want to(?! be\b)|care to)\b|(?:how|what) about\b"
    r"|(?:you|u|yours?)\s*(?:\?|$)",
    re.IGNORECASE,
)
# "Can you call me Nicky?" has the form of a question and is a request.
_REQUEST = compile_lazily(
    r"(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+)?(?:call|address)\s+me\b", re.IGNORECASE
)
_HYPOTHESIS = compile_lazily(
    r"\b(?:if(?! (?:you|it|that|possible|needed)\b)|what if|unless|whether|suppose|supposing|"
    r"imagine(?! dragons)|imagining|pretend|pretending|"
    r"(?:(?:it'?s|it is|that'?s) )?not that|according to|like hell|"
    r"assuming|assume|let's say|lets say|say that|as if|as though|in case|were i|hypothetically|"
    r"role-?play(?:ing)?|act as|act like|wish(?! to\b)|in (?:my|a|the) (?:dream|story|novel|"
    r"game|book|"
    r"movie)|"
    r"my character|maybe|perhaps|hopefully|in another life|for example|e\.g)\b",
    re.IGNORECASE,
)
_COMPOSE = compile_lazily(
    r"(?:please\s+|can you\s+|could you\s+|help me\s+)*(?:write|compose|draft|generate|create|"
    r"make up|invent|translate|rewrite|proofread|paraphrase|summari[sz]e|how (?:do|would) "
    r"(?:you|i) "
    r"say|what does)\b",
    re.IGNORECASE,
)
_REPORTING_END = compile_lazily(
    r"\b(?:say|says|said|saying|think|thinks|thought|believe|believes|believed|claim|claims|"
    r"claimed|"
    r"know|knows|knew|hope|hopes|wish|wishes|ask|asks|asked|wonder|wonders|wondering|tell|tells|"
    r"told|mentions|mentioned|heard|hear|guess|guesses|assume|assumes|dreamed|dreamt|dream|"
    r"feel like|felt like|"
    r"doubt|doubts|swear|joke|joked|lie|lied|pretend|pretended|wrote|writes|replied|answered|"
    r"if|whether|like|as if|as though|"
    r"(?:told|tells?|telling) (?:me|him|her|them|us|people|everyone|\w+))"
    r"(?:\s+that)?\s*[,:]?$",
    re.IGNORECASE,
)
# "The song goes I love rock and roll": only where nothing stands between.
_QUOTING_END = compile_lazily(
    r"\b(?:go|goes|sings?|sang|singing|reads|called|titled|quotes?|"
    r"quoted)(?:\s+like)?\s*$",
    re.IGNORECASE,
)
# Saying so oneself, to the assistant, is still saying so; never having said so is not.
_OWN_REPORT = compile_lazily(
    r"(?:\bi (?:(?!never\b|hardly\b|barely\b)\w+ )?"
    r"(?:said|told you|mentioned|mean|meant|must say|should say|know)|"
    r"\byou (?:should |already |must )?know|"
    r"^(?:please )?(?:remember|note|know|keep in mind|bear in mind)|\bas i said|"
    r"\b(?:truth|thing|fact) is|\b(?:that|which)(?: is|'s|s)? (?:is )?why|\blet'?s just say|"
    r"\bi (?:guess|think|have to say|would say|bet|can say)|\bdid you know|"
    r"\bi (?:(?:do|just|really|have to|must) )*(?:believe|feel|swear|admit|realized?|noticed?|"
    r"forgot|confess))(?:\s+that)?\s*[,:]?$",
    re.IGNORECASE,
)
# A connecting word that was cut off from its clause: "when" before "I work at night".
_LOOSE_WHEN = compile_lazily(
    r"\b(?:when|whenever|once|until|till|before|after|than|where|how|why|what|who|which)$",
    re.IGNORECASE,
)
_WHEN = compile_lazily(
    r"(?:when|whenever|until|before|after|once|where|which|who|whose|than)\b", re.IGNORECASE
)
# The form of a question, the force of a statement: "Did you know I work at a zoo".
_ASSERTS = compile_lazily(
    r"(?:(?:did|do|would) you (?:know|believe)(?: it)?|guess what|"
    r"what(?:'s| is|s)? (?:[\w']+ ){1,3}is)(?: that)?$",
    re.IGNORECASE,
)
# "Do you like puzzles I do": the answer follows without a comma.
_ASKED_WHETHER = compile_lazily(
    r"(?:(?:what|which|who)(?:'s|s)? [\w ]{0,30}?)?(?:do|did|have|are|can) (?:you|u) "
    r"(?!.*\b(?:know|think|say|believe|care|mind|see|remember|"
    r"want|if|when|what|where|how|who|that|guess|mean|understand|wish|hope)$)",
    re.IGNORECASE,
)
_SHORT_ANSWER = compile_lazily(
    r"i (?:sure |really |do )*(?:do|love|like|hate|enjoy|have|prefer|am|play|can)\b|"
    r"my (?:own |personal |all time )?fav\w*|mine\b",
    re.IGNORECASE,
)
# "I am fine just reading you?": only the last word asks.
_ASKS_BACK = compile_lazily(r"\b(?:you|u|yours?|yourself|wbu|hbu|wyd)\s*$", re.IGNORECASE)
# "I love the sea?": nobody asks whether they love it; the mark is a slip.
_DECLARES = compile_lazily(
    r"(?:(?:also|really|just|do|absolutely|still|always)\s+)*(?:(?:love|adore|enjoy|hate)\b|"
    r"(?:am|'m)\s+(?:\w+ly\s+)?(?:afraid|scared|terrified|obsessed)\s)",
    re.IGNORECASE,
)
_CONFIRMATION = compile_lazily(
    r"(?:right|correct|isn't it|don't i|aren't i|do i|am i|huh|no)$", re.IGNORECASE
)


# "Sure, and I work for NASA": who opens like this means the opposite.
_MOCKS = compile_lazily(
    r"\W*(?:(?:oh|haha|lol|ha)\W+)*(?:sure|yeah\W+right|yeah\W+sure|right|of\s+course|as\s+if)\W+"
    r"(?:and|because|cause|cos)\s+(?:i|i'm|im|my|we)\b",
    re.IGNORECASE,
)
# "I work at Google. Just kidding!": what is taken back as a joke.
_JOKED = compile_lazily(
    r"\W*(?:(?:haha|lol|ha|nah|no|ok|okay)\W+)*(?:(?:i'm\s+|im\s+)?(?:just\s+|only\s+|totally\s+)?"
    r"(?:kidding|joking|teasing)|jk|j/k|just\s+a\s+joke|not\s+really|i\s+wish|as\s+if|"
    r"in\s+my\s+dreams)"
    r"(?:\s+(?:you|of\s+course|obviously|lol|haha))?\W*",
    re.IGNORECASE,
)
_JOKED_AT_LAST = compile_lazily(
    r"[\s,(-](?:(?:just|only)\s+)?(?:kidding|joking|jk|j/k)(?:\s+(?:lol|haha))?\s*$",
    re.IGNORECASE,
)
_SUBJECT_OPENS = compile_lazily(r"\b(?:that|there)\s*$")


def is_interrogative(text: str, clause: Clause) -> bool:
    """Whether the clause itself has the order of a question."""
    if _REQUEST.match(text, clause.body, clause.end):
        return False
    if _SUBJECT_OPENS.search(clause.openers):
        return False  # "that was my train": the opener is the subject
    starts = [clause.start + len(clause.openers)]
    if clause.subject not in {Subject.SELF, Subject.WE} or clause.implied:
        starts.append(clause.body)  # "want to go?" asks, "I want to go" does not
    # A bare "do" was cut off before its "I": look a little past the end of the clause.
    return any(_INTERROGATIVE.match(text, index, clause.end + 8) for index in starts)


def is_hypothetical(text: str, clause: Clause) -> bool:
    """Whether an "if", "imagine" or "maybe" governs the clause."""
    words = f"{clause.lead} {clause.openers} {text[clause.start : clause.body]}"
    if _HYPOTHESIS.search(words):
        return True
    opening = " ".join(text[clause.start : min(clause.end, clause.body + 60)].split()[:6])
    return bool(_HYPOTHESIS.match(opening.lstrip("*- ")) or _COMPOSE.match(opening))


def is_subordinate(text: str, clause: Clause, before: Clause | None = None) -> bool:
    """Whether the clause only says when or which: "when I work at night", "who I live with"."""
    said = f"{clause.lead} {text[max(0, clause.start - 7) : clause.end]}"
    if _LED_TO.search(said):
        return False
    if before is not None and clause.glued:
        lead = text[before.start : before.end].strip()
        if _LOOSE_WHEN.search(lead) and not _OWN_REPORT.search(lead):
            return True
    return bool(_WHEN.match(clause.lead.split(" ")[-1]) or _WHEN.match(text, clause.start))


# "I was a waiter before I became a nurse" tells of both.
_LED_TO = compile_lazily(
    r"\bbefore (?:i|we) (?:became|joined|moved to|started (?:as|at))\b", re.IGNORECASE
)


def is_reported(text: str, clause: Clause, before: Clause | None) -> bool:
    """Whether the clause hangs on somebody's saying or thinking: "she said I work at Google"."""
    if before is None or not (clause.glued or clause.lead in {"that", "and that", ""}):
        return False
    if clause.glued and _asserted_or_answered(text, clause, before):
        return False
    if before.subject is Subject.SELF and not clause.glued and clause.lead == "":
        return False  # "I can tell, I like it too": nobody else speaks
    lead = text[before.start : before.end].strip()
    if clause.glued and before.subject is not Subject.SELF and _QUOTING_END.search(lead):
        return True
    return bool(_REPORTING_END.search(lead) and not _OWN_REPORT.search(lead))


def is_taken_back(text: str, start: int, end: int) -> bool:
    """Whether a stretch only says that what stands before it was a joke."""
    return bool(_JOKED.fullmatch(text, start, end))


_MAKE_BELIEVE = compile_lazily(
    r"\b(?:what if|suppose|supposing|imagine|imagining|pretend(?:ing)?|let's say|lets say|"
    r"say that|role-?play(?:ing)?|act (?:as|like)|in (?:my|a|the) (?:dream|story|novel|game|book|"
    r"movie)|my character|in another life|for example|e\.g|write|compose|draft|translate|"
    r"when i (?:get|have|buy)|if i (?:get|had|have|buy))\b",
    re.IGNORECASE,
)


def is_make_believe(text: str, clause: Clause, before: Clause | None) -> bool:
    """Whether even "my dog" may be nobody's: in a game, in a text to be written, in a quotation."""
    start = before.start if before else clause.start
    if _MAKE_BELIEVE.search(text, start, clause.end):
        return True
    return is_reported(text, clause, before) and not (before and before.subject is Subject.SELF)


def judge(text: str, parts: Sequence[Clause], mark: str) -> list[Verdict]:
    """One verdict a clause of a sentence that ends with ``mark``."""
    last = parts[-1] if parts else None
    if last and (
        _MOCKS.match(text, parts[0].start, last.end)
        or _JOKED_AT_LAST.search(text, parts[0].start, last.end)
    ):
        return [Verdict.HYPOTHETICAL] * len(parts)
    verdicts: list[Verdict] = []
    for position, clause in enumerate(parts):
        before = parts[position - 1] if position else None
        previous = verdicts[-1] if verdicts else Verdict.CLEAR
        if previous is Verdict.QUESTION and _answers(text, clause, before, mark):
            previous = Verdict.CLEAR
        verdicts.append(_judge_one(text, clause, before, previous))
    asks_back = parts and _ASKS_BACK.search(text, parts[-1].start, parts[-1].end)
    if "?" in mark and Verdict.QUESTION not in verdicts and not asks_back:
        said = [
            bool(_REQUEST.match(text, part.body, part.end))
            or (part.subject is Subject.SELF and bool(_DECLARES.match(text, part.body)))
            for part in parts
        ]
        return [v if told else Verdict.QUESTION for v, told in zip(verdicts, said, strict=True)]
    if (
        "?" in mark
        and parts
        and _CONFIRMATION.search(text[parts[-1].start : parts[-1].end].strip())
    ):
        return [Verdict.QUESTION] * len(parts)
    return verdicts


def _answers(text: str, clause: Clause, before: Clause | None, mark: str) -> bool:
    """Whether a clause after a question stands on its own: "do you like tea, I love it"."""
    own = clause.subject in {Subject.SELF, Subject.MY} and not clause.inherits
    if own and not clause.lead and text.startswith("mine ", clause.body):
        return True  # "What is yours, mine is blue?"
    if not own or clause.implied:
        return False
    if "?" in mark:  # "Do you like plums, I love them?"
        return not clause.glued and not clause.lead and bool(_DECLARES.match(text, clause.body))
    if clause.lead:  # "Any hobbies because I work at a shop"
        return clause.lead in {"because", "since"}
    return not clause.glued or bool(before and _asserted_or_answered(text, clause, before))


def _asserted_or_answered(text: str, clause: Clause, before: Clause) -> bool:
    """Whether a clause that nothing separates from a question is still the person's statement."""
    question = text[before.start + len(before.openers) : before.end].strip()
    if _ASSERTS.match(question):
        return True
    return bool(_ASKED_WHETHER.match(question) and _SHORT_ANSWER.match(text, clause.start))


def _judge_one(text: str, clause: Clause, before: Clause | None, previous: Verdict) -> Verdict:
    subordinate = is_subordinate(text, clause, before)
    if previous is Verdict.QUESTION or (is_interrogative(text, clause) and not subordinate):
        return Verdict.QUESTION
    if is_hypothetical(text, clause):
        return Verdict.HYPOTHETICAL
    if is_reported(text, clause, before):
        return Verdict.REPORTED
    if subordinate:
        return Verdict.SUBORDINATE
    # "When I am home I paint": the second clause is the main one.
    now = clause.lead == "but" and "now" in clause.openers
    main = previous is Verdict.SUBORDINATE and (not clause.inherits or now)
    return Verdict.CLEAR if main or not _depends(clause, before) else previous


def _depends(clause: Clause, before: Clause | None) -> bool:
    """Whether a clause shares the fate of the one before it."""
    if clause.inherits or clause.glued:
        return True
    if before is None or clause.lead in {"but", "because", "however"}:
        return False
    own = clause.subject in {Subject.SELF, Subject.MY, Subject.WE}
    same_person = before.subject is not Subject.OTHER
    return own and same_person
