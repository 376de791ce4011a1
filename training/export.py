"""Write the trained reader as the files that the product loads: `python -m training.export --model
FILE --out DIR`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

import onnx
import torch

from training.compact import compact, largest_difference
from training.labels import PAIR_LABELS, SPAN_TAGS
from training.markup import KINDS, PRIVATE, STATUSES
from training.model import LAYERS, Reader, base_folder

INPUTS = ("input_ids", "token_type_ids", "attention_mask")
OUTPUTS = ("spans", "statuses", "sentences", "pairs")
OPSET = 18
_MOST_DIFFERENCE = 0.5
"""Logits by which an output may differ from PyTorch's after its weights went into fewer bits."""


def export(model: Reader, folder: Path) -> None:
    """Write `reader.onnx` and `tokenizer.json`; raise ValueError where the outputs differ."""
    model.eval()
    folder.mkdir(parents=True, exist_ok=True)
    sample = tuple(torch.ones((2, 12), dtype=torch.long) for _ in INPUTS)
    batch, length = torch.export.Dim("batch"), torch.export.Dim("length", max=512)
    path = folder / "reader.onnx"
    torch.onnx.export(
        model, sample, str(path), input_names=list(INPUTS), output_names=list(OUTPUTS),
        opset_version=OPSET, dynamo=True, external_data=False,
        dynamic_shapes=tuple({0: batch, 1: length} for _ in INPUTS),
    )  # fmt: skip
    network = compact(onnx.load(str(path)), bits=16)
    labels = {
        "tags": SPAN_TAGS, "statuses": STATUSES, "kinds": KINDS, "private": PRIVATE,
        "pairs": PAIR_LABELS,
    }  # fmt: skip
    network.metadata_props.add(key="labels", value=json.dumps(labels))
    onnx.save(network, str(path))
    shutil.copy(base_folder() / "tokenizer.json", folder / "tokenizer.json")
    difference = largest_difference(model, path, INPUTS)
    print(f"{path.stat().st_size / 1e6:.1f} MB, outputs differ by at most {difference:.4f}")
    print("sha256", hashlib.sha256(path.read_bytes()).hexdigest())
    if difference > _MOST_DIFFERENCE:
        raise ValueError("the exported network does not calculate what was trained")


def main() -> None:
    """Export the weights that `training.train` kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    model = Reader(arguments.layers)
    model.load_state_dict(torch.load(arguments.model))
    export(model, arguments.out)


if __name__ == "__main__":
    main()
