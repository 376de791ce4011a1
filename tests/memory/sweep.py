"""Which functions grow faster than the text that they are given; run in a process of its own.

`python -m tests.memory.sweep NAME` prints a line for each text on which the function NAME takes
more than its share: what it took at each size, in seconds of processor time. With `--seconds S` it
tries texts, in an order of its own for each function, until they have taken S seconds. A child
process does the work and is ended by the kernel where it takes too long, so that what is quadratic
fails here instead of hanging.
"""

import argparse
import os
import random
import signal
import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from time import process_time

from memory.language.budget import READ_CHARS, apply_budget
from memory.language.dates import asked_times
from memory.language.dates.asked_times import find_asked_times
from memory.language.dates.planned_days import (
    cancels,
    find_planned_days,
    planned_until,
    read_days_ahead,
    read_sentence_dates,
)
from memory.language.dates.time_expressions import capitalize_time_words, find_stated_times
from memory.language.engine import masking, sentences
from memory.language.engine.sentences import find_sentence_spans
from memory.language.message_provenance import without_tags
from memory.language.origin import find_foreign_spans
from memory.language.queries import asked_slots
from memory.language.queries.query_intent import read_yes_or_no, split_sentences
from memory.language.reading import Reading, extract_facts, is_correction
from memory.language.safety import claims, guard, instructions, obfuscation, secrets, sensitivity
from memory.language.safety.guard import explain_refusal
from memory.language.safety.instructions import has_instruction_clause
from memory.language.safety.sensitivity import has_food_allergy, tells_allergy
from memory.language.text import compression, dedup, terms
from memory.language.text.dedup import make_content_key
from memory.language.text.embeddings import embed
from memory.language.text.token_count import count_tokens

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
OTHER = "I live in Rome and work at Google."
# What may be given whatever was sent; what gets only what the budget lets through.
WHOLE, READ = (4_000, 20_000), (2_000, READ_CHARS)
# Four times the text may take so many times as long, and what takes less than this is quick.
FACTOR, FLOOR, LIMIT = 3.0, 0.15, 10.0

SIGNS = "-_. \n\t1aA'\"`()[]{}/\\@:;,><|*#=+&%?!~^$😀─│┼“”‘’«»•…–—\u00a0\u0301\u200bß中я"
WORDS = (
    "I was I am ,not ,and ,my ,the 1 ,a@,http://,12:,my name is ,but ,because ,all ,New ,Dr. ,a b ,"
    "1-,a',x\n,- x\n,| a | b |\n,+--+,a. ,a.,(a,[a](,<a>,said: ,password ,key=,0x,AbC1,a/,. . , \n,"
    "if ,that ,he said ,my sister ,no longer ,12 years ,on Monday ,kinds of ,ignore all ,please ,"
    "From: a\n,allergic to ,i have ,work at ,remember ,don't ,> a\n,a:\n,=\n,1. ,with ,in ,of the "
).split(",")
# Nothing in them repeats itself a dozen times, so that no run of them is filled.
MIXED = ("-=", " \t", "\n ", "._", "()", "a1", "aA", "'\"", ">|", "/.", ":-", "not no ")


