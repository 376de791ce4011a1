"""The branch of a tree of messages that its owner saw last."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from privacy.importing.shapes import later, mapping_of

Nodes = Mapping[str, Any]


def active_branch(
    nodes: Nodes,
    parent: str,
    current: Any,
    moment_of: Callable[[Mapping[str, Any]], datetime | None],
) -> list[Mapping[str, Any]]:
    """The nodes from the beginning to `current`, each named as `parent` by the next; to the newest
    leaf where no such node is there. A circle is followed once around.
    """
    key = current if isinstance(current, str) and current in nodes else None
    if key is None:
        key = _newest_leaf(nodes, parent, moment_of)
    branch: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while isinstance(key, str) and key in nodes and key not in seen:
        seen.add(key)
        node = mapping_of(nodes[key])
        branch.append(node)
        key = node.get(parent)
    return branch[::-1]


def _newest_leaf(
    nodes: Nodes, parent: str, moment_of: Callable[[Mapping[str, Any]], datetime | None]
) -> str | None:
    """Of several from the same moment the last in the file."""
    parents = {
        key for node in nodes.values() if isinstance(key := mapping_of(node).get(parent), str)
    }
    leaves = [key for key in nodes if key not in parents] or list(nodes)
    at = {
        key: (later(moment_of(mapping_of(nodes[key]))), place) for place, key in enumerate(leaves)
    }
    return max(at, key=lambda key: at[key], default=None)
