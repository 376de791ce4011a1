"""A hundred ways to say, or not to say, that a name, a job or a city has changed.

The profile holds: Nick Adler, software engineer at Microsoft, lives in Rome. `asks` names the slots
about which a person must be asked, as an entry of the ledger or as a proposal; everything else that
is held must neither change nor be asked about. `way` says by which of the two; what is only implied
and what is over wait as proposals.

`python -m tests.ledger.phrasings` writes the table of docs/phrasings.md.
"""

import sys
from dataclasses import dataclass

HELD = (
    "My name is Nick Adler.",
    "I work at Microsoft.",
    "I am a software engineer.",
    "I live in Rome.",
)


@dataclass(frozen=True)
class Phrasing:
    """What is said, about which slots its speaker must be asked, and in which way."""

    text: str
    asks: frozenset[str] = frozenset()
    way: str = ""


def _said(slots: str, way: str, texts: tuple[str, ...]) -> tuple[Phrasing, ...]:
    return tuple(Phrasing(text, frozenset(slots.split()), way) for text in texts)


def _asks(slots: str, *texts: str) -> tuple[Phrasing, ...]:
    """Said plainly enough for an entry of the ledger."""
    return _said(slots, "entry", texts)


def _proposes(slots: str, *texts: str) -> tuple[Phrasing, ...]:
    """Implied or over: a proposal waits for a yes."""
    return _said(slots, "proposal", texts)


def _leaves(*texts: str) -> tuple[Phrasing, ...]:
    """No change of what is held."""
    return _said("", "", texts)


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
    ),
    *_proposes(
        "employer",
        "I've moved to Google, first week was great.",
        "I quit Microsoft and joined Meta.",
    ),
    *_proposes("location", "We moved from Rome to Zürich in March."),
    *_asks(
        "location",
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
    *_proposes(
        "employer",
        "I don't work at Microsoft any more.",
        "I no longer work for Microsoft.",
        "I used to work at Microsoft.",
        "I quit my job at Microsoft.",
        "I left Microsoft.",
    ),
    *_proposes("location", "I don't live in Rome anymore.", "I used to live in Rome."),
    *_proposes("job_title", "I'm not a software engineer any more."),
    # Somebody else.
    *_leaves(
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
    *_leaves(
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
    *_leaves(
        "I'm Nick.",
        "I still work at Microsoft.",
        "I live in Italy.",
        "I'm a software engineer at Microsoft in Rome.",
    ),
    # As people type.
    *_asks(
        "employer",
        "so i work for netflix now lol",
        "i workk at google now",
        "btw I changed jobs, I'm with Deloitte now",
        "The company I work for is Bosch now.",
        "I went from Microsoft to Meta.",
        "i now work 4 days a week at philips",
        "They took me on at Bosch in April.",
    ),
    *_proposes(
        "employer",
        "im at google now",
        "new job at google :)",
        "first day at amazon today, wish me luck",
        "I've been at Google since March.",
        "I changed companies, it's Intel now where I work.",
        "I traded Microsoft for Nvidia.",
    ),
    *_asks(
        "location",
        "I left Rome for Athens.",
        "I now call Copenhagen home.",
        "Greetings from my new home town, Dublin!",
        "Home is Warsaw now.",
        "I'm a Lisbon resident now.",
    ),
    *_proposes("location", "We bought a flat in Madrid and moved in last week."),
    *_asks(
        "name",
        "I got married and my name is Nick Berg now.",
        "I changed my name to Nicholas Stone.",
        "My legal name is now Alex Adler.",
    ),
    *_asks(
        "job_title",
        "They made me team lead.",
        "I went from software engineer to product owner.",
        "I've been made head of engineering.",
        "my job title changed to staff engineer",
        "I've become a data engineer.",
    ),
    *_asks("employer job_title", "I work as a barista at Starbucks now."),
    # Endings that name nobody, and those that do.
    *_proposes(
        "employer",
        "I'm between jobs right now.",
        "I lost my job.",
        "They let me go.",
        "Microsoft let me go last week.",
        "my time at Microsoft is over",
        "I retired last year.",
    ),
    *_proposes("job_title", "I stopped being a software engineer."),
    *_proposes("location", "Moved out of Rome last weekend."),
    # What only looks like a change.
    *_leaves(
        "I stopped being a teacher.",
        "My mother tells everyone that I live in Narnia.",
        "sure, and I work for NASA now, haha",
        "I live in Narnia, just kidding",
        "I accepted an offer from Google.",
        "I'm moving to Lisbon next month.",
        "I'll start at Google in May.",
        "I left Rome for the weekend.",
        "I'm at Starbucks now.",
        "I switched from Microsoft Word to Google Docs.",
        "My brother got laid off yesterday.",
        "They almost fired me once.",
        "they let me go home early today",
        "I was laid off once, ten years ago.",
        "I grew up in Munich.",
        "We're in Lisbon for the week, back in Rome on Sunday.",
    ),
)

# A person would ask about these, and the rules pass over them.
MISSED: tuple[Phrasing, ...] = (
    *_asks(
        "employer",
        "guess who works at Spotify now? me!",
        "Just signed with Apple and started last Monday.",
        "I'm a Googler now!",
        "Nowadays I earn my money at Deloitte.",
        "After Microsoft came Google for me, I work there now.",
    ),
    *_asks(
        "location",
        "I traded the noise of Rome for quiet Siena.",
        "Rome was my home until May, now it's Bari.",
    ),
    *_asks(
        "name",
        "call me Nicolas from now on, that's my name now",
        "It's Nicholas, my name was never Nick.",
        "i'm nick berg now, just got married",
        "My surname is Berg now.",
    ),
)

_LABELS = {"name": "name", "employer": "employer", "job_title": "job", "location": "city"}


def table(phrasings: tuple[Phrasing, ...]) -> str:
    """A table in Markdown: what is said, about what its speaker is asked, and how."""
    lines = ["| said | asked about | by |", "|---|---|---|"]
    for one in phrasings:
        asked = ", ".join(_LABELS[slot] for slot in sorted(one.asks)) or "left alone"
        way = {"entry": "a question", "proposal": "a proposal"}.get(one.way, "")
        lines.append(f"| {one.text} | {asked} | {way} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table(PHRASINGS) + "\n")