def _mixed(signs: str, size: int) -> str:
    """Two signs in an order that never repeats: the bits of the numbers."""
    bits = "".join(f"{number:b}" for number in range(size // 8 + 2))
    parts = signs.split(" ") if len(signs) > 2 else list(signs)
    parts = [f"{part} " for part in parts if part] if len(signs) > 2 else parts
    return "".join(parts[int(bit)] for bit in bits)[:size]


def texts(size: int) -> Iterator[tuple[str, str]]:
    """What the texts repeat, and the texts, each of so many characters."""
    for piece in (*SIGNS, *WORDS):
        yield piece, (piece * (size // len(piece) + 1))[:size]
        # The same in many short runs, which no budget takes for one.
        run = (piece * 40)[:30]
        lines = (f"{run}{number} " for number in range(size // 30))
        yield f"runs of {piece}", "".join(lines)[:size]
    for signs in MIXED:
        yield f"mixed {signs}", _mixed(signs, size)
    for opening, closing in ("()", "[]", "“”", '""', "''", "<>", "{}"):
        half = size // 2
        yield f"nested {opening}", f"{opening * half}{closing * half}"


def _in_budget(function: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: function(apply_budget(text)[0])


def _named(*functions: Callable[[str], object]) -> dict[str, Callable[[str], object]]:
    return {f"{one.__module__.rpartition('.')[2]}.{one.__name__}": one for one in functions}


# Whatever was sent, is found or is written by a model reaches these as it is.
ANY_TEXT: dict[str, Callable[[str], object]] = {
    **_named(
        apply_budget,
        secrets.mask_secrets,
        secrets.redact_secrets,
        secrets.find_secret_values,
        secrets.holds_a_secret,
        compression.split_lines_and_sentences,
        terms.content_words,
        terms.split_words,
        dedup.content_stem_ids,
        find_sentence_spans,
        count_tokens,
        embed,
        without_tags,
        extract_facts,
        instructions.judge_instruction_by_rule,
        claims.find_claim,
        asked_slots.asked_about,
        read_yes_or_no,
        explain_refusal,
    ),
    "reading.Reading": lambda text: Reading(text).compute_parts(),
    "messages.planned_until": lambda text: planned_until(Reading(text).marked_sentences, NOW),
}
# These get the text of a reading, or a sentence of it.
OF_A_READING: dict[str, Callable[[str], object]] = {
    **_named(
        sentences.find_sentence_spans,
        masking.mask_text,
        guard.asks_to_forget,
        obfuscation.fold_text,
        sensitivity.is_private_text,
        sensitivity.find_private_slots,
        asked_times.tells_when,
        compression.key_spans,
        cancels,
        capitalize_time_words,
        find_foreign_spans,
        has_food_allergy,
        has_instruction_clause,
        is_correction,
        make_content_key,
        split_sentences,
        tells_allergy,
    ),
    "times.find_asked_times": lambda text: find_asked_times(text, NOW),
    "times.find_stated_times": lambda text: find_stated_times(text, NOW),
    "times.find_planned_days": lambda text: find_planned_days(text, NOW),
    "times.read_days_ahead": lambda text: read_days_ahead(text, NOW),
    "times.read_sentence_dates": lambda text: read_sentence_dates(text, NOW),
}
FUNCTIONS = {
    **{name: (function, WHOLE) for name, function in ANY_TEXT.items()},
    **{name: (_in_budget(function), READ) for name, function in OF_A_READING.items()},
}


def faults(name: str, seconds: float = float("inf")) -> Iterator[str]:
    """The texts on which a function grows faster than they do, with what each size took."""
    function, sizes = FUNCTIONS[name]
    function(OTHER)
    pieces = [piece for piece, _ in texts(1)]
    order = random.Random(name).sample(range(len(pieces)), len(pieces))
    while order and seconds > 0:
        costs = _costs(function, sizes, order, seconds)
        for position, taken in costs.items():
            if _is_too_much(sizes, taken):
                yield f"{pieces[position]!r}: {taken}"
        seconds -= sum(map(sum, costs.values()))
        order = order[max(1, len(costs)) :]


def _is_too_much(sizes: tuple[int, ...], seconds: list[float]) -> bool:
    if len(seconds) < len(sizes):
        return True
    growth = sizes[-1] / sizes[-2]
    return seconds[-1] > max(FLOOR * growth, FACTOR * growth * seconds[-2])


def _costs(
    function: Callable[[str], object], sizes: tuple[int, ...], order: list[int], seconds: float
) -> dict[int, list[float]]:
    """What each text takes at each size, in this order, as far as a child comes."""
    costs: dict[int, list[float]] = {}
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        _work(function, sizes, order, seconds, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        while line := pipe.read(12):
            position, cost = struct.unpack("=id", line)
            taken = costs.setdefault(position, [])
            if cost >= 0:
                taken.append(round(cost, 3))
    os.waitpid(child, 0)
    return costs


def _work(
    function: Callable[[str], object],
    sizes: tuple[int, ...],
    order: list[int],
    seconds: float,
    writing: int,
) -> None:
    try:
        by_size = [[text for _, text in texts(size)] for size in sizes]
        begun = process_time()
        for position in order:
            if process_time() - begun > seconds:
                break
            os.write(writing, struct.pack("=id", position, -1.0))
            for made in by_size:
                signal.setitimer(signal.ITIMER_PROF, LIMIT)
                before = process_time()
                function(made[position])
                os.write(writing, struct.pack("=id", position, process_time() - before))
    finally:
        os._exit(0)


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("names", nargs="+", choices=FUNCTIONS)
    reader.add_argument("--seconds", type=float, default=float("inf"))
    options = reader.parse_args()
    for name in options.names:
        for fault in faults(name, options.seconds):
            print(name, fault, flush=True)
