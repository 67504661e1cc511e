"""The verdict on the lowering of a function: what all threads do is what the kernel does."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from ttkit.interpreter.decode import Function, Module
from ttkit.validation.booleans import truth
from ttkit.validation.lowered.alignment import Alignment
from ttkit.validation.lowered.arrivals import State
from ttkit.validation.lowered.background_reads import Log
from ttkit.validation.lowered.buffers import bytes_in
from ttkit.validation.lowered.combining import all_combined
from ttkit.validation.lowered.early_leave import ways_of
from ttkit.validation.lowered.effects import Effects
from ttkit.validation.lowered.groups import MEETINGS, OF_LEAVING, Meetings, check_apart
from ttkit.validation.lowered.invariants import walked
from ttkit.validation.lowered.kernel_groups import Groups
from ttkit.validation.lowered.lowered_loops import Again
from ttkit.validation.lowered.machine import Machine
from ttkit.validation.lowered.normal_forms import Equality
from ttkit.validation.lowered.order import Unordered
from ttkit.validation.lowered.products import kinds_in
from ttkit.validation.lowered.promises import check_stated
from ttkit.validation.lowered.registers import Register, Struct, Vector
from ttkit.validation.lowered.relation import Relation
from ttkit.validation.lowered.shared_memory import Race, SharedMemory
from ttkit.validation.lowered.source import arguments_of
from ttkit.validation.terms import MEMORY, Session, Term, make
from ttkit.validation.values import Descriptor, NotModelled, parts_of

SECONDS = 120.0
PROMISES = "\0promises"
"""The attribute of a decoded module that names an operation that promises not to wrap; empty if there is none."""


def lowering_difference(before: Module, after: Module, name: str) -> tuple[str, tuple[str, ...]]:
    """Why the lowering of a function is not proved, empty if it is; and the kinds of rounding.

    Args:
        before, after: the module in ttg, with allocated shared memory, and in the llvm dialect.
    """
    with Session():
        try:
            machine = run_both(before, after, name)
        except NotModelled as error:
            return str(error), ()
        except RecursionError:
            return "its terms are too deep", ()
        return "", tuple(sorted(machine.relation.equality.rounding))


def run_both(before: Module, after: Module, name: str) -> Machine:
    """The machine after all threads have done what the kernel does.

    Raises:
        NotModelled: they do something else, or something has no meaning here.
    """
    old, new = before.functions[name], after.functions[name]
    if wraps := after.attributes.get(PROMISES, "an operation"):
        raise NotModelled(f"{wraps}: promises to LLVM that integers or addresses do not wrap")
    check_stated(before, after, name)
    ways = ways_of(old, new)
    if ways is None:
        return run_way(before, after, old, new)
    (stays, going_on), (leaves, leaving) = ways
    machine = run_way(before, after, stays, going_on)
    run_way(before, after, leaves, leaving, machine.source.groups)
    return machine


def run_way(before: Module, after: Module, old: Function, new: Function, left: Groups | None = None) -> Machine:
    """The machine after all threads have done what the kernel does.

    Args:
        left: groups that the kernel has where programs do not leave before these begin, as they do here.

    Raises:
        NotModelled: they do something else, or something has no meaning here.
    """
    threads = threads_of(before)
    arguments = arguments_of(old)
    divisors = divisors_of(old, arguments)
    source = walked(before, old, arguments, threads, divisors)
    if left is not None:
        each = [replace(group, path=truth(True)) for group in left.each]
        source.groups = Groups((), source.state.memory, source.context, each=each)
    groups = source.groups
    check_threads(new, total_threads(before, threads, groups))
    machines: list[Machine] = []
    meetings, deadline = Meetings(count=MEETINGS if left is None else OF_LEAVING), time.thread_time() + SECONDS
    equality = Equality()
    for function in after.functions.values():
        if function.body is not None:
            equality.products.kinds |= kinds_in(function)
    for group in [None] if groups is None else groups.each:
        count = threads if group is None else group.threads
        relation = Relation(count, source.conditions, equality)
        machine = Machine(after, source, Effects(source), relation, count, Alignment(divisors, source))
        machine.shared_bytes, machine.deadline = int(after.attributes.get("ttg.shared", 0)), deadline
        machine.group, machine.meetings = group, meetings
        if groups is not None:
            machine.common = frozenset(at for one in groups.shared for at in bytes_in(source.buffers[one]))
        machines.append(followed(machine, new, arguments, divisors))
    if groups is not None:
        check_apart(machines, source)
    return machines[0]


def followed(machine: Machine, function: Function, arguments: list[Any], divisors: dict[int, int]) -> Machine:
    """The machine after all threads of a program or a group have done what the kernel does.

    Raises:
        NotModelled: they do something else, or something has no meaning here.
    """
    source, relation, group = machine.source, machine.relation, machine.group
    orders: dict[Term, Term] = {}
    for results, others in all_combined(source.combined, relation.equality.of_kernel, machine.threads):
        relation.equality.kernel.update(results)
        orders |= others
    left: dict[Any, Unordered] = {}
    has_tensors = any(op.name == "ttng.tmem_alloc" for op in source.buffers.values())
    touches: dict[Any, Any] | None = {} if has_tensors else None  # barriers are where they are needed alone
    used: set[Any] = set()
    flights: dict[Any, Any] = {}
    computed: dict[Any, Any] = {}
    while True:
        machine = replace(machine, effects=Effects(source), alignment=Alignment(divisors, source), met=0, gathered=0,
                          found={}, taken={}, maps={}, tiles={}, reported={}, frame={},
                          registers=source.registers)  # fmt: skip
        machine.left, machine.orders, machine.touches = left, orders, touches
        machine.used, machine.flights, machine.computed = used, flights, computed
        try:
            shared = SharedMemory(machine.shared_bytes)
            first = make("memory", (), None if group is None or not group.number else ("idle", group.number), MEMORY)
            if group is not None:
                shared.log = machine.meetings.logs[group.number] = Log()
            state = machine.run(
                function, list(given(function, arguments)), State(first, shared, maps=given_maps(arguments))
            )
        except Again:
            left = left | machine.found
            continue
        except Race:
            if touches is None and source.heads:
                touches = {}  # take less than that iterations begin when anything may have been touched
                continue
            raise
        if state.shared.columns and (group is None or not group.number):
            raise NotModelled("tensor memory that is not given back", machine.current)
        if state.memory is not source.state.memory and (group is None or not group.number):
            missing = [pending.missing() for pending in machine.effects.pending.values() if pending.left]
            next_one = next((one for one in machine.source.events if one.before is state.memory), None)
            raise NotModelled(
                missing[0] if missing else "not all that the kernel writes is written", next_one and next_one.op
            )
        if all(found == machine.taken[key][1] for key, found in machine.found.items()):
            return machine
        left = machine.found  # what iterations leave is more than was taken, and never less


def total_threads(module: Module, threads: int, groups: Groups | None) -> int:
    """The threads of all groups, or of a program without.

    Raises:
        NotModelled: a warp is in none of them, or in several.
    """
    total = int(module.attributes.get("ttg.total-num-warps", threads // 32))
    ranges = [(0, threads)] if groups is None else [(group.first, group.threads) for group in groups.each]
    warps = [first // 32 + n for first, count in ranges for n in range(count // 32)]
    if sorted(warps) != list(range(total)):
        raise NotModelled("a warp that is in none of the groups, or in several")
    return 32 * total


def threads_of(module: Module) -> int:
    """Threads of a program, or of its first group.

    Raises:
        NotModelled: of several CTAs, or of warps of other sizes.
    """
    attributes = module.attributes
    if attributes.get("ttg.num-ctas", 1) != 1 or attributes.get("ttg.threads-per-warp", 32) != 32:
        raise NotModelled("programs of several CTAs, or warps of another size")
    if "ttg.num-warps" not in attributes:
        raise NotModelled("a module that does not say how many warps a program has")
    return 32 * int(attributes["ttg.num-warps"])


def check_threads(function: Function, threads: int) -> None:
    """Raises NotModelled if a function is for another number of threads."""
    if tuple(function.attributes.get("nvvm.reqntid", (threads,))) != (threads,):
        raise NotModelled("lowered code for another number of threads")


def divisors_of(function: Function, arguments: list[Any]) -> dict[int, int]:
    """By the number of an argument, a power of two that is known to divide it; those of numbers are in their terms."""
    known = {}
    for place, attributes in enumerate(function.argument_attributes):
        divisor = int(attributes.get("tt.divisibility", 1))
        term = arguments[place]
        is_pointer = isinstance(term, Term) and function.argument_types[place].pointee is not None
        if is_pointer and divisor > 0 and divisor & (divisor - 1) == 0:
            known[term.attr] = divisor
    return known


def given(function: Function, arguments: list[Any]) -> list[Register | Vector | Struct]:
    """The arguments of lowered code: those of the kernel, and pointers to scratch memory.

    Raises:
        NotModelled: it takes others.
    """
    assert function.body is not None
    count = len(function.body.blocks[0].arguments)
    if count != len(arguments) + function.scratch_pointers:
        raise NotModelled("the lowered function takes other arguments")
    parts = sum(len(parts_of(one)) for one in arguments)
    scratch = (make("argument", (), parts + n, "i64") for n in range(count - len(arguments)))
    return [
        (one if isinstance(one, Term) else make("argument", (), ("map", place), "i64"),)
        for place, one in enumerate((*arguments, *scratch))
    ]


def given_maps(arguments: list[Any]) -> dict[Term, Any]:
    """The descriptors that are arguments, by the pointer to them."""
    return {
        make("argument", (), ("map", place), "i64"): one
        for place, one in enumerate(arguments)
        if isinstance(one, Descriptor)
    }
