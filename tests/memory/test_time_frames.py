"""What is over is not held to be true now: told by tense and words for a time.

Whatever the wording, a fact of an era that is closed, of a time before another or of a trade
given up is never noted as holding; what was begun then and lasts is.
"""

import pytest

from memory.language.engine.clauses import clauses
from memory.language.engine.time_frames import Frame, frames
from memory.language.extraction import CURRENT_KINDS, extract_facts

OVER = """
I used to work at Nokia before the kids came | nokia
Once I lived in Lisbon, for about a year | lisbon
I once owned a motorbike | motorbike
Long ago I played the cello | cello
Back then I drove a Saab | saab
In my twenties I was a bartender | bartender
As a kid I loved dinosaurs | dinosaur
When I was young I collected stamps | stamps
When I lived in Bergen I skied every weekend | bergen, skiing, skied, ski
Years ago I had a parrot | parrot
I was formerly employed at Philips | philips
I'm an ex-teacher | teacher
I'm a retired nurse | nurse
I'm a retired electrician and I love my garden | electrician
I'm no longer vegetarian | vegetarian
I don't eat vegan any more | vegan
I had worked at Siemens before I came here | siemens
I'd been living in Porto until the fire | porto
I was living in Ghent at the time | ghent
I was working as a waiter back in those days | waiter
My old job was at Ikea | ikea
My first car was a Fiat Panda | fiat, panda
My last dog was a beagle | beagle
We had two cats growing up | cats
Growing up, we always had goats | goat
Growing up I ate meat every day | meat
During my student days I drank a lot of coffee | coffee
In college I played volleyball | volleyball
In high school I was in love with chess | chess
Before my knee operation I ran marathons | running, marathon
Before the move I had a horse | horse
I previously worked for Shell | shell
I stopped smoking cigars and playing golf in 2019 | golf, cigars
I sold my boat last summer | boat
We gave our dog away in March | dog
My cat died in the spring | cat
We lost our dog two years ago | dog
I gave up the violin at fifteen | violin
I moved away from Krakow | krakow
I left Turin after my studies | turin
I was a keen swimmer in those days | swim
There was a time when I loved heavy metal | heavy metal
There was a time I only drank tea | tea
I was into anime for a while | anime
For a while I was vegan | vegan
For three years I worked at a zoo | zoo
I worked at a bakery for three years | bakery
Ten years ago I worked at Bosch | bosch
At the time we were living in Oslo | oslo
Until last year I was a driver for DHL | driver, dhl
Up to 2020 I worked for Lidl | lidl
I haven't worked at Tesco since 2018 | tesco
I haven't played tennis since my surgery | tennis
I don't live in Bremen anymore | bremen
I'm not a student any longer | student
I'm not with Deloitte any more | deloitte
Nowadays I don't paint, but I used to paint landscapes | paint
My days as a chef are over | chef
My time in Berlin ended last winter | berlin
My years at Volvo taught me patience | volvo
I retired from teaching in 2015 | teacher
I went vegan for a year and then stopped | vegan
I was once a fan of football | football
I was a fan of the Beatles when I was twelve | beatles
I liked jazz when I was at school | jazz
Jazz was my favourite music once | jazz
My favourite colour was green as a child | green
My favourite food used to be pizza | pizza
My hobby used to be knitting | knitting
My job used to be selling insurance | insurance
My home was in Seville for years | seville
My former employer was Renault | renault
I loved camping back in the day | camping
I've lived in Rome in the past | rome
I have owned a Vespa in the past | vespa
In the past I have worked with horses | horses
In a previous life I was a lawyer | lawyer
In an earlier job I taught maths | teacher
My previous job was as a cook | cook
As a teenager I was obsessed with manga | manga
As a student I lived in Leuven | leuven
At twenty I drove a yellow Beetle | beetle
At university I studied late and lived in Delft | delft
Back in Poland I had a bakery | bakery
In the nineties I listened to techno | techno
In 2009 I lived in Vienna | vienna
From 2010 to 2014 I worked at KLM | klm
We lived in Cork before we came to Dublin | cork
After ten years at Nestle I quit | nestle
I outgrew comics a long time ago | comics
I got rid of my car when I moved into town | car
I grew tired of Madrid and left | madrid
I haven't had a dog since I was ten | dog
It has been ages since I played squash | squash
I had to give up running | running
I had to sell my motorcycle | motorcycle
We no longer have chickens | chicken
Our rabbit passed away | rabbit
I used to be called Bobby | bobby
I was called Bobby at school | bobby
My name used to be Petrov before I married | petrov
I used to study law but dropped it | law
I wanted to be a pilot when I was small | pilot
As a child my dream was to become an astronaut | astronaut
"""
LASTS = """
I've worked at Nokia for ten years |  | nokia
I have lived in Rome since 2010 |  | rome
I moved to Ghent two years ago |  | ghent
I started at Bosch a year ago |  | bosch
I got a dog three years ago |  | dog
I adopted a cat last year |  | cat
I have loved jazz since I was a kid |  | jazz
Ever since I was a kid I have loved trains |  | trains
I've always loved chess |  | chess
I was born in Hull |  | hull
I grew up in Malta |  | malta
I bought a Volvo last month |  | volvo
I used to live in Rome but now I live in Oslo | rome | oslo
I was a lawyer, now I'm a gardener | lawyer | gardener
I was a waiter before I became a nurse | waiter | nurse
After ten years at Nestle I moved to Unilever | nestle | unilever
Since I moved to Cork I love sailing |  | cork, sailing
I have had this bike since college. I love cycling |  | cycling
I studied physics at Leiden |  | physics
I graduated from Leiden years ago |  | leiden
When I was a kid I hated olives, now I love them |  | olives
Before I go to bed I read crime novels |  | crime
I read novels before bed |  | novels
I'm a teacher and once a month I play poker |  | teacher, poker
I go swimming once a week |  | swimming
I love old cars from back then |  | cars
I work at the museum of the past in Bern |  | museum
I am a fan of the old Star Trek |  | star trek
"""


def _held(text: str) -> list[str]:
    return [one.value.lower() for one in extract_facts(text) if one.kind in CURRENT_KINDS]


def _rows(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


def _in(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


@pytest.mark.parametrize(("text", "words"), _rows(OVER))
def test_what_is_over_is_not_held(text, words):
    assert not [word for word in _in(words) for value in _held(text) if word in value]


@pytest.mark.parametrize(("text", "over", "lasting"), _rows(LASTS))
def test_what_began_then_and_lasts_is_held(text, over, lasting):
    held = _held(text)
    assert not [word for word in _in(over) for value in held if word in value]
    assert [word for word in _in(lasting) if not any(word in value for value in held)] == []


@pytest.mark.parametrize(
    ("text", "frame"),
    [
        ("When I lived in Bergen I skied", Frame.ERA),
        ("In my twenties I danced", Frame.ERA),
        ("Before the move I danced", Frame.BEHIND),
        ("Next month I start at a mill", Frame.AHEAD),
        ("Once a week I dance", Frame.NONE),
        ("Since I was a kid I dance", Frame.NONE),
    ],
)
def test_the_words_for_a_time_frame_the_clause_beside_them(text, frame):
    assert frames(text, clauses(text, 0, len(text)))[-1] is frame
