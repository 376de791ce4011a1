"""Patterns for what is nobody's business: recognised so that it is kept apart, not to collect it.

They are few and look for plain words. Where one of them speaks, the ordinary patterns are silent
about the same clause.
"""

from __future__ import annotations

import re

from memory.language.engine.pattern import Pattern, pattern
from memory.language.patterns.likes import food
from memory.language.values import readers

_MIND = (
    r"(?:social |severe |chronic |postpartum |clinical |panic )*(?:anxiety|depression|ptsd|"
    r"adhd|add|"
    r"ocd|bipolar(?: disorder)?|panic attacks?|burn-?out|anorexia|bulimia|an eating disorder|"
    r"schizophrenia|autism|insomnia|suicidal thoughts|self[- ]harm|addiction|alcoholism)"
)
_BODY = (
    r"(?:type [12] |breast |lung |high |chronic )*(?:diabetes|cancer|asthma|epilepsy|hiv|aids|"
    r"arthritis|"
    r"migraines?|blood pressure|heart (?:disease|condition|failure)|multiple sclerosis|lupus|"
    r"crohn's|"
    r"hepatitis|covid|leukemia|tumou?r|chronic pain|endometriosis|a disability|cholesterol|"
    r"hay ?fever|gout|scoliosis|tinnitus|eczema|psoriasis|an(?:a)?emia|dyslexia|dyspraxia|"
    r"glaucoma|sleep apno?ea|hypertension|osteoporosis|a stutter|a stammer)"
)
_HAVE = (
    r"(?:(?:have|had|suffer from|suffering from|struggle with|struggling with|struggled with|"
    r"battle|"
    r"battling|deal with|dealing with|live with|living with|fighting|diagnosed with|"
    r"recovering from|treated for|got|in recovery from|taking medication for)\s+)(?:my\s+|a\s+)?"
)
_FAITH = (
    r"(?:devout |practicing |practising |roman )*(?:catholic|christian|muslim|jewish|hindu|"
    r"buddhist|sikh|atheist|"
    r"agnostic|mormon|protestant|jehovah's witness|evangelical|pagan|jew|orthodox)"
)
_PARTY = (
    r"(?:registered |staunch |lifelong )*(?:republican|democrat|conservative|liberal|socialist"
    r"|communist|libertarian|"
    r"anarchist|leftist|right[- ]wing|left[- ]wing|labour voter|tory)"
)
_ORIGIN = (
    r"(?:black|african[- ]american|asian(?:[- ]american)?|hispanic|latino|latina|latinx|"
    r"native american|"
    r"caucasian|mixed race|biracial|white|roma|indigenous|aboriginal)"
)
_LOVE = r"(?:gay|lesbian|bisexual|bi|queer|asexual|pansexual|straight|homosexual|heterosexual)"
_MEDICINE = (
    r"(?:(?:\w+ly )?allergic to (?:[\w-]+ ){0,2}?[\w-]+|pregnant|diabetic|disabled|"
    r"hiv[- ]positive|epileptic|asthmatic|dyslexic|dyspraxic|an(?:a)?emic|colou?r[- ]?blind|"
    r"hard of hearing|infertile|a cancer survivor|deaf|blind)"
)
_PAIR = (
    r"(?:(?:happily |recently |newly )?(?:married|divorced|engaged|widowed|separated|single)|"
    r"a widow|a widower|"
    r"getting (?:married|divorced|a divorce)|going through a divorce|in a relationship|dating \w+)"
)
_END = (
    r"(?=\s*(?:$|[.,!;)]|and\b|but\b|so\b|now\b|too\b|with\b|for\b|since\b|as\b|man\b|"
    r"woman\b|to\b|voter\b|because\b|who\b|from\b|by\b))"
)

