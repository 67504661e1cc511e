"""Register limits: low enough that more programs run at once, high enough that little is spilled.

ptxas gives each thread of a kernel with dot operations the registers with which one program is fastest.  If these keep
a multiprocessor from running a second program, tensor cores idle while the first one does other work.
Kernels that load much ask in their PTX for several programs at once; they get fewer if that spills.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextvars import copy_context

from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.compiler.load_batches import batches_of_cubin, batches_of_ptx
from ttkit.compiler.ptxas import Cubin, PTXASError, Resources
from ttkit.patterns import pattern
from ttkit.target import NAMED_REGISTERS, REGISTERS, SCHEDULERS, Target, fewest_programs
from ttkit.tuning.registers import (
    CERTAIN_SPILLS,
    FEW_SPILLED,
    FEWER_REGISTERS,
    KEPT_PROGRAMS,
    LEAST_GAIN,
    LEAST_HELD,
    LOADS_TOGETHER,
    MOST_PROGRAMS,
    MOST_SPILLED,
    REGISTER_LIMITS,
    TENSOR_MEMORY_REGISTERS,
)

REGISTERS_AT_ONCE = 8
"""A thread gets a multiple of these."""
THREADS_OF_SCHEDULERS = SCHEDULERS * 32
"""The threads of one warp for each scheduler."""
_THREADS = pattern(r"^\.reqntid (\d+).*$", re.MULTILINE)
_PROGRAMS = pattern(r"^(\.minnctapersm) (\d+)", re.MULTILINE)
_CHOSEN = pattern(r"\.maxnreg|\bsetmaxnreg")
_BARRIER = pattern(r"\bbar(?:rier)?\.sync")
_VALUE = pattern(r"%r\d+")


def with_best_limit(
    made: Cubin, ptx: str, facts: KernelFacts, shared: int, target: Target, assemble: Callable[[str], Cubin]
) -> Cubin:
    """A kernel, with the register limit that suits it best: for more programs at once, or for fewer spills.

    Args:
        made: what ptxas made without a limit.
        facts: of the kernel.
        shared: bytes of shared memory that the kernel is launched with.
    """
    made = with_fewer_programs(made, ptx, assemble)
    if REGISTER_LIMITS.on:
        made = with_unused_registers(made, ptx, assemble)
    if not facts.dots and LOADS_TOGETHER.on:
        made = with_loads_together(made, ptx, shared, target, assemble)
    if facts.register_mmas and REGISTER_LIMITS.on:
        made = with_more_programs(made, ptx, shared, target, assemble)
    tries_less = facts.tcgen5 and TENSOR_MEMORY_REGISTERS.on
    return with_fewer_spills(made, ptx, assemble) if tries_less else made


def assembled_for_programs(ptx: str, assemble: Callable[[str], Cubin]) -> Cubin:
    """Assembles a kernel; where an instruction needs more registers, without the programs at once that it asks for.

    Raises:
        PTXASError: ptxas refuses the text for another reason.
    """
    try:
        return assemble(ptx)
    except PTXASError:
        if len(programs_asked_for(ptx)) != 1:
            raise
    return assemble(_PROGRAMS.sub("", ptx))


def with_fewer_programs(made: Cubin, ptx: str, assemble: Callable[[str], Cubin]) -> Cubin:
    """A kernel that spills too much for as many programs at once as it asks for, with fewer and fewer of them.

    Programs of fewer than four warps ask for many: one may spill nothing, and the next number that is tried leaves each
    of the four schedulers a warp less.  Others that ask for more than MOST_PROGRAMS may spill nothing either, and ask
    for a quarter less next.  Numbers that would spill for certain are passed over.

    Args:
        made: what ptxas made of `ptx`.
    """
    asked = programs_asked_for(ptx)
    if len(asked) != 1 or (threads := threads_to_limit(ptx)) is None:
        return made
    programs = asked[0]
    while True:
        is_many = THREADS_OF_SCHEDULERS // threads > 1 or programs > MOST_PROGRAMS
        if made.resources.spill_stores <= (0 if is_many else FEW_SPILLED):
            return made
        programs = fewer_programs(programs, threads, least_registers(made.resources))
        if not programs:
            return made
        made = assemble(_PROGRAMS.sub(rf"\1 {programs}", ptx))


def with_fitting_programs(ptx: str) -> str:
    """PTX that asks for fewer programs at once where values that outlive a barrier need more registers than they leave.

    ptxas would spill such values for certain, and takes longest where it spills most.  17 of 172 kernels that ask for
    programs have CERTAIN_SPILLS or more and could ask for fewer: all spill more than FEW_SPILLED bytes.  They get the
    number that would be tried next (ptxas 13.0 for sm_90, 2026-11).
    """
    asked = programs_asked_for(ptx)
    if len(asked) != 1 or (threads := threads_to_limit(ptx)) is None:
        return ptx
    registers = rounded(REGISTERS // (threads * max(asked[0], 1)))
    if (outliving := outliving_barriers(ptx)) < CERTAIN_SPILLS * registers:
        return ptx
    fewer = fewer_programs(asked[0], threads, outliving + REGISTERS_AT_ONCE)
    return _PROGRAMS.sub(rf"\1 {fewer}", ptx) if fewer else ptx


def fewer_programs(programs: int, threads: int, least: int) -> int:
    """The next smaller number of programs to ask for that leaves a thread at least so many registers, or all of them.

    0 if there is none: with `fewest_programs` a thread has all registers.
    """
    step, fewest = THREADS_OF_SCHEDULERS // threads, fewest_programs(threads)
    while programs > fewest:
        programs = max(programs - (step if step > 1 else max(programs // 4, 1)), fewest)
        if programs == fewest or rounded(REGISTERS // (threads * programs)) >= least:
            return programs
    return 0


def outliving_barriers(ptx: str) -> int:
    """The most values of 32 bits that PTX has both before and after one of its barriers.

    Addresses do not count: ptxas makes them of a uniform register when it needs them.
    """
    parts = [set[str](_VALUE.findall(part)) for part in _BARRIER.split(ptx)]
    later = [set[str]()]
    for part in reversed(parts[1:]):
        later.append(later[-1] | part)
    before, most = set[str](), 0
    for part in parts:
        before |= part
        most = max(most, len(before & later.pop()))
    return most


def with_unused_registers(made: Cubin, ptx: str, assemble: Callable[[str], Cubin]) -> Cubin:
    """A kernel that spills although a thread has half of its registers left, with a bound under which ptxas uses them.

    ptxas gives up on some large kernels: it takes 32 registers and spills all values.  With any bound, even one that
    each kernel meets, it tries another way.

    Args:
        made: what ptxas made of `ptx`.
    """
    if not spilled(made) or programs_asked_for(ptx) or (threads := threads_to_limit(ptx)) is None:
        return made
    most = min(NAMED_REGISTERS, rounded(REGISTERS // threads))
    if 2 * made.resources.registers > most:
        return made
    return min(made, assemble(with_directive(ptx, ".minnctapersm 1")), key=spilled)


def with_loads_together(made: Cubin, ptx: str, shared: int, target: Target, assemble: Callable[[str], Cubin]) -> Cubin:
    """A kernel whose loops wait for memory more often than they must, with a limit under which they wait less.

    ptxas puts off loads to save registers, even where no more programs run at once for it.  Told how many programs are
    to run, it takes the registers that these leave.  Smaller numbers are asked for too, since the registers that ptxas
    then takes often leave room for more: at least KEPT_PROGRAMS of those that run now.

    Args:
        made: what ptxas made of `ptx`.
        shared: bytes of shared memory that the kernel is launched with.
    """
    if (threads := threads_to_limit(ptx)) is None or spilled(made):
        return made
    if (now := batches_of_cubin(made)).batches < 2:
        return made
    most = target.programs_at_once(threads, shared)
    programs = min(programs_by_registers(ptx, made.resources), most)
    least = batches_of_ptx(ptx).share
    numbers = {programs, programs - programs // 4, programs - programs // 2} - {0, *programs_asked_for(ptx)}
    for asked in sorted(numbers, reverse=True):
        if not least or now.share <= least:
            break
        other = assemble(asking_for(ptx, asked))
        kept, batches = min(programs_by_registers(ptx, other.resources), most), batches_of_cubin(other)
        if not spilled(other) and kept >= KEPT_PROGRAMS * programs and batches.share < now.share:
            made, now = other, batches
    return made


def with_more_programs(made: Cubin, ptx: str, shared: int, target: Target, assemble: Callable[[str], Cubin]) -> Cubin:
    """The kernel with fewer registers, where a multiprocessor then runs more programs of it; else as it is.

    The limits are tried from the highest on, until one costs something: what spills has nothing left to give up, and
    a run of ptxas takes longer the more it spills.  Where ptxas then waits for each wgmma, a second program makes up
    for it, a third one does not.  Attention with D = 64 ran at 0.95 to 1.27 of its speed with two programs in place of
    one (nine kernels).  With three in place of two it ran at 0.81 to 0.95 (three kernels; H200, 2026-11-29).

    Args:
        made: what ptxas made without a limit.
        shared: bytes of shared memory that the kernel is launched with.
    """
    most = 0 if target.has_tensor_memory else MOST_SPILLED  # nobody has measured there what is gained
    best = made
    for limit in register_limits(ptx, made.resources, shared, target):
        try:
            smaller = assemble(limited(ptx, limit))
        except PTXASError:  # an instruction needs more
            break
        if smaller.is_serialized and not made.is_serialized and programs_by_registers(ptx, made.resources) > 1:
            break
        more = smaller.resources.spill_stores - made.resources.spill_stores
        if more <= most:
            best = smaller
        if more > 0:
            break
    return best


def assembled_at_once(texts: Sequence[str], assemble: Callable[[str], Cubin]) -> list[Cubin]:
    """Texts in their order, assembled by as many processes side by side, without those that need more registers.

    Raises:
        Exception: what `assemble` raises of the others.
    """
    found: dict[int, Cubin | Exception] = {}

    def run(number: int) -> None:
        """Assembles a text."""
        try:
            found[number] = assemble(texts[number])
        except Exception as error:
            found[number] = error

    threads = [threading.Thread(target=copy_context().run, args=(run, number)) for number in range(1, len(texts))]
    for thread in threads:
        thread.start()
    if texts:
        run(0)
    for thread in threads:
        thread.join()
    cubins = []
    for number in range(len(texts)):
        made = found[number]
        if isinstance(made, Cubin):
            cubins.append(made)
        elif not isinstance(made, PTXASError):  # that is: an instruction needs more
            raise made
    return cubins


def with_fewer_spills(made: Cubin, ptx: str, assemble: Callable[[str], Cubin]) -> Cubin:
    """A kernel of products in tensor memory that spills, with the limit of registers with which it spills least.

    Loads of tensor memory take up to half of the registers.  What ptxas computes ahead of them, and spills, depends on
    the limit.
    """
    if not spilled(made) or threads_to_limit(ptx) is None:
        return made
    texts = [limited(ptx, limit) for limit in FEWER_REGISTERS]
    return min([made, *assembled_at_once(texts, assemble)], key=spilled)


def least_registers(resources: Resources) -> int:
    """Registers below which a kernel that spills will spill again.

    Those that it has and its places on the stack would hold all, but some values are in several places: of nine kernels
    none came to less than 0.75 of the sum without spills (sm_90a, 2026-11).
    """
    return int(LEAST_HELD * (resources.registers + resources.stack // 4))


def spilled(made: Cubin) -> int:
    """Bytes that a thread stores to local memory and loads from it for want of registers, each instruction once."""
    return made.resources.spill_stores + made.resources.spill_loads


def register_limits(ptx: str, resources: Resources, shared: int, target: Target) -> Iterator[int]:
    """Numbers of registers for a thread to try, the highest first.

    Args:
        resources: what ptxas took without a limit.
        shared: bytes of shared memory that the kernel is launched with.
    """
    threads = threads_to_limit(ptx)
    if threads is None or not resources.registers:
        return
    most = target.programs_at_once(threads, shared)
    programs = programs_by_registers(ptx, resources)
    for more in sorted({programs + 1, min(2 * programs, most)}):
        if programs < more <= most:
            limit = rounded(REGISTERS // (threads * more))
            if more * limit >= LEAST_GAIN * programs * resources.registers:
                yield limit


def programs_by_registers(ptx: str, resources: Resources) -> int:
    """The programs that a multiprocessor has registers for at once; 0 where the kernel's registers are not limited."""
    threads = threads_to_limit(ptx)
    taken = rounded(resources.registers + REGISTERS_AT_ONCE - 1)
    return REGISTERS // (threads * taken) if threads and taken else 0


