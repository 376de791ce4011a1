"""What the demo person says in two months.

`{+9}` stands for the day nine days after that on which the demo is made: '2 December'.
"""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from accounts.support.formatting import plain_date

_DAY = re.compile(r"\{([+-]\d+)\}")


@dataclass(frozen=True)
class DemoConversation:
    """One conversation: how many days ago, at what time, and the person's messages in order."""

    days_ago: int
    at: time
    said: tuple[str, ...]

    def dated(self, words: str, today: datetime) -> str:
        """A message with its days filled in, as it is said on `today`."""
        made_on = today.date() + timedelta(days=self.days_ago)

        def day(match: re.Match[str]) -> str:
            return plain_date(made_on + timedelta(days=int(match[1])), today.date())

        return _DAY.sub(day, words)


TALKS = (
    DemoConversation(
        61,
        time(9, 12),
        (
            "Hello, I'm Nick. I work at Microsoft as a media planner, and I live in Munich.",
            "I speak German and English.",
            "I prefer short answers with the numbers first.",
        ),
    ),
    DemoConversation(
        56,
        time(19, 40),
        (
            "My sister Anna lives in Porto. She is an architect.",
            "My wife's name is Clara.",
            "My daughter's name is Mia. She is seven and plays the cello.",
            "Anna is afraid of flying, so she always takes the train to us.",
            "Where does my sister live?",
        ),
    ),
    DemoConversation(
        49,
        time(12, 5),
        (
            "I am planning a hiking trip in the Engadin with Clara.",
            "I enjoy hiking and the history of maps.",
            "For the hiking trip we booked a hut above Pontresina.",
            "The hut costs 84 francs a night, breakfast included.",
            "The hiking boots I bought in Innsbruck still hurt on long hiking days.",
            "What does the hut cost a night?",
        ),
    ),
    DemoConversation(
        41,
        time(18, 22),
        (
            "The hiking trip was wonderful, we saw ibex at the Morteratsch glacier.",
            "Mia walked the whole way to the glacier hut on her own.",
            "My birthday present from Anna is an atlas of the Alps.",
            "In the hut we read to Mia from a book of fairy tales.",
        ),
    ),
    DemoConversation(
        33,
        time(8, 50),
        (
            "We found a flat by the lake. I live in Zürich now.",
            "Both, one after the other",
            "I take the tram to work, line 4. I work at Microsoft four days a week.",
            "Where do I live?",
        ),
    ),
    DemoConversation(
        24,
        time(17, 30),
        (
            "The campaign for oat drinks starts in spring, with a budget of 40,000 francs.",
            "For the campaign we split the budget 50, 30 and 20: search, onsite, offsite.",
            "My colleague Sarah leads the campaign on the client's side.",
            "Sarah wants the numbers of the campaign by {-20}.",
            "Who leads the campaign?",
        ),
    ),
    DemoConversation(
        15,
        time(20, 15),
        (
            "I am learning Italian with Clara, every Tuesday evening.",
            "The Italian course is in a school near Stauffacher.",
            "Our Italian teacher is called Giulia and comes from Bologna.",
            "I like espresso and I don't like early meetings.",
            "Who is Giulia?",
        ),
    ),
    DemoConversation(
        6,
        time(13, 2),
        (
            "I have a meeting with Sarah on {+9} at 14:00 about the campaign.",
            "I booked a train to Porto for {+25}, to see Anna.",
            "From now on keep answers short and use bullet points.",
            "When am I going to Porto?",
        ),
    ),
    DemoConversation(
        1,
        time(18, 45),
        (
            "What do you know about my family?",
            "What did I say about the atlas?",
            "What languages do I speak?",
            "What did I say about the hiking boots?",
        ),
    ),
    DemoConversation(
        0,
        # As late as it is.
        time.max,
        ("I work at Google, the lunch is very good there.", "When do I meet Sarah?"),
    ),
)
