"""Assembly that each thread runs once, on all elements that it has.

Ops: dialects/ttg/assembly_ops.td
"""

from __future__ import annotations

import builtins
from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import ir_type, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import BadArgument
from ttkit.language.extern import flag_attribute, string_attribute
from ttkit.language.gluon.shared_memory import shared_memory_descriptor
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence, tuple
from ttkit.layout import to_linear_layout


def _registers(type: Any) -> int:
    """Elements of a tensor that a thread has, 1 of a scalar or of a buffer's address.  Raises BadArgument."""
    if not getattr(type, "is_block", lambda: False)():
        return 1
    encoding = getattr(getattr(type, "layout", None), "encoding", None)
    if encoding is None:
        raise BadArgument(function="inline_asm", reason=f"expected tensors with layouts, found {type}")
    shape = builtins.tuple(unwrap(size) for size in type.shape)
    return 1 << len(to_linear_layout(shape, encoding).bases("register"))


@builtin
def inline_asm(asm: Any, constraints: Any = "", args: Any = (), result_types: Any = (), is_pure: Any = False) -> Any:
    """One block of assembly in each thread.

    Args:
        asm: its text, or a `constexpr_function` that returns it from the names of operands: a tuple of names for each
            result, and one for each of `args`.
        constraints: of all operands, as in LLVM's inline assembly; or one for each result and then each of `args`.
        args: tensors with layouts, all elements of which the thread has are operands; scalars; buffers in shared
            memory, whose address is an operand of 32 bits.
        result_types: the type of the result, such as `x.type` or `gl.int32`, or a sequence of several.
        is_pure: whether it may be left out or merged.

    Returns:
        a tensor, a tuple of several, or None without a result.

    Raises:
        BadArgument: tensors without layouts, a pure block with a buffer, or other numbers of constraints.

    Example:
        >>> @gluon.jit
        ... def double(x):
        ...     i = gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0]))
        ...     v = gl.load(x + i)
        ...     gl.store(x + i, gl.inline_asm("add.f32 $0, $1, $1;", "=f,f", [v], v.type, is_pure=True))
        >>> with ttkit.Context():
        ...     made = ttkit.ASTSource(double, {"x": "*fp32"}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
        ...     print(str(made).count("ttg.inline_asm"))
        1
    """
    asm, constraints, types = unwrap(asm), unwrap(constraints), unwrap(result_types)
    several = is_sequence(types)
    results = [unwrap(type) for type in types] if several else [types]
    values = [unwrap(arg) for arg in args]
    values = [each if isinstance(each, (tensor, shared_memory_descriptor)) else to_tensor(each) for each in values]
    pure = bool(unwrap(is_pure))
    if pure and any(isinstance(each, shared_memory_descriptor) for each in values):
        raise BadArgument(function="inline_asm", reason="is_pure=True with a buffer: it may be written meanwhile")
    counts = [_registers(type) for type in results] + [_registers(each.type) for each in values]
    if not isinstance(constraints, str):
        given = [str(unwrap(each)) for each in constraints]
        if len(given) != len(counts):
            reason = f"expected {len(counts)} constraints, one for each result and operand, found {len(given)}"
            raise BadArgument(function="inline_asm", reason=reason)
        constraints = ",".join(text for text, count in zip(given, counts) for _ in range(count))
    if not isinstance(asm, str):
        names, first = [], 0
        for count in counts:
            names.append(builtins.tuple(f"${number}" for number in range(first, first + count)))
            first += count
        asm = str(unwrap(asm.fn(builtins.tuple(names[: len(results)]), builtins.tuple(names[len(results) :]))))
    attributes = {
        "asm_string": string_attribute(asm),
        "constraints": string_attribute(constraints),
        "pure": flag_attribute("inline_asm", "is_pure", pure),
    }
    handles = [each.handle for each in values]
    op = builder().emit_op("ttg.inline_asm", handles, [ir_type(type) for type in results], attributes)
    found = [tensor(handle, type) for handle, type in zip(op.results, results)]
    return tuple(found) if several and found else (found[0] if found else None)
