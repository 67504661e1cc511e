"""Runs kernels of the llvm dialect on the CTAs of a cluster, warp by warp, each as far as barriers let it.

Warps take turns in an order that a seed gives, so that a result that depends on a missing barrier differs between
orders, or from what is expected.  Within a warp the lanes run in lockstep and branch alike.  Memory is bytes: that of
each CTA, and one global array (pointers to it are places in it).  What hangs is an AssertionError that says who waits
for what.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tma_evaluator
from llvm_evaluator import Evaluation, address, as_bytes, as_signed, dtype_of, shape_of
from mlir import ir

WARP = 32
CTA_SHIFT = 32
"""A pointer to the memory of any CTA: its number from this bit on, one too large so that no pointer is 0."""


@dataclass
class Wait:
    """What a warp waits for: `ready()` holds once it may go on."""

    what: str
    ready: Callable[[], bool]


@dataclass
class Mbarrier:
    """expected: arrivals of a phase; pending: those that are missing; bytes: that are missing; phase: 0 or 1."""

    expected: int
    pending: int
    bytes: int = 0
    phase: int = 0

    def arrive(self, count: int = 1) -> None:
        self.pending -= count
        assert self.pending >= 0, "more arrivals than the phase waits for"
        self.settle()

    def settle(self) -> None:
        if self.pending == 0 and self.bytes == 0:
            self.phase ^= 1
            self.pending = self.expected


@dataclass
class Cta:
    """What the warps of a CTA share.

    arrived, passed: for each barrier the warps that are at it, and how often it was passed.
    """

    shared: np.ndarray
    arrived: dict[int, list[int]] = field(default_factory=dict)
    passed: dict[int, int] = field(default_factory=dict)
    mbarriers: dict[int, Mbarrier] = field(default_factory=dict)

    def meet(self, barrier: int, warp: int, threads: int) -> Wait:
        waiting = self.arrived.setdefault(barrier, [])
        assert warp not in waiting, f"warp {warp} is at barrier {barrier} twice"
        waiting.append(warp)
        turn = self.passed.setdefault(barrier, 0)
        if len(waiting) * WARP == threads:
            self.arrived[barrier] = []
            self.passed[barrier] += 1
        return Wait(f"barrier {barrier} of {threads} threads", lambda: self.passed[barrier] > turn)


class Cluster:
    """A run of a kernel.

    Args:
        ctas: of the cluster.
        shared: bytes of shared memory of each.
        memory: global memory, uint8; arguments that are pointers are places in it.
    """

    def __init__(self, function: ir.OpView, ctas: int, shared: int, memory: np.ndarray) -> None:
        self.function, self.memory = function, memory
        (self.threads,) = function.operation.attributes["nvvm.reqntid"]
        self.ctas = [Cta(np.full(shared, 0xCD, np.uint8)) for _ in range(ctas)]
        self.cluster_arrived: list[tuple[int, int]] = []
        self.cluster_passed = 0
        self.maps: dict[Any, tma_evaluator.TensorMap] = {}
        self.later: list[tuple[Warp | None, Callable[[], None]]] = []  # copies that are under way; who waits for them

    def run(self, arguments: Callable[[int, np.ndarray], list[np.ndarray]], seed: int) -> dict[tuple[int, int], Any]:
        """What each warp returns.

        Args:
            arguments: from a CTA and its threads, an array, to the arguments that these have.
        """
        rng = np.random.default_rng(seed)
        results: dict[tuple[int, int], Any] = {}
        running: dict[tuple[int, int], Iterator[Wait]] = {}
        for cta in range(len(self.ctas)):
            for warp in range(self.threads // WARP):
                threads = np.arange(warp * WARP, (warp + 1) * WARP)
                one = Warp(self, cta, warp, arguments(cta, threads))
                running[cta, warp] = one.turns(results)
        waits: dict[tuple[int, int], Wait | None] = dict.fromkeys(running)
        while running:
            ready = [key for key in running if (wait := waits[key]) is None or wait.ready()]
            if self.later and (not ready or rng.integers(2)):
                self.later.pop(rng.integers(len(self.later)))[1]()
                continue
            assert ready, "all wait: " + "; ".join(f"{key} for {wait and wait.what}" for key, wait in waits.items())
            key = ready[rng.integers(len(ready))]
            try:
                waits[key] = next(running[key])
            except StopIteration:
                del running[key], waits[key]
        for _, copy in self.later:
            copy()
        assert not any(cta.arrived[number] for cta in self.ctas for number in cta.arrived), (
            "a warp was left at a barrier"
        )
        return results

    def arrive(self, key: tuple[int, int]) -> None:
        assert key not in self.cluster_arrived, "a warp arrives at the cluster's barrier twice"
        self.cluster_arrived.append(key)
        if len(self.cluster_arrived) * WARP == self.threads * len(self.ctas):
            self.cluster_arrived = []
            self.cluster_passed += 1


class Own:
    """The shared memory of a warp's own CTA."""

    def __init__(self, warp: "Warp") -> None:
        self.warp = warp

    def load(self, pointer: np.ndarray, size: int) -> np.ndarray:
        return self.warp.load(pointer, "ptr<3>", size)

    def store(self, pointer: np.ndarray, value: np.ndarray, mask: np.ndarray) -> None:
        self.warp.store(pointer, "ptr<3>", value, mask)


