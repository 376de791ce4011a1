"""Private matters, however they are told: past, denied, of somebody else, in passing.

The grammar recognises what a person states about their own health or love. That is not all they
would not want to hear again elsewhere: "I'm not gay", "my wife has cancer" and "I was raped" state
nothing for a profile and are nobody's business all the same. So here single words are enough. What
is recognised makes the message confidential: it is quoted in its own conversation only, and no fact
or note is taken from the sentence. Rather too much than too little: it costs a note, not a trust.
"""

import re
from collections.abc import Iterator

from memory.language.lazy_pattern import lazy_pattern
from memory.language.reading import Reading
from memory.language.safety import health_terms

# By theme, as the law lists them (GDPR, article 9 and 10) and decency adds: money in trouble. Each
# with the slot that it is about.
_THEMES = (
    # The body
    (
        "medical",
        r"cancer|tumou?rs?|chemo(?:therapy)?|oncolog\w+|leuka?emia|metasta\w+|biopsy"
        r"|hiv(?:[- ]positive)?|aids|hepatitis|herpes|chlamydia|gonorrh\w+|syphilis|std|sti"
        r"|diabet\w+|epilep\w+|parkinson\w*"
        r"|alzheimer\w*|dementia|multiple sclerosis|lupus|crohn\w*|endometriosis|(?:a|had|my|his"
        r"|her) stroke|heart attack"
        r"|asthma|arthritis|dialysis|surgery"
        r"|(?:kidney|liver|heart|organ|bone marrow) transplant|diagnos\w+"
        r"|pregnan\w+|miscarr\w+|abort(?:ion|ed)|fertility|ivf|infertil\w+|stillb\w+|menopause"
        r"|migraines?|thyroid|pacemaker|shingles"
        r"|high (?:blood pressure|cholesterol)|hypertension|blood (?:thinners?|type)"
        r"|statins|chronic (?:pain|fatigue|illness)|heart condition|\w+(?:'s|s') disease"
        r"|erectile|incontinen\w+|(?:am|is|i'm) disabled|my disability|wheelchair|autis\w+|adhd"
        rf"|{health_terms.WORDS}",
    ),
    # The mind
    (
        "mental_health",
        r"depress(?:ed|ion|ive)|anxiety|panic attacks?|bipolar|schizo\w+|psycho(?:sis|tic)|ptsd|ocd"
        r"|suicid\w+|kill(?:ing)? myself|end(?:ing)? (?:my|it) (?:life|all)|want(?:ed)? to die"
        r"|self[- ]harm\w*|anorexi\w*|bulimi\w*|eating disorder|burn-?out"
        rf"|{health_terms.OF_THE_MIND}"
        r"|psychiatr\w+|psychotherap\w+|my (?:therapist|shrink|counsel?lor)|in therapy|rehab",
    ),
    # What holds somebody
    (
        "mental_health",
        r"alcoholi\w+|addict(?:ed|ion)?|aa meetings?|(?:quit|stopped|back to) drinking"
        r"|drinking again|sober|relaps\w+"
        r"|cocaine|heroin|overdos\w+|gambl\w+",
    ),
    # Love and sex
    (
        "sexual_orientation",
        r"gay|lesbian|bisexual|queer|homosexual|transgender|trans (?:man|woman|girl|boy|person)"
        r"|non-?binary|(?:is|are|am|i'm|he's|she's|was|being|came out as) trans|asexual|lgbtq?\w*"
        r"|(?:came|come|coming) out (?:as|to (?:my|his|her|their))"
        r"|in the closet|pride parade"
        r"|sexual\w*|prostitut\w+"
        r"|(?:like|love|into|attracted to|fancy) (?:other )?(?:men|women|boys|girls|guys)",
    ),
    # Faith
    (
        "religion",
        r"christian(?:ity)?|catholic|protestant|evangelical|mormon|muslim|islam\w*|jewish"
        r"|judaism|hindu"
        r"|buddhis[tm]|sikh|atheis[tm]|agnostic|jehovah\w*|kingdom hall|mosque|synagogue|ramadan"
        r"|hajj|pilgrimage|baptis\w+|bar mitzvah|bat mitzvah|kosher|halal|sabbath|shabbat"
        r"|believe in god"
        r"|pray(?:s|ed|er|ers|ing)?|bible study|quran|koran|torah",
    ),
    # Convictions
    (
        "politics",
        r"republican|democrat|communis[tm]|socialis[tm]|fascis[tm]|conservative party"
        r"|labour party|liberal party|the greens|vot(?:e|ed|ing) for|party member|trade union"
        r"|union (?:rep|member|dues)"
        r"|went on strike|on strike|undocumented|asylum",
    ),
    ("ethnicity", r"ethnic\w*|my race|roma people"),
    # The law
    (
        "legal",
        r"arrest(?:ed)?|convict(?:ed|ion)|prison|jail(?:ed)?|parole|criminal record|felon\w*"
        r"|on trial|indict\w+|restraining order|custody battle|su(?:ed|ing) (?:me|by)|lawsuit"
        r"|bailiffs?"
        r"|harass\w*|stalk(?:ed|ing|er|s (?:me|him|her|them))|shoplift\w*|embezzl\w*|for stealing"
        r"|raped?|molest\w+|domestic (?:violence|abuse)|(?:beats|hits|beat|hit) me|abus(?:ed|es"
        r"|ive)|fraud",
    ),
    # Love that ends
    (
        "relationships",
        r"my affair|an affair|cheat(?:s|ed|ing)? on|divorc\w+|separated from my|my marriage"
        r"|marriage counsel\w+",
    ),
    # Money
    (
        "financial",
        r"in debt|debts?|bankrupt\w*|insolven\w+|overdrawn|mortgage arrears|behind on (?:the "
        r"|my )?rent"
        r"|evict\w+|payday loan|owe (?:\w+ )?\W?\d|my salary|i earn|i make \W?\d|my (?:savings"
        r"|income|wage)s?"
        r"|net worth|lost \W?\d[\d,.]* ?(?:on|in|at)|borrowed \W?\d|food stamps|on benefits"
        r"|unemployment benefits?",
    ),
)
_PRIVATE = lazy_pattern(
    rf"(?<!\w)(?:{'|'.join(words for _, words in _THEMES)})(?!\w)", re.IGNORECASE
)
_OF_KIND = [
    (slot, lazy_pattern(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for slot, words in _THEMES
]


def is_private(text: str) -> bool:
    """Whether a text touches what nobody should hear again in another conversation."""
    return bool(_PRIVATE.search(_plain(text)))


def private_stretches(said: Reading) -> list[tuple[int, int]]:
    """The sentences of a text that do, as [start, end) in characters."""
    plain = _plain(said.text)
    return [
        (start, end) for start, end, _ in said.all_sentences if _PRIVATE.search(plain, start, end)
    ]


def told_in(said: Reading) -> Iterator[tuple[int, int, str]]:
    """Every sentence as [start, end), with the private slot that it touches, '' for none."""
    for start, end, _ in said.all_sentences:
        yield start, end, kind_of(said.text[start:end])


def kind_of(sentence: str) -> str:
    """The slot of the first theme that a sentence touches; '' for none."""
    plain = _plain(sentence)
    if not _PRIVATE.search(plain):
        return ""
    return next(slot for slot, words in _OF_KIND if words.search(plain))


def kinds_of(text: str) -> set[str]:
    """Every private slot that a text touches."""
    plain = _plain(text)
    return {slot for slot, words in _OF_KIND if words.search(plain)}


def words_of(text: str) -> list[str]:
    """The words by which a text is known to be private, in small letters."""
    return [found[0].lower() for found in _PRIVATE.finditer(_plain(text))]


def _plain(text: str) -> str:
    """With straight marks, and without what somebody may not eat; no character is moved."""
    return health_terms.without_food(text.replace("’", "'"))
