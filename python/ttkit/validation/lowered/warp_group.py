"""Products of warp groups (wgmma): in flight until threads wait for them, with what they read in shared memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ttkit.interpreter.lowered.ptx_text import Operand
from ttkit.interpreter.lowered.wgmma import SHAPE, matrix_places
from ttkit.validation.booleans import choose
from ttkit.validation.integers import add, number
from ttkit.validation.lowered.assembly import TYPES, Assembly, listed
from ttkit.validation.lowered.bits import as_flag, bits, bytes_of, cast, join
from ttkit.validation.lowered.meanings import ptx
from ttkit.validation.lowered.products import SORTS, elements_of, multiplied
from ttkit.validation.lowered.registers import Register, collapsed, full, mapped, uniform
from ttkit.validation.lowered.shared_memory import WARP
from ttkit.validation.meanings.asynchronous import zero
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

GROUP = 128
TOTALS = {"f32": "f32", "f16": "f16", "s32": "i32"}


def all_run(asm: Assembly) -> None:
    """Raises NotModelled unless all threads are here."""
    what = "a product of warp groups"
    asm.machine.all_here(what)
    if not (asm.guard[0].is_const and asm.guard[0].attr):
        raise NotModelled(f"{what} that some threads do not reach", asm.op)


@ptx("add")
def addition(asm: Assembly, words: list[str], target: Operand, left: Operand, right: Operand) -> None:
    """target = left + right, integers: descriptors of operands.

    Raises:
        NotModelled: the type is another one.
    """
    if len(words) != 2 or words[-1][0] not in "su" or words[-1] not in TYPES:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    size = TYPES[words[-1]]
    asm.assign(target, mapped(add, asm.read(left, size), asm.read(right, size)))


@ptx("wgmma.fence", rest=("sync.aligned",))
def fence(asm: Assembly, words: list[str]) -> None:
    """Products until the next commit may access registers that threads have accessed."""
    all_run(asm)
    asm.fenced = True


@ptx("fence.proxy.async", rest=("", "shared::cta", "shared::cluster"))
def proxy_fence(asm: Assembly, words: list[str]) -> None:
    """Products see what threads have stored in shared memory."""
    all_run(asm)
    asm.machine.state.shared.fence_off()


@ptx("wgmma.commit_group", rest=("sync.aligned",))
def commit(asm: Assembly, words: list[str]) -> None:
    """The products since the last group are one."""
    all_run(asm)
    asm.machine.state.shared.products.close()
    asm.fenced = False


@ptx("wgmma.wait_group", rest=("sync.aligned",))
def wait(asm: Assembly, words: list[str], pending: Operand) -> None:
    """All groups of products but the newest ones are over."""
    all_run(asm)
    shared = asm.machine.state.shared
    over = shared.end_reads(shared.products, uniform(asm.value(pending)).attr)

    def landed(term: Term) -> Term:
        """The result of a product, once it is over."""
        return cast(term.args[0], term.sort) if term.head == "running" and term.attr <= over else term

    asm.registers.update({name: mapped(landed, value) for name, value in asm.registers.items()})


@ptx("wgmma.mma_async.sync.aligned")
def product(
    asm: Assembly, words: list[str], target: Operand, a: Operand, b: Operand, keep: Operand, *flags: Operand
) -> None:
    """target = a * b, plus target if `keep`; an operand is in registers or is a descriptor of shared memory.

    Raises:
        NotModelled: of other types, with a sign, or without the fence of registers in the same assembly.
    """
    all_run(asm)
    machine = asm.machine
    shape, total, left, right = words[4:8]
    found = SHAPE.fullmatch(shape)
    if found is None or total not in TOTALS or not {left, right} <= SORTS.keys():
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    columns, k = int(found[1]), int(found[2])
    in_registers = isinstance(a, tuple)
    given = [uniform(asm.value(flag)).attr for flag in flags]
    transposed = given[2:] if left in ("f16", "bf16") else [0, 0]
    transposed = [0, *transposed] if in_registers and len(transposed) == 1 else transposed
    if any(flag != 1 for flag in given[:2]):
        raise NotModelled("a product with a sign", asm.op)
    keeps = as_flag(uniform(asm.value(keep)))
    kinds, sort = (left, right), TOTALS[total]
    names = listed(target)
    fresh = keeps.is_const and not keeps.attr
    goes_on = not in_registers and not fresh and [asm.registers[one] for one in names] == asm.sums
    if not asm.fenced and not goes_on:
        raise NotModelled("a product accesses registers that threads access, with no wgmma.fence between", asm.op)
    old = [(number(0, "i32"),) if fresh else asm.read(one, 4) for one in names]
    old = [full(one, machine.threads) for one in old]
    per_word, group = 4 // bytes_of(sort), machine.state.shared.products.group
    results: list[list[Term]] = [[] for _ in names]
    for first in range(0, machine.threads, GROUP):
        if in_registers:
            rows = from_registers([full(asm.read(one, 4), machine.threads) for one in listed(a)], first, left, k)
        else:
            rows = tile(asm, a, first, (64, k), left, transposed[0])
        others = tile(asm, b, first, (columns, k), right, transposed[1])
        for thread in range(first, first + GROUP):
            lane, warp = thread % WARP, thread % GROUP // WARP
            for place, made in enumerate(results):
                before = elements_of(started(old[place][thread]), sort)
                parts = []
                for n, c in enumerate(before):
                    i = place * per_word + n
                    row, column = 16 * warp + lane // 4 + 8 * (i // 2 % 2), lane % 4 * 2 + i % 2 + i // 4 * 8
                    c = choose(keeps, c, zero(sort))
                    parts.append(multiplied(rows[row], others[column], c, kinds))
                word = parts[0] if per_word == 1 else join([bits(part) for part in parts])
                made.append(make("running", (word,), group, "i32"))
    asm.sums = [collapsed(made) for made in results]
    asm.registers.update(zip(names, asm.sums))


def started(term: Term) -> Term:
    """The value that a product adds to, which may be what another one is still to make."""
    return term.args[0] if term.head == "running" else term


def from_registers(words: list[Register], first: int, kind: str, k: int) -> list[Term]:
    """The rows of the first operand, 64 x k, from four words of each thread."""
    sort, per_word = SORTS[kind], k // 8
    rows: list[list[Any]] = [[None] * k for _ in range(64)]
    for thread in range(first, first + GROUP):
        lane, warp = thread % WARP, thread % GROUP // WARP
        for i, word in enumerate(words):
            start = lane % 4 * per_word + i // 2 * 4 * per_word
            rows[16 * warp + lane // 4 + 8 * (i % 2)][start : start + per_word] = elements_of(word[thread], sort)
    return [make("row", row, kind, sort) for row in rows]


def tile(asm: Assembly, operand: Operand, first: int, shape: tuple[int, int], kind: str, transposed: int) -> list[Term]:
    """The rows of an operand in shared memory, which the product reads until it is over.

    Raises:
        NotModelled: it is not known which.
    """
    value = full(asm.value(operand), asm.machine.threads)[first : first + GROUP]
    if any(one is not value[0] for one in value) or not value[0].is_const:
        raise NotModelled("a descriptor of a product's operand that is not known", asm.op)
    sort = SORTS[kind]
    size = bytes_of(sort)
    places = matrix_places(value[0].attr & ((1 << 64) - 1), *shape, size, transposed)
    starts = np.asarray(places)[..., 0]
    shared = asm.machine.state.shared
    return [make("row", [cast(shared.claim(int(at), size), sort) for at in row], kind, sort) for row in starts.tolist()]
