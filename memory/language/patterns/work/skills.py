"""Patterns about education, skill, languages and projects."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, Pattern, pattern
from memory.language.lexicons import lexicon
from memory.language.patterns.work import school
from memory.language.values import lists, readers

_DEGREE = (
    r"(?:phd|ph\.d\.?|doctorate|masters?|master's|bachelors?|bachelor's|mba|associate's|degree|"
    r"bsc|msc|diploma|[\w-]+ degree)"
)

_TECHNOLOGIES = lexicon.word_set("""
python rust java javascript typescript js ts c c++ c# f# go golang ruby php swift kotlin scala
haskell perl sql html css react angular vue django flask rails node nodejs node.js matlab fortran
cobol julia lua elixir erlang clojure ocaml dart flutter r bash linux docker kubernetes terraform
tensorflow pytorch numpy pandas excel photoshop blender latex solidity assembly vba postgres mysql
mongodb graphql svelte spring .net unity
""")
# Of these the capital tells that no other word is meant: "I know go", "I know rust".
_OTHER_WORDS = lexicon.word_set("go swift c r rust julia dart flutter assembly spring unity react")


def _technologies(text: str, start: int, end: int) -> list[readers.Found]:
    """Languages and tools of a list, up to what is none: "Python and Rust"."""
    result: list[readers.Found] = []
    at = start
    while len(result) < lists.MAX_ITEMS:
        word = _TECHNOLOGY.match(text, at, end)
        lower = word[0].lower() if word else ""
        if not word or lower not in _TECHNOLOGIES or (lower in _OTHER_WORDS and word[0] == lower):
            break
        result.append(readers.Found(*word.span(), word[0]))
        separator = lists.SEPARATOR.match(text, word.end(), end)
        if not separator:
            break
        at = separator.end()
    return result if result and _AFTER_IT.match(text, result[-1].end) else []


# "I know Python is a snake" tells of no skill.
_AFTER_IT = re.compile(
    r"\s*(?:$|[^\w\s]|(?:and|or|but|well|too|so|for|from|at|as|also|a|pretty|very|really|quite|inside|"
    r"best|now|already|mostly|mainly|on|with|because|if|though)\b)",
    re.IGNORECASE,
)
_TECHNOLOGY = re.compile(r"\.?[a-z][\w.]*(?:\+\+|#)?(?<!\.)(?![\w-])", re.IGNORECASE)
_WORK_OF_HEAD = (
    r"(?:app|application|website|web ?site|startup|start-up|book|novel|thesis|dissertation|game|"
    r"album|compiler|library|robot|phd|podcast|film|paper|system|tool|engine|platform|service|api|"
    r"plugin|package|framework|database|parser|dashboard|bot|chatbot|script|prototype|extension|"
    r"pipeline|screenplay|documentary|memoir|sculpture|simulator|emulator|interpreter|editor|"
    r"project (?:called|named))"
)
_A_WORK = rf"(?:(?:an?|my)\s+(?:[\w'-]+\s+){{0,4}}?{_WORK_OF_HEAD}\b)"
# What somebody works on by its kind: "compilers", "a new kind of search" tells too little.
_FIELD_OF_WORK = (
    r"(?:(?:[\w-]+\s+){0,2}?(?:compilers|databases|robots|robotics|games|apps|websites|algorithms|"
    r"simulations|recommender systems|operating systems|distributed systems|machine learning|"
    r"computer vision|natural language processing|machine translation|speech recognition)\b)"
)


def _is_a_dev(match: re.Match[str]) -> bool:
    """Whether the trade before "working on" is one's own: "I'm Alex, a Django dev working on"."""
    before = re.split(r"[.?!\n]", match.string[max(0, match.start() - 80) : match.start()])[-1]
    return bool(_I_AM.search(before)) and not _ANOTHER.search(before)


_I_AM = re.compile(r"\b(?:i'?m|i\s+am)\b|\bmy\s+name(?:'s|\s+is)\b", re.IGNORECASE)
_ANOTHER = re.compile(
    r"\b(?:with|he|she|they|you|who|know|met|dating|wife|husband|friend|brother|sister|not)\b",
    re.IGNORECASE,
)

