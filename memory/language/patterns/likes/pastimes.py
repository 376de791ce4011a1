"""Pastimes that are known by name, and whether one that is merely named is the person's own."""

from __future__ import annotations

import re

from memory.language.lazy_pattern import lazy_pattern
from memory.language.lexicons import vocabulary
from memory.language.patterns.likes.liked_mentions import tells_of_liking

PASTIMES = (
    r"(?:hiking|fishing|hunting|camping|surfing|swimming|baking(?! in the| soda| powder)|"
    r"knitting|gardening|"
    r"painting(?!\s+(?:my|the|our|a|an|some)\b)|"
    r"drawing|dancing|singing|"
    r"reading|cooking|shopping|skateboarding|snowboarding|skiing|sewing|running|gaming|"
    r"photography|yoga|video games|"
    r"board games|anime|karate|crocheting|bowling|jogging|biking|cycling|sculpting|"
    r"horse(?:back)? riding|bird ?watching|"
    r"(?:online|window|thrift)\s+shopping|kayaking|sailing|rock climbing|poetry|bingo|chess|"
    r"poker|archery|pottery|"
    r"travel(?:ing|ling)|partying|concerts|martial arts|ballet|snorkeling|volunteering|writing|"
    r"walks|sightseeing|football|basketball|soccer|baseball|hockey|golf|tennis|volleyball|rugby|"
    r"karaoke|social media|"
    r"the internet|fashion|politics|(?:horror|disney|scary|old|action|romantic|kung fu|"
    r"documentary) movies?|nascar|opera|jazz|"
    r"(?:country|rock|pop|classical|rap|folk|metal) music|hip hop|comics|crosswords?|crafts|"
    r"coding|programming|"
    r"(?:crime|romance|horror|mystery|sci fi|fantasy|history|comic|true crime|science fiction|"
    r"war|graphic|adventure|spy)"
    r"\s+(?:novels?|books?|movies|stories|shows|dramas|documentaries)|harry potter|star wars|"
    r"star trek|game of thrones|lord of the rings|"
    r"poems|novels|cartoons|documentaries|reality tv|ted talks|podcasts|wrestling|gymnastics|"
    r"cheerleading|boxing|softball|lacrosse|ping pong|"
    r"antiques|robotics|astronomy|genealogy|pilates|zumba|crossfit|trivia|puzzles|legos?|video "
    r"editing|web design|graphic design|interior design|"
    r"netflix|making videos for youtube|youtube|"
    r"comic books|crossword puzzles|scrapbooking|cosplay|skydiving|scuba diving|"
    r"working out|exercising|"
    rf"{vocabulary.PASTIMES}|"
    r"playing (?:the )?\w+|watching (?:movies|tv|sports|football|netflix|anime|\w+ (?:movies|"
    r"videos|shows)))"
)
_SOUR = lazy_pattern(
    r"\b(?:hate|not|never|don t|don't|dont|didn't|didn t|wasn't|when i was|as a kid|childhood|"
    r"years ago|done|cannot|can't|cant|can t|dislike|boring|afraid|scared|"
    r"used? to|"
    r"wish|stop|"
    r"stopped|hates|until my|(?:with|for|to|like|than|make|cook|bake|bring|give|buy|"
    r"teach|invite|send) (?:you|u)|(?:who|they|them|their \w+) (?:gave|serve[sd]?|brought|"
    r"sold|had|made|say|said|want\w*|ate|eats?)|without|except|instead of|allerg\w+|gross|"
    r"tired "
    r"of|sick of|bad at|mom|dad|mother|father|"
    r"brother|sister|wife|husband|girlfriend|boyfriend|"
    r"deliver\w*|sells?|selling|hurt|injur\w+|had|terrible|worse|ability|unfortunately|sadly|darn|"
    r"damn)\b",
    re.IGNORECASE,
)
# Whose doing it is: the person who was named last before it.
_WHOSE = lazy_pattern(
    r"\b(?:(?P<own>i|i'm|im|my|we|our)|you|your|u|he|she|his|her|he's|she's|who)\b", re.IGNORECASE
)


_ANOTHER_AFTER = lazy_pattern(r"\b(?:he|she|his|her)\b", re.IGNORECASE)


def _is_anothers(text: str, start: int, end: int) -> bool:
    """Whether the last person named in a stretch is not the one who speaks."""
    last = max(_WHOSE.finditer(text, start, end), key=lambda m: m.start(), default=None)
    return last is not None and last["own"] is None


_FIRST_PERSON = lazy_pattern(r"\b(?:i|i'm|im|me|my|we)\b", re.IGNORECASE)


PART_END = lazy_pattern(
    r"[.!?]|,\s*(?:and\s+|how about\s+|what about\s+)?(?:you|u)\b|"
    r"\s+you\s*[?]|\s+but\s|,\s+(?:and\s+|so\s+)?i\s"
)


def around(match: re.Match[str], before: int, after: int) -> tuple[str, str]:
    """What stands before and after a match in its own part of the sentence.

    At most ``before`` and ``after`` characters; a part ends at a mark, at "but", and where the
    person starts anew (", i") or asks back (", you?").
    """
    text = match.string
    head = PART_END.split(text[max(0, match.start() - before) : match.start()])
    tail = PART_END.split(text[match.end() : match.end() + after])
    own = "i " if len(head) > 1 and _ANEW.search(text[: match.start() - len(head[-1])]) else ""
    return own + head[-1], tail[0]


_ANEW = lazy_pattern(r",\s+(?:and\s+|so\s+)?i\s$", re.IGNORECASE)


