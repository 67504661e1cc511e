"""Printing and assertions, on the device and while compiling.

Ops: dialects/tt/debug_ops.td    Interpreter: interpreter/ops/debug.py
"""

from __future__ import annotations

import string
from typing import Any

from ttkit.language.arith import not_, or_
from ttkit.language.building import builder
from ttkit.language.builtin import builtin
from ttkit.language.constants import flag_attribute, to_tensor
from ttkit.language.constexpr import unwrap
from ttkit.language.errors import Unsupported
from ttkit.language.tensor import as_triton_prints, tensor
from ttkit.language.types import void

_HEX_ESCAPED = {ord(char): f"\\{ord(char):02X}" for char in '"\\'} | {code: f"\\{code:02X}" for code in range(32)}


def string_attribute(text: str) -> str:
    """`text` as an attribute, quoted."""
    escaped = "".join(
        char if char.isascii() and ord(char) not in _HEX_ESCAPED and ord(char) < 127 else _escape(char) for char in text
    )
    return f'"{escaped}"'


def _escape(char: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in char.encode())


@builtin
def static_print(*values: Any, sep: str = " ", end: str = "\n", file: Any = None, flush: bool = False) -> None:
    """Python's `print`, while compiling: of constexprs, f-strings and the types of tensors.

    Example:
        >>> tl.static_print("block", tl.arange(0, 4).shape[0], sep=": ")
        block: 4
    """
    shown = [as_triton_prints(unwrap(value)) for value in values]
    print(*shown, sep=sep, end=end, file=file, flush=flush)


@builtin
def static_assert(cond: Any, msg: Any = "") -> None:
    """Fails the compilation with `msg` unless the constexpr `cond` holds.

    Raises:
        AssertionError: it does not hold.

    Example:
        >>> tl.static_assert(tl.arange(0, 4).shape[0] == 4, "a block of four")
    """
    if not unwrap(cond):
        raise AssertionError(unwrap(msg))


def printed_prefix(prefix: str, values: Any) -> str:
    """The text that is printed before each value, or alone if there is none."""
    if len(values):
        if not prefix.endswith(" "):
            prefix += " "
        if not prefix.endswith(": "):
            prefix = prefix[:-1] + ": "
    return " " + prefix if len(prefix) > 2 and not prefix.startswith(" ") else prefix


@builtin
def device_print(prefix: Any, *args: Any, hex: Any = False) -> tensor:
    """Prints each element of `args` from the device; what `print` is in a kernel.

    Args:
        prefix: a string, ASCII, printed before each.
        args: scalars and tensors.
        hex: print numbers in hexadecimal.

    Raises:
        Unsupported: `prefix` is no such string.

    Example:
        >>> tl.device_print("value", tl.arange(0, 2))
        pid (2, 0, 0) idx (0) value: 0
        pid (2, 0, 0) idx (1) value: 1
        void
    """
    prefix = unwrap(prefix)
    if not isinstance(prefix, str):
        raise Unsupported(
            function="device_print",
            reason=f"{as_triton_prints(prefix)} is not string",
            advice="the first argument must be a string",
        )
    if any(char not in string.printable for char in prefix):
        raise Unsupported(function="device_print", reason=f"{prefix} is not an ascii string")
    values = [to_tensor(arg) for arg in args]
    return _print(printed_prefix(prefix, values), values, flag_attribute("device_print", "hex", hex))


def stop_here(prefix: str, values: list[tensor]) -> tensor:
    """A breakpoint of `ttkit.kernel_breakpoints`, with its values."""
    return _print(prefix, values, flag_attribute("breakpoint", "hex", False))


def _print(prefix: str, values: list[tensor], hexadecimal: str) -> tensor:
    signed = ", ".join(str(int(value.dtype.is_int_signed())) for value in values)
    attributes = {
        "prefix": string_attribute(prefix),
        "hex": hexadecimal,
        "isSigned": f"array<i32: {signed}>" if values else "array<i32>",
    }
    builder().emit_op("tt.print", [value.handle for value in values], (), attributes)
    return tensor(None, void)


@builtin
def device_assert(cond: Any, msg: Any = "", mask: Any = None) -> Any:
    """Stops the kernel with `msg` unless `cond` holds everywhere (where `mask` does); only in debug mode
    (`debug=True`, TRITON_DEBUG=1).  What `assert` is in a kernel.

    Example:
        >>> tl.device_assert(tl.arange(0, 4) >= 0, "no negative index")
        void
    """
    msg, mask = unwrap(msg), unwrap(mask)
    mask = None if mask is None else to_tensor(mask)
    return assert_(to_tensor(cond), msg, mask)


@builtin
def expect_zero(x: Any, mask: Any) -> Any:
    """`x`, which is expected to have become 0 where `mask` holds; in debug mode that is asserted.

    Example:
        >>> tl.expect_zero(tl.arange(0, 2) * 1.0, tl.arange(0, 2) < 1)
        fp32[2] [0. 1.]
    """
    x, mask = unwrap(x), to_tensor(mask)
    if builder().unit.options.debug:
        is_zero: Any = to_tensor(x) == 0
        assert_(or_(is_zero, not_(mask)), "expect_zero expected x == 0 where mask is true", None)
    return x


def assert_(cond: tensor, msg: str, mask: tensor | None) -> Any:
    """`device_assert` of tensors."""
    if not builder().unit.options.debug:
        return None
    if mask is not None:
        cond = or_(cond, not_(mask))
    builder().emit_op("tt.assert", (cond.handle,), (), {"message": string_attribute(msg)})
    return tensor(None, void)
