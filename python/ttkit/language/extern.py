"""Code in other languages: inline assembly and library functions.

Ops: dialects/tt/extern_ops.td    Interpreter: interpreter/ops/extern.py
"""

from __future__ import annotations

from typing import Any

from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import attribute_of_32_bits, flag_attribute, ir_type, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.debug import string_attribute
from ttkit.language.errors import BadArgument
from ttkit.language.package_functions import kernel_function as kernel_function
from ttkit.language.promotion import binary_operands
from ttkit.language.tensor import tensor
from ttkit.language.tuples import is_sequence, tuple
from ttkit.language.types import dtype


@builtin
def inline_asm_elementwise(asm: Any, constraints: Any, args: Any, dtype: Any, is_pure: Any, pack: Any) -> Any:
    """Assembly applied to each group of `pack` elements.

    Args:
        asm: text of the assembly, with operands `$0`, `$1`...: first the outputs, then the inputs.
        constraints: of the operands, as in LLVM's inline assembly, such as "=r,r,r".
        args: tensors, broadcast to one shape.  Elements of less than 32 bits are packed into registers.
        dtype: type of the result, or a tuple of types of several.
        is_pure: whether it may be left out or merged.
        pack: elements that one instance takes of each tensor.

    Returns:
        A tensor of the shape of `args`, or a tuple of such.

    Example:
        >>> x = tl.full((2,), 1.0000001, tl.float32)
        >>> tl.inline_asm_elementwise("cvt.rna.tf32.f32 $0, $1;", "=r,r", [x], tl.float32, True, 1)
        fp32[2] [1. 1.]
    """
    asm, constraints, pack, is_pure = unwrap(asm), unwrap(constraints), unwrap(pack), unwrap(is_pure)
    dtype = unwrap(dtype)
    several = is_sequence(dtype)
    types: list[Any] = [unwrap(type) for type in dtype] if several else [dtype]
    operands = [to_tensor(arg) for arg in args]
    if operands:
        operands, whole = _broadcast(operands, pointer_left=True, pointer_right=True)
        types = [whole.with_element_ty(type) for type in types]
    attributes = {
        "asm_string": string_attribute(asm),
        "constraints": string_attribute(constraints),
        "pure": flag_attribute("inline_asm_elementwise", "is_pure", is_pure),
        "packed_element": attribute_of_32_bits("inline_asm_elementwise", "pack", pack),
    }
    handles = [value.handle for value in operands]
    op = builder().emit_op("tt.elementwise_inline_asm", handles, [ir_type(type) for type in types], attributes)
    results = [tensor(handle, type) for handle, type in zip(op.results, types)]
    return tuple(results) if several else results[0]


@builtin
def extern_elementwise(
    lib_name: str, lib_path: str, args: Any, arg_type_symbol_dict: dict[Any, Any], is_pure: bool
) -> tensor:
    """A function of a device library applied to each element.

    Args:
        lib_name, lib_path: the library; empty for libdevice.
        args: tensors and scalars, broadcast to one shape.
        arg_type_symbol_dict: {types of the arguments: (symbol, type of the result)}.
        is_pure: whether a call may be left out or merged.

    Raises:
        BadArgument: no symbol for these types.

    Example:
        >>> symbols = {(tl.float32,): ("__nv_cbrtf", tl.float32)}
        >>> tl.core.extern_elementwise("", "", [tl.full((2,), 27.0, tl.float32)], symbols, True)
        fp32[2] [3. 3.]
    """
    operands = [to_tensor(arg) for arg in args]
    types = [value.dtype for value in operands]
    arg_type_symbol_dict = unwrap(arg_type_symbol_dict)
    found = arg_type_symbol_dict.get((*types,))
    if found is None:
        expected = " or ".join(f"({', '.join(map(str, key))})" for key in arg_type_symbol_dict)
        reason = f"input arg type does not match. Expect one of {expected}, got ({', '.join(map(str, types))})"
        raise BadArgument(function="extern_elementwise", reason=reason)
    symbol, result = found
    if operands:
        operands, whole = _broadcast(operands)
        result = whole.with_element_ty(result)
    return _call(lib_name, lib_path, symbol, operands, result, is_pure)


def _broadcast(operands: list[tensor], **allowed: bool) -> Any:
    """The operands in one shape, and the type of the last."""
    whole = operands[0]
    for value in operands:
        _, whole = binary_operands(value, whole, arithmetic=False, **allowed)
    return [binary_operands(value, whole, arithmetic=False, **allowed)[0] for value in operands], whole.type


def _call(lib_name: str, lib_path: str, symbol: str, operands: Any, result: dtype, is_pure: bool) -> tensor:
    attributes = {
        "libname": string_attribute(lib_name),
        "libpath": string_attribute(lib_path),
        "symbol": string_attribute(symbol),
        "pure": str(bool(is_pure)).lower(),
    }
    handles = [value.handle for value in operands]
    return tensor(builder().emit("tt.extern_elementwise", handles, ir_type(result), attributes), result)


def dispatch(
    func: Any,
    lib_name: str,
    lib_path: str,
    args: list[Any],
    arg_type_symbol_dict: dict[Any, Any],
    ret_type: dtype,
    is_pure: bool,
    _semantic: Any = None,
) -> tensor:
    """The library function whose symbol `arg_type_symbol_dict` gives for the types of `args`, without broadcasting.

    Raises:
        BadArgument: there is none.
    """
    types = (*(arg.dtype if isinstance(arg, tensor) else type(arg) for arg in args),)
    if types not in arg_type_symbol_dict:
        reason = f"input arg type does not match. Expect one of {list(arg_type_symbol_dict)}, got {types}"
        raise BadArgument(function="dispatch", reason=reason)
    return _call(lib_name, lib_path, arg_type_symbol_dict[types][0], args, ret_type, is_pure)
