"""Findings about a kernel, with advice and the page of the docs that has more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.context import Context, parse_text
from ttkit.profiler.resources import DATA_SHEETS, DataSheet, KernelResources, resources_of
from ttkit.profiler.roofs import Roofs
from ttkit.runtime.stand_in import MULTIPROCESSORS
from ttkit.sanitizer.source_lines import sites
from ttkit.visualize.coalescing import SECTOR
from ttkit.visualize.recording import Event, LaunchRecord
from ttkit.why.costs import layout_costs
from ttkit.why.loops import Loops, loops_of
from ttkit.why.times import Times
from ttkit.why.watching import Seen, Watched

FEW_WARPS, POOR_SECTORS, MANY_CONFLICTS = 0.25, 0.8, 1.5
"""Advice is given below this share of warps, below this share of needed sectors, above this many wavefronts for one."""


@dataclass(frozen=True)
class Finding:
    """One fact about a kernel.

    section: what it is about.  text: the fact.  place: the line of the kernel; empty if it is about all of it.
    advice: what to do; empty if the fact costs no time.  link: a page in docs/.
    """

    section: str
    text: str
    place: str = ""
    advice: str = ""
    link: str = ""


@dataclass
class Explained:
    """A kernel and its findings, in the order of the page."""

    name: str
    title: str
    findings: list[Finding] = field(default_factory=list)


def explain(watched: Watched, times: Times | None) -> list[Explained]:
    """The findings about each kernel of a script; of a kernel that was compiled several times, about each variant.

    Args:
        times: of the script on a GPU; None if they were not measured.
    """
    return [
        _explained(seen, [one for one in watched.record.launches if one.kernel == seen.name], times)
        for seen in watched.kernels
    ]


def _explained(seen: Seen, launches: Sequence[LaunchRecord], times: Times | None) -> Explained:
    resources = resources_of(seen.asm["ptx"], seen.asm["cubin"], seen.metadata, seen.capability)
    in_gluon = "ttir" not in seen.asm  # whose loops are as they were written
    loops = Loops() if in_gluon else loops_of(str(seen.asm["ttir"]), seen.options)
    warps = seen.options.num_warps
    made = Explained(seen.name, f"{seen.name}: sm_{seen.capability}, {warps} warps, {_count(launches, 'launch')}")
    made.findings += _time(seen, launches, times)
    made.findings += _occupancy(resources)
    made.findings += _grids(seen, launches)
    made.findings += _spills(resources)
    made.findings += _accesses(launches)
    made.findings += _layouts(seen)
    made.findings += _tensor_cores(seen, loops)
    made.findings += _IN_GLUON if in_gluon else _pipelining(seen, loops)
    made.findings += _instructions(resources)
    made.findings += _roof(seen, launches)
    return made


_IN_GLUON = [
    Finding(
        "pipelining", "the kernel is written in Gluon: it orders copies and products of a loop itself", link="gluon.md"
    )
]


def _count(things: Sequence[object], name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 'es' if name.endswith('h') else 's'}"


def _time(seen: Seen, launches: Sequence[LaunchRecord], times: Times | None) -> Iterator[Finding]:
    """The mean time of a launch, and the share of it that bytes and operations of dots need on that GPU."""
    nanoseconds, count = times.kernels.get(seen.name, (0, 0)) if times is not None else (0, 0)
    if times is None or not nanoseconds:
        return
    text = f"{nanoseconds / count / 1e3:.3g} us in the mean of {_count(range(count), 'launch')} on the GPU"
    if count == len(launches):
        least = sum(max(_least(launch, times.roofs)) for launch in launches)
        text += f"; its bytes and operations of dots need {100 * least / (nanoseconds / 1e9):.0f} % of that"
    yield Finding("time", text, link="profiler.md")


def _occupancy(resources: KernelResources) -> Iterator[Finding]:
    found = resources.occupancy
    limited = " and ".join(found.limited_by)
    text = (
        f"{found.programs} programs of {resources.threads // 32} warps at once on a multiprocessor: {found.warps} of "
        f"{found.most_warps} warps, limited by {limited} ({resources.registers} registers, "
        f"{resources.shared} bytes of shared memory)"
    )
    if not found.programs:
        text, advice = f"no program fits: limited by {limited}", "use smaller tiles, or fewer stages"
    elif found.share >= FEW_WARPS:
        advice = ""
    else:
        advice = {
            "registers": "use smaller tiles or more warps, or maxnreg=N, so that a thread needs fewer registers",
            "shared memory": "use smaller tiles or fewer stages; a kernel with dot operations may be fast nevertheless",
            "programs": "use more warps in a program: the number of programs is at its limit",
        }.get(found.limited_by[0], "use more warps")
    yield Finding("occupancy", text, advice=advice, link="compile_and_run.md")


def _grids(seen: Seen, launches: Sequence[LaunchRecord]) -> Iterator[Finding]:
    """Grids with fewer programs than the GPU has multiprocessors."""
    there = MULTIPROCESSORS.get(seen.capability, 0)
    for grid in dict.fromkeys(launch.grid for launch in launches):
        if prod(grid) < there:
            text = f"grid {grid}: {_count(range(prod(grid)), 'program')} for some {there} multiprocessors of such a GPU"
            advice = "if larger launches have no more, divide the work among more programs, or use smaller tiles"
            yield Finding("occupancy", text, advice=advice, link="compile_and_run.md")


def _spills(resources: KernelResources) -> Iterator[Finding]:
    if not resources.stack:
        yield Finding("spills", "none")
        return
    advice = "use smaller tiles, or more warps, so that a thread holds fewer elements"
    text = f"a thread keeps {resources.stack} bytes in local memory, for want of registers"
    yield Finding("spills", text, advice=advice, link="kernel_from_naive_to_fast.md")


def _accesses(launches: Sequence[LaunchRecord]) -> Iterator[Finding]:
    """Coalescing of each access to global memory, and bank conflicts of none: `_layouts` has these."""
    by_place: dict[tuple[str, str, str], list[Event]] = {}
    copies: dict[tuple[str, str, str], int] = {}
    itemsizes: dict[tuple[str, str, str], int] = {}
    for launch in launches:
        for event in launch.events:
            place = launch.places[event.site]
            if event.sectors is not None and place.where:
                site = place.where[0]
                key = f"{site.path}:{site.line}", place.kind, event.tensor
                by_place.setdefault(key, []).append(event)
                itemsizes[key] = launch.tensors[event.tensor].itemsize
                copies[key] = max(copies.get(key, 1), place.owners.copies if place.owners is not None else 1)
    for key, events in by_place.items():
        where, kind, tensor = key
        counted = [event.sectors for event in events if event.sectors is not None]
        touched, needed = sum(one.touched for one in counted), sum(one.needed for one in counted)
        width = min(one.width for one in counted)
        share = needed / touched if touched else 1.0
        needs = f"{100 * min(share, 1):.0f} % of the sectors that it touches are needed"
        text = f"{kind} {tensor}: {needs}; {width} bytes a lane"
        text += f"; {copies[key]} warps read the same elements" if kind == "reads" and copies[key] > 1 else ""
        advice = ""
        if share < POOR_SECTORS and _has_rows_within_sectors(events, itemsizes[key]):
            advice = "its rows begin within sectors: pad them in memory, to a multiple of 16 elements and of 32 bytes"
        elif share < POOR_SECTORS:
            advice = "let neighbouring elements of a block be neighbours in memory: transpose the tensor or the block"
        elif width < 4:
            advice = "load 4 bytes or more a lane: larger blocks, or an address that is a multiple of 16"
        yield Finding("accesses", text, where, advice, "memory_access.md")


def _has_rows_within_sectors(events: Sequence[Event], itemsize: int) -> bool:
    """Whether accesses touch rows that are as long as a sector or longer, most of which begin within one."""
    begun = within = length = 0
    for event in events:
        if event.elements is None:
            continue
        touched = np.unique(event.elements[event.elements >= 0])
        starts = touched[np.flatnonzero(np.diff(touched, prepend=touched[:1] - 2) != 1)]
        begun, length = begun + len(starts), length + len(touched)
        within += int((starts * itemsize % SECTOR != 0).sum())
    return 2 * within > begun and length * itemsize >= begun * SECTOR


def _layouts(seen: Seen) -> Iterator[Finding]:
    with Context() as context:
        costs = layout_costs(parse_text(str(seen.asm["ttgir"]), context).operation)
    names = {"shuffles": "a layout conversion by shuffles", "shared": "a layout conversion through shared memory"}
    for cost in costs:
        text = names.get(cost.kind, cost.kind)
        text += f", {cost.conflicts} wavefronts of bank conflicts" if cost.conflicts else ""
        text += ", in a loop" if cost.in_loop else ""
        advice = ""
        if cost.conflicts:
            advice = "see which layouts meet here with tt-layout; another block shape or order may avoid the conflicts"
        elif cost.in_loop:
            advice = "move what needs another layout out of the loop, or compute it in the layout of its users"
        yield Finding("layouts", text, _place(cost.location), advice, "layouts.md")
    if not costs:
        yield Finding("layouts", "no conversion moves data between threads, and there are no bank conflicts")


def _place(location: str) -> str:
    """`file.py:12` of the text of a location; empty if it names no file."""
    found = sites(location)
    return f"{found[0].path}:{found[0].line}" if found else ""


def _tensor_cores(seen: Seen, loops: Loops) -> Iterator[Finding]:
    facts = KernelFacts.named(seen.metadata.get("facts") or ())
    link = "kernel_from_naive_to_fast.md"
    if not facts.dots:
        yield Finding("tensor cores", "the kernel has no dot operation")
        return
    used = [name for name in ("tcgen5", "wgmma", "mma_sync") if getattr(facts, name)]
    if used:
        yield Finding("tensor cores", f"used by {' and '.join(used).replace('mma_sync', 'mma.sync')}")
    else:
        advice = "use f16, bf16, fp8 or int8, or input_precision='tf32', and blocks of 16 or more along each dimension"
        yield Finding("tensor cores", "no dot operation uses them: it is computed by multiply-adds", "", advice, link)
    for location, text in loops.remarks:
        if "MMA" in text:
            first, _, cause = text.partition("Cause: ")
            advice = "" if used else "use shapes and types that the instruction has"
            if "num_warps" in cause:
                advice = "launch the kernel with num_warps=4"
            yield Finding("tensor cores", cause or first.splitlines()[0], _place(location), advice, link)


def _pipelining(seen: Seen, loops: Loops) -> Iterator[Finding]:
    for schedule in loops.schedules:
        loads = [op.stage for op in schedule.operations if op.kind.value == "load"]
        uses = [op.stage for op in schedule.operations if op.kind.value == "product"]
        ahead = max(uses or [schedule.num_stages - 1]) - min(loads or [0])
        text = f"{schedule.title}: {schedule.num_stages} stages; loads start {ahead} iterations before their use"
        if schedule.units:
            unit, cycles = schedule.units[0]
            text += f"; an iteration takes at least {cycles:,.0f} cycles ({unit})"
        yield Finding("pipelining", text, link="pipelining.md")
    for location, groups in loops.divided.items():
        text = f"the loop is divided among warp groups: {', '.join(groups)}"
        yield Finding("pipelining", text, _place(location), link="pipelining.md")
    for location in loops.plain:
        stages = seen.metadata.get("num_stages")
        text = "the loop is not pipelined: no load in it feeds a dot operation, and it does not ask for stages"
        advice = "write tl.range(..., num_stages=3) if loads wait for memory"
        if stages is not None and stages < 2:
            text = f"the loop is not pipelined: the kernel is launched with num_stages={stages}"
            advice = "launch it with num_stages=3 if loads wait for memory"
        yield Finding("pipelining", text, _place(location), advice, "pipelining.md")
    for location, text in loops.remarks:
        text = text.splitlines()[0]
        if "ipelin" in text or "all warps run the whole loop" in text:
            advice = "let each thread load 4 bytes or more at once, with one layout for all uses"
            if "transposing the operand" in text:
                advice = "transpose the operand in global memory: wgmma takes this order for 16 bits only"
            yield Finding("pipelining", text, _place(location), advice, "pipelining.md")
    if not (loops.schedules or loops.divided or loops.plain):
        yield Finding("pipelining", "the kernel has no loop")


def _instructions(resources: KernelResources) -> Iterator[Finding]:
    total = sum(resources.mix.values()) or 1
    shares = [f"{100 * count / total:.0f} % {name}" for name, count in resources.mix.items()]
    yield Finding("instructions", f"{total} in PTX, each once: {', '.join(shares)}")


def _roof(seen: Seen, launches: Sequence[LaunchRecord]) -> Iterator[Finding]:
    """The least time of each different grid, by the bytes and the operations of its programs."""
    sheet = DATA_SHEETS.get(seen.capability)
    if sheet is None:
        yield Finding("roof", f"no data sheet of a GPU with sm_{seen.capability} is known")
        return
    for launch in {one.grid: one for one in launches}.values():
        scale, memory, flops = _amounts(launch)
        at_memory, at_products = (1e6 * seconds for seconds in _least(launch, sheet))
        which = "memory" if at_memory >= at_products else "tensor cores"
        intensity = f"{flops / memory:.0f} operations of dots a byte" if memory else "no bytes"
        text = (
            f"grid {launch.grid}: {memory / 1e6:.3g} MB and {flops / 1e9:.3g} G operations of dots ({intensity}) take "
            f"at least {max(at_memory, at_products):.3g} us by the data sheet of {sheet.gpu}: the roof is {which}"
        )
        is_short = max(at_memory, at_products) < 1
        text += ", and less than a launch costs: measure larger sizes" if is_short else ""
        text += f"; by 1 of {scale:.0f} programs" if scale > 1 else ""
        advice = (
            "fuse it with the kernels around it, so that fewer bytes move"
            if which == "memory" and flops == 0 and not is_short
            else ""
        )
        yield Finding("roof", text, advice=advice, link="profiler.md")


def _least(launch: LaunchRecord, roofs: DataSheet | Roofs) -> tuple[float, float]:
    """Seconds that a launch takes at least, for its bytes and for its operations of dots."""
    _, memory, flops = _amounts(launch)
    return memory / roofs.bandwidth, flops / roofs.products


def _amounts(launch: LaunchRecord) -> tuple[float, float, float]:
    """Programs of a launch for each that was noted; the fewest bytes that the launch moves, and operations of dots.

    A tensor that several programs read counts once: its bytes may come from the cache.
    """
    noted = {event.program for event in launch.events}
    scale = launch.grid[0] * launch.grid[1] * launch.grid[2] / len(noted) if noted else 1.0
    needed: dict[str, float] = {}
    for event in launch.events:
        if event.sectors is not None:
            needed[event.tensor] = needed.get(event.tensor, 0.0) + event.sectors.needed * SECTOR * scale
    sizes = {name: tensor.itemsize * float(prod(tensor.shape)) for name, tensor in launch.tensors.items()}
    memory = sum(min(amount, sizes[name]) for name, amount in needed.items())
    return scale, memory, scale * sum(launch.places[event.site].flops for event in launch.events)