def threads_to_limit(ptx: str) -> int | None:
    """Threads of a kernel whose registers may be limited; None where its author chose, or there are several kernels."""
    if "maxnreg" in ptx and _CHOSEN.search(ptx):  # `in` is a hundred times as fast, and most texts have none
        return None
    if ptx.count("\n.reqntid ") != 1:
        return None
    found = _THREADS.match(ptx, ptx.index("\n.reqntid ") + 1)
    return int(found[1]) or None if found else None  # ptxas refuses a kernel of 0 threads


def programs_asked_for(ptx: str) -> list[int]:
    """The programs at once that each of the kernels asks for that do."""
    return [int(found[1]) for found in _PROGRAMS.findall(ptx)] if ".minnctapersm" in ptx else []


def rounded(registers: int) -> int:
    """The next lower number of registers that a thread can get."""
    return registers // REGISTERS_AT_ONCE * REGISTERS_AT_ONCE


def limited(ptx: str, registers: int) -> str:
    """PTX whose kernel gets no more registers."""
    return with_directive(ptx, f".maxnreg {registers}")


def asking_for(ptx: str, programs: int) -> str:
    """PTX whose kernel asks for so many programs at once."""
    return with_directive(_PROGRAMS.sub("", ptx), f".minnctapersm {programs}")


def with_directive(ptx: str, directive: str) -> str:
    """PTX whose kernel has one more directive, after its number of threads."""
    return _THREADS.sub(rf"\g<0>\n{directive}", ptx)
