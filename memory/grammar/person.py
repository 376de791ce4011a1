"""Families about who somebody is, where they live and who lives with them."""

from __future__ import annotations

import re

from memory.grammar import jobs, lexicon, lists, readers
from memory.grammar.family import IMPLIED, Family, capital_follows, family, next_word

_IS = r"(?:\s+is|'s|\s+s|:)\s+(?:actually\s+|now\s+|currently\s+|still\s+|probably\s+|just\s+)?"
_PRONOUNS = (
    r"(?:she|he|they|it|ze|xe)\s?/\s?(?:her|him|them|its|zir|xem|they|she|he)"
    r"(?:\s?/\s?(?:hers|his|theirs|they|she|he|them))?"
)


def _known_place(match: re.Match[str]) -> bool:
    """Whether a place on the list follows: "here in" may be followed by anything."""
    found = readers.place(match.string, match.end(), min(len(match.string), match.end() + 60))
    return any(item.value.lower().split(",")[0] in lexicon.PLACES for item in found)


NAMES: tuple[Family, ...] = (
    family(
        "name.my_name_is",
        "my",
        rf"my\s+(?:full\s+|first\s+|real\s+|given\s+)?name{_IS}",
        readers.person,
        confidence=0.95,
    ),
    family(
        "name.my_name_is_not",
        "my",
        r"my\s+(?:full |first |real )?name\s+(?:is not|isn't|"
        r"is no longer)\s+",
        readers.person,
        kind="denial",
    ),
    family(
        "name.my_name_was", "my", r"my\s+name\s+(?:was|used to be)\s+", readers.person, kind="past"
    ),
    family(
        "name.changed",
        "verb",
        r"changed\s+my\s+name\s+(?:from\s+\w+\s+)?to\s+",
        readers.person,
        kind="transition",
        modes="now",
    ),
    family("name.have", "verb", r"have\s+the\s+name\s+", readers.person),
    family(
        "name.named_me", "my", r"my\s+(?:parents|mom|mother|dad)\s+named\s+me\s+", readers.person
    ),
    family("name.name_s", "open", r"(?:the\s+)?name(?:'s|\s+is)\s+", readers.person),
    family("name.i_am", "be", r"(?=\w)", readers.bare_person, confidence=0.85),
    family(
        "name.this_is",
        "open",
        r"(?:this is|it is|it's)\s+(?=\w+\s*$|\w+\s+(?:here|from|"
        r"again))",
        readers.bare_person,
        trust=IMPLIED,
        confidence=0.7,
    ),
    family(
        "name.here",
        "open",
        r"(?=[^\W\d_]+\s+here\s*$)",
        readers.bare_person,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "preferred_name.call_me",
        "open",
        r"(?:(?:so|and|but|also|please|just|you can|you may|you should|feel free to|"
        r"(?:can|could|would|will) you(?: please)?|i want you to|i'd like you to|"
        r"i would like you to|i prefer (?:that )?you)\s+)*(?:call|address)\s+me\s+(?:as\s+)?"
        r"(?:just\s+)?",
        readers.person,
        confidence=0.95,
    ),
    family(
        "preferred_name.not_call_me",
        "open",
        r"(?:please\s+)?(?:don't|do not|stop|never)\s+call(?:ing)?\s+me\s+",
        readers.person,
        kind="denial",
    ),
    family(
        "preferred_name.others_call_me",
        "open",
        r"(?:everyone|everybody|people|(?:my|all my|most of my)?\s?(?:friends|colleagues)|"
        r"most people|they|folks)"
        r"\s+(?:just\s+|usually\s+|all\s+)?calls?\s+me\s+",
        readers.person,
    ),
    family(
        "preferred_name.go_by",
        "verb",
        r"(?:go\s+by|answer\s+to|prefer\s+to\s+be\s+called|"
        r"like\s+to\s+be\s+called)"
        r"\s+(?:the\s+name\s+)?(?:of\s+)?",
        readers.person,
    ),
    family(
        "preferred_name.wish",
        "open",
        r"i(?:'d| would)?\s+(?:like|prefer|want|love|rather)\s+(?:to\s+)?be\s+called\s+",
        readers.person,
    ),
    family("preferred_name.called", "be", r"(?:called|known as)\s+", readers.person),
    family(
        "preferred_name.nickname",
        "my",
        rf"my\s+(?:nick\s?name|preferred name){_IS}",
        readers.person,
    ),
    family(
        "pronouns.my",
        "my",
        r"my\s+(?:preferred\s+)?pronouns(?:\s+are|:|\s+is)\s+",
        readers.choice(_PRONOUNS),
    ),
    family("pronouns.open", "open", r"pronouns(?:\s+are|:)\s+", readers.choice(_PRONOUNS)),
    family(
        "pronouns.use",
        "verb",
        r"(?:use|go\s+by|prefer)\s+(?:the\s+pronouns\s+)?",
        readers.choice(_PRONOUNS),
    ),
)

AGES: tuple[Family, ...] = (
    family("age.i_am", "be", r"(?:only\s+|almost\s+)?(?=\w)", jobs.age, modes="now"),
    family("age.my_age", "my", rf"my\s+age{_IS}", jobs.age),
    family("age.turned", "verb", r"turned\s+", jobs.age, kind="transition", modes="now"),
    family(
        "birthday.my",
        "my",
        rf"my\s+(?:birthday|bday|b-day|date of birth|"
        rf"birth\s?date){_IS}(?:on\s+)?",
        jobs.date,
    ),
    family(
        "birthday.born",
        "be verb",
        r"(?:was\s+)?born\s+(?:in\s+[\w ]{1,30}?\s+)?(?=on|the|"
        r"\d|\w+\s\d)",
        jobs.date,
        kind="statement",
        modes="now past",
    ),
)

