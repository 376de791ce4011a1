"""ONNX networks with their large tensors in fewer bits; calculations are in single precision.

A table of which rows are looked up (the vectors of words) is cast after the lookup, so that a
process holds it in 8 bits; every other tensor is cast once, when the network is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import torch
from onnx import NodeProto, TensorProto, helper, numpy_helper

_LARGE = 1_000
"""Elements from which on a tensor is stored in fewer bits."""
_A_TABLE = 1_000_000
"""Elements from which on a tensor that is only looked up is a table."""


def compact(network: onnx.ModelProto, bits: int) -> onnx.ModelProto:
    """Return the network with large tensors in 16 or 8 bits, tables of words always in 8."""
    before, after, kept = [], [], []
    nodes = list(network.graph.node)
    for tensor in network.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _LARGE:
            kept.append(tensor)
            continue
        lookups = [
            node for node in nodes if node.op_type == "Gather" and node.input[0] == tensor.name
        ]
        if lookups and values.size >= _A_TABLE:
            kept += _rows_of_eight_bits(tensor.name, values)
            for node in lookups:
                nodes.remove(node)
                after += _lookup(node, tensor.name)
        elif bits == 8 and values.ndim > 1:
            kept += _rows_of_eight_bits(tensor.name, values)
            before += _restored(tensor.name, tensor.name)
        else:
            kept.append(numpy_helper.from_array(values.astype(np.float16), f"{tensor.name}.half"))
            before.append(
                helper.make_node(
                    "Cast", [f"{tensor.name}.half"], [tensor.name], to=TensorProto.FLOAT
                )
            )
    for field, content in (("initializer", kept), ("node", [*before, *after, *nodes])):
        network.graph.ClearField(field)
        getattr(network.graph, field).extend(content)
    return network


def _rows_of_eight_bits(name: str, values: npt.NDArray[np.float32]) -> list[TensorProto]:
    """Return the tensor as whole numbers of -127 to 127 and the scale of each row (last axis)."""
    scale = np.maximum(np.abs(values).max(-1, keepdims=True) / 127, 1e-12).astype(np.float32)
    whole = np.rint(values / scale).astype(np.int8)
    return [
        numpy_helper.from_array(whole, f"{name}.whole"),
        numpy_helper.from_array(scale, f"{name}.scale"),
    ]


def _restored(name: str, result: str) -> list[NodeProto]:
    return [
        helper.make_node("Cast", [f"{name}.whole"], [f"{result}.cast"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{result}.cast", f"{name}.scale"], [result]),
    ]


def _lookup(node: NodeProto, name: str) -> list[NodeProto]:
    """Return the nodes that look up rows of a table in 8 bits instead of single precision."""
    (result,), ids = node.output, node.input[1]
    return [
        helper.make_node("Gather", [f"{name}.whole", ids], [f"{result}.whole"], axis=0),
        helper.make_node("Gather", [f"{name}.scale", ids], [f"{result}.scale"], axis=0),
        *_restored(result, result),
    ]


def largest_difference(
    model: torch.nn.Module, path: Path, inputs: Sequence[str], *further: torch.Tensor
) -> float:
    """Return by how much an output of the file differs from the model's on random tokens;
    `further` follows tokens, kinds and mask.
    """
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    chance = torch.Generator().manual_seed(1)
    worst = 0.0
    for length in (4, 31, 128):
        ids = torch.randint(1_000, 29_000, (1, length), generator=chance)
        tensors = (ids, torch.zeros_like(ids), torch.ones_like(ids), *further)
        with torch.no_grad():
            wanted = model(*tensors)
        named = {name: tensor.numpy() for name, tensor in zip(inputs, tensors, strict=True)}
        for made, right in zip(session.run(None, named), wanted, strict=True):
            worst = max(worst, float(np.abs(made - right.numpy()).max()))
    return worst
