"""Tensor maps and the copies that they describe, for cluster_evaluator: what the tensor memory accelerator does."""

import re
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# Codes of element types in tensor maps -> bytes (CUDA driver API, CUtensorMapDataType).
ELEMENT_BYTES = {0: 1, 1: 2, 2: 4, 3: 4, 4: 8, 5: 8, 6: 2, 7: 4, 8: 8, 9: 2}
SWIZZLE_ROWS = {0: 1, 1: 2, 2: 4, 3: 8}


@dataclass
class TensorMap:
    """A tensor in global memory and the box of a message; the innermost dimension first.

    address: of the tensor, in bytes; strides: in bytes, of all dimensions but the first; swizzle: 0 to 3.
    """

    address: int = 0
    element_bytes: int = 4
    rank: int = 0
    box: dict[int, int] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)
    strides: dict[int, int] = field(default_factory=dict)
    swizzle: int = 0

    def set(self, name: str, position: int, value: int) -> None:
        """A field as tensormap.replace names it."""
        if name in ("box_dim", "global_dim", "global_stride"):
            {"box_dim": self.box, "global_dim": self.sizes, "global_stride": self.strides}[name][position] = value
        elif name == "global_address":
            self.address = value
        elif name == "rank":
            self.rank = value + 1
        elif name == "elemtype":
            self.element_bytes = ELEMENT_BYTES[value]
        elif name == "swizzle_mode":
            self.swizzle = value

    def elements(self, place: list[int], shared: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each element of the box at coordinates `place`: whether it is in the tensor, its address there, and where
        in shared memory it is, if the message begins at `shared`."""
        shape = [self.box[d] for d in range(self.rank)]
        grids = np.meshgrid(*[np.arange(n) for n in reversed(shape)], indexing="ij")[::-1]
        inside, address = np.ones(grids[0].shape, bool), np.full(grids[0].shape, self.address, np.int64)
        for d, grid in enumerate(grids):
            at = place[d] + grid
            inside &= (at >= 0) & (at < self.sizes[d])
            address += at * (self.element_bytes if d == 0 else self.strides[d - 1])
        assert shared % 128 == 0, "a message in memory that is not aligned"
        where = shared + np.arange(inside.size).reshape(inside.shape) * self.element_bytes
        where ^= where // 128 % SWIZZLE_ROWS[self.swizzle] * 16
        return inside.reshape(-1), address.reshape(-1), where.reshape(-1)

    def load(self, memory: np.ndarray, place: list[int], target: np.ndarray, shared: int) -> int:
        """Fills a box; zeros outside of the tensor.  Gives its bytes."""
        inside, address, where = self.elements(place, shared)
        for byte in range(self.element_bytes):
            target[where + byte] = np.where(inside, memory[np.where(inside, address, 0) + byte], 0)
        return inside.size * self.element_bytes

    def store(self, memory: np.ndarray, place: list[int], source: np.ndarray, shared: int, kind: str | None) -> None:
        """Writes a box back, or adds it as i32 if `kind` is "add"."""
        inside, address, where = self.elements(place, shared)
        if kind == "add":
            assert self.element_bytes == 4, "only sums of i32 are known here"
            for to, at in zip(address[inside], where[inside], strict=True):
                memory[to : to + 4].view(np.uint32)[0] += source[at : at + 4].view(np.uint32)[0]
            return
        assert kind is None, f"{kind} is not known here"
        for byte in range(self.element_bytes):
            memory[address[inside] + byte] = source[where[inside] + byte]


COPY = re.compile(
    r"cp\.(?:reduce\.)?async\.bulk\.tensor\.(?P<rank>\d)d\.(?:(?P<load>shared::cluster\.global)[\w.:]*?"
    r"(?P<multicast>\.multicast::cluster)?|global\.shared::cta\.(?:(?P<kind>\w+)\.)?bulk_group) .*"
)


def assembly(warp: Any, text: str, mask: np.ndarray, operands: list[np.ndarray]) -> bool:
    """Does what an instruction on tensor maps or by them says; whether it is one.

    warp: a cluster_evaluator.Warp.
    """
    cluster = warp.cluster
    lanes = np.flatnonzero(mask)
    if found := re.match(r"tensormap\.replace\.tile\.(\w+)\.\S+ \[ \$0 \+ 0 \],(?: 0x(\w+),)? (\S+);", text):
        for lane in lanes:
            made = cluster.maps.setdefault((warp.number, int(operands[0][lane])), TensorMap())
            value = int(operands[1][lane]) if found[3].startswith("$") else int(found[3], 16)
            made.set(found[1], int(found[2] or "0", 16), value)
        return True
    if text.startswith("tensormap.cp_fenceproxy"):
        for lane in lanes:
            cluster.maps[int(operands[0][lane])] = deepcopy(cluster.maps[warp.number, int(operands[1][lane])])
        return True
    if text.startswith(("fence.proxy", "fence.mbarrier_init")):
        return True
    if (copy := COPY.fullmatch(text)) is None:
        return False
    rank = int(copy["rank"])
    for lane in lanes:
        values = [int(operand[lane]) for operand in operands]
        if copy["load"]:
            # predicate, shared, map, coordinates, barrier, ctas
            place, barrier = [signed(v) for v in values[3 : 3 + rank]], values[3 + rank]
            ctas = [warp.number]
            if copy["multicast"]:
                ctas = [cta for cta in range(len(cluster.ctas)) if values[4 + rank] >> cta & 1]
            for cta in ctas:
                cluster.later.append((None, load(cluster, cta, values[2], place, values[1], barrier)))
        else:
            place = [signed(v) for v in values[2 : 2 + rank]]
            cluster.later.append((warp, store(warp, values[1], place, values[2 + rank], copy["kind"])))
    return True


def signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


def load(cluster: Any, cta: int, map: int, place: list[int], shared: int, barrier: int) -> Any:
    def run() -> None:
        target = cluster.ctas[cta]
        target.mbarriers[barrier].bytes -= cluster.maps[map].load(cluster.memory, place, target.shared, shared)
        target.mbarriers[barrier].settle()

    return run


def store(warp: Any, map: int, place: list[int], shared: int, kind: str | None) -> Any:
    return lambda: warp.cluster.maps[map].store(warp.cluster.memory, place, warp.cta.shared, shared, kind)
