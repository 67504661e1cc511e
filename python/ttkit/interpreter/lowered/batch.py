"""Programs that run together, and what belongs to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ttkit.interpreter.decode import Function, Instruction, Module
from ttkit.interpreter.memory.global_memory import Memory

T = TypeVar("T")


class Batch:
    """Programs that run together, each a CTA or a cluster of them.

    Args:
        module: the decoded module.
        memory: global memory.
        grid: number of programs along x, y, z.
        programs: int64, linear indices of the programs of this batch.
        shape: CTAs of a program, threads of a CTA.
        shared_bytes: of shared memory of a CTA.
        order: draws turns; None to run as many threads together as possible.
    """

    def __init__(
        self,
        module: Module,
        memory: Memory,
        grid: tuple[int, int, int],
        programs: np.ndarray,
        shape: tuple[int, int],
        shared_bytes: int,
        options: Any,
        order: np.random.Generator | None = None,
    ) -> None:
        self.module, self.memory, self.grid, self.options, self.order = module, memory, grid, options, order
        self.ctas_of_program, self.threads_of_cta = shape
        self.shared_bytes = shared_bytes
        self.clock = 0
        """How often a clock was read: all that passes here."""
        self.ctas = programs.size * self.ctas_of_program
        self.threads = self.ctas * self.threads_of_cta
        rows = np.arange(self.threads)
        self.cta, self.thread = rows // self.threads_of_cta, rows % self.threads_of_cta
        self.program = programs[self.cta // self.ctas_of_program]
        self._parts: dict[Callable[[Batch], Any], Any] = {}
        self.later: list[Callable[[], None]] = []
        """Work that ends at some time, or when nobody can go on without."""
        self.products: dict[int, list[Any]] = {}
        """By warp group: its groups of products, the last one still open (wgmma.py)."""
        self.under_way: dict[int, list[Any]] = {}
        """By thread: products and copies to tensor memory that it has started and not committed (tcgen5.py)."""
        self.commits: dict[int, list[Any]] = {}
        """By thread: its pending commits, the oldest first."""
        self.stacks: list[np.ndarray] = []
        """The memory of each llvm.alloca: uint8 [threads, bytes]."""
        self.results: tuple[Any, ...] = ()
        self.progress = 0
        """Grows whenever an operation is done."""

    def the(self, kind: Callable[[Batch], T]) -> T:
        """The batch's own memories, barriers or copies, made when something first asks for them: `the(Barriers)`."""
        found = self._parts.get(kind)
        if found is None:
            found = self._parts[kind] = kind(self)
        return found

    def defined(self, op: Instruction) -> Function | None:
        """The function that a call enters; None if the module has only its declaration."""
        function = self.module.functions.get(op.attributes.get("callee", ""))
        return function if function is not None and function.body is not None else None
