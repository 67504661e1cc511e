"""Equal elements of a tensor in the registers of a thread, as far as axis facts know them."""

from mlir import ir

from ttkit.passes.lower.lowering import Lowering


def first_of_equal(low: Lowering, value: ir.Value) -> list[int]:
    """For each register of a tensor the first one that has the same element, as far as axis facts say so."""
    layout, constancy = low.layout(value), low.axes.info(value).constancy
    if all(size == 1 for size in constancy) or layout.in_size("register") == 1:
        return list(range(layout.in_size("register")))
    same = sum(
        1 << bit
        for bit, place in enumerate(layout.bases("register"))
        if all(step < size for step, size in zip(place, constancy, strict=True))
    )
    return [register & ~same for register in range(layout.in_size("register"))]
