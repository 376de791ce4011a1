"""Detecting private matters (health, money, love, faith and the like), about anybody.

Two trained models judge each sentence: the reader, which names the matter and counts more, and the
classifier of sentences. A private sentence makes the message confidential: it is quoted in its own
conversation only, and no fact or memory is made from the sentence. Food allergies and statements
about animals are not private.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memory.language.classifiers import sentence_labels
from memory.language.lazy_pattern import compile_lazily
from memory.language.lexicons import load_lexicon

if TYPE_CHECKING:
    from memory.language.reader.decoding import Span
    from memory.language.reader.network import ReadSentence
    from memory.language.reading import Reading

PRIVATE = 0.4
"""From this probability on a sentence is private: of the sentences kept aside for testing, eight in
ten of those that are, and fewer than one in a hundred of the others."""
_SLOTS = {
    "health": "medical",
    "mind": "mental_health",
    "money": "financial",
    "love": "relationships",
    "law": "legal",
    "belief": "religion",
    "politics": "politics",
    "origin": "ethnicity",
    "sexuality": "sexual_orientation",
}
"""The slot of each matter that the reader names; what is told in confidence is no matter itself."""
# Outside of these two bounds the reader judges alone; else the weights of reader and examples, and
# a factor for love.
_CERTAIN, _HARDLY, _READER, _EXAMPLES, _LOVE = 0.95, 0.005, 0.6, 0.4, 0.9
_FOODS = sorted(load_lexicon("foods") | load_lexicon("not_eaten"), key=len, reverse=True)
_FOOD = rf"(?:[\w-]{{1,30}} ){{0,2}}?(?:{'|'.join(_FOODS)})\b"
_FOOD_ALLERGY = compile_lazily(
    rf"(?<!\w)(?:allerg(?:ic|y|ies)\s+(?:reactions?\s+)?to\s+{_FOOD}(?:\s+(?:and|or)\s+{_FOOD})?"
    rf"|{_FOOD}\s+allerg(?:y|ies)|co?eliac(?:\s+disease)?|\w+[- ]intoleran(?:t|ce))",
    re.IGNORECASE,
)
_NO_FOOD = compile_lazily(
    r"\b(?:stings?|bees?|wasps?|hornets?|latex|nickel|dust|pollen|grass|mou?ld|cats?|dogs?|horses?"
    r"|fur|epi-?pen)\b",
    re.IGNORECASE,
)
# Words that are private in any sentence, if the models are not sure.
_UNMISTAKABLE = {
    slot: compile_lazily(rf"\b(?:{words})\b", re.IGNORECASE)
    for slot, words in (
        ("religion", r"halal|kosher|synagogue|mosque|ramadan|torah|quran|koran"),
        ("mental_health", r"suicid\w+|kill(?:ing)? myself|want(?:ed)? to die|self[- ]harm\w*"),
        ("medical", r"epi-?pen|pacemaker|hiv"),
    )
}
_FIRST_PERSON = compile_lazily(r"\b(?:i|me|myself|we|us|ourselves)\b", re.IGNORECASE)
_PEOPLE = frozenset({"family", "person", "relation"})


def has_food_allergy(value: str) -> bool:
    """Return whether a text states an allergy or intolerance to a food."""
    return bool(_FOOD_ALLERGY.search(value))


def is_in_food_allergy(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is within a statement of a food allergy."""
    matches = (each for each in _FOOD_ALLERGY.finditer(text) if "allerg" in each[0].lower())
    return any(each.start() < end and start < each.end() for each in matches)


def tells_allergy(text: str) -> bool:
    """Return whether a text states any allergy, or an intolerance to a food."""
    return "allerg" in text.casefold() or has_food_allergy(text)


def is_private_text(text: str, least: float = PRIVATE) -> bool:
    """Return whether a text is private with at least this probability."""
    return bool(find_private_slots(text, least))


def find_private_slots(text: str, least: float = PRIVATE) -> set[str]:
    """Return all private slots that a text is about with at least this probability."""
    from memory.language.reading import Reading

    return {slot for _, _, slot in sentence_slots(Reading(text), least) if slot}


def sentence_slots(reading: "Reading", least: float = PRIVATE) -> Iterator[tuple[int, int, str]]:
    """Yield every sentence as (start, end, private slot); the slot is '' if it is not private."""
    read = reading.read_unmasked
    for sentence in read.sentences:
        spans = read.spans_in(sentence.start, sentence.end)
        text = reading.text[sentence.start : sentence.end]
        slot = _unmistakable_slot(text)
        if not slot and private_probability(text, sentence, spans) >= least:
            slot = _SLOTS[_matter(sentence)]
        yield sentence.start, sentence.start + len(text.rstrip(" .!")), slot


def _unmistakable_slot(text: str) -> str:
    return next((s for s, words in _UNMISTAKABLE.items() if words.search(text)), "")


def private_probability(text: str, sentence: "ReadSentence", spans: Sequence["Span"]) -> float:
    """Return the probability, 0..1, that a sentence is about a private matter.

    `text` are its words, `spans` the values in it.
    """
    if has_food_allergy(text):
        return _beside_a_food_allergy(text)
    if _tells_of_an_animal_alone(text, spans):
        return 0.0
    return _judged(text, sentence)


def _judged(text: str, sentence: "ReadSentence") -> float:
    by_reader = sentence.private[_matter(sentence)]
    if by_reader >= _CERTAIN or by_reader < _HARDLY:
        return by_reader
    by_examples = sentence_labels.private_probability(text)
    if _matter(sentence) == "love":
        # Weddings and marriages are told to everybody, so both models must agree.
        return min(by_reader, by_examples) * _LOVE
    return _READER * by_reader + _EXAMPLES * by_examples


def _beside_a_food_allergy(text: str) -> float:
    """Return the probability that the rest of a sentence with a food allergy is private."""
    from memory.language.reading import Reading

    if _NO_FOOD.search(text):
        return 1.0
    rest = _FOOD_ALLERGY.sub("vegetarian", text)
    sentences = Reading(rest).read.sentences
    return max((_judged(rest, each) for each in sentences), default=0.0)


def _tells_of_an_animal_alone(text: str, spans: Sequence["Span"]) -> bool:
    """Return whether a sentence names an animal and no person."""
    labels = {span.label for span in spans}
    return "pets" in labels and not labels & _PEOPLE and not _FIRST_PERSON.search(text)


def _matter(sentence: "ReadSentence") -> str:
    """Return the private matter that a sentence is most probably about."""
    return max(_SLOTS, key=lambda matter: sentence.private[matter])
