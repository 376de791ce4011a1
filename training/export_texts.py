"""Write the trained classifiers of texts as the file that the product loads."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import onnx
import torch

from training.compact import compact, largest_difference
from training.export import INPUTS, OPSET
from training.text_model import MOST_TOKENS, TASKS, TextNetwork

_MOST_DIFFERENCE = 0.5
"""By which a logit may differ from PyTorch's after its weights went into 8 bits."""


def export(model: TextNetwork, path: Path) -> None:
    """Write the network; raise ValueError where its outputs differ from the model's."""
    model.eval()
    inputs = (*INPUTS, "task")
    sample = (*(torch.ones((2, 12), dtype=torch.long) for _ in INPUTS), torch.tensor(1))
    batch, length = torch.export.Dim("batch"), torch.export.Dim("length", max=MOST_TOKENS)
    shapes = (*({0: batch, 1: length} for _ in INPUTS), None)
    torch.onnx.export(
        model, sample, str(path), input_names=list(inputs), output_names=["vectors", *TASKS],
        opset_version=OPSET, dynamo=True, external_data=False, dynamic_shapes=shapes,
    )  # fmt: skip
    network = compact(onnx.load(str(path)), bits=8)
    network.metadata_props.add(key="labels", value=json.dumps(model.labels))
    onnx.save(network, str(path))
    difference = max(
        largest_difference(model, path, inputs, torch.tensor(task))
        for task in range(len(TASKS) + 1)
    )
    print(f"{path.stat().st_size / 1e6:.1f} MB, outputs differ by at most {difference:.4f}")
    print("sha256", hashlib.sha256(path.read_bytes()).hexdigest())
    if difference > _MOST_DIFFERENCE:
        raise ValueError("the exported network does not calculate what was trained")
