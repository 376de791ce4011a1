"""Write the trained reader as the files that the product loads: `python -m training.export --model
FILE --out DIR`. The weights are kept in half precision and calculated with in single precision.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from training.labels import PAIR_LABELS, SPAN_TAGS
from training.markup import KINDS, PRIVATE, STATUSES
from training.model import LAYERS, Reader, base_folder

INPUTS = ("input_ids", "token_type_ids", "attention_mask")
OUTPUTS = ("spans", "statuses", "sentences", "pairs")
OPSET = 18
_HALVED_FROM = 1_000
"""Elements from which on a tensor is halved."""
_MOST_DIFFERENCE = 0.05
"""By which an output may differ from PyTorch's for the halved weights, in logits."""


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
    network = halved(onnx.load(str(path)))
    labels = {
        "tags": SPAN_TAGS, "statuses": STATUSES, "kinds": KINDS, "private": PRIVATE,
        "pairs": PAIR_LABELS,
    }  # fmt: skip
    network.metadata_props.add(key="labels", value=json.dumps(labels))
    onnx.save(network, str(path))
    shutil.copy(base_folder() / "tokenizer.json", folder / "tokenizer.json")
    difference = largest_difference(model, path)
    print(f"{path.stat().st_size / 1e6:.1f} MB, outputs differ by at most {difference:.4f}")
    print("sha256", hashlib.sha256(path.read_bytes()).hexdigest())
    if difference > _MOST_DIFFERENCE:
        raise ValueError("the exported network does not calculate what was trained")


def halved(network: onnx.ModelProto) -> onnx.ModelProto:
    """Return the network with its large tensors in half precision, each cast back before use."""
    casts, kept = [], []
    for tensor in network.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _HALVED_FROM:
            kept.append(tensor)
            continue
        name = f"{tensor.name}.half"
        kept.append(numpy_helper.from_array(values.astype(np.float16), name))
        casts.append(helper.make_node("Cast", [name], [tensor.name], to=TensorProto.FLOAT))
    nodes = [*casts, *network.graph.node]
    for field, content in (("initializer", kept), ("node", nodes)):
        network.graph.ClearField(field)
        getattr(network.graph, field).extend(content)
    return network


def largest_difference(model: Reader, path: Path) -> float:
    """Return by how much an output of the file differs from the model's on random tokens."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    chance = torch.Generator().manual_seed(1)
    worst = 0.0
    for length in (4, 31, 128):
        ids = torch.randint(1_000, 29_000, (1, length), generator=chance)
        tensors = (ids, torch.zeros_like(ids), torch.ones_like(ids))
        with torch.no_grad():
            wanted = model(*tensors)
        inputs = {name: tensor.numpy() for name, tensor in zip(INPUTS, tensors, strict=True)}
        for made, right in zip(session.run(None, inputs), wanted, strict=True):
            worst = max(worst, float(np.abs(made - right.numpy()).max()))
    return worst


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
