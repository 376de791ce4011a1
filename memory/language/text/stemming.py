"""Bringing the forms of an English word together: Snowball English, and the forms it cannot know.

Source of the algorithm: https://snowballstem.org/algorithms/english/stemmer.html
"""

import re
import threading
from functools import lru_cache

import snowballstemmer

_WORD = re.compile("[a-z']+")


class _Stemmer(threading.local):
    """One a thread: a stemmer holds the word that it works on."""

    def __init__(self) -> None:
        self.stemmer = snowballstemmer.stemmer("english")


_of_thread = _Stemmer()

# What the rules cannot know: forms that share no stem with their word.
_PAST_FORMS = dict(
    pair.split(":")
    for pair in """
    went:go gone:go bought:buy brought:bring thought:think taught:teach caught:catch
    wrote:write written:write drove:drive driven:drive rode:ride ridden:ride  risen:rise
    ate:eat eaten:eat drank:drink drunk:drink sang:sing sung:sing swam:swim swum:swim
    began:begin begun:begin ran:run won:win met:meet kept:keep slept:sleep felt:feel left:leave
    lost:lose built:build sent:send spent:spend lent:lend held:hold sold:sell told:tell paid:pay
    said:say made:make took:take taken:take gave:give given:give saw:see seen:see knew:know
    known:know grew:grow grown:grow flew:fly flown:fly drew:draw drawn:draw threw:throw
    thrown:throw wore:wear worn:wear broke:break broken:break spoke:speak spoken:speak
    chose:choose chosen:choose woke:wake woken:wake stole:steal stolen:steal forgot:forget
    forgotten:forget hid:hide hidden:hide bitten:bite fell:fall fallen:fall stood:stand
    understood:understand found:find sat:sit led:lead fed:feed fought:fight sought:seek
    became:become came:come meant:mean dealt:deal heard:hear bred:breed hung:hang stuck:stick
    struck:strike shot:shoot shook:shake shaken:shake tore:tear torn:tear swore:swear lit:light
    """.split()
)
_IRREGULAR = _PAST_FORMS | dict(
    pair.split(":")
    for pair in """
    children:child men:man women:woman people:person feet:foot teeth:tooth mice:mouse wives:wife
    knives:knife wolves:wolf shelves:shelf geese:goose
    mom:mother mum:mother moms:mother mums:mother dad:father dads:father kid:child kids:child
    tv:television bike:bicycle bikes:bicycle photo:photograph photos:photograph fave:favorite
    favourite:favorite favourites:favorite colour:color colours:color
    """.split()
)


def is_past(word: str) -> bool:
    """Return whether a lower-case word is a verb's past form; 'put' and its like are not known."""
    return word in _PAST_FORMS or (word.endswith("ed") and stem(word) != word)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; what is not English letters is its own stem."""
    word = _IRREGULAR.get(word, word).removeprefix("'")
    if len(word) <= 2 or not _WORD.fullmatch(word):
        return word
    return _of_thread.stemmer.stemWord(word)  # type: ignore[no-any-return]