PATTERNS: tuple[Pattern, ...] = (
    pattern("mental_health.have", "verb be", _HAVE, readers.choice(_MIND), modes="now past"),
    pattern(
        "mental_health.state",
        "be",
        r"(?:so |very |really |clinically |severely )*",
        readers.choice(
            r"(?:depressed|suicidal|bipolar|autistic|burned out|burnt out|an "
            r"alcoholic|an addict|"
            r"anorexic|bulimic)\b"
        ),
        modes="now past",
    ),
    pattern(
        "mental_health.my",
        "any",
        r"\bmy\s+(?:\w+\s+)?",
        readers.choice(
            rf"(?:{_MIND}|therapist|psychiatrist|therapy session|antidepressants|mental health)\b"
        ),
        trust=0.70,
        confidence=0.7,
    ),
    pattern(
        "mental_health.see",
        "verb be",
        r"(?:see|seeing|went to|go to|started|take|taking|"
        r"on)\s+(?:an?\s+|my\s+)?",
        readers.choice(
            r"(?:therapist|psychiatrist|therapy|antidepressants|ssris?|lithium|"
            r"prozac)\b"
        ),
        modes="now past",
    ),
    pattern("medical.have", "verb be", _HAVE, readers.choice(_BODY), modes="now past"),
    pattern(
        "medical.am",
        "be",
        rf"(?:an?\s+|\d+ (?:weeks|months) )?(?!(?:\w+ly )?allergic\s+to\s+{food.FOODS})",
        readers.choice(_MEDICINE + _END),
        modes="now past",
    ),
    pattern(
        "medical.allergy",
        "verb",
        rf"(?:have|got|suffer from)\s+(?:an?\s+)?(?=(?:\w+\s+)?allergy\s+to\s+(?!{food.FOODS}))",
        readers.choice(r"(?:\w+\s+)?allergy\s+to\s+(?:[\w-]+ ){0,2}?[\w-]+" + _END),
        modes="now past",
    ),
    pattern(
        "medical.my",
        "any",
        r"\bmy\s+(?:\w+\s+)?",
        readers.choice(
            rf"(?:{_BODY}|surgery|chemotherapy|chemo|diagnosis|pregnancy|insulin|oncologist)\b"
        ),
        trust=0.70,
        confidence=0.7,
    ),
    pattern(
        "financial.income",
        "verb",
        r"(?:earn|make|get paid|earned|am paid)\s+(?:about |"
        r"around |over |roughly )?",
        readers.choice(
            r"(?:[$€£]\s?)?\d[\d,.]*\s?k?(?:\s?(?:dollars|euros|pounds|usd|eur))?"
            r"(?:\s+(?:a|per)\s+(?:year|month|hour|week))?"
        ),
        check=lambda m: bool(
            re.search(
                r"[$€£]|k\b|\b(?:dollars|euros|pounds|a year|per|a "
                r"month|an hour)",
                m.string[m.end() : m.end() + 40],
            )
        ),
    ),
    pattern(
        "financial.debt",
        "verb be",
        r"(?:owe|in|have|filed for|filing for|went|drowning "
        r"in)\s+(?:a lot of |a |my )?",
        readers.choice(
            r"(?:(?:credit card |student |student loan )?debt|bankruptcy|"
            r"bankrupt|[$€£]\s?\d[\d,.]*k?)"
        ),
    ),
    pattern(
        "financial.my",
        "any",
        r"\bmy\s+",
        readers.choice(
            r"(?:salary|income|bank account|savings|mortgage|student loans?|debts?|net worth)\b"
        ),
        trust=0.70,
        confidence=0.7,
    ),
    pattern("relationships.am", "be", r"(?:now |still )?", readers.choice(_PAIR), modes="now past"),
    pattern(
        "relationships.did",
        "verb",
        r"",
        readers.choice(
            r"(?:broke up with|divorced|cheated on|got (?:married|divorced|engaged)|split up with|"
            r"married)\b"
        ),
        modes="now past",
    ),
    pattern(
        "relationships.my",
        "any",
        r"\bmy\s+",
        readers.choice(r"(?:divorce|ex-?(?:wife|husband|girlfriend|boyfriend)|affair)\b"),
        trust=0.70,
        confidence=0.7,
    ),
    pattern(
        "legal.am",
        "be verb",
        r"(?:being |was |got |been )*",
        readers.choice(
            r"(?:arrested|sued|on probation|on parole|convicted|in jail|in prison|suing|charged "
            r"with \w+|deported|undocumented)\b"
        ),
        modes="now past",
    ),
    pattern(
        "legal.my",
        "any",
        r"\bmy\s+",
        readers.choice(
            r"(?:lawsuit|court (?:date|case|hearing)|custody (?:case|battle|hearing)|criminal "
            r"record|trial|conviction|visa status|green card)\b"
        ),
        trust=0.70,
        confidence=0.7,
    ),
    pattern("religion.am", "be", r"(?:an?\s+)?", readers.choice(_FAITH + _END), modes="now past"),
    pattern(
        "religion.do",
        "verb",
        r"(?:go to|attend|believe in|converted to|pray at|worship)"
        r"\s+(?:the\s+|a\s+)?",
        readers.choice(
            r"(?:church|mosque|synagogue|temple|mass|god|allah|jesus|islam|"
            r"christianity|judaism|buddhism)\b"
        ),
        modes="now past",
    ),
    pattern(
        "politics.am",
        "be",
        r"(?:an?\s+|very |politically "
        r")*",
        readers.choice(_PARTY + _END),
        modes="now past",
    ),
    pattern(
        "politics.vote",
        "verb",
        r"(?:voted|vote|campaigned|canvassed)\s+(?:for\s+)?(?:the\s+)?",
        readers.choice(r"[A-Z]?\w+(?:\s+party)?"),
    ),
    pattern(
        "ethnicity.am",
        "be",
        r"(?:an?\s+|half\s+|part\s+"
        r")?",
        readers.choice(_ORIGIN + _END),
        modes="now past",
    ),
    pattern(
        "sexual_orientation.am",
        "be",
        r"(?:an?\s+|openly\s+"
        r")?",
        readers.choice(_LOVE + _END),
        modes="now past",
    ),
    pattern("sexual_orientation.came_out", "verb", r"came out\s+as\s+", readers.choice(_LOVE)),
)

# A value that contains one of these is private whatever pattern read it.
PRIVATE_VALUE = re.compile(
    rf"\b(?:{_MIND}|{_BODY}|(?<!physical )(?<!massage )(?<!speech )(?<!occupational )therapist|"
    rf"psychiatrist|antidepressants)\b",
    re.IGNORECASE,
)
