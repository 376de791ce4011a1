"""Denied, asked, supposed, wished, quoted and other people's: none of it is noted as its reverse.

After the bar stands what must not be held ("!", perhaps in a slot) and what must ("+").
"""

import re

import pytest

from memory.language.extraction import CURRENT_KINDS, extract_facts

SAID = """
a soup without leeks or celery, please | !leeks !celery
I never told you I like fencing | !fencing
I didn't say that I work at Philips | !philips
who told you I play golf? | !golf
second year of nursing school | !age:2 +nursing
starting at Aldi in June | !aldi
I start at Siemens next month | !siemens
I'll be joining Nokia in the spring | !nokia
we're moving to Bergen in autumn | !bergen
I am moving to Leeds next year | !leeds
no, I am still in Delft, the move is in autumn | +delft
we have a goat. her name is Pixie | +pixie
my aunt lives in Hull | !hull
my brother works at Lidl | !lidl
my sister is a vegetarian | !vegetarian
my wife loves opera | !opera
my son plays the drums | !drums
my flatmate has two snakes | !snake
my boss drives a Porsche | !porsche
I've worked with Kotlin | !employer:kotlin
thanks, I appreciate the hint | !hint
I no longer work at the bakery, I have a job at the mill | !bakery +mill
We moved from Slack to Teams | !location:teams !location:slack
we switched from Jira to Asana last week | !employer:asana !location:asana
Poetry isn't really my cup of tea | !likes:poetry !interests:poetry +dislikes:poetry
I can't say I like cricket | !likes:cricket !interests:cricket
I don't think I like cricket | !likes:cricket !interests:cricket
I don't believe I would enjoy sailing | !likes:sailing !interests:sailing
not that I like jazz | !jazz
it's not as if I love running | !running
I'm not saying I hate cats | !cats
I wouldn't call myself a fan of ballet | !likes:ballet !interests:ballet
nobody in my family likes fish | !likes:fish
neither of us eats pork | !likes:pork
none of us like camping | !likes:camping !interests:camping
I hardly ever drink wine | !likes:wine
I rarely watch football | !likes:football !interests:football
I seldom eat chocolate | !likes:chocolate
I'm far from being a fan of techno | !likes:techno !interests:techno
I would rather starve than eat liver | !likes:liver
I'm anything but a morning person | !likes:morning
the last thing I want is a dog | !dog
I wish I had a boat | !boat
I wish I lived in Oslo | !oslo
if only I had a garden | !garden
I'd love a cat but the landlord says no | !pets:cat
I dream of owning a bakery | !employer:bakery !possessions:bakery
I hope to work at CERN one day | !employer:cern
I could imagine living in Porto | !porto
I'm thinking about moving to Malmo | !malmo
I'm considering becoming vegan | !vegan
suppose I lived in Rome, what would rent cost? | !rome
if I worked at Google, would I earn more? | !google
imagine I'm a pilot | !pilot
let's pretend I'm called Hans | !hans
in my novel I am a detective | !detective
my character lives in Paris | !paris
the song goes "I love rock and roll" | !rock
she wrote "I live in Vienna" | !vienna
he said I'm a great teacher | !teacher
my friends think I love karaoke | !karaoke !karaoke
everybody assumes I'm from Spain | !spain
people keep asking whether I have kids | !kids
do I look like I enjoy ironing? | !ironing
should I get a dog? | !dog
is living in Athens expensive? | !athens
would you work at Amazon? | !amazon
what if I quit and become a baker | !baker
how would I say "I am a nurse" in German? | !nurse
translate: I live in Berlin and love dogs | !berlin !dogs
I almost bought a Tesla | !tesla
I nearly moved to Lyon | !lyon
I was about to adopt a dog but did not | !dog
I turned down the job at Spotify | !spotify
I didn't get the job at Ikea | !ikea
I applied for a job at Bosch | !bosch
I had an interview at Zalando | !zalando
my contract with Shell wasn't renewed | !shell
no more coffee for me | !likes:coffee
I'm off sugar since January | !likes:sugar
I quit drinking beer | !likes:beer
I can't eat nuts | !likes:nuts +nuts
I'm not allergic to nuts | !diet:nuts
I don't have any pets | !pets
I don't have a car | !vehicle:car
we never had a dog | !dog
my name isn't Robert | !robert
don't call me Bob | !bob
I'm not called Lena, I'm Lene | !lena +lene
I'm not a nurse, I'm a midwife | !nurse +midwife
I don't live in Kiel but in Hamburg | !kiel +hamburg
not Madrid, I live in Murcia | !madrid +murcia
I like tea, not coffee | +tea !likes:coffee
I like everything except beetroot | !likes:beetroot
I don't dislike opera | !dislikes:opera
I never said that I hated my job | !dislikes:job
I can't not love dogs | !dislikes:dogs
who doesn't love pizza | !dislikes:pizza
it's impossible not to like dogs | !dislikes:dogs
I don't just like chess, I love it | !dislikes:chess +chess
I don't only play the piano, I also sing | !dislikes:piano
I couldn't love my cat more | !dislikes:cat
I don't mind rain | !dislikes:rain
I can't wait to see Lisbon | !location:lisbon !dislikes
my doctor told me to stop eating salt | !likes:salt
according to the quiz I'm a librarian | !librarian
my horoscope says I love adventure | !adventure
their dog is a beagle | !beagle
your house in Cannes is lovely | !cannes
I'm visiting Prague this week | !location:prague
I'm in Prague for a conference | !location:prague
I'm on holiday in Crete | !location:crete
I was born in Riga but I don't live there | +hometown:riga !location:riga
like hell I love Mondays | !mondays
sure, and I'm the king of Spain | !king
I said I was vegan as a joke | !vegan
just kidding, I don't live on the moon | !moon
"""


@pytest.mark.parametrize(
    ("text", "expected"), [line.split(" | ") for line in SAID.strip().splitlines()]
)
def test_nothing_is_noted_as_its_reverse(text, expected):
    held = [
        (one.slot, one.value.lower()) for one in extract_facts(text) if one.kind in CURRENT_KINDS
    ]
    for mark, named in re.findall(r"([!+])([^!+]+)", expected):
        slot, _, word = named.strip().rpartition(":")
        there = [value for at, value in held if word in value and slot in (at, "")]
        assert bool(there) is (mark == "+"), (named, held)
