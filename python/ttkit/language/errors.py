"""Errors in kernels that the language finds: one class each, with what was found and what to do.

The frontend adds where: see `ttkit.frontend.errors.CompilationError`, whose `__cause__` one of these is.
"""

from typing import Any

from ttkit.patterns import pattern


class TemplateError(Exception):
    """An error whose keyword arguments fill the class's `template` and its `hint`: what to do, or details.

    The template is Triton's text where Triton has one, which programs compare; the hint stands in a line before it.
    """

    template = "{message}"
    hint = ""
    triton_name = ""  # of the class, where it is not that of Python's

    def __init__(self, **found: Any) -> None:
        self.found = found
        super().__init__(self._filled(self.template))

    @property
    def advice(self) -> str:
        """The hint: the argument `advice`, or that of the class."""
        return without_addresses(self.found["advice"]) if "advice" in self.found else self._filled(self.hint)

    def _filled(self, template: str) -> str:
        return without_addresses(template.format(**{name: _writable(value) for name, value in self.found.items()}))


class LanguageError(TemplateError):
    """An error in a kernel."""


def _writable(value: Any) -> Any:
    """The value, or of an integer with more digits than Python writes how many bits it has."""
    number = getattr(value, "value", value)
    if isinstance(number, int) and number.bit_length() > _LONGEST_INTEGER:
        return _Written(f"of {number.bit_length()} bits")
    return value


def without_addresses(text: str) -> str:
    """A text with what Python calls `<module 'x' from ...>`, or `<x.y object at 0x...>`, by its name."""
    return _OBJECT.sub(lambda found: f"the {found[1]} {found[2]}" if found[1] else f"a {found[3]}", text)


_OBJECT = pattern(r"<(?:(module|function) '?([\w.]+)'? (?:from|at) [^>]*|(?:[\w.]+\.)?(\w+) object at 0x\w+)>")


class _Written(str):
    """A description, in which a value is not to be quoted."""

    __repr__ = str.__str__


_LONGEST_INTEGER = 1 << 12  # in bits


class OutsideKernel(LanguageError, ValueError):
    template = "Did you forget to add @triton.jit ? {name} can only be called from a jitted function"


class NotAnInteger(LanguageError, TypeError):
    template = "found {value!r} where an integer is required"


class NotANumber(LanguageError, TypeError):
    template = "found {value!r} where a number is required"


class NotKnown(LanguageError, TypeError):
    template = "the value of {value} is unknown at compile time; it must be a constexpr"


class NotATensor(LanguageError, TypeError):
    template = "cannot convert {value} of type {type} to tensor"
    hint = "expected a number, a constexpr or a tensor"


class IntegerTooWide(LanguageError, ValueError):
    template = "Nonrepresentable integer {value}."
    hint = "it needs more than 64 bits"


class BadConstant(LanguageError, TypeError):
    template = "{text}"  # Python's own, as is Triton's
    hint = "the operator {operator} can't take {value!r}"


class BadConstants(LanguageError, TypeError):
    template = "{text}"
    hint = "the operator {operator} can't take {left!r} and {right!r}"


class IncompatibleTypes(LanguageError, TypeError):
    template = "invalid operands of type {left} and {right}"
    triton_name = "IncompatibleTypeErrorImpl"


class UnexpectedType(LanguageError, TypeError):
    template = "unexpected type {type}"
    hint = "{operation} takes {expected}"


class UnexpectedFloat(LanguageError, TypeError):
    template = "Expected dtype {expected} but got {type}"
    hint = "{operation} does not take this type; cast with .to() first"


class BadClamp(LanguageError, TypeError):
    template = "Unexpected dtype {type}. Only floating point clamp is supported"


class MixedSignedness(LanguageError, TypeError):
    template = (
        "Cannot use /, #, or % with {left} and {right} because they have different signedness;this is unlikely to "
        "result in a useful answer. Cast them to the same signedness."
    )


class NegativeWithUnsigned(LanguageError, ValueError):
    template = (
        "Cannot perform a binary operation between an unsigned tensor and a negative scalar. "
        "Perform a explicit cast on one of them."
    )
    hint = "found {value} with {type}"