class Warp(Evaluation):
    """One warp of a cluster."""

    def __init__(self, cluster: Cluster, cta: int, warp: int, arguments: list[np.ndarray]) -> None:
        self.function, self.threads = cluster.function, WARP
        self.cluster, self.number, self.warp = cluster, cta, warp
        self.cta = cluster.ctas[cta]
        self.values: dict[ir.Value, Any] = dict(zip(self.function.regions[0].blocks[0].arguments, arguments))
        self.cluster_turn = 0
        self.shared = Own(self)

    def turns(self, results: dict[tuple[int, int], Any]) -> Iterator[Wait]:
        """Runs; gives way wherever it must wait."""
        block = self.function.regions[0].blocks[0]
        while True:
            for op in block.operations:
                operation = op.operation
                name = operation.name.removeprefix("llvm.")
                operands = [self.values.get(value) for value in operation.operands]
                if name == "return":
                    results[self.number, self.warp] = operands
                    return
                if name in ("br", "cond_br", "switch"):
                    block = self.branch(operation, name, operands)
                    break
                if (wait := self.wait(operation, name, operands)) is not None:
                    yield wait
                    continue
                with np.errstate(all="ignore"):
                    found = self.step(operation, name, operands)
                if operation.results:
                    self.values[operation.results[0]] = found

    # --- Who waits for whom ---
    def wait(self, op: ir.Operation, name: str, operands: list[Any]) -> Wait | None:
        """What an operation waits for; None if it does not."""
        if name == "nvvm.barrier0":
            return self.cta.meet(0, self.warp, self.cluster.threads)
        if name == "nvvm.barrier":
            return self.cta.meet(int(operands[0][0]), self.warp, int(operands[1][0]))
        if name == "call_intrinsic" and op.attributes["intrin"].value == "llvm.nvvm.barrier.cta.sync.all":
            return self.cta.meet(int(operands[0][0]), self.warp, self.cluster.threads)
        if name in ("nvvm.cluster.arrive", "nvvm.cluster.arrive.relaxed"):
            self.cluster_turn = self.cluster.cluster_passed
            self.cluster.arrive((self.number, self.warp))
            return Wait("nothing", lambda: True)
        if name == "nvvm.cluster.wait":
            turn = self.cluster_turn
            return Wait("the cluster", lambda: self.cluster.cluster_passed > turn)
        if name == "inline_asm" and "waitLoop" in op.attributes["asm_string"].value:
            barrier, phase = self.cta.mbarriers[int(operands[0][0])], int(operands[1][0])
            if len(operands) > 2 and not operands[2].any():
                return Wait("nothing", lambda: True)
            return Wait(f"phase {phase} of the mbarrier at {operands[0][0]}", lambda: barrier.phase != phase)
        if name == "inline_asm" and "bulk.wait_group" in op.attributes["asm_string"].value:
            return Wait("its copies", lambda: all(warp is not self for warp, _ in self.cluster.later))
        return None

    def branch(self, op: ir.Operation, name: str, operands: list[Any]) -> ir.Block:
        if name != "switch":
            return super().branch(op, name, operands)
        flag = operands[0]
        assert (flag == flag[0]).all() and len(operands) == 1, "lanes branch apart"
        mask = (1 << 8 * flag.dtype.itemsize) - 1
        cases = [int(value) & mask for value in op.attributes["case_values"]]
        return op.successors[1 + cases.index(int(flag[0])) if int(flag[0]) in cases else 0]

    # --- Memory ---
    def place(self, pointer: np.ndarray, type: str) -> list[tuple[np.ndarray, int]]:
        """For each lane the memory that its pointer of this type points into, and where."""
        if "ptr<3>" in type:
            return [(self.cta.shared, int(p)) for p in pointer]
        if "ptr<7>" in type:
            mask = (1 << CTA_SHIFT) - 1
            return [(self.cluster.ctas[(int(p) >> CTA_SHIFT) - 1].shared, int(p) & mask) for p in pointer]
        return [(self.cluster.memory, int(p)) for p in pointer]

    def load(self, pointer: np.ndarray, type: str, size: int) -> np.ndarray:
        found = np.zeros((WARP, size), np.uint8)
        for lane, (memory, place) in enumerate(self.place(pointer, type)):
            assert place % min(size, 16) == 0, "a misaligned load"
            assert place + size <= len(memory), "a load behind the end of memory"
            found[lane] = memory[place : place + size]
        return found

    def store(self, pointer: np.ndarray, type: str, value: np.ndarray, mask: np.ndarray | None = None) -> None:
        size = value.shape[1]
        for lane, (memory, place) in enumerate(self.place(pointer, type)):
            if mask is None or mask[lane]:
                assert place % min(size, 16) == 0, "a misaligned store"
                assert place + size <= len(memory), "a store behind the end of memory"
                memory[place : place + size] = value[lane]

    # --- Operations ---
    def step(self, op: ir.Operation, name: str, operands: list[Any]) -> Any:
        types = [str(operand.type) for operand in op.operands]
        if name == "store":
            return self.store(operands[1], types[1], as_bytes(operands[0]))
        if name == "load":
            type = op.results[0].type
            size = int(np.prod(shape_of(type), dtype=int)) * dtype_of(type).itemsize
            return self.load(operands[0], types[0], size).view(dtype_of(type)).reshape(WARP, *shape_of(type))
        if name == "nvvm.read.ptx.sreg.tid.x":
            return np.arange(self.warp * WARP, (self.warp + 1) * WARP, dtype=np.uint32)
        if name == "nvvm.read.ptx.sreg.cluster.ctarank":
            return np.full(WARP, self.number, np.uint32)
        if name.startswith("nvvm.read.ptx.sreg."):
            return np.zeros(WARP, np.uint32)
        if name == "nvvm.mapa":
            assert (operands[1] < len(self.cluster.ctas)).all(), "a CTA that the cluster does not have"
            return operands[0].astype(np.uint64) + (
                (operands[1].astype(np.uint64) + np.uint64(1)) << np.uint64(CTA_SHIFT)
            )
        if name == "nvvm.elect.sync":
            return np.arange(WARP) == 0
        if name in ("nvvm.setmaxregister", "nvvm.cp.async.bulk.commit.group"):
            return None
        if name in ("ptrtoint", "inttoptr", "addrspacecast"):
            return operands[0].astype(dtype_of(op.results[0].type))
        if name in ("urem", "udiv"):
            return (operands[0] % operands[1] if name == "urem" else operands[0] // operands[1]).astype(
                operands[0].dtype
            )
        if name == "sdiv":
            first, second = (as_signed(operand).astype(np.int64) for operand in operands)
            return np.trunc(first / second).astype(np.int64).astype(operands[0].dtype)
        if name == "mlir.zero":
            return np.zeros(WARP, dtype_of(op.results[0].type))
        if name == "getelementptr":
            return address(op, operands)
        return super().step(op, name, operands)

    def assembly(self, op: ir.Operation, operands: list[Any]) -> Any:
        text = op.attributes["asm_string"].value
        types = [str(operand.type) for operand in op.operands]
        guard = re.match(r"@\$(\d+) ", text)
        mask = operands[int(guard[1])] if guard else np.ones(WARP, bool)
        rest = text[guard.end() :] if guard else text
        if tma_evaluator.assembly(self, rest, mask, operands):
            return None
        if found := re.fullmatch(r"mbarrier\.arrive\.expect_tx\.shared::cta\.b64 _, \[\$1\], (\d+);", rest):
            for lane in np.flatnonzero(mask):
                barrier = self.cta.mbarriers[int(operands[1][lane])]
                barrier.bytes += int(found[1])
                barrier.arrive()
            return None
        if found := re.fullmatch(r"st\.(?:shared|global)(?:\.v\d)?\.b\d+ \[ \$(\d+) \+ 0 \], .*", rest):
            pointer = int(found[1])
            value = np.concatenate([as_bytes(word) for word in operands[:pointer]], 1)
            return self.store(operands[pointer], types[pointer], value, mask)
        if rest.startswith("red.shared.add.u32"):
            for lane in np.flatnonzero(mask):
                place = int(operands[0][lane])
                self.cta.shared[place : place + 4].view(np.uint32)[0] += 1
            return None
        if found := re.fullmatch(r"mbarrier\.init\.shared::cta\.b64 \[\$1\], (\d+);", rest):
            for lane in np.flatnonzero(mask):
                self.cta.mbarriers[int(operands[1][lane])] = Mbarrier(int(found[1]), int(found[1]))
            return None
        if found := re.fullmatch(r"mbarrier\.arrive\.shared::cta\.b64 _, \[\$1\], (\d+);", rest):
            for lane in np.flatnonzero(mask):
                self.cta.mbarriers[int(operands[1][lane])].arrive(int(found[1]))
            return None
        if rest.startswith("mbarrier.inval"):
            return None
        if found := re.search(r"atom\.global\.(?:gpu|cta|sys)\.\w+\.add\.(u|f)(32|64) \$0, \[ \$1 \+ 0 \], \$2;", text):
            return self.atomic_add(op, operands, np.dtype(f"{found[1]}{int(found[2]) // 8}"))
        return super().assembly(op, operands)

    def atomic_add(self, op: ir.Operation, operands: list[Any], dtype: np.dtype) -> np.ndarray:
        mask = operands[2] if len(operands) > 2 else np.ones(WARP, bool)
        result = np.zeros(WARP, dtype_of(op.results[0].type))
        for lane in np.flatnonzero(mask):
            place = int(operands[0][lane])
            cell = self.cluster.memory[place : place + dtype.itemsize].view(dtype)
            result[lane] = cell.copy().view(result.dtype)[0]
            cell[0] += operands[1][lane : lane + 1].view(dtype)[0]
        return result