PLACES: tuple[Family, ...] = (
    family(
        "location.live",
        "verb be",
        r"(?:live|living|lived|reside|residing)\s+"
        r"(?:here\s+|alone\s+|now\s+)?(?:in|near|outside(?:\s+of)?|around|close to)\s+",
        readers.place,
        confidence=0.95,
    ),
    family(
        "location.based",
        "be",
        r"(?:currently\s+|now\s+)?(?:based|located|settled|stationed)\s+"
        r"(?:in|near|out of|outside)\s+",
        readers.place,
    ),
    family(
        "location.home",
        "my",
        r"(?:my|our)\s+(?:home|city|location|address|current city)"
        r"\s+is\s+(?:now\s+)?(?:in\s+)?",
        readers.place,
    ),
    family(
        "location.moved",
        "verb",
        r"(?:moved|relocated)\s+(?:house\s+)?(?:here\s+)?"
        r"(?:back\s+|over\s+|out\s+)?"
        r"(?:from\s+[^,.;]{1,40}?\s+)?(?:to|into)\s+",
        readers.place,
        kind="transition",
        modes="now",
    ),
    family(
        "location.moved_from",
        "verb",
        r"(?:moved|relocated)\s+(?:here\s+|away\s+)?from\s+",
        readers.place,
        kind="past",
        modes="now",
    ),
    family(
        "location.left",
        "verb",
        r"(?:moved away from|moved out of|left)\s+(?-i:(?=[A-Z]))",
        readers.place,
        kind="past",
        modes="now",
        confidence=0.8,
        check=lambda m: next_word(m) in lexicon.PLACES,
    ),
    family(
        "location.here_in",
        "any",
        r"\bhere\s+in\s+(?=[a-z])",
        readers.place,
        trust=IMPLIED,
        confidence=0.65,
        check=_known_place,
    ),
    family(
        "location.like_living",
        "verb",
        r"(?:love|like|enjoy|hate|dislike)\s+living\s+in\s+",
        readers.place,
        trust=IMPLIED,
        confidence=0.75,
        modes="now",
    ),
    family(
        "hometown.from",
        "be",
        r"(?:originally\s+)?from\s+",
        readers.place,
        confidence=0.85,
        kind="statement",
        modes="now",
    ),
    family(
        "hometown.come_from",
        "verb",
        r"(?:originally\s+)?(?:come|hail|came)\s+from\s+",
        readers.place,
        kind="statement",
        modes="now past",
        confidence=0.85,
    ),
    family(
        "hometown.grew_up",
        "verb",
        r"(?:grew\s+up|was\s+raised|was\s+brought\s+up)\s+"
        r"(?:on\s+a\s+farm\s+)?(?:in|near|outside(?:\s+of)?)"
        r"\s+",
        readers.place,
        kind="statement",
        modes="now past",
    ),
    family(
        "hometown.born",
        "be verb",
        r"(?:born|raised|born and raised|brought up)\s+"
        r"(?:and\s+(?:raised|bred)\s+"
        r")?in\s+",
        readers.place,
        kind="statement",
        modes="now past",
    ),
    family("hometown.my", "my", rf"my\s+home\s?town{_IS}", readers.place),
)

HOME: tuple[Family, ...] = (
    family(
        "pets.have",
        "verb",
        r"(?:(?:have|own|got|adopted|keep|'ve got|have got)\s+)(?=\w)",
        lists.pets,
        modes="now past denied",
        confidence=0.9,
    ),
    family(
        "pets.my_name",
        "my",
        r"my\s+(?P<kind>\w+?)(?:'?s)?\s+names?(?:\s+is|\s+are|'s)\s+",
        readers.person,
        check=lambda m: m["kind"].lower() in lexicon.PET_WORDS,
        shape=lambda m, value: f"{m['kind']} {value}",
    ),
    family(
        "pets.my_kind",
        "any",
        r"\bmy\s+(?P<kind>\w+)(?:,|\s+(?:called|named|is called|is "
        r"named))?\s+"
        r"(?-i:(?=[A-Z]))",
        readers.person,
        trust=IMPLIED,
        check=lambda m: m["kind"].lower() in lexicon.PET_WORDS and capital_follows(m),
        shape=lambda m, value: f"{m['kind']} {value}",
    ),
    family("family.my", "any", r"\bmy\s+(?=\w)", lists.relative, confidence=0.85, trust=IMPLIED),
    family(
        "family.have",
        "verb",
        r"(?:have|got|have got)"
        r"\s+",
        lists.counted_relatives,
        modes="now",
    ),
    family(
        "vehicle.drive",
        "verb",
        r"(?:drive|driving|own|have|bought|got|ride|just bought)\s+",
        lists.vehicle,
        modes="now past denied",
    ),
    family(
        "vehicle.my",
        "my",
        r"my\s+(?:car|truck|motorcycle|motorbike|vehicle|bike)\s+is\s+",
        lists.vehicle,
    ),
)

FAMILIES: tuple[Family, ...] = (*NAMES, *AGES, *PLACES, *HOME)
