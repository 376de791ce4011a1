"""Sixty ways to say, or not to say, that a name, a job or a city has changed.

The profile holds: Nick Adler, software engineer at Microsoft, lives in Rome. `asks` names the slots
about which a person must be asked, as an entry of the ledger or as a proposal; everything else that
is held must neither change nor be asked about.
"""

from dataclasses import dataclass

HELD = (
    "My name is Nick Adler.",
    "I work at Microsoft.",
    "I am a software engineer.",
    "I live in Rome.",
)


@dataclass(frozen=True)
class Phrasing:
    """What is said, and about which slots its speaker must be asked."""

    text: str
    asks: frozenset[str] = frozenset()


def _asks(slots: str, *texts: str) -> tuple[Phrasing, ...]:
    return tuple(Phrasing(text, frozenset(slots.split())) for text in texts)


PHRASINGS: tuple[Phrasing, ...] = (
    # First person, plainly.
    *_asks(
        "employer",
        "I work at Google.",
        "I work for Google now.",
        "i'm working at google these days",
        "My employer is Google.",
        "I'm employed by Siemens.",
        "My new job is at Spotify.",
    ),
    *_asks(
        "location",
        "I live in Lisbon.",
        "I'm living in Lisbon now.",
        "I'm based in Berlin these days.",
        "My home is in Oslo now.",
    ),
    *_asks("name", "My name is Thomas Berg.", "My name is Oliver now, I changed it."),
    *_asks("job_title", "I'm a product manager now.", "I work as a nurse."),
    # Transitions.
    *_asks(
        "employer",
        "I left Microsoft for Google.",
        "I just joined Google last week.",
        "I started at Spotify on Monday.",
        "I switched from Microsoft to Amazon in March.",
        "I've moved to Google, first week was great.",
        "I quit Microsoft and joined Meta.",
    ),
    *_asks(
        "location",
        "We moved from Rome to Zürich in March.",
        "I moved to Lisbon last month.",
        "I've just relocated to Madrid.",
        "I have settled in Vienna since May.",
    ),
    *_asks(
        "job_title",
        "I got promoted to senior engineer.",
        "I became a teacher last year.",
    ),
    # Corrections.
    *_asks(
        "employer",
        "Actually, I work at Google, not Microsoft.",
        "No, I don't work at Microsoft, I work at Apple.",
        "Correction: my employer is Netflix.",
    ),
    *_asks("location", "Sorry, I meant I live in Lisbon.", "No, I live in Turin, not in Rome."),
    *_asks("name", "My name isn't Nick, it's Mick Adler.", "Actually my name is Nikolai."),
    # It is over, and nothing comes in its place.
    *_asks(
        "employer",
        "I don't work at Microsoft any more.",
        "I no longer work for Microsoft.",
        "I used to work at Microsoft.",
        "I quit my job at Microsoft.",
        "I left Microsoft.",
    ),
    *_asks("location", "I don't live in Rome anymore.", "I used to live in Rome."),
    *_asks("job_title", "I'm not a software engineer any more."),
    # Somebody else.
    *_asks(
        "",
        "My sister works at Google.",
        "My husband moved to Lisbon last month.",
        "My best friend's name is Thomas.",
        "My boss used to work at Amazon.",
        "My colleague Jana lives in Berlin now.",
        "My brother is a nurse.",
        "She left Microsoft for Google.",
        "They say everyone at Google works from home.",
    ),
    # Teasing, supposing, asking, quoting.
    *_asks(
        "",
        "Haha, imagine I worked at Google!",
        "If I lived in Lisbon I'd surf every day.",
        "I wish I worked at Google.",
        "Do I work at Google?",
        "Should I move to Lisbon?",
        "My mother joked that I live in Narnia.",
        "What if my name was Thomas?",
        'He said "I work at Google".',
        "I might join Google next year.",
        "I was offered a job at Google, but I said no.",
        "I have an interview at Google tomorrow.",
        "I visited Lisbon last month.",
        "I'm in Berlin for a conference this week.",
        "In my dream I was called Thomas.",
        "I nearly moved to Lisbon once.",
    ),
    # The same again, in other words.
    *_asks(
        "",
        "I'm Nick.",
        "I still work at Microsoft.",
        "I live in Italy.",
        "I'm a software engineer at Microsoft in Rome.",
    ),
)
