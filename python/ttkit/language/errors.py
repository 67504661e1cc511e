"""Mistakes in kernels that the language finds: one class each, with a template that says what was found and what to do.

The frontend adds where: see `ttkit.frontend.errors.CompilationError`, whose `__cause__` one of these is.
"""

import re
from typing import Any


class TemplateError(Exception):
    """A mistake whose keyword arguments fill the class's `template`."""

    template = "{message}"

    def __init__(self, **found: Any) -> None:
        text = self.template.format(**{name: _writable(value) for name, value in found.items()})
        super().__init__(without_addresses(text))
        self.found = found


class LanguageError(TemplateError):
    """A mistake in a kernel.  `advice` stands in a line before its text, where that is one that programs written for
    Triton compare."""

    @property
    def advice(self) -> str:
        """A hint on what to do, or nothing."""
        return without_addresses(self.found.get("advice", ""))


def _writable(value: Any) -> Any:
    """The value, or of an integer with more digits than Python writes how many bits it has."""
    number = getattr(value, "value", value)
    if isinstance(number, int) and number.bit_length() > _LONGEST_INTEGER:
        return _Written(f"of {number.bit_length()} bits")
    return value


def without_addresses(text: str) -> str:
    """A text with what Python calls `<module 'x' from ...>`, or `<x.y object at 0x...>`, by its name."""
    return _OBJECT.sub(lambda found: f"the {found[1]} {found[2]}" if found[1] else f"a {found[3]}", text)


_OBJECT = re.compile(r"<(?:(module|function) '?([\w.]+)'? (?:from|at) [^>]*|(?:[\w.]+\.)?(\w+) object at 0x\w+)>")


class _Written(str):
    """A description, in which a value is not to be quoted."""

    __repr__ = str.__str__


_LONGEST_INTEGER = 1 << 12  # in bits


class OutsideKernel(LanguageError, ValueError):
    template = "Did you forget to add @triton.jit ? {name} can only be called from a jitted function"


class NotAnInteger(LanguageError, TypeError):
    template = "{value!r} stands where an integer has to"


class NotKnown(LanguageError, TypeError):
    template = "{value} is not known while the kernel is compiled; it must be a constexpr"


class NotATensor(LanguageError, TypeError):
    template = "cannot convert {value} of type {type} to tensor; expected a number, a constexpr or a tensor"


class IntegerTooWide(LanguageError, ValueError):
    template = "Nonrepresentable integer {value}. It needs more than 64 bits"


class BadConstant(LanguageError, TypeError):
    template = "the operator {operator} can't take {value!r}"


class BadConstants(LanguageError, TypeError):
    template = "the operator {operator} can't take {left!r} and {right!r}"


class IncompatibleTypes(LanguageError, TypeError):
    template = "invalid operands of type {left} and {right}"


class UnexpectedType(LanguageError, TypeError):
    template = "unexpected type {type} for {operation}: expected {expected}"


class UnexpectedFloat(LanguageError, TypeError):
    template = "Expected dtype {expected} but got {type} in {operation}; cast with .to()"


class BadClamp(LanguageError, TypeError):
    template = "Unexpected dtype {type}. Only floating point clamp is supported"


class MixedSignedness(LanguageError, TypeError):
    template = (
        "Cannot use /, //, or % with {left} and {right} because they have different signedness; "
        "this is unlikely to result in a useful answer. Cast them to the same signedness."
    )


class NegativeWithUnsigned(LanguageError, ValueError):
    template = (
        "Cannot perform a binary operation between an unsigned tensor and a negative scalar ({value} with {type}). "
        "Perform an explicit cast on one of them."
    )


class ScalarOutOfRange(LanguageError, ValueError):
    template = "Scalar {value} is out of range for type {type}; cast the tensor to a wider type first"


class PointerSum(LanguageError, TypeError):
    template = "cannot add pointers together; add an integer offset to one of them"


class ShapeMismatch(LanguageError, ValueError):
    template = (
        "Cannot make_shape_compatible: incompatible dimensions at index {index}: {left} and {right} "
        "(shapes {left_shape} and {right_shape}); sizes must be equal, or one of them 1"
    )


class RankMismatch(LanguageError, ValueError):
    template = "Cannot broadcast, rank mismatch: {source}, {target}; add dimensions with expand_dims or x[:, None]"


class CannotBroadcast(LanguageError, ValueError):
    template = (
        "Cannot broadcast, the expanded size of the tensor ({expanded}) must match the existing size ({size}) "
        "at non-singleton dimension {index}: {source}, {target}"
    )


class ElementCountChanges(LanguageError, ValueError):
    template = "reshape() cannot change total number of elements in tensor: from {source} to {target}"


class BadShapeElement(LanguageError, TypeError):
    template = (
        "Shape element {index} must have type `constexpr[int]`, got `constexpr[{type}]`; declare it as tl.constexpr"
    )


class NotPowerOfTwo(LanguageError, ValueError):
    template = "Shape element {index} must be a power of 2, got {size}; use triton.next_power_of_2 and a mask"


class TensorTooLarge(LanguageError, ValueError):
    template = "numel ({numel}) exceeds triton maximum tensor numel ({limit})"


class ZeroRankBlock(LanguageError, TypeError):
    template = "0d block_type is forbidden; a scalar has the element type itself"


class UnsupportedOnTarget(LanguageError, ValueError):
    template = "type {type} not supported in this architecture. The supported fp8 dtypes are {supported}"


class BitcastSizes(LanguageError, ValueError):
    template = (
        "Cannot bitcast data-type of size {source} to data-type of size {target} ({source_type} to {target_type})"
    )


class BadCast(LanguageError, TypeError):
    template = "cannot cast {source} to {target}"


class RoundingWithoutTruncation(LanguageError, ValueError):
    template = (
        "fp_downcast_rounding should be set only for truncating fp conversions. "
        "Source scalar type is {source} and destination type is {target}"
    )


class UnknownRounding(LanguageError, ValueError):
    template = "Invalid rounding mode: {value}. Supported rounding modes are 'rtne' and 'rtz'."


class UnknownOption(LanguageError, ValueError):
    template = "{option} {value} not supported; expected one of {expected}"


class NotConstant(LanguageError, ValueError):
    template = "{value} used as {what} value is not a constexpr; annotate the parameter as tl.constexpr"


class BadArange(LanguageError, ValueError):
    template = "{reason}"


class BadAxis(LanguageError, ValueError):
    template = "invalid axis {axis}. Expected {low} <= axis < {high}"


class BadProgramAxis(LanguageError, ValueError):
    template = "{function} axis must be 0, 1, or 2 but got {axis}"


class BadPointer(LanguageError, ValueError):
    template = (
        "Unsupported ptr type {type} in `tl.{function}`; expected a pointer, a tensor of pointers or a block pointer"
    )


class BadMask(LanguageError, ValueError):
    template = "Mask must have boolean scalar type, got {type}; compare, as in `mask=index < n`"


class BadArgument(LanguageError, ValueError):
    """Anything else about the arguments of one function."""

    template = "{reason}"


class BadOperandTypes(LanguageError, TypeError):
    template = "{reason}"


class Unsupported(LanguageError, AssertionError):
    template = "{reason}"
