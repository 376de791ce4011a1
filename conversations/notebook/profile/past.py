"""What held before, where the timeline does not know it: as the person said it, word for word."""

import re

from conversations.models import Message
from conversations.notebook.answer_builder import Answer, line, used_message
from conversations.notebook.sentences import sentences
from conversations.notebook.steps import looking
from conversations.prompt import Prompt
from conversations.search import word_mentions
from memory.language.queries import speech_acts

_MOST = 3
# The words by which such sentences are found, and what makes one of them a sentence of the past.
_SAID = {
    "employer": (
        ("work", "job", "employed", "employer", "quit", "resigned", "fired", "company"),
        r"worked (?:at|for|in|with|as)|used to (?:work|be employed)|was (?:employed|working)"
        r"|left my job|(?:quit|lost|resigned from) (?:my|the) job"
        r"|(?:old|former|previous|last) (?:job|employer|company|boss)",
    ),
    "location": (
        ("live", "move", "grew", "born", "flat", "house", "home", "stay"),
        r"lived (?:in|at|near)|used to live|was living|moved (?:here )?from|grew up in"
        r"|(?:old|former|previous|last) (?:home|flat|house|apartment|city|town)",
    ),
    "education": (
        ("study", "school", "university", "college"),
        r"studied|went to (?:school|college|university)|used to study",
    ),
    "vehicle": (("drive", "car", "bike"), r"drove|used to (?:drive|have|own)|(?:old|former) \w+"),
}
_OWN = re.compile(r"\b(?:i|i'd|we|my)\b", re.IGNORECASE)


def before(prompt: Prompt, slot: str, made: Answer) -> bool:
    """The latest sentences of the person that speak of what was; False when there are none."""
    if slot not in _SAID:
        return False
    words, shape = _SAID[slot]
    with looking(made, "search_conversations", query=words[0], mine=True) as step:
        found = [
            (message, part)
            for message in word_mentions.with_any(prompt.question, words)
            if message.role == Message.Role.USER
            for part in sentences(message.content)
            if speech_acts.states(part, message.author)
            and _OWN.search(part)
            and re.search(rf"\b(?:{shape})\b", part, re.IGNORECASE)
        ]
        step.count = len(found)
    if not found:
        return False
    made.say("It is not on your timeline. You said:")
    for message, part in found[:_MOST]:
        made.point(line(message, part), used_message(message))
    return True