class ScalarOutOfRange(LanguageError, ValueError):
    template = "Scalar {value} is out of range for type {type}"
    hint = "cast the tensor to a wider type first"


class PointerSum(LanguageError, TypeError):
    template = "cannot add pointers together"
    hint = "add an integer offset to one of them"


class ShapeMismatch(LanguageError, ValueError):
    template = "Cannot make_shape_compatible: incompatible dimensions at index {index}: {left} and {right}"
    hint = "found shapes {left_shape} and {right_shape}; sizes must be equal, or one of them 1"


class RankMismatch(LanguageError, ValueError):
    template = "Cannot broadcast, rank mismatch: {source}, {target}"
    hint = "add dimensions with expand_dims or x[:, None]"


class CannotBroadcast(LanguageError, ValueError):
    template = (
        "Cannot broadcast, the expanded size of the tensor ({expanded}) must match the existing size ({size}) "
        "at non-singleton dimension {index}: {source}, {target}"
    )


class LayoutMismatch(LanguageError, ValueError):
    template = "Layout mismatch in broadcast: {left} vs {right}"


class BadLayout(LanguageError, TypeError):
    template = "{reason}"


class ElementCountChanges(LanguageError, ValueError):
    template = "reshape() cannot change total number of elements in tensor"
    hint = "found {source}, and the new shape {target}"


class BadShapeElement(LanguageError, TypeError):
    template = "Shape element {index} must have type `constexpr[int]`, got `constexpr[{type}]"
    hint = "declare it as tl.constexpr"


class NotPowerOfTwo(LanguageError, ValueError):
    template = "Shape element {index} must be a power of 2"
    hint = "found {size}; use triton.next_power_of_2 and a mask"


class TensorTooLarge(LanguageError, ValueError):
    template = "numel ({numel}) exceeds triton maximum tensor numel ({limit})"


class ZeroRankBlock(LanguageError, TypeError):
    template = "0d block_type is forbidden"
    hint = "a scalar has the element type itself"


class UnsupportedOnTarget(LanguageError, ValueError):
    template = "type {type} not supported in this architecture. The supported fp8 dtypes are {supported}"


class OtherGPU(LanguageError, NotImplementedError):
    template = "{function} is for AMD's GPUs, but kernels are compiled for NVIDIA's"
    hint = "ttgl.nvidia has what these have"


class BitcastSizes(LanguageError, ValueError):
    template = "Cannot bitcast data-type of size {source} to data-type of size {target}"
    hint = "found {source_type} as the source and {target_type} as the target"


class NotACondition(BitcastSizes):
    hint = "found {found}; `not`, `and` and `or` take conditions, such as x != 0"


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
    template = "{option} {value} not supported"
    hint = "expected one of {expected}"


class NotConstant(LanguageError, AssertionError):
    template = "{value} used as {what} value is not a constexpr"
    hint = "annotate the parameter as tl.constexpr"


class BadArange(LanguageError, ValueError):
    template = "{reason}"


class BadAxis(LanguageError, ValueError):
    template = "invalid axis {axis}. Expected {low} <= axis < {high}"


class BadProgramAxis(LanguageError, ValueError):
    template = "{function} axis must be 0, 1, or 2 but got {axis}"


class BadPointer(LanguageError, ValueError):
    template = "Unsupported ptr type {type} in `tl.{function}`"
    hint = "expected a pointer, a tensor of pointers or a block pointer"


class BadMask(LanguageError, ValueError):
    template = "Mask must have boolean scalar type"
    hint = "found {type}; compare, as in `mask=index < n`"


class BadArgument(LanguageError, ValueError):
    """Anything else about the arguments of one function."""

    template = "{reason}"


class UnknownType(BadArgument, KeyError):
    """A type that signatures can't spell."""

    __str__ = LanguageError.__str__


class BadOperandTypes(LanguageError, TypeError):
    template = "{reason}"


class Unsupported(LanguageError, AssertionError):
    template = "{reason}"
