"""How long layout algebra takes, in microseconds: python bench/layouts.py

Everything that is cached is measured without its cache.
"""

import timeit

from ttkit.layout import LinearLayout, to_linear_layout
from ttkit.layout import encodings as enc
from ttkit.layout.conversion_plan import plan_conversion
from ttkit.layout.exchange import plan_exchange
from ttkit.layout.matrix_access import matrix_access
from ttkit.layout.shared_access import access_pattern, offsets
from ttkit.layout.shuffle import plan_shuffles
from ttkit.layout.to_linear import _to_linear_layout

SHAPE = (128, 128)
MMA = enc.NvidiaMma(2, 0, (4, 1), (16, 8))
LAYOUTS = {
    "blocked": enc.Blocked((1, 8), (4, 8), (4, 1), (1, 0)),
    "wgmma result": enc.NvidiaMma(3, 0, (4, 1), (16, 128, 16)),
    "mma result": MMA,
    "dot operand": enc.DotOperand(0, MMA, 4),
    "swizzled shared": enc.SwizzledShared(8, 1, 8, (1, 0)),
    "nvmma shared": enc.NvmmaShared(128, False, 16),
}


def fresh(layout: LinearLayout) -> LinearLayout:
    """A copy that remembers nothing."""
    return LinearLayout(layout.ins, layout.outs, layout.columns)


def measure(name, function, count=200):
    """Prints the microseconds of a call, the least of five rounds."""
    print(f"{name:32}{min(timeit.repeat(function, number=count, repeat=5)) / count * 1e6:8.1f}")


def main():
    for name, layout in LAYOUTS.items():
        measure(f"to_linear_layout, {name}", lambda layout=layout: _to_linear_layout.__wrapped__(SHAPE, layout))
    measure("to_linear_layout, cached", lambda: to_linear_layout(SHAPE, LAYOUTS["blocked"]))
    linear = {name: to_linear_layout(SHAPE, layout) for name, layout in LAYOUTS.items()}
    blocked, wgmma, mma, operand, swizzled, _ = linear.values()
    memory = swizzled.squeeze_in("block")
    inverse = memory.invert()
    places = offsets(linear["mma result"], swizzled)
    measure("invert", lambda: fresh(memory).invert())
    measure("compose", lambda: blocked.compose(inverse))
    measure("invert_and_compose", lambda: blocked.invert_and_compose(mma))
    measure("product", lambda: blocked * mma)
    measure("plan_conversion", lambda: plan_conversion.__wrapped__(blocked, mma))
    measure("plan_shuffles, 128 registers", lambda: plan_shuffles.__wrapped__(mma, operand), 20)
    measure("plan_exchange, plain", lambda: plan_exchange.__wrapped__(wgmma, blocked, 32), 20)
    measure("access_pattern", lambda: access_pattern(blocked, swizzled, 16))
    measure("matrix_access", lambda: matrix_access(places, 16))


if __name__ == "__main__":
    main()
