"""Patterns about schools: where somebody learns or has learned, and how far they got."""

from __future__ import annotations

import re

from memory.language.engine.pattern import IMPLIED, WEAK, Pattern, pattern
from memory.language.values import lists, pursuits, readers, schooling

_LEVEL = (
    r"(?:high ?school|middle school|elementary school|primary school|grade school|junior high|"
    r"(?:grad(?:uate)?|law|med(?:ical)?|nursing|business|art|beauty|culinary|vet|dental|trade|"
    r"cosmetology|film|"
    r"music|summer|night|community|private|public|catholic|boarding|cooking|acting|pharmacy)"
    r"\s+(?:school|college)|"
    r"college|university|the (?:\w+ )?grade|\d+(?:st|nd|rd|th) grade|kindergarten)"
)
_UNIVERSITIES = "|".join(sorted(pursuits.UNIVERSITIES))
_KNOWN_SCHOOLS = (
    rf"(?:{_UNIVERSITIES}|cal tech|\w+ state(?! (?:of|park|fair|line|i|we)\b)|uc (?:\w+ )?\w+)"
)
_SCHOOL_NAMED = (
    rf"(?=(?:the\s+|an?\s+|my\s+|local\s+)*(?:[^,.;]{{0,40}}\b(?:university|college|school|"
    rf"institute|academy)\b|{_KNOWN_SCHOOLS}\b))"
)
_NOT_AFTER_SCHOOL = (
    r"(?!\s*(?:teacher|bus|principal|kids|counselor|library|clothes|supplies|books|football|"
    r"basketball|band|friends?|sweet ?heart|crush|fund|loans?|debt|students?|party|parties|town)\b)"
)
_SUBJECT_WORD = (
    r"(?:computer science|marketing|business|psychology|history|biology|chemistry|english|"
    r"nursing|art|music|law|"
    r"engineering|physics|math(?:s|ematics)?|education|economics|accounting|finance|literature|"
    r"philosophy|"
    r"statistics|communications?|political science|sociology|anthropology|medicine|fashion|"
    r"journalism|design|"
    r"science|film|theat(?:er|re)|criminal justice|geology|architecture|agriculture|dance|drama|"
    r"welding|cooking)"
)


