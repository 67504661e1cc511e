"""8x8 matrices between registers and shared memory: ldmatrix and stmatrix (PTX ISA, "Warp-level matrix ...")."""

from __future__ import annotations

import re

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.lowered.cta_shared_memory import SharedMemories
from ttkit.interpreter.lowered.number_types import bytes_of
from ttkit.interpreter.lowered.nvvm_ops import intrinsic
from ttkit.interpreter.lowered.ptx import Assembly, Operand, listed, ptx
from ttkit.interpreter.lowered.threads import WARP, Struct, Threads

Array = np.ndarray


def cells(threads: Threads, transposed: bool) -> list[tuple[Array, Array]]:
    """For each half of a lane's word the row and column of an 8x8 matrix: arrays [P]."""
    lane = threads.thread % WARP
    found = [(lane // 4, lane % 4 * 2 + half) for half in (0, 1)]
    return [(column, row) for row, column in found] if transposed else found


def place(threads: Threads, pointer: Array, matrix: int, row: Array, column: Array) -> Array:
    """For each thread the address of an element of a matrix of its warp, whose rows begin where lanes say."""
    first = np.arange(threads.count) // WARP * WARP
    return pointer[first + 8 * matrix + row] + 2 * column


@intrinsic(r"llvm\.nvvm\.ldmatrix\.sync\.aligned\.m8n8\.x\d(?:\.trans)?\.b16")
def load_matrices(threads: Threads, op: Instruction, pointer: Array) -> Array | Struct:
    """One, two or four matrices; each word has two neighbours of a row, or with trans of a column."""
    threads.whole(WARP)
    count, transposed = re.fullmatch(r".*\.x(\d)(\.trans)?\.b16", op.attributes["intrin"]).groups()
    words, pointer = [], threads.full(pointer)
    for matrix in range(int(count)):
        halves = [
            threads.batch.the(SharedMemories).load(threads, place(threads, pointer, matrix, row, column), 2)
            for row, column in cells(threads, bool(transposed))
        ]
        words.append(np.ascontiguousarray(np.concatenate(halves, 1)).view(np.int32)[:, 0])
    return words[0] if len(words) == 1 else Struct(words)


@ptx("stmatrix.sync.aligned.m8n8")
def store_matrices(asm: Assembly, words: list[str], address: Operand, source: Operand) -> None:
    """Stores matrices, as load_matrices loads them."""
    threads = asm.threads
    threads.whole(WARP)
    if not asm.mask.all() or words[-1] != "b16":
        raise asm.unknown(words)
    pointer = threads.full(asm.address(address))
    for matrix, one in enumerate(listed(source)):
        raw = bytes_of(threads.full(asm.read(one, "b32")))
        for half, (row, column) in enumerate(cells(threads, "trans" in words)):
            where = place(threads, pointer, matrix, row, column)
            threads.batch.the(SharedMemories).store(threads, where, raw[:, 2 * half : 2 * half + 2])
