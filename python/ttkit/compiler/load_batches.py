"""Batches of loads in a kernel's loops: how often an iteration waits for global memory.

    ld.global %r1 ...   }                       LDG R4    }                   LDG R4    first batch
    ld.global %r2 ...   } one batch in PTX      LDG R8    } one in SASS       FADD R4   waits
    add.f32 %r3, %r1, %r2                       FADD R4   waits               LDG R8    second batch

Loads of a batch are in flight together.  A load after the use of an earlier one is a batch of its own, and an iteration
waits for each batch for as long as global memory takes.  To save registers, ptxas puts off loads that its input has
together.

The instructions of a cubin have 128 bits from sm_70 on: 12 of opcode, and near the end which of six scoreboards an
instruction sets, and for which it waits.  Source: Z. Jia, M. Maggioni, B. Staiger, D. P. Scarpazza, "Dissecting the
NVIDIA Volta GPU architecture via microbenchmarking", 2018, chapter 2.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ttkit.patterns import pattern

INSTRUCTION_BYTES = 16
OPCODE = 0xFFF
LOAD, BRANCH = 0x981, 0x947
NO_SCOREBOARD = 7

_LOADED = pattern(r"\bld\.global\S*\s+(\{[^}]*\}|%\w+)\s*,")
_BRANCH = pattern(r"\bbra(?:\.uni)?\s+(\$\w+)")
_ORDERS = pattern(r"(?:@!?%\w+\s+)?(?:st\.global|red\.|atom\.|bar\.|barrier\.|membar|fence)")
_RESULTS = pattern(r"(?:@!?%\w+\s+)?[a-z][\w.:]*\s+(\{[^}]*\}|%\w+(?:\|%\w+)?)\s*,")
_REGISTER = pattern(r"%\w+")


class Batches(NamedTuple):
    """Loads of global memory in the innermost loops of a kernel, and into how many batches they fall."""

    loads: int = 0
    batches: int = 0

    @property
    def share(self) -> float:
        """Batches for a load: unrolling a loop does not change it.  0 without loads."""
        return self.batches / self.loads if self.loads else 0.0


class Step(NamedTuple):
    """One instruction: whether it loads, and whether it waits for loads that are in flight."""

    loads: bool
    waits: bool


def innermost_loops(jumps: Iterable[tuple[int, int | None]]) -> list[tuple[int, int]]:
    """The first and the last place of each loop without loops in it, of (place of a jump, its target).

    A loop is what a jump back encloses.
    """
    loops = [(target, place) for place, target in jumps if target is not None and target < place]
    return [
        (first, last)
        for first, last in loops
        if not any(first <= start and end <= last and (start, end) != (first, last) for start, end in loops)
    ]


def batches_of_ptx(ptx: str) -> Batches:
    """The least batches of loads in the innermost loops of PTX.

    A load has to wait for those on which its address or predicate depends, and for all before a barrier or a write.
    """
    lines = [line.partition("//")[0].strip() for line in ptx.splitlines()]
    labels = {line[:-1]: place for place, line in enumerate(lines) if line.endswith(":")}
    branches = [(place, branch[1]) for place, line in enumerate(lines) if (branch := _BRANCH.search(line))]
    loads = batches = 0
    for first, last in innermost_loops((place, labels.get(label)) for place, label in branches):
        depths = _depths_of_loads(lines[first : last + 1])
        loads, batches = loads + len(depths), batches + len(set(depths))
    return Batches(loads, batches)


def _depths_of_loads(lines: Iterable[str]) -> list[int]:
    """For each load of a loop's PTX, on how many loads of an iteration one after the other it depends, plus 1."""
    found: list[int] = []
    depths: dict[str, int] = {}
    floor = 0
    for line in lines:
        if _ORDERS.match(line):
            floor = max(found, default=0)
        load = _LOADED.search(line)
        results = load or _RESULTS.match(line)
        if results is None:
            continue
        made = _REGISTER.findall(results[1])
        depth = max((depths.get(name, 0) for name in _REGISTER.findall(line) if name not in made), default=0)
        if load:
            depth = max(depth, floor) + 1
            found.append(depth)
        depths.update(dict.fromkeys(made, depth))
    return found


def batches_of_cubin(cubin: bytes) -> Batches:
    """The batches of loads in the loops of a cubin's functions; none where `cubin` is not an ELF file."""
    loads = batches = 0
    for code in functions_of_cubin(cubin):
        words = struct.unpack(f"<{len(code) // 8}Q", code)
        loops = [loop for loop in innermost_loops(_jumps(words)) if _has_loads(words, *loop)]
        steps = list(_steps(words)) if loops else []
        for first, last in loops:
            waited = True
            for step in steps[first : last + 1]:
                waited = waited or step.waits
                if step.loads:
                    loads, batches, waited = loads + 1, batches + waited, False
    return Batches(loads, batches)


def functions_of_cubin(cubin: bytes) -> Iterable[bytes]:
    """The code of each function in a cubin, an ELF file of 64 bits."""
    if cubin[:4] != b"\x7fELF" or len(cubin) < 64:
        return
    (start,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", cubin, start + number * size) for number in range(count)]
    for name, _, _, _, offset, length in headers:
        if cubin[headers[names][4] + name :].startswith(b".text."):
            yield cubin[offset : offset + length // INSTRUCTION_BYTES * INSTRUCTION_BYTES]


def _jumps(words: Sequence[int]) -> list[tuple[int, int]]:
    """The place of each jump and its target.  words: the lower and the upper half of each instruction."""
    places = [place for place, low in enumerate(words[::2]) if low & OPCODE == BRANCH]
    return [
        (place, place + 1 + _distance(words[2 * place], words[2 * place + 1]) // INSTRUCTION_BYTES) for place in places
    ]


def _has_loads(words: Sequence[int], first: int, last: int) -> bool:
    return any(low & OPCODE == LOAD for low in words[2 * first : 2 * last + 2 : 2])


def _steps(words: Sequence[int]) -> Iterator[Step]:
    in_flight: set[int] = set()
    for low, high in zip(words[::2], words[1::2]):
        sets, waits_for = high >> 46 & 7, high >> 52 & 0x3F
        done = {board for board in in_flight if waits_for >> board & 1}
        in_flight -= done
        loads = low & OPCODE == LOAD
        if loads and sets != NO_SCOREBOARD:
            in_flight.add(sets)
        yield Step(loads, bool(done))


def _distance(low: int, high: int) -> int:
    """Bytes from the end of a branch to its target: a number with a sign, in words of four bytes, in two fields."""
    upper = low >> 34 | (high & 0x3FFFF) << 30
    upper -= upper >> 47 << 48
    return (upper << 8 | low >> 16 & 0xFF) << 2