PATTERNS: tuple[Pattern, ...] = (
    *school.PATTERNS,
    pattern(
        "education.degree",
        "verb",
        rf"(?:have|hold|got|earned|received|completed|finished)"
        rf"\s+(?:my|an?)\s+"
        rf"(?:(?!{_DEGREE}\b)\w+\s+)?(?=(?:[\w'-]+\s+)?{_DEGREE}\b)",
        lists.short(7, "in", "of", "from", "and"),
        kind="statement",
        modes="now past",
    ),
    pattern(
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
    pattern(
        "education.major",
        "be",
        r"(?:an?\s+)(?=(?:[\w-]+"
        r"\s){1,3}major\b)",
        lists.short(4),
        kind="statement",
        modes="now past",
    ),
    pattern(
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
    pattern(
        "expertise.knows_well",
        "verb",
        r"know\s+(?!(?:her|him|them|you|it|my|the|that|this|how|what|all|each|our)\b)"
        r"(?=(?:[\w+#-]+\s+){1,3}?(?:(?:pretty|very|really|quite|so)\s+well|inside\s+(?:and\s+)?"
        r"out)\b)",
        readers.before(r"(?:pretty|very|really|quite|so)\s+well|inside\s+(?:and\s+)?out"),
        modes="now",
        confidence=0.8,
    ),
    pattern(
        "expertise.a_pro",
        "be",
        r"(?:an?\s+)(?:total\s+|real\s+|huge\s+|complete\s+|certified\s+)?(?:pro|natural|expert|"
        r"whiz|wizard|master|ace|beast|genius|champ)\s+(?:at|in|with|on)\s+(?!the\b|that\b|this\b)",
        lists.things,
        modes="now",
        trust=IMPLIED,
        confidence=0.8,
    ),
    pattern(
        "expertise.specialise",
        "verb",
        r"(?:specialize|specialise|code|program|have (?:a "
        r"lot of |\w+ years of )?experience)\s+(?:in|with)\s+",
        lists.things,
        modes="now",
    ),
    pattern(
        "languages.speak",
        "verb",
        r"(?:speak|understand|know|am learning)\s+(?:both\s+"
        r")?",
        lists.languages,
        confidence=0.95,
        modes="now denied",
    ),
    pattern(
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
    pattern(
        "languages.signs",
        "verb",
        r"(?:speak|know|understand|use)\s+(?:some\s+|american\s+|a little\s+)*(?=sign language\b)",
        readers.choice("sign language"),
        modes="now",
        confidence=0.9,
    ),
    pattern(
        "languages.my_own",
        "my",
        r"my\s+(?=\w+\s+(?:is|was|has|needs|got|could)\b)",
        lists.languages,
        trust=IMPLIED,
        confidence=0.75,
    ),
    pattern(
        "languages.fluent",
        "be",
        r"(?:fluent|bilingual|conversational)\s+(?:in\s+"
        r")?",
        lists.languages,
    ),
    pattern(
        "languages.my",
        "my",
        r"my\s+(?:native|first|mother|second)\s+(?:language|tongue)"
        r"\s+is\s+",
        lists.languages,
    ),
    pattern("languages.native", "be", r"(?:an?\s+)?native\s+", lists.languages, modes="now"),
    pattern(
        "current_project.my",
        "my",
        r"my\s+(?:(?:current|latest|new|main|side|pet|big|biggest|weekend|school|work|final)\s+)+"
        r"project\s+(?:(?:right\s+now|at\s+the\s+moment|these\s+days|currently|now|at\s+work)\s+)?"
        r"is\s+(?:called\s+|to\s+(?:build|write|make)\s+|(?:building|writing|making)\s+)?",
        lists.anything(),
    ),
    pattern(
        "current_project.building",
        "be",
        r"(?:working\s+on|building|writing|developing|coding|programming|"
        r"designing|creating)\s+"
        rf"(?={_A_WORK}|(?<=working\son\s){_FIELD_OF_WORK})",
        lists.anything(9),
        modes="now",
        confidence=0.75,
        trust=IMPLIED,
    ),
    pattern(
        "current_project.making",
        "be",
        r"(?:building|coding|programming)\s+(?:up\s+)?"
        r"(?=(?:an?|my\s+own)\s+(?!(?:[\w-]+\s+)?(?:life|career|reputation|family|relationship|"
        r"relationships|case|habit|nest|team|tolerance|collection|list|fire|brand|future|name|"
        r"friendship|bond|routine|body|network|bridge|wall|snowman|lot|bit|ton|few)\b))",
        lists.short(6, "for", "of", "in", "with", "and"),
        modes="now",
        confidence=0.7,
        trust=IMPLIED,
    ),
    pattern(
        "current_project.one_who_builds",
        "given",
        r"\b(?:developer|dev|engineer|programmer|student|researcher|designer|scientist|writer|author|"
        r"founder|coder|artist)\s+(?:(?:who(?:'s|\s+is)|currently|now)\s+)*"
        rf"(?:working\s+on|building|writing|developing)\s+(?={_A_WORK})",
        lists.anything(9),
        trust=IMPLIED,
        confidence=0.75,
        check=_is_a_dev,
    ),
    pattern(
        "expertise.knows",
        "verb",
        r"know\s+(?:(?:some|both|a\s+(?:bit|little)(?:\s+of)?|how\s+to\s+(?:code|program)\s+in)\s+)?",
        _technologies,
        modes="now",
        confidence=0.85,
    ),
    pattern(
        "expertise.codes_in",
        "open",
        r"i(?:'m|\s+am|'ve\s+been)?\s+(?:(?:can|also|mostly|mainly|usually|still|now|do|just)\s+)*"
        r"(?:(?:code|program|develop|coding|programming|developing|write\s+(?:code|programs|software))"
        r"\s+(?:(?:mostly|mainly|a\s+lot|a\s+bit|well)\s+)?(?:in|with)|write)\s+",
        _technologies,
        confidence=0.85,
    ),
)
