"""Tensor maps that lowered code writes: a warp makes one in shared memory and copies it to global memory.

While it is made its fields are by its address in shared memory; each change is a store of all its bytes, so that what
threads do to them is ordered.  A copy of a tile sees a map after a fence of the proxy for tensor maps.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any

from ttkit.interpreter.lowered.ptx_text import Operand
from ttkit.validation.lowered.accesses import guarded, known_threads, place
from ttkit.validation.lowered.assembly import Assembly
from ttkit.validation.lowered.meanings import ptx
from ttkit.validation.lowered.registers import full, uniform
from ttkit.validation.lowered.shared_memory import WARP, Stamp
from ttkit.validation.lowered.signals import Map
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled

MAP_BYTES = 128
WORD = 8
SERIAL = itertools.count(1)


@dataclass(frozen=True)
class Draft:
    """A map that is being made in shared memory.

    serial: of its last change, which is what stands in its bytes.
    fields: by name and position.
    """

    serial: int
    fields: tuple[tuple[tuple[str, int], Term], ...]


@dataclass(frozen=True)
class Written:
    """A map in global memory.

    seen: when threads have made it visible to copies.
    """

    map: Map
    seen: tuple[Stamp, ...] = ()


def alone(asm: Assembly) -> int:
    """The one thread that does an instruction.

    Raises:
        NotModelled: several do, or none.
    """
    here = [thread for thread, does in enumerate(known_threads(asm.machine, asm.guard)) if does]
    if len(here) != 1:
        raise NotModelled("an instruction for one thread that others do as well", asm.op)
    return here[0]


def first_warp(asm: Assembly) -> list[int]:
    """The threads of the one warp that does an instruction.

    Raises:
        NotModelled: others do it, or it depends on more than the thread.
    """
    here = [thread for thread, does in enumerate(known_threads(asm.machine, asm.guard)) if does]
    if len(here) != WARP or here != list(range(here[0], here[0] + WARP)) or here[0] % WARP:
        raise NotModelled("an instruction for one warp that other threads do", asm.op)
    return here


WIDE = ("global_address", "global_stride")
"""Fields of 64 bits."""


@ptx("tensormap.replace.tile")
def replace_field(asm: Assembly, words: list[str], address: Operand, *rest: Operand) -> None:
    """A field of the map in shared memory.

    Raises:
        NotModelled: the memory was not zero before, or the field has another size.
    """
    if words[4:] != ["shared::cta", "b1024", "b64" if words[3] in WIDE else "b32"]:
        raise NotModelled(f"inline assembly that is not modelled: {'.'.join(words)}", asm.op)
    thread, shared = alone(asm), asm.machine.state.shared
    at = place(full(asm.address(address), asm.machine.threads)[thread])
    position = int(str(rest[0]), 0) if len(rest) == 2 else -1
    value = full(asm.value(rest[-1]), asm.machine.threads)[thread]
    draft = shared.drafts.get(at)
    fields = dict(draft.fields) if draft is not None and holds(shared, thread, at, draft) else {}
    if not fields and not is_empty(shared, thread, at):
        raise NotModelled("a tensor map that is made where its memory is not zero", asm.op)
    fields[words[3], position] = value
    made = Draft(next(SERIAL), tuple(fields.items()))
    shared.store([(thread, at + n * WORD, word_of(made, n)) for n in range(MAP_BYTES // WORD)])
    shared.drafts[at] = made


def word_of(draft: Draft, n: int) -> Term:
    """The term that stands in a word of a map."""
    return make("call", (), ("tensor map", draft.serial, n), "i64")


def holds(shared: Any, thread: int, at: int, draft: Draft) -> bool:
    """Whether a thread finds a map as it was made last."""
    found = [shared.load(thread, at + n * WORD, WORD) for n in range(MAP_BYTES // WORD)]
    return all(one is word_of(draft, n) for n, one in enumerate(found))


def is_empty(shared: Any, thread: int, at: int) -> bool:
    """Whether a thread finds zeros."""
    found = [shared.load(thread, at + n, 4) for n in range(0, MAP_BYTES, 4)]
    return all(one.is_const and not one.attr for one in found)


@ptx("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned", rest=("",))
def publish(asm: Assembly, words: list[str], target: Operand, source: Operand, size: Operand) -> None:
    """The map is in global memory; its threads synchronize before.

    Raises:
        NotModelled: it overlaps another one, or it is not whole.
    """
    state, warp = asm.machine.state, first_warp(asm)
    state.shared.synchronize(warp[0] // WARP)
    at, pointer = place(uniform(asm.address(source))), uniform(asm.address(target))
    draft = state.shared.drafts.get(at)
    if draft is None or not all(holds(state.shared, thread, at, draft) for thread in warp):
        raise NotModelled("a tensor map that is not as it was made", asm.op)
    if uniform(asm.value(size)).attr != MAP_BYTES:
        raise NotModelled("a part of a tensor map", asm.op)
    state.maps[pointer] = Written(map_of(asm, dict(draft.fields)))


def map_of(asm: Assembly, fields: dict[tuple[str, int], Term]) -> Map:
    """The fields of a map.

    Raises:
        NotModelled: one is not set, or not known.
    """
    try:
        rank = number_in(asm, fields.pop(("rank", -1))) + 1
        base = fields.pop(("global_address", -1))
        names = ("elemtype", "interleave_layout", "swizzle_mode", "fill_mode")
        codes = tuple(number_in(asm, fields.pop((name, -1))) for name in names)
        lists = [
            tuple(fields.pop((name, n)) for n in range(count))
            for name, count in (
                ("box_dim", rank), ("global_dim", rank), ("global_stride", rank - 1), ("element_stride", rank)
            )
        ]  # fmt: skip
    except KeyError as error:
        raise NotModelled(f"a tensor map without its field {error.args[0][0]}", asm.op) from None
    if fields:
        raise NotModelled(f"a tensor map with a field of another rank: {next(iter(fields))[0]}", asm.op)
    box, sizes, strides, steps = lists
    return Map(base, box, sizes, strides, steps, (codes[0], codes[1], codes[2], codes[3]))


def number_in(asm: Assembly, term: Term) -> int:
    """A field that must be known.

    Raises:
        NotModelled: it is not.
    """
    if not term.is_const:
        raise NotModelled("a field of a tensor map that is not known", asm.op)
    return int(term.attr)


@ptx("fence.proxy.tensormap::generic.acquire.gpu", rest=("",))
def acquire(asm: Assembly, words: list[str], address: Operand, size: Operand) -> None:
    """Copies of whoever comes after see the map.

    Raises:
        NotModelled: none has been written there.
    """
    state, warp = asm.machine.state, first_warp(asm)
    pointer = uniform(asm.address(address))
    found = state.maps.get(pointer)
    if not isinstance(found, Written) or uniform(asm.value(size)).attr != MAP_BYTES:
        raise NotModelled("a fence for a tensor map that is not there", asm.op)
    state.maps[pointer] = replace(found, seen=(state.shared.stamp(warp[0]), state.shared.stamp(warp[1])))


def electable(asm: Assembly) -> dict[int, tuple[tuple[int, int], Term]]:
    """By a thread that an instruction may be of: the lanes that may be elected for it, and its condition."""
    here = full(guarded(asm.machine, asm.guard), asm.machine.threads)
    found = {}
    for thread, condition in enumerate(here):
        if not (condition.is_const and not condition.attr):
            lane = thread - thread % WARP
            found[thread] = ((lane, lane + 1), condition)
    return found
