"""Train the classifiers of texts: `python -m training.train_texts --out FILE [--task TASK]`.
Seeded; prints how much of what is kept aside each gets right, or trains on all with `--all`.

About a minute a thousand pairs and epoch on two cores, half of that for single sentences.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional

from training import text_examples
from training.export_texts import export
from training.model import base_folder
from training.text_examples import Examples
from training.text_model import MOST_TOKENS, TASKS, TextNetwork

BATCH, EPOCHS = 32, 3
RATE, DECAY, SMOOTHED = 1e-3, 0.01, 0.05
SOURCES: Mapping[str, Callable[[], Examples]] = {
    "sentences": text_examples.sentences,
    "pairs": text_examples.pairs,
    "answers": text_examples.answers,
}
Batch = tuple[tuple[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def tokenizer() -> Tokenizer:
    """Return the tokenizer of the base model, padding each batch."""
    made = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    made.enable_padding()
    made.enable_truncation(MOST_TOKENS)
    return made


def batches(examples: Examples, labels: list[str], chance: random.Random) -> Iterator[Batch]:
    """Yield the examples in random order, those of about the same length together: tokens, kinds
    and mask, and 1 for each label (B, labels).
    """
    cut = tokenizer()
    mixed = chance.sample(examples, len(examples))
    groups = []
    for start in range(0, len(mixed), BATCH * 16):
        near = sorted(
            mixed[start : start + BATCH * 16],
            key=lambda example: len(example.first) + len(example.second or ""),
        )
        groups += [near[place : place + BATCH] for place in range(0, len(near), BATCH)]
    chance.shuffle(groups)
    for group in groups:
        encodings = cut.encode_batch([example.texts for example in group])
        ids, kinds, mask = (
            torch.tensor([getattr(encoding, name) for encoding in encodings])
            for name in ("ids", "type_ids", "attention_mask")
        )
        wanted = [[float(label in example.labels) for label in labels] for example in group]
        yield (ids, kinds, mask), torch.tensor(wanted)


def questions_of(labels: list[str]) -> torch.Tensor:
    """Return (labels, questions): 1 where a label ("intent/joy") answers a question ("intent")."""
    names = [label.rpartition("/")[0] for label in labels]
    return torch.tensor([[float(name == other) for other in sorted(set(names))] for name in names])


def loss_of(scores: torch.Tensor, wanted: torch.Tensor, questions: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy with smoothed labels of the questions whose answer is known."""
    total = scores.new_zeros(())
    for question in questions.T.bool():
        known = wanted[:, question].sum(1) > 0
        if known.any():
            total = total + functional.cross_entropy(
                scores[known][:, question], wanted[known][:, question], label_smoothing=SMOOTHED,
                reduction="sum",
            )  # fmt: skip
    return total / len(scores)


def train(model: TextNetwork, task: str, examples: Examples, chance: random.Random) -> None:
    """Fit the adaptation and the layers of a task to these examples; those of others stay."""
    labels, number = model.labels[task], torch.tensor(TASKS.index(task) + 1)
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    # Nothing decays by itself: what belongs to other tasks has no gradient and must not move.
    optimizer = torch.optim.AdamW(parameters, lr=RATE, weight_decay=0)
    steps = EPOCHS * -(-len(examples) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=steps, pct_start=0.1
    )
    questions, place = questions_of(labels), 1 + TASKS.index(task)
    for epoch in range(EPOCHS):
        model.train()
        began, total = time.time(), 0.0
        for inputs, wanted in batches(examples, labels, chance):
            loss = loss_of(model(*inputs, number)[place], wanted, questions)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(wanted) / len(examples)
        seconds = time.time() - began
        print(f"{task}, epoch {epoch + 1}: loss {total:.3f}, {seconds:.0f} s", flush=True)


@torch.no_grad()
def score(model: TextNetwork, task: str, examples: Examples) -> dict[str, float]:
    """Return the share that is right of each question."""
    model.eval()
    labels, number = model.labels[task], torch.tensor(TASKS.index(task) + 1)
    questions = questions_of(labels).T.bool()
    right, known = torch.zeros(len(questions)), torch.zeros(len(questions))
    for inputs, wanted in batches(examples, labels, random.Random(0)):
        scores = model(*inputs, number)[1 + TASKS.index(task)]
        for place, question in enumerate(questions):
            answered = wanted[:, question].sum(1) > 0
            best = scores[:, question].argmax(1) == wanted[:, question].argmax(1)
            right[place] += (best & answered).sum()
            known[place] += answered.sum()
    names = sorted({label.rpartition("/")[0] for label in labels})
    return dict(zip(names, (right / known).tolist(), strict=True))


def main() -> None:
    """Train all tasks, or one, and export the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--task", choices=TASKS, action="append")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--all", action="store_true", help="keep nothing aside")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    examples = {task: SOURCES[task]() for task in TASKS}
    model = TextNetwork({task: examples[task].labels for task in TASKS})
    if arguments.start is not None:
        model.load_state_dict(torch.load(arguments.start))
    for task in arguments.task or TASKS:
        known, aside = examples[task], Examples()
        if not arguments.all:
            known, aside = known.apart(0.1)
        train(model, task, known, random.Random(arguments.seed))
        if aside:
            print(task, score(model, task, aside), flush=True)
        torch.save(model.state_dict(), arguments.out.with_suffix(".pt"))
    export(model, arguments.out)


if __name__ == "__main__":
    main()
