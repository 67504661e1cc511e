"""Resources of a compiled kernel that are known without a run: registers, occupancy, instructions, the GPU's roofs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ttkit.runtime.stand_in import registers_of, stack_bytes_of
from ttkit.target import MOST_THREADS, REGISTERS, RESERVED_SHARED_BYTES, Target

REGISTERS_AT_ONCE = 256
"""A warp gets a multiple of these."""
_PROGRAMS = {75: 16, 86: 16, 87: 16, 89: 24, 120: 24, 121: 24}
"""Capability -> programs that a multiprocessor runs at once; elsewhere 32."""
_CLASSES = (
    ("tensor cores", r"wgmma\.mma_async|mma\.sync|mma\.sp|tcgen05\.mma"),
    ("asynchronous copies", r"cp\.async(?!\.(?:wait|commit))|cp\.reduce"),
    ("global memory", r"(?:ld|st|atom|red)\.(?:\w+\.)*global"),
    ("shared memory", r"(?:ld|st|atom|red)\.(?:\w+\.)*shared|ldmatrix|stmatrix"),
    ("local memory", r"(?:ld|st)\.local"),
    (
        "barriers and waits",
        r"bar\.|barrier|mbarrier|fence|cp\.async\.(?:wait|commit)|wgmma\.(?:wait|commit|fence)|membar",
    ),
    ("shuffles", r"shfl|redux|vote|match"),
    ("special functions", r"(?:ex2|lg2|rcp|sqrt|rsqrt|sin|cos|tanh|div\.(?:full|approx|rn)\.f)"),
    ("floating point", r"(?:fma|add|sub|mul|min|max|neg|abs|setp|selp)\.(?:\w+\.)*(?:f16|bf16|f32|f64)"),
    ("conversions", r"cvt|prmt"),
    ("branches", r"bra|call|ret|exit"),
)
"""Classes of PTX's instructions; whatever fits none is integer arithmetic and moves."""
_INSTRUCTION = re.compile(r"^\s+(?:@!?%\w+\s+)?([a-z][\w.:]*)", re.MULTILINE)
OTHER = "integers and moves"


class DataSheet(NamedTuple):
    """The roofs of a GPU as NVIDIA states them.

    gpu: its name.  bandwidth: bytes a second of its memory.  products: operations a second of dense f16 products on
    tensor cores.  arithmetic: f32 operations a second without them.
    """

    gpu: str
    bandwidth: float
    products: float
    arithmetic: float


DATA_SHEETS = {
    75: DataSheet("T4", 320e9, 65e12, 8.1e12),
    80: DataSheet("A100 SXM 80 GB", 2039e9, 312e12, 19.5e12),
    86: DataSheet("RTX 3090", 936e9, 71e12, 35.6e12),
    89: DataSheet("RTX 4090", 1008e9, 165.2e12, 82.6e12),
    90: DataSheet("H100 SXM", 3350e9, 989.4e12, 66.9e12),
    100: DataSheet("B200", 8000e9, 2250e12, 75e12),
    120: DataSheet("RTX 5090", 1792e9, 209.5e12, 104.8e12),
}
"""By compute capability: one GPU of each."""


@dataclass(frozen=True)
class Occupancy:
    """Programs that a multiprocessor runs at once.

    limits: {what limits: programs that it admits}.
    warps, most_warps: of all these programs; of a multiprocessor.
    """

    limits: Mapping[str, int]
    warps: int
    most_warps: int

    @property
    def programs(self) -> int:
        """The programs that all limits admit."""
        return min(self.limits.values())

    @property
    def limited_by(self) -> list[str]:
        """The limits that are met first."""
        return [name for name, admitted in self.limits.items() if admitted == self.programs]

    @property
    def share(self) -> float:
        """Warps by the most that a multiprocessor has."""
        return self.warps / self.most_warps


@dataclass(frozen=True)
class KernelResources:
    """Resources of a kernel.

    registers: of a thread.  stack: bytes of a thread in local memory, which spills take.  shared: bytes of a program.
    threads: of a program.  mix: instructions in PTX by class, the largest class first; a loop's count once.
    capability: of the GPU that it is compiled for.
    """

    registers: int
    stack: int
    shared: int
    threads: int
    occupancy: Occupancy
    mix: Mapping[str, int]
    capability: int


def resources_of(ptx: str, cubin: bytes, metadata: Mapping[str, Any], capability: int) -> KernelResources:
    """The resources of a kernel.

    Args:
        metadata: with `shared` in bytes, and `num_warps`.

    Raises:
        ValueError: the cubin is damaged.
    """
    found = re.search(r"^\.reqntid (\d+)", ptx, re.MULTILINE)
    threads = int(found[1]) if found else 32 * int(metadata["num_warps"])
    registers, shared = registers_of(cubin), int(metadata["shared"])
    return KernelResources(
        registers,
        stack_bytes_of(cubin),
        shared,
        threads,
        occupancy_of(registers, shared, threads, capability),
        instruction_mix(ptx),
        capability,
    )


def occupancy_of(registers: int, shared: int, threads: int, capability: int) -> Occupancy:
    """Programs that a multiprocessor runs at once.

    Args:
        registers: of a thread.
        shared: bytes of shared memory of a program.
        threads: of a program.
    """
    target = Target(capability)
    warps, most_warps = -(-threads // 32), MOST_THREADS.get(capability, 2048) // 32
    of_warp = max(REGISTERS_AT_ONCE, -(-32 * registers // REGISTERS_AT_ONCE) * REGISTERS_AT_ONCE)
    limits = {
        "registers": REGISTERS // (of_warp * warps),
        "shared memory": (target.shared_bytes + RESERVED_SHARED_BYTES) // (shared + RESERVED_SHARED_BYTES),
        "warps": most_warps // warps,
        "programs": _PROGRAMS.get(capability, 32),
    }
    return Occupancy(limits, min(limits.values()) * warps, most_warps)


def instruction_mix(ptx: str) -> dict[str, int]:
    """Instructions in PTX by class, the largest class first."""
    body = ptx.partition("\n{")[2]
    counts: Counter[str] = Counter()
    for opcode in _INSTRUCTION.findall(body):
        counts[next((name for name, pattern in _CLASSES if re.match(pattern, opcode)), OTHER)] += 1
    return dict(counts.most_common())
