"""Which of the things that one person said clash with each other, and which end others."""

from collections.abc import Sequence

from memory.language.pair_labels import pair_probabilities
from memory.language.text.dedup import content_stem_ids

# From here on both are shown, and asked about: what people tell each day seldom clashes, so that a
# lower one asks more often wrongly than rightly.
_CLASH = 0.9
# From here on an earlier text is told as such behind a later one that ends or corrects it.
_OUTDATED = 0.7


def find_clashes(said: str, earlier: Sequence[str]) -> list[int]:
    """Which of several earlier texts (their places) cannot hold beside what is said now, the
    likeliest first.
    """
    clash = pair_probabilities("consistency/contradicts", [(text, said) for text in earlier])
    places = [place for place, probability in enumerate(clash) if probability >= _CLASH]
    return sorted(places, key=lambda place: -clash[place])


def find_ending(text: str, later: Sequence[str]) -> list[int]:
    """Which of several texts that were said after a text (their places) end or correct it; those
    that have a telling word in common with it.
    """
    told = content_stem_ids(text)
    places = [place for place, one in enumerate(later) if told & content_stem_ids(one)]
    ends = pair_probabilities("consistency/updates", [(text, later[place]) for place in places])
    return [place for place, share in zip(places, ends, strict=True) if share >= _OUTDATED]
