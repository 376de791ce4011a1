"""Train the reader: `python -m training.train --out DIR`. Seeded; prints the scores on what is kept
aside after each epoch.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from training.examples import IGNORED, Example, Variation, batches, encode_message, padded
from training.export import export
from training.markup import KINDS, Message, read_files
from training.model import LAYERS, Reader, base_folder
from training.other_examples import labelled_messages, pairs
from training.score import score

DATA = Path(__file__).parent / "data"
FRAMES = frozenset({"plain", "prices", "asked"})
"""The files of plain sentences, which are taken several times an epoch with other values."""
BATCH = 32
"""Texts of a batch."""


def sentence_loss(logits: torch.Tensor, batch: list[Example]) -> torch.Tensor:
    """Return the mean loss of the sentence heads over a batch; logits (B, T, outputs)."""
    rows, targets = [], []
    for number, example in enumerate(batch):
        for tokens, target in example.sentences:
            rows.append(logits[number, tokens].mean(0))
            targets.append(target)
    if not rows:
        return logits.sum() * 0
    means, wanted = torch.stack(rows), torch.tensor(targets)
    kinds = len(KINDS)
    kind = functional.cross_entropy(means[:, :kinds], wanted[:, 0].long(), ignore_index=IGNORED)
    flags, known = wanted[:, 1:], wanted[:, 1:] != IGNORED
    yes_or_no = functional.binary_cross_entropy_with_logits(
        means[:, kinds:], flags.clamp(min=0), reduction="none"
    )
    flag_loss = (yes_or_no * known).sum() / known.sum().clamp(min=1)
    return (0 if torch.isnan(kind) else kind) + 3 * flag_loss


def token_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy of tokens; logits (B, T, classes), 0 where none counts."""
    loss = functional.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED, reduction="sum"
    )
    return loss / (targets != IGNORED).sum().clamp(min=1)


def batch_loss(model: Reader, batch: list[Example]) -> torch.Tensor:
    """Return the loss of all heads on a batch."""
    tensors = padded(batch)
    spans, statuses, sentences, pair_logits = model(
        tensors["input_ids"], tensors["token_type_ids"], tensors["attention_mask"]
    )
    loss = 2 * token_loss(spans, tensors["spans"]) + token_loss(statuses, tensors["statuses"])
    loss = loss + 0.5 * sentence_loss(sentences, batch)
    known = tensors["pairs"] != IGNORED
    if known.any():
        loss = loss + functional.cross_entropy(pair_logits[known], tensors["pairs"][known])
    return loss


@dataclass(frozen=True)
class Data:
    """What is trained on: marked messages, texts of which only the kind is known, and pairs."""

    messages: list[Message]
    labelled: list[Message]
    pairs: list[Example]


def queue_of(
    data: Data, vary: Variation, tokenizer: Tokenizer, arguments: argparse.Namespace,
    chance: random.Random,
) -> list[list[Example]]:  # fmt: skip
    """Return the batches of an epoch in random order: each message varied anew."""
    labelled = chance.sample(data.labelled, min(len(data.labelled), arguments.labelled))
    frames = [message for message in data.messages if message.source in FRAMES]
    filled = [vary(message, 0.9) for message in frames for _ in range(arguments.fillings)]
    groups = (
        [encode_message(vary(message), tokenizer) for message in data.messages],
        [encode_message(message, tokenizer) for message in filled],
        [encode_message(message, tokenizer, marked=False) for message in labelled],
        chance.sample(data.pairs, min(len(data.pairs), arguments.pairs)),
    )
    queue = [batch for group in groups for batch in batches(group, BATCH, chance)]
    chance.shuffle(queue)
    return queue


def optimizer_of(
    model: Reader, steps: int, rate: float
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    """Return the optimizer and its schedule: the heads learn ten times as fast as the encoder."""
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder")]
    optimizer = torch.optim.AdamW(
        [{"params": model.encoder.parameters(), "lr": rate}, {"params": heads, "lr": 10 * rate}],
        weight_decay=0.01,
        fused=True,
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=[rate, 10 * rate], total_steps=steps, pct_start=0.1
    )
    return optimizer, schedule


def train(
    data: Data, kept: list[Message], tokenizer: Tokenizer, arguments: argparse.Namespace
) -> Reader:
    """Return the trained reader; its weights are kept after each epoch, with the scores printed."""
    torch.manual_seed(arguments.seed)
    chance = random.Random(arguments.seed)
    model, vary = Reader(arguments.layers), Variation(data.messages, chance)
    if arguments.start is not None:
        model.load_state_dict(torch.load(arguments.start))
    queue = queue_of(data, vary, tokenizer, arguments, chance)
    optimizer, schedule = optimizer_of(model, arguments.epochs * len(queue) + 1, arguments.rate)
    for epoch in range(arguments.epochs):
        model.train()
        began, total = time.time(), 0.0
        for batch in queue:
            loss = batch_loss(model, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        mean = total / len(queue)
        print(f"epoch {epoch + 1}: loss {mean:.3f}, {time.time() - began:.0f} s", flush=True)
        print(json.dumps(score(model, tokenizer, kept)), flush=True)
        torch.save(model.state_dict(), arguments.out / "reader.pt")
        queue = queue_of(data, vary, tokenizer, arguments, chance)[: len(queue)]
    return model


def main() -> None:
    """Train from the data of this folder and keep the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--pairs", type=int, default=6000, help="pairs an epoch")
    parser.add_argument("--labelled", type=int, default=4000, help="labelled texts an epoch")
    parser.add_argument("--fillings", type=int, default=6, help="of each plain sentence an epoch")
    parser.add_argument("--rate", type=float, default=1e-4, help="learning rate of the encoder")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    arguments.out.mkdir(parents=True, exist_ok=True)
    files = sorted(DATA.glob("*.txt"))
    kept = read_files([path for path in files if path.stem.startswith("kept_")])
    messages = read_files([path for path in files if not path.stem.startswith("kept_")])
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    data = Data(messages, labelled_messages(), pairs(tokenizer))
    counts = f"{len(messages)} marked, {len(data.labelled)} labelled, {len(data.pairs)} pairs"
    print(f"{counts}, {len(kept)} kept", flush=True)
    export(train(data, kept, tokenizer, arguments), arguments.out)


if __name__ == "__main__":
    main()