PATTERNS: tuple[Pattern, ...] = (
    pattern(
        "education.graduated",
        "verb be",
        r"(?:(?:just|recently|already|finally|have|had)\s+)*(?:graduated|graduate)\s+(?:from\s+|"
        r"at\s+|out of\s+|with\s+)?"
        r"(?!a\s+(?:few|couple|year|while|long))(?:an?\s+|the\s+|my\s+)*(?=\w)"
        r"(?!in\b|and\b|last\b|two\b|several\b|many\b|some\b|this\b|so\b|but\b|years\b|with\b|top\b|i\b|as\b|\d|three\b|"
        r"few\b|valedictorian\b|early\b)",
        lists.short(5, "of", "at", "and"),
        kind="statement",
        modes="now past",
        shape=schooling.graduated,
    ),
    pattern(
        "education.graduated_with",
        "verb be",
        r"(?:(?:just|recently|already|finally|have|had)\s+)*graduated\s+(?:[\w ]{1,40}?\s+)?with\s+"
        r"(?:an?|my)\s+(?:[\w']+\s+)?degree\s+in\s+",
        lists.short(5, "of", "and"),
        kind="statement",
        modes="now past",
        shape=lambda _m, value: f"graduated with a degree in {value}",
    ),
    pattern(
        "education.graduate",
        "verb be",
        r"(?:(?:just|recently|already|finally|have|had|"
        r"am)\s+)*(?=graduated\b(?!\s+(?:[\w ]{1,40}?\s+)?with\s+an?\b))",
        readers.choice(
            r"graduated(?:\s+(?:(?:from\s+)?(?:high ?school|college|university)|in \d{4}|"
            r"valedictorian|"
            r"early|(?:at )?(?:the )?top of (?:my|the) class|with honors|cum laude))?"
        ),
        kind="statement",
        modes="now past",
        confidence=0.85,
    ),
    pattern(
        "education.graduated_in_passing",
        "given",
        r"\bi\s+(?:(?:have|had|just|already|recently|finally)\s+)*(?:graduated?|finished)"
        r"\s+(?:from\s+|out of\s+)?",
        pursuits.school,
        trust=IMPLIED,
        confidence=0.75,
        kind="statement",
        check=schooling.mine,
    ),
    pattern(
        "education.attend",
        "verb be",
        r"(?:attend|attending|attended|go to|went to|going to|go|headed to|enrolled (?:at|in)|"
        r"study at|studying at|"
        r"started|start|finished|finishing|back in|back to|got into|accepted (?:to|into|at)|in|"
        r"at|from)\s+"
        rf"{_SCHOOL_NAMED}(?!to\b|and\b)",
        pursuits.school,
        kind="statement",
        modes="now past",
        confidence=0.85,
    ),
    pattern(
        "education.go_to_school",
        "verb be",
        r"(?:go|went|going|am going|started|finished)\s+(?:back\s+)?(?:to\s+)?(?:school|college|"
        r"university)\s+(?:at|in|for)\s+"
        r"(?:an?\s+|the\s+|my\s+)?(?!order\b|the morning\b|a while\b|free\b)",
        schooling.named_school,
        kind="statement",
        modes="now past",
        confidence=0.8,
    ),
    pattern(
        "education.in_school",
        "be",
        r"(?:(?:only|still|currently|also|actually|just|back|now|a \w+|about to (?:start|finish)"
        r")\s+)*(?:in|at)\s+"
        r"(?:my\s+(?:last|first|second|third|senior|junior|final)\s+year\s+(?:of|in|at)"
        r"\s+)?(?=\w)",
        readers.choice(rf"{_LEVEL}\b"),
        modes="now",
        confidence=0.9,
    ),
    pattern(
        "education.my_school",
        "given",
        r"\b(?:my|our)\s+(?=(?:university|college|high ?school|(?:grad|law|med|medical|nursing|"
        r"art)\s+school)\b(?=\s*(?:$|[.,!?]|(?:is|has|does|makes|keeps|and|so|right|this|because|"
        r"now|here|classes|schedule|exams?|finals|homework|studies)\b)))",
        readers.choice(r"\w+(?:\s+school)?\b"),
        trust=WEAK,
        confidence=0.65,
        check=lambda m: schooling.mine(m) and not schooling.WAS.search(schooling.sentence(m)),
    ),
    pattern(
        "education.at_named",
        "given",
        rf"\b(?:at|from|to|into|for|by|in)\s+(?:the\s+)?(?=(?:{_UNIVERSITIES}|university of \w+|"
        rf"uc \w+|(?!the\b|a\b|my\b|our\b|this\b|high\b|your\b)[a-z]+ (?:university|state "
        rf"university|"
        rf"college|academy|institute)|\w+ state university)\b)"
        r"(?!michigan\b|columbia\b|brown\b|syracuse\b|temple\b|duke\b|cambridge\b|oxford\b|"
        r"berkeley\b|delft\b|leiden\b|heidelberg\b|uppsala\b)",
        pursuits.school,
        trust=IMPLIED,
        confidence=0.75,
        kind="statement",
        check=schooling.my_schooling,
    ),
    pattern(
        "education.transferred_from",
        "verb",
        schooling.CHANGED_SCHOOL,
        pursuits.school,
        kind="past",
        modes="now",
        check=schooling.to_another,
    ),
    pattern(
        "education.mentioned",
        "given",
        r"\b(?:since|after|finish(?:ed|ing)?|through|out of|in|during|back in|my (?:girls |all "
        r"girls |christian )*|graduated?|"
        r"from|for|leave|left|before|until|till|started)\s+(?:i\s+)?(?:(?:left|finished|finish|"
        r"graduated?|get out of|my|all|girls|christian|i)\s+)*(?:from\s+)?"
        r"(?=(?:high ?school|college|grad(?:uate)? school|law school|nursing school|"
        r"med(?:ical)? school|elementary school|middle school|"
        r"university|business school|art school|vet school)\b)",
        readers.choice(rf"{_LEVEL}\b{_NOT_AFTER_SCHOOL}"),
        trust=WEAK,
        confidence=0.65,
        kind="statement",
        check=schooling.learns_there,
    ),
    pattern(
        "education.student",
        "be",
        r"(?:(?:an?|the|just|only|still|currently|also|really|good|"
        r"new|now|a very|poor|broke|typical|busy)\s+)*",
        pursuits.student,
        modes="now",
        confidence=0.95,
    ),
    pattern(
        "education.as_student",
        "given",
        r"\b(?:as an?|like an?|being an?|just an?|and an?|me an?|a)"
        r"\s+(?:[\w-]+\s+){0,2}?(?=student\b)",
        readers.choice(r"student(?:\s+like me)?\b"),
        trust=WEAK,
        confidence=0.7,
        check=lambda m: (
            not m[0].lower().startswith("a ")
            or m.string[m.end() :].lower().startswith("student like me")
        ),
        shape=lambda _m, _v: "student",
    ),
    pattern(
        "education.student_at",
        "be",
        r"(?:an?\s+)?(?:[\w-]+\s+){0,2}?student\s+(?:at|in|from|of)\s+(?:the\s+)?"
        r"(?!(?:(?:my|the)\s+)?(?:class|training|need|debt|love|life|moment|time|night|home)\b)",
        schooling.named_school,
        modes="now past",
    ),
    pattern(
        "education.dropped_out_of",
        "verb be",
        r"(?:(?:just|recently|decided to|ended up|have|to)\s+)*(?:dropped|drop|dropping|flunked)"
        r"\s+out\s+of\s+(?:my\s+|the\s+)?",
        pursuits.dropped,
        kind="statement",
        modes="now past unreal",
        shape=schooling.left,
    ),
    pattern(
        "education.homeschooled",
        "given",
        r"\b(?:(?:i|m|am|was|being|been|get|got|is|they|me|blame)\s+)(?:\w+\s+)?(?=home ?school)",
        readers.choice(r"home ?school(?:ed|ing)?\b"),
        confidence=0.85,
        trust=IMPLIED,
        check=lambda m: (
            not re.search(
                r"\b(?:my (?:kids|children|son|daughter)|them|her|him)\b",
                m.string[max(0, m.start() - 30) : m.end() + 30],
                re.IGNORECASE,
            )
        ),
    ),
    pattern(
        "education.was_homeschooled",
        "be",
        r"(?:also\s+|being\s+)?",
        readers.choice(r"home ?schooled\b"),
        kind="statement",
        modes="now past",
    ),
    pattern(
        "education.going_to",
        "verb be",
        rf"{_SCHOOL_NAMED}",
        pursuits.school,
        modes="unreal",
        kind="statement",
        trust=IMPLIED,
        confidence=0.75,
        check=lambda m: (
            m.string[: m.start()].rstrip().lower().endswith("going to")
            and not re.match(
                r"(?:be|get|finish|start|attend|go|try|a \w+ school play)\b",
                m.string[m.end() :],
                re.IGNORECASE,
            )
        ),
    ),
    pattern(
        "education.year_of",
        "given",
        r"\b(?:(?:last|first|second|third|fourth|final|freshman|sophomore|junior|senior)"
        r"\s+year\s+"
        r"(?:of|at|in)|freshman in|sophomore in|junior in|senior in|currently at|enrolled (?:at|"
        r"in)|"
        r"back from|got back from|still in|stil in)\s+(?:my\s+|the\s+)?",
        pursuits.school,
        trust=IMPLIED,
        confidence=0.75,
        kind="statement",
        check=schooling.mine,
    ),
    pattern(
        "education.degree_in",
        "given",
        r"\b(?:my|an?|have|got|getting|the)\s+(?:\w+\s+){0,2}?(?:degrees?|masters?|master's|"
        r"bachelors?|bachelor's|ba|bs|phd|mba|doctorate|"
        r"diploma|minor|major|majoring|majored)\s+(?:degree\s+)?(?:is\s+|was\s+)?in\s+(?:an?\s+|"
        r"the\s+)?(?!order\b|a few\b|my\b|\d)",
        lists.short(5, "and", "of"),
        confidence=0.85,
        check=schooling.mine,
        kind="statement",
        shape=schooling.degree_in,
    ),
    pattern(
        "education.subject_degree",
        "given",
        r"\b(?:my|an?|for an?|own)\s+(?:(?:new|own|useless|fancy|current|first|second|third|4|"
        r"four|two|2|year|useful|good|worthless|expensive)\s+)*"
        r"(?=(?:[\w]+\s){1,3}(?:degree|diploma)\b)",
        pursuits.before_degree,
        confidence=0.85,
        trust=IMPLIED,
        check=schooling.mine,
        kind="statement",
    ),
    pattern(
        "education.class",
        "given",
        rf"\b(?:my|taking|in my|take|for my|a)"
        rf"\s+(?:\w+\s+)?(?={_SUBJECT_WORD}(?:\s+and\s+\w+)?\s+(?:class(?:es)?|course|major|"
        rf"homework|training|exam|lectures?)\b)",
        readers.choice(rf"{_SUBJECT_WORD}(?:\s+and\s+{_SUBJECT_WORD})?"),
        trust=WEAK,
        confidence=0.7,
        check=lambda m: schooling.mine(m) and not m[0].lower().startswith("a "),
    ),
)
