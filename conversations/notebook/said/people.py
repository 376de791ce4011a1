"""How old somebody is, what they do, where they live: the sentence that says it of them.

A sentence that goes on with "She" speaks of whoever the sentence before it is about, where that
names nobody else; then both are quoted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from conversations.models import Message
from conversations.notebook import nearest_quotes
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.said import who_is
from conversations.notebook.said.who_is import is_a_name
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons.lexicon import NUMBER_WORDS
from memory.language.queries.abbreviation_expansion import in_full, pattern_of
from memory.language.queries.query_intent import Kind, QueryIntent
from memory.language.text import terms
from memory.language.values import readers

_MOST = 2
# After a name so many sentences may go on with "she".
_GOES_ON = 3

_WHOM = (
    r"(?P<whom>(?!(?:i|you|we|he|she|they|it|this|that|there|everybody|everyone|people)\b)"
    r"[\w'-]+(?: [\w'-]+){0,3}?)"
)
_IS = r"(?:'s|'re| is| are| was| were)"
_ADVERBS = r"(?: (?:now|just|only|already|still|also|almost|nearly|about|turning|currently))*"

_TENS = "|".join(word for word, number in NUMBER_WORDS.items() if 20 <= number < 100)
_ONES = "|".join(word for word, number in NUMBER_WORDS.items() if 0 < number < 20)
_NUMBER = rf"(?:\d{{1,3}}|(?:{_TENS})(?:[- ](?:{_ONES}))?|(?:{_ONES}))"
_OF_AN_AGE = (
    rf"(?:{_NUMBER}(?= *(?:$|[.,;!?)…]|(?:and|but|or|so|now|in|on|this|next|last|today|tomorrow"
    r"|already|soon|years?|yrs?|months?|weeks?)\b(?! (?:away|ago|late)))))"
)
_AGE = (
    rf"(?:{_IS}|(?:'s| has)? turned| turns| will (?:be|turn)| is going to be){_ADVERBS}"
    rf" {_OF_AN_AGE}"
    rf"|,? \({_NUMBER}\)|, {_NUMBER},|'s age is \w"
    r"|(?:'s| is| was| were) born (?:in|on) "
)
_AGE_BEFORE = rf"\b{_NUMBER}[- ]years?[- ]old(?: [\w-]+){{0,2}},? "
_JOB = (
    rf"(?:{_IS}| became| has become){_ADVERBS} (?:an? |the |our |my )?"
    r"(?P<job>[\w-]+(?: [\w-]+){0,3})"
)
_WORK = (
    r"(?: also| still| now)? (?:(?:is |are |was )?work(?:s|ed|ing)? (?:as|at|for|in|with|from|on)\b"
    r"|teach(?:es)? |studies |study |runs? (?:an?|the|his|her|their)\b|(?:is|has|are) retired)"
)
_WORKPLACE = r"(?: also| still| now)? (?:is |are )?work(?:s|ing)? (?:at|for|in|with|from|near)\b"
_HOME = (
    rf"(?:{_IS})?{_ADVERBS} (?:lives?|lived|living|based|stay(?:s|ing)|resides?"
    r"|(?:has |have )?moved)(?: \w+){0,3}?"
    r" (?:in|at|to|near|with|on|there|here|by|outside|above|opposite|next)\b"
)


@dataclass(frozen=True)
class _Matter:
    """What is asked of somebody, and how a sentence tells it after their name, or before it."""

    asked: tuple[re.Pattern[str], ...]
    tells: str
    before: str = ""

    def of(self, core: str) -> str:
        """Of whom a question asks this; '' where it asks something else."""
        found = next(filter(None, (form.fullmatch(core) for form in self.asked)), None)
        return found["whom"] if found else ""


def _forms(*forms: str) -> tuple[re.Pattern[str], ...]:
    return tuple(lazy_pattern(one.replace("{WHOM}", _WHOM), re.IGNORECASE) for one in forms)


_MATTERS = (
    _Matter(
        _forms(
            rf"how old(?:{_IS}| will) {{WHOM}}(?: be)?(?: (?:now|then|today|by now))?",
            rf"what age{_IS} {{WHOM}}(?: now)?",
            rf"what{_IS} {{WHOM}}'s age(?: now)?",
            r"how old {WHOM} (?:is|are|was)(?: now)?",
        ),
        _AGE,
        before=_AGE_BEFORE,
    ),
    _Matter(
        _forms(
            r"what (?:does|do|did) {WHOM} do(?: for (?:a living|work|money)| at work| now)*",
            r"what (?:does|do|did) {WHOM} work as",
            r"what {WHOM} (?:does|do)(?: for (?:a living|work)| at work)?",
            r"what (?:kind|sort) of (?:work|job) (?:does|do) {WHOM} (?:do|have)",
            rf"what{_IS} {{WHOM}}'s (?:job|profession|occupation|trade|work)",
        ),
        f"(?:{_WORK}|{_JOB})",
    ),
    _Matter(
        _forms(
            r"where (?:does|do|did) {WHOM} work(?: now)?",
            r"(?:where|for whom) {WHOM} works?(?: now)?",
            r"(?:who|whom|what company) (?:does|do|did) {WHOM} work (?:for|with|at)",
        ),
        rf"(?:{_WORKPLACE}|{_JOB}(?: at| in| for| with| there)\b)",
    ),
    _Matter(
        _forms(
            r"where (?:does|do|did) {WHOM} (?:now |currently )?(?:live|stay)(?: now)?",
            r"where {WHOM} lives?(?: now)?",
            rf"where{_IS} {{WHOM}} (?:now )?(?:living|based|staying)(?: now)?",
            r"(?:what|which) (?:city|town|country|place|village) (?:does|do) {WHOM} live in",
        ),
        _HOME,
    ),
)

_CALLED = _Matter(
    _forms(
        rf"(?:what|how){_IS} {{WHOM}} (?:called|named)",
        r"what {WHOM} (?:is|are) (?:called|named)",
        rf"what{_IS} {{WHOM}}(?:'s|s'|') names?",
        rf"what{_IS} the names? of {{WHOM}}",
    ),
    "",
)


def told(prompt: Prompt, made: Answer) -> bool:
    """The latest sentences that tell what is asked of somebody; False where none does."""
    core = prompt.question.reading.core
    if terms.telling(whom := _CALLED.of(core)):
        return who_is.defined(prompt, QueryIntent(Kind.WHO, whom, sentence=f"Who is {whom}?"), made)
    for matter in _MATTERS:
        whom = matter.of(core)
        if terms.telling(whom):
            return _tell(prompt, made, whom, matter)
    return False


def _tell(prompt: Prompt, made: Answer, whom: str, matter: _Matter) -> bool:
    with looking(made, "search_conversations", query=whom) as step:
        said, saying = who_is.messages_with(prompt, whom), _Saying.of(whom, matter)
        found = [(message, quote) for message in said for quote in saying.in_message(message)]
        step.count = len(found)
        if not found:
            step.none_says(len(said), "that")
    if not found:
        return False
    made.say("From what was said:")
    for message, quote in found[:_MOST]:
        made.point(line(message, quote), used_message(message))
    return True


# In one sentence up to another "is", with no other name on the way but that of a place.
_BEFORE_A_PLACE = r"(?<=\bin )[A-Z]|(?<=\bat )[A-Z]|(?<=\bto )[A-Z]|(?<=\bnear )[A-Z]"
_AND_THEN = (
    rf"(?:(?-i:(?:[^.;:A-Z]|{_BEFORE_A_PLACE}){{0,60}}?) (?:and|who|but)(?: (?:he|she|they))?)?"
)
_OTHER_NAME = lazy_pattern(
    r"(?<!^)(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bnear )\b(?!I\b|I')[A-Z][a-z]+"
)
_THEY = lazy_pattern(r"(?:and |but )?(?:he|she|they)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Saying:
    """How a sentence tells something of somebody who is named in it, or in the one before."""

    name: re.Pattern[str]
    named: re.Pattern[str]
    goes_on: re.Pattern[str]

    @classmethod
    def of(cls, whom: str, matter: _Matter) -> Self:
        """Of this person, by name or part: "Philippa", "my daughter"."""
        name, tells = pattern_of(whom) + r"\b", f"(?:{matter.tells})"
        # "My daughter Philippa is", "Philippa, our eldest, is", "Hugo loves trains and is".
        after = rf"{name}(?:,? (?P<given>\w+),?|,[^,.;]{{2,40}},)??{_AND_THEN}{tells}"
        before = f"|{matter.before}{name}" if matter.before else ""
        return cls(
            re.compile(name, re.IGNORECASE),
            re.compile(after + before, re.IGNORECASE),
            re.compile(_THEY.pattern + tells, re.IGNORECASE),
        )

    def in_message(self, message: Message) -> Iterator[str]:
        """The sentences of a message that tell it; with "she" together with the one before."""
        said = [part for part in sentences(message.content) if nearest_quotes.tells(message, part)]
        for at, part in enumerate(said):
            plain = _plain(part)
            if _tells(self.named.search(plain)):
                yield part
            elif self.name.search(plain) and not _OTHER_NAME.search(self.name.sub("", plain)):
                yield from self._going_on(part, said[at + 1 : at + 1 + _GOES_ON])

    def _going_on(self, named: str, after: Sequence[str]) -> Iterator[str]:
        for between, part in enumerate(after):
            plain = _plain(part)
            if _THEY.match(plain) is None:
                return
            if _tells(self.goes_on.match(plain)):
                yield f"{named} {'… ' if between else ''}{part}"


def _tells(found: re.Match[str] | None) -> bool:
    """Whether it does; of work only where it names an occupation."""
    caught = found.groupdict() if found else {}
    given, job = caught.get("given"), caught.get("job")
    if found is None or (given and not is_a_name(given)):
        return False
    if not job:
        return True
    parts = job.split()
    return any(readers.is_job_word(" ".join(parts[:most])) for most in range(1, len(parts) + 1))


def _plain(text: str) -> str:
    return in_full(" ".join(text.replace("’", "'").split()))
