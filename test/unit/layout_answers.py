"""What ttkit.layout says about layouts, from and to plain values: to be compared with Triton's answers.

test_triton_layouts.py compares with answers that are stored, ../oracle/layouts.py asks Triton for new ones.  Layouts
are the text of attributes; a linear layout is [[[in-dim, bases], ...], [[out-dim, size], ...]].
"""

from typing import Any

from ttkit.layout import LinearLayout, parse_layout, to_linear_layout
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.shared_access import access_pattern
from ttkit.layout.swizzling import scratch_layout, shared_instructions


def encode(layout: LinearLayout) -> list[Any]:
    bases = [[name, [list(basis) for basis in of_dim]] for name, of_dim in layout.all_bases().items()]
    return [bases, [[name, layout.out_size(name)] for name in layout.out_dims]]


def decode(plain: list[Any]) -> LinearLayout:
    bases, sizes = plain
    return LinearLayout.from_bases(dict(bases), dict(sizes))


def to_linear(shape: list[int], layout: str) -> Any:
    return encode(to_linear_layout(shape, parse_layout(layout)))


def tensor_memory(shape: list[int], layout: str) -> list[Any]:
    """The bases of a warp's 32 rows, of the warps, and of the columns that hold something."""
    linear = to_linear_layout(shape, parse_layout(layout))
    rows = [list(basis) for basis in linear.bases("row")]
    return [rows[:5], rows[5:], [list(basis) for basis in linear.bases("col") if any(basis)]]


def text(shape: list[int], layout: str, hardware_view: bool) -> str:
    return layout_text(to_linear_layout(shape, parse_layout(layout)), hardware_view)


def algebra(first: Any, second: Any, third: Any, outer: Any) -> dict[str, Any]:
    """Of layouts with the out-dims of `first`: `second`; some of them: `third`; as in-dims: `outer`."""
    a, b, c, d = map(decode, (first, second, third, outer))
    return {
        "invert_and_compose": encode(a.invert_and_compose(b)),
        "pseudo_inverse": encode(a.pseudo_inverse()),
        "product": encode(a * c),
        "compose": encode(a.compose(d)),
        "properties": [a.is_surjective, a.is_injective, a.is_invertible],
        "text": "\n" + str(a),
    }


def conversion(shape: list[int], source: str, target: str) -> bool:
    """Whether registers of a thread suffice."""
    plan = plan_conversion(*(to_linear_layout(shape, parse_layout(layout)) for layout in (source, target)))
    return plan.movement <= Movement.REGISTERS


def scratch(shape: list[int], element_bits: int, source: str, target: str, capability: int) -> int:
    """Bytes of shared memory; capability 0 uses plain loads and stores only."""
    layouts = [to_linear_layout(shape, parse_layout(layout)) for layout in (source, target)]
    if not plan_conversion(*layouts).needs_shared_memory:
        return 0
    stores, loads = (shared_instructions(element_bits, capability >= least) for least in (90, 75))
    return scratch_layout(*layouts, element_bits, stores, loads).elements * element_bits // 8


def bank_conflicts(shape: list[int], element_bits: int, registers: str, memory: str) -> float:
    layouts = [to_linear_layout(shape, parse_layout(layout)) for layout in (registers, memory)]
    return access_pattern(*layouts, element_bits).conflicts
