"""Report on a layout, in lines of text: its notations, the elements that each thread holds, memory accesses."""

from __future__ import annotations

import ttkit.layout.distribution as distribution
from ttkit.layout.cute import cute_text
from ttkit.layout.linear import LinearLayout
from ttkit.layout.linear_text import short_text
from ttkit.layout.matrix_access import matrix_access
from ttkit.layout.shared_access import access_pattern, offsets


def facts(layout: LinearLayout, element_bits: int) -> list[tuple[str, str]]:
    """Name and value of each fact.  element_bits: size of an element in memory, at least 8."""
    found = [("linear", short_text(layout)), ("CuTe", cute_text(layout) or "none: not a product of strides")]
    if layout.has_in_dim("lane"):
        return found + _held(layout) + _global_memory(layout, element_bits)
    if layout.has_in_dim("offset"):
        return found + _stored(layout, element_bits)
    return found


def _held(layout: LinearLayout) -> list[tuple[str, str]]:
    registers, distinct = distribution.elements_per_thread(layout), distribution.distinct_elements_per_thread(layout)
    held = f"{registers} elements" + (f", {distinct} of them different" if distinct < registers else "")
    copies = distribution.copies_per_element(layout)
    free = {name: mask for name, mask in layout.free_variable_masks().items() if mask}
    where = ", ".join(f"{name} bits {mask:#b}" for name, mask in free.items())
    return [
        ("each thread holds", held),
        ("each element is held", "once" if copies == 1 else f"{copies} times; copies differ in {where}"),
        ("consecutive per thread", " x ".join(map(str, distribution.contiguous_per_thread(layout)))),
        ("order", ", ".join(f"dim{dim}" for dim in distribution.order(layout))),
        ("threads per warp", " x ".join(map(str, distribution.threads_per_warp(layout)))),
        ("warps per CTA", " x ".join(map(str, distribution.warps_per_cta(layout)))),
    ]


def _global_memory(layout: LinearLayout, element_bits: int) -> list[tuple[str, str]]:
    """Rows about a tensor that is dense in row-major order, and in column-major order if its rank has both."""
    rank = len(layout.outs)
    orders = [("row-major", list(reversed(range(rank))))]
    if rank > 1:
        orders.append(("column-major", [rank - 2, rank - 1, *reversed(range(rank - 2))]))
    found = []
    for name, order in orders:
        vector = min(distribution.memory_vector(layout, order), max(1, 128 // element_bits))
        used = distribution.bytes_per_transaction(layout, element_bits, order)
        text = (
            f"{vector * element_bits // 8} bytes per instruction of a thread, {used:g} of 32 bytes of each sector used"
        )
        found.append((f"{name} memory", text))
    return found


def _stored(layout: LinearLayout, element_bits: int) -> list[tuple[str, str]]:
    size = layout.in_size("offset") * element_bits // 8
    return [("size", f"{size} bytes" + (" in each CTA" if layout.bits_in("block") else ""))]


def access_facts(
    registers: LinearLayout, memory: LinearLayout, element_bits: int, pads: tuple[tuple[int, ...], ...] = ()
) -> list[tuple[str, str]]:
    """Properties of accesses by a tensor with layout `registers` to shared memory with layout `memory`."""
    access = access_pattern(registers, memory, element_bits, pads=pads)
    found = [
        ("vector", f"{access.vector} elements, {access.vector * element_bits // 8} bytes"),
        ("instructions", f"{access.instructions} of each thread"),
        ("wavefronts", f"{access.wavefronts:g} of each instruction, {access.ideal} without bank conflicts"),
    ]
    if not pads:
        places = offsets(registers.remove_zero_bases("register"), memory)
        for name, transposed in (("ldmatrix, stmatrix", False), ("ldmatrix.trans, stmatrix.trans", True)):
            matrix = matrix_access(places, element_bits, transposed)
            if matrix is not None:
                found.append((name, f"x{matrix.matrices}, {matrix.instructions} of each warp"))
    return found


def report_text(lines: list[tuple[str, str]]) -> str:
    """`name: value` a line, values in one column."""
    width = max(len(name) for name, _ in lines) + 2
    return "".join(f"{name + ':':<{width}}{value}\n" for name, value in lines)
