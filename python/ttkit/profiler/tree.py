"""The tree of a session in hatchet's form: JSON, and the same in msgpack."""

from __future__ import annotations

import json
import struct
from typing import Any

from ttkit.profiler.contexts import Context
from ttkit.profiler.table import CAPTURED, Table

TIME, COUNT = "time (ns)", "count"


class Node:
    """A node of the tree: its name, metrics, and children by name."""

    __slots__ = ("children", "metrics", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.metrics: dict[str, Any] = {}
        self.children: dict[str, Node] = {}

    def child(self, name: str) -> Node:
        """The child of a name, new if there is none."""
        return self.children.setdefault(name, Node(name))

    def descend(self, contexts: list[Context]) -> Node:
        """The node at the end of a way down."""
        node = self
        for context in contexts:
            node = node.child(context.name)
        return node

    def literal(self) -> dict[str, Any]:
        """The node in hatchet's form; children and metrics by name."""
        return {
            "children": [self.children[name].literal() for name in sorted(self.children)],
            "frame": {"name": self.name, "type": "function"},
            "metrics": {name: self.metrics[name] for name in sorted(self.metrics)},
        }


def build(table: Table, device_type: str, base: Context | None) -> Node:
    """The tree of a table.

    Args:
        device_type: "CUDA".
        base: the place where the session began, which the tree leaves out.
    """
    root = Node("ROOT")
    of_kernels: dict[str, list[Node]] = {}
    for context, values in list(table.values.items()):
        node = root.descend(context.path(base))
        node.metrics.update(values)
        if context in table.devices:
            node.metrics |= {"device_id": str(table.devices[context]), "device_type": device_type}
    for kernel, (runs, nanoseconds) in list(table.kernels.items()):
        node = root.descend(kernel.context.path(base))
        place = kernel.context
        if kernel.in_graph:
            node = node.child(CAPTURED)
            if (captured := kernel.captured) is not None:
                node = node.descend(captured.path(base))
                place = captured
        if not place.is_operation:
            node = node.child(kernel.name)
        metrics = node.metrics
        metrics[COUNT] = metrics.get(COUNT, 0) + runs
        if nanoseconds or device_type == "CUDA":
            metrics[TIME] = metrics.get(TIME, 0) + nanoseconds
        metrics["device_id"], metrics["device_type"] = str(kernel.device), device_type
        of_kernels.setdefault(kernel.name, []).append(node)
    _add_samples(root, table, of_kernels)
    # hatchet has a column for each metric that the root has.
    names = {name for node in _all(root) for name, value in node.metrics.items() if not isinstance(value, str)}
    root.metrics = dict.fromkeys(names - table.exclusive, 0) | root.metrics
    return root


def _add_samples(root: Node, table: Table, of_kernels: dict[str, list[Node]]) -> None:
    """Lines of kernels, below the kernel: below a node of its own if the kernel was launched in several places, since
    samples do not say in which."""
    for kernel, lines in list(table.samples.items()):
        places = {id(node): node for node in of_kernels.get(kernel, [])}
        node = next(iter(places.values())) if len(places) == 1 else root.child(kernel)
        for line, metrics in lines.items():
            (node if line is None else node.child(line)).metrics.update(metrics)


def _all(node: Node) -> list[Node]:
    return [node, *(each for child in node.children.values() for each in _all(child))]


def hatchet(root: Node, devices: dict[str, dict[str, dict[str, Any]]]) -> list[Any]:
    """Content of a .hatchet file: the tree, then the devices, {type: {number: properties}}."""
    return [root.literal(), devices]


def to_json(content: Any) -> str:
    """As text."""
    return "\n" + json.dumps(content, indent=4, ensure_ascii=False) + "\n"


def to_msgpack(value: Any) -> bytes:
    """As msgpack: the same values.

    Raises:
        TypeError: a value is of no type that JSON has.
    """
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        if 0 <= value < 128:
            return bytes([value])
        return struct.pack(">Bq", 0xD3, value) if value < 1 << 63 else struct.pack(">BQ", 0xCF, value)
    if isinstance(value, float):
        return struct.pack(">Bd", 0xCB, value)
    if isinstance(value, str):
        data = value.encode()
        return struct.pack(">BI", 0xDB, len(data)) + data
    if isinstance(value, list):
        return struct.pack(">BI", 0xDD, len(value)) + b"".join(map(to_msgpack, value))
    if isinstance(value, dict):
        pairs = b"".join(to_msgpack(key) + to_msgpack(item) for key, item in value.items())
        return struct.pack(">BI", 0xDF, len(value)) + pairs
    raise TypeError(f"a profile has no {type(value).__name__}")
