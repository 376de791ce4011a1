"""Train the reader: `python -m training.train --out DIR`. Seeded; prints the scores on what is kept
aside after each epoch.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from training.examples import IGNORED, Example, Variation, batches, encode_message, padded
from training.markup import KINDS, Message, read_files
from training.model import LAYERS, Reader, base_folder
from training.other_examples import labelled_messages, pairs
from training.score import score

DATA = Path(__file__).parent / "data"


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


def train(
    messages: list[Message],
    unmarked: list[Message],
    paired: list[Example],
    kept: list[Message],
    arguments: argparse.Namespace,
) -> Reader:
    """Return the trained reader."""
    random.seed(arguments.seed)
    torch.manual_seed(arguments.seed)
    chance = random.Random(arguments.seed)
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    model = Reader(arguments.layers)
    heads = [p for n, p in model.named_parameters() if not n.startswith("encoder")]
    optimizer = torch.optim.AdamW(
        [{"params": model.encoder.parameters(), "lr": 1e-4}, {"params": heads, "lr": 1e-3}],
        weight_decay=0.01,
    )
    vary = Variation(messages, chance)
    steps = arguments.epochs * (
        -(-len(messages) // 32)
        + -(-min(len(unmarked), arguments.labelled) // 32)
        + -(-min(len(paired), arguments.pairs) // 32)
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=[1e-4, 1e-3], total_steps=steps + arguments.epochs * 3, pct_start=0.1
    )
    for epoch in range(arguments.epochs):
        model.train()
        began, total = time.time(), 0.0
        examples = [encode_message(vary(message), tokenizer) for message in messages]
        labelled = chance.sample(unmarked, min(len(unmarked), arguments.labelled))
        others = [encode_message(message, tokenizer, marked=False) for message in labelled]
        chosen = chance.sample(paired, min(len(paired), arguments.pairs))
        queue = [
            *batches(examples, 32, chance), *batches(others, 32, chance),
            *batches(chosen, 32, chance),
        ]  # fmt: skip
        chance.shuffle(queue)
        for batch in queue:
            loss = batch_loss(model, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        print(
            f"epoch {epoch + 1}: loss {total / len(queue):.3f}, {time.time() - began:.0f} s",
            flush=True,
        )
        print(json.dumps(score(model, tokenizer, kept)), flush=True)
    return model


def main() -> None:
    """Train from the data of this folder and keep the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--pairs", type=int, default=6000, help="pairs an epoch")
    parser.add_argument("--labelled", type=int, default=4000, help="labelled texts an epoch")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    files = sorted(DATA.glob("*.txt"))
    kept = read_files([path for path in files if path.stem.startswith("kept_")])
    messages = read_files([path for path in files if not path.stem.startswith("kept_")])
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    unmarked, paired = labelled_messages(), pairs(tokenizer)
    print(
        f"{len(messages)} marked, {len(unmarked)} labelled, {len(paired)} pairs, {len(kept)} kept"
    )
    model = train(messages, unmarked, paired, kept, arguments)
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), arguments.out / "reader.pt")


if __name__ == "__main__":
    main()