# An answer that only names: "hiking, camping and yoga".
_ONLY_NAMED = lazy_pattern(
    rf"\s*(?:(?:{PASTIMES})\s*(?:,\s*)?(?:(?:and|or|also|some)\s+)?)*", re.IGNORECASE
)


# A sentence without a subject that answers what one does: "Mostly hiking with friends".
_ANSWERS = lazy_pattern(
    r"\s*(?:(?:yes|yeah|yep|well|oh|mostly|mainly|usually|just|probably|some|lots of|a lot of|and|"
    r"also|definitely|lately|sometimes|besides that|honestly|for fun|on (?:the )?weekends|"
    r", )\s*,?\s*)*"
    rf"(?:{PASTIMES})(?!\s+(?:an?|the|this|that|my)\b|(?:[^.!?]*\b(?:is|are|was|were|sounds?|you|your|it|he|she|they|can|has|had|"
    r"makes?|helps?|would|will|must|class|lessons|today|tonight|tomorrow|yesterday|again|now)\b)|[^.!]*\?)[^.!?]{0,45}(?:[.!]|$)",
    re.IGNORECASE,
)


# "No cooking", "no time for golf", "not sure about yoga", "I feel like the little mermaid".
_REFUSED = lazy_pattern(
    r"\b(?:no(?: fav\w*)?|leave (?:all )?the|no time for|not? sure about|(?:feel|look|looks|seems?|"
    r"sounds?|being|scary|weird|crazy|strange|funny|sad) like(?: an?| the)?|could \w+(?: out)?|"
    r"should (?:\w+ ){1,2}(?:on)?|would (?!rather|love|like|enjoy|prefer)(?:\w+ ){1,2}(?:out)?|"
    r"can(?: still| also| even| go)?(?: on)?|reminds me of an?|"
    r"(?:went|moved|switched|changed) from|"
    r"(?:quit|stopped|gave up|given up|giving up|quitting)(?: (?:playing|doing|going))?(?: the)?|"
    r"was on the|while (?:it'?s|it is|they are)|my (?:next|new))\s+$",
    re.IGNORECASE,
)
_NO_MORE = lazy_pattern(
    r"[\w-]+(?:\s[\w-]+)?\s*,?\s(?:(?:no|not really|nope)\b|(?:is|are|isn't|isn’t|isnt)\s+"
    r"(?:(?:so|just|really|too|very|pretty)\s+)*(?:dull|boring|lame|stupid|gross|bad|hard|not|"
    r"un\w+)\b)",
    re.IGNORECASE,
)
_USED_TO = lazy_pattern(r"\bused? to\b", re.IGNORECASE)


def own_pastime(match: re.Match[str]) -> bool:
    """Whether the sentence is in the first person and does not speak against the pastime."""
    before, after = around(match, 90, 25)
    said = before + match[0] + after
    text = match.string
    start = max(text.rfind(mark, max(0, match.start() - 90), match.start()) for mark in ".!?") + 1
    listed = _ONLY_NAMED.fullmatch(text, start, match.start())
    alone = bool(listed) and len(text[match.start() :].split(".")[0]) < 30
    alone = alone or bool(_ANSWERS.match(text, start))
    window = text[start : match.end() + 25]
    own = alone or (bool(_FIRST_PERSON.search(window)) and not _USED_TO.search(window))
    refused = (
        _REFUSED.search(before)
        or _NO_MORE.match(text, match.end())
        or _is_only_where(before, text, match)
        or _is_anothers(before, 0, len(before))
        or _ANOTHER_AFTER.search(after)
    )
    return own and not refused and not _SOUR.search(said)


# Where things are shown and seen: a pastime only of who is there for itself.
_PLATFORM = lazy_pattern(r"(?:youtube|netflix|social media|the internet)\b", re.IGNORECASE)
_MEANS = lazy_pattern(r"\b(?:on|for|with|through|via)\s+$", re.IGNORECASE)
_IS_THERE = lazy_pattern(
    r"\b(?:am|i'm|im|are|be|being|go|going|live|time|hours|days?|lot|much|hooked|addicted|always)"
    r"(?: \w+)? on\s+$",
    re.IGNORECASE,
)


def _is_only_where(before: str, text: str, match: re.Match[str]) -> bool:
    """Whether it is named as the place of something else: "I watch pandas on youtube"."""
    if not _PLATFORM.match(text, match.end()):
        return False
    return bool(_MEANS.search(before)) and not _IS_THERE.search(before)


def noticed_pastime(match: re.Match[str]) -> bool:
    """Whether a pastime named without a word of liking is the person's own, and a habit.

    Who was out climbing once does it for its own sake; who was shopping or baking may have had to.
    """
    if not own_pastime(match):
        return False
    at_it = _AT_IT.search(match.string, max(0, match.start() - 40), match.start())
    chore = (
        at_it
        or _CHORE.match(match.string, match.end())
        or match.string.endswith("did ", 0, match.end())
    )
    return tells_of_liking(match, once=not chore)


# Who is at it at this moment has told of one occasion.
_AT_IT = lazy_pattern(
    r"\b(?:am|i'm|im|was|were|now) (?:just |actually |now )*(?:watching|playing|listening to|"
    r"hanging|chatting|singing|here)(?: \w+){0,2}\s+$",
    re.IGNORECASE,
)
# What is as often done because it must be.
_CHORE = lazy_pattern(
    r"(?:\w+ )?(?:shopping|cooking|baking|reading|writing|travel\w*|running|exercising|"
    r"working out|politics|fashion|coding|programming|home improvement|landscaping|sewing|"
    r"painting|singing|the internet|social media|volunteering|sleeping|jogging)\b",
    re.IGNORECASE,
)
