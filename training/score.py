"""Scores of the reader on messages that are kept aside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from tokenizers import Tokenizer

from memory.language.reader.decoding import Names, decode_spans
from training.examples import IGNORED, encode_message, padded
from training.labels import SPAN_TAGS
from training.markup import KINDS, STATUSES, Message
from training.model import Reader


def score(model: Reader, tokenizer: Tokenizer, messages: Sequence[Message]) -> dict[str, float]:
    """Return precision, recall and F1 of marks (text, label; overlapping and exact) and of current
    ones, and the shares of statuses and kinds that are right.
    """
    model.eval()
    counts: Counter[str] = Counter()
    for message in messages:
        _count(model, tokenizer, message, counts)
    result: dict[str, float] = {}
    for name in ("mark", "exact", "current"):
        right, made, wanted = (counts[f"{name} {what}"] for what in ("right", "made", "wanted"))
        result[f"{name}_precision"] = round(right / max(made, 1), 3)
        result[f"{name}_recall"] = round(right / max(wanted, 1), 3)
    for name in ("status", "kind", "worth", "change", "private", "alone"):
        result[name] = round(counts[f"{name} right"] / max(counts[f"{name} all"], 1), 3)
    return result


def _count(model: Reader, tokenizer: Tokenizer, message: Message, counts: Counter[str]) -> None:
    text = " ".join(sentence.text for sentence in message.sentences)
    example = encode_message(message, tokenizer)
    tensors = padded([example])
    with torch.no_grad():
        spans, statuses, sentences, _ = model(
            tensors["input_ids"], tensors["token_type_ids"], tensors["attention_mask"]
        )
    kept = [number for number, tag in enumerate(example.spans) if tag >= 0]
    offsets = tokenizer.encode(text, add_special_tokens=False).offsets[: len(kept)]
    made = decode_spans(
        text, offsets, spans[0, kept].numpy(), statuses[0, kept].numpy(), Names(SPAN_TAGS, STATUSES)
    )
    wanted, start = [], 0
    for sentence in message.sentences:
        wanted += [
            (mark.start + start, mark.end + start, mark.label, mark.status)
            for mark in sentence.marks
        ]
        start += len(sentence.text) + 1
    counts["mark made"] += len(made)
    counts["exact made"] += len(made)
    counts["mark wanted"] += len(wanted)
    counts["exact wanted"] += len(wanted)
    counts["current made"] += sum(span.status == "current" for span in made)
    counts["current wanted"] += sum(mark[3] == "current" for mark in wanted)
    for span in made:
        match = next(
            (m for m in wanted if m[2] == span.label and m[0] < span.end and span.start < m[1]),
            None,
        )
        if match is None:
            continue
        counts["mark right"] += 1
        counts["exact right"] += match[:2] == (span.start, span.end)
        counts["status all"] += 1
        counts["status right"] += match[3] == span.status
        counts["current right"] += match[3] == span.status == "current"
    for (tokens, target), _sentence in zip(example.sentences, message.sentences, strict=False):
        mean = sentences[0, tokens].mean(0).numpy()
        counts["kind all"] += 1
        counts["kind right"] += int(np.argmax(mean[: len(KINDS)])) == int(target[0])
        flags = mean[len(KINDS) :] > 0
        for place, name in enumerate(("worth", "change")):
            counts[f"{name} all"] += 1
            counts[f"{name} right"] += bool(flags[place]) == bool(target[1 + place])
        counts["private all"] += 1
        counts["private right"] += bool(flags[2:-1].any()) == any(target[3:-1])
        if target[-1] != IGNORED:
            counts["alone all"] += 1
            counts["alone right"] += bool(flags[-1]) == bool(target[-1])
