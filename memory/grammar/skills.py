"""Families about education, skill, languages and projects."""

from __future__ import annotations

import re

from memory.grammar import lists, readers, school
from memory.grammar.family import IMPLIED, Family, family

_DEGREE = (
    r"(?:phd|ph\.d\.?|doctorate|masters?|master's|bachelors?|bachelor's|mba|associate's|degree|"
    r"bsc|msc|diploma|[\w-]+ degree)"
)

FAMILIES: tuple[Family, ...] = (
    *school.FAMILIES,
    family(
        "education.degree",
        "verb",
        rf"(?:have|hold|got|earned|received|completed|finished)"
        rf"\s+(?:my|an?)\s+"
        rf"(?:(?!{_DEGREE}\b)\w+\s+)?(?=(?:[\w'-]+\s+)?{_DEGREE}\b)",
        lists.short(7, "in", "of", "from", "and"),
        kind="statement",
        modes="now past",
    ),
    family(
        "education.studied",
        "verb be",
        r"(?:studied|study|studying|majored in|majoring in|"
        r"major in)\s+(?:(?:hard\s+)?at\s+)?",
        lists.short(6, "at", "of"),
        kind="statement",
        modes="now past",
        confidence=0.85,
        check=lambda m: (
            not re.match(
                r"(?:hard|a lot|all|every|for|with|late|too|abroad)\b",
                m.string[m.end() :],
                re.IGNORECASE,
            )
        ),
    ),
    family(
        "education.major",
        "be",
        r"(?:an?\s+)(?=(?:[\w-]+"
        r"\s){1,3}major\b)",
        lists.short(4),
        kind="statement",
        modes="now past",
    ),
    family(
        "education.was_my_major",
        "open",
        r"(?=[\w-]+(?:\s(?!is\b|was\b)[\w-]+){0,3}\s(?:is|was)\s+my\s+(?:major|minor|degree)\b)"
        r"(?!(?:it|that|this|what|which|he|she|my)\b)",
        readers.before("is|was", 4),
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "education.my",
        "my",
        r"my\s+(?:degree|major|alma mater)\s+(?:is|was)\s+(?:in\s+|a\s+)?",
        lists.short(5, "of", "in"),
        kind="statement",
    ),
    family(
        "expertise.good_at",
        "be",
        r"(?:really\s+|very\s+|pretty\s+|quite\s+)?(?:good|great"
        r"|skilled|proficient|experienced|fluent|"
        r"well[- ]versed|an expert|expert|specialized|specialised)\s+(?:at|in|with|on)"
        r"\s+",
        lists.things,
        modes="now denied",
        confidence=0.8,
    ),
    family(
        "expertise.knows_well",
        "verb",
        r"know\s+(?!(?:her|him|them|you|it|my|the|that|this|how|what|all|each|our)\b)"
        r"(?=(?:[\w+#-]+\s+){1,3}?(?:(?:pretty|very|really|quite|so)\s+well|inside\s+(?:and\s+)?"
        r"out)\b)",
        readers.before(r"(?:pretty|very|really|quite|so)\s+well|inside\s+(?:and\s+)?out"),
        modes="now",
        confidence=0.8,
    ),
    family(
        "expertise.a_pro",
        "be",
        r"(?:an?\s+)(?:total\s+|real\s+|huge\s+|complete\s+|certified\s+)?(?:pro|natural|expert|"
        r"whiz|wizard|master|ace|beast|genius|champ)\s+(?:at|in|with|on)\s+(?!the\b|that\b|this\b)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    family(
        "expertise.specialise",
        "verb",
        r"(?:specialize|specialise|code|program|have (?:a "
        r"lot of |\w+ years of )?experience)\s+(?:in|with)\s+",
        lists.things,
        modes="now",
    ),
    family(
        "languages.speak",
        "verb",
        r"(?:speak|understand|know|am learning)\s+(?:both\s+"
        r")?",
        lists.languages,
        confidence=0.95,
        modes="now denied",
    ),
    family(
        "languages.learning",
        "verb be",
        # What is done about it besides makes it an occupation: "learning it with Ann on Mondays".
        r"(?:(?:learning|teaching\s+myself)\s+(?:how\s+to\s+speak\s+)?(?:some\s+)?"
        r"(?=\w+\s*(?:$|[.,!?]|and\b|but\b|now\b|too\b))|"
        r"(?:grew\s+up|raised|brought\s+up)\s+(?:speaking|with|on)\s+(?:both\s+)?)",
        lists.languages,
        modes="now past",
        kind="statement",
        trust=IMPLIED,
        confidence=0.85,
    ),
    family(
        "languages.signs",
        "verb",
        r"(?:speak|know|understand|use)\s+(?:some\s+|american\s+|a little\s+)*(?=sign language\b)",
        readers.choice("sign language"),
        modes="now",
        confidence=0.9,
    ),
    family(
        "languages.my_own",
        "my",
        r"my\s+(?=\w+\s+(?:is|was|has|needs|got|could)\b)",
        lists.languages,
        trust=IMPLIED,
        confidence=0.75,
    ),
    family(
        "languages.fluent",
        "be",
        r"(?:fluent|bilingual|conversational)\s+(?:in\s+"
        r")?",
        lists.languages,
    ),
    family(
        "languages.my",
        "my",
        r"my\s+(?:native|first|mother|second)\s+(?:language|tongue)"
        r"\s+is\s+",
        lists.languages,
    ),
    family("languages.native", "be", r"(?:an?\s+)?native\s+", lists.languages, modes="now"),
    family(
        "current_project.my",
        "my",
        r"my\s+(?:current|latest|new|main|side)\s+project\s+"
        r"is\s+(?:called\s+)?",
        lists.anything(),
    ),
    family(
        "current_project.building",
        "be",
        r"(?:working\s+on|building|writing|developing|"
        r"designing|creating)\s+"
        r"(?=(?:an?|my)\s+(?:[\w-]+\s+){0,4}?(?:app|application|website|web ?site|startup|"
        r"start-up|"
        r"book|novel|thesis|dissertation|game|album|compiler|library|robot|phd|podcast|film"
        r"|paper|"
        r"project (?:called|named))\b)",
        lists.anything(9),
        modes="now",
        confidence=0.75,
        trust=IMPLIED,
    ),
)
