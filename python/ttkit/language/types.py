"""Types of values in a kernel: numbers, pointers, tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

from ttkit.language.base import base_type, base_value
from ttkit.language.errors import ZeroRankBlock
from ttkit.language.shapes import number, validate_block_shape


class _Signedness(Enum):
    SIGNED = 0
    UNSIGNED = 1


class _Kind(Enum):
    BOOLEAN = 0
    INTEGRAL = 1
    FLOATING = 2


# name: (bits, IR type, bits of the mantissa, bias of the exponent)
_FLOATS = {
    "fp8e4b15": (8, "i8", 3, 15),  # no MLIR type: carried as its bits
    "fp8e4nv": (8, "f8E4M3FN", 3, 7),
    "fp8e4b8": (8, "f8E4M3FNUZ", 3, 8),
    "fp8e5": (8, "f8E5M2", 2, 15),
    "fp8e5b16": (8, "f8E5M2FNUZ", 2, 16),
    "fp16": (16, "f16", 10, 15),
    "bf16": (16, "bf16", 7, 127),
    "fp32": (32, "f32", 23, 127),
    "fp64": (64, "f64", 52, 1023),
}


class dtype(base_type):
    """The type of a scalar, and what `x.dtype` is for a tensor.

    Args:
        name: "int8" to "int64", "uint8" to "uint64", "int1" (a bool), "fp16", "bf16", "fp32", "fp64", "fp8e4nv",
            "fp8e5", "fp8e4b15", "fp8e4b8", "fp8e5b16" or "void".

    Example:
        >>> tl.bfloat16.primitive_bitwidth
        16
        >>> tl.uint8.is_int_unsigned()
        True
        >>> tl.arange(0, 4).dtype
        triton.language.int32
    """

    SINT_TYPES = ["int8", "int16", "int32", "int64"]
    UINT_TYPES = ["int1", "uint8", "uint16", "uint32", "uint64"]
    FP_TYPES = list(_FLOATS)
    STANDARD_FP_TYPES = ["fp16", "bf16", "fp32", "fp64"]
    OTHER_TYPES = ["void"]
    SIGNEDNESS = _Signedness
    KIND = _Kind

    primitive_bitwidth: int
    int_signedness: _Signedness
    int_bitwidth: int
    fp_mantissa_width: int
    exponent_bias: int
    ir: str  # the type in the IR
    _value: Callable[[Any, dtype], base_value]  # a value of the type from its handle: `tensor`, which is above

    def __init__(self, name: Any) -> None:
        name = getattr(name, "value", name)
        self.name: str = name
        self._signed = name in dtype.SINT_TYPES
        self._unsigned = name in dtype.UINT_TYPES
        self._integer = self._signed or self._unsigned
        self._floating = name in _FLOATS
        self._fp8 = name.startswith("fp8")
        self._hash = hash((name,))
        if self._integer:
            self.primitive_bitwidth = self.int_bitwidth = int(name.lstrip("uint"))
            self.int_signedness = _Signedness.SIGNED if self._signed else _Signedness.UNSIGNED
            self.ir = f"i{self.int_bitwidth}"
        elif self._floating:
            self.primitive_bitwidth, self.ir, self.fp_mantissa_width, self.exponent_bias = _FLOATS[name]
        else:
            assert name in dtype.OTHER_TYPES, name
            self.primitive_bitwidth, self.ir = 0, "none"
        self.itemsize = self.primitive_bitwidth // 8

    def is_fp8(self) -> bool:
        """Whether it is a float of 8 bits."""
        return self._fp8

    def is_floating(self) -> bool:
        """Whether it is a float, of 8 bits too."""
        return self._floating

    def is_standard_floating(self) -> bool:
        """Whether it is a float of 16, 32 or 64 bits."""
        return self._floating and not self._fp8

    def is_int_signed(self) -> bool:
        """Whether it is a signed integer."""
        return self._signed

    def is_int_unsigned(self) -> bool:
        """Whether it is an unsigned integer; int1 is none."""
        return self._unsigned

    def is_int(self) -> bool:
        """Whether it is an integer of any kind, int1 too."""
        return self._integer

    def is_bool(self) -> bool:
        """Whether it is int1."""
        return self.name == "int1"

    def is_block(self) -> bool:
        """Whether it is the type of a tensor with dimensions."""
        return False

    def is_ptr(self) -> bool:
        """Whether it is the type of a pointer."""
        return False

    def is_const(self) -> bool:
        """Whether it is the type of a pointer that is not written through."""
        return False

    @staticmethod
    def is_void() -> bool:
        """Not there, as in Triton: compare with `tl.void`.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("Not implemented")

    @staticmethod
    def is_dtype(type_str: str) -> bool:
        """Whether `dtype(type_str)` exists."""
        return type_str in dtype.SINT_TYPES + dtype.UINT_TYPES + dtype.FP_TYPES + dtype.OTHER_TYPES

    def kind(self) -> _Kind:
        """Bool, integer or float, in the order of type promotion."""
        if self.is_bool():
            return _Kind.BOOLEAN
        return _Kind.INTEGRAL if self._integer else _Kind.FLOATING

    def get_int_max_value(self) -> int:
        """The largest integer of this type."""
        return 2 ** (self.int_bitwidth - 1) - 1 if self._signed else 2**self.int_bitwidth - 1

    def get_int_min_value(self) -> int:
        """The smallest integer of this type."""
        return -(2 ** (self.int_bitwidth - 1)) if self._signed else 0

    @property
    def scalar(self) -> dtype:
        """The element type; of a scalar, the type itself."""
        return self

    def with_element_ty(self, element_ty: dtype) -> dtype:
        """This shape, with other elements."""
        return element_ty

    @property
    def cache_key_part(self) -> str:
        """Text that stands for the type in keys of caches."""
        return self.name

    def codegen_name(self) -> str:
        """Its name in C: `float32` for `fp32`."""
        if self.name.startswith("fp"):
            return "float" + self.name[2:]
        return "bfloat" + self.name[2:] if self.name.startswith("bf") else self.name

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        other = getattr(other, "value", other)  # a constexpr
        return isinstance(other, dtype) and self.name == other.name

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"triton.language.{self.codegen_name()}"

    def mangle(self) -> str:
        """Text that stands for the type in names of functions: `i32`, `fp16`."""
        if self._integer:
            return f"{'i' if self._signed else 'u'}{self.int_bitwidth}"
        return "V" if self.name == "void" else self.name

    def _flatten_ir_types(self, out: list[str]) -> None:
        out.append(self.ir)

    def _unflatten_ir(self, handles: Any, cursor: int) -> tuple[Any, int]:
        return self._value(handles[cursor], self), cursor + 1


def _add_tests(names: Sequence[str]) -> None:
    """`dtype.is_int32`, `dtype.is_fp16` and so on."""

    def make(name: str) -> Callable[[dtype], bool]:
        """The test for one name."""
        return lambda self: self.name == name

    for name in names:
        setattr(dtype, f"is_{name}", make(name))


_add_tests(dtype.SINT_TYPES + dtype.UINT_TYPES + dtype.FP_TYPES)


class pointer_type(dtype):
    """Pointer to `element_ty`; `const` ones cannot be stored to.

    Example:
        >>> tl.pointer_type(tl.float16)
        pointer<fp16>
        >>> pointer(np.zeros(4, np.float16)).dtype.element_ty
        triton.language.float16
    """

    def __init__(self, element_ty: Any, address_space: int | str = 1, const: bool = False) -> None:
        # Triton 3.9 has names; memory of constants is a part of global memory.
        address_space = 1 if address_space in ("global", "constant") else int(address_space)
        element_ty = getattr(element_ty, "value", element_ty)
        if not isinstance(element_ty, dtype):
            raise TypeError(f"element_ty has type `{type(element_ty).__name__}`; expected `dtype`.")
        self.element_ty = element_ty
        self.address_space = address_space
        self.const = const
        self.name = f"const_pointer<{element_ty}>" if const else f"pointer<{element_ty}>"
        self.ir = f"!tt.ptr<{element_ty.ir}>" if address_space == 1 else f"!tt.ptr<{element_ty.ir}, {address_space}>"
        self.primitive_bitwidth = 64
        self._signed = self._unsigned = self._integer = self._floating = self._fp8 = False
        self._hash = hash((self.name, address_space))

    def is_ptr(self) -> bool:
        """True."""
        return True

    def is_const(self) -> bool:
        """Whether kernels may not store to it."""
        return self.const

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        other = getattr(other, "value", other)
        return (
            isinstance(other, pointer_type)
            and self.element_ty == other.element_ty
            and self.address_space == other.address_space
            and self.const == other.const
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return self.name

    def mangle(self) -> str:
        """`P`, and the element's text."""
        return f"P{self.element_ty.mangle()}"


class block_type(dtype):
    """A tensor of `element_ty`, of static shape, every size a power of two.

    Example:
        >>> tl.zeros((2, 4), tl.float32).type
        <['2', '4'], fp32>
        >>> tl.block_type(tl.int8, [16, 32]).numel
        512
    """

    def __init__(self, element_ty: dtype, shape: Sequence[Any]) -> None:
        self.element_ty = element_ty
        self.shape = tuple(number(getattr(size, "value", size)) for size in shape)
        if not self.shape:
            raise ZeroRankBlock()
        self.numel = validate_block_shape(self.shape)
        self.name = f"<{list(map(str, self.shape))}, {self.element_ty}>"
        self.ir = f"tensor<{'x'.join(map(str, self.shape))}x{element_ty.ir}>"
        self._signed = self._unsigned = self._integer = self._floating = self._fp8 = False
        self._hash = hash((self.shape, element_ty))
        self._with_element: dict[dtype, block_type] = {}
        self._wrapped_shape: Any = None  # x.shape, made when asked for

    layout: Any = None  # in Gluon, see `distributed.distributed_type`

    def is_block(self) -> bool:
        """True."""
        return True

    def get_block_shapes(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.shape

    def of_shape(self, shape: Sequence[int], view: str = "", *arguments: Any) -> block_type:
        """The type of these elements in another shape: of the result of a broadcast, or of the operation `view`.

        view, arguments: what a layout follows (`distributed.VIEWS`), for types that have one.
        """
        return tensor_type(self.element_ty, tuple(shape))

    def with_element_ty(self, scalar_ty: dtype) -> block_type:
        """The type of the same shape with another element type."""
        found = self._with_element.get(scalar_ty)
        if found is None:
            found = self._with_element[scalar_ty] = tensor_type(scalar_ty, self.shape)
        return found

    @property
    def scalar(self) -> dtype:
        """The type of an element."""
        return self.element_ty

    @property
    def nbytes(self) -> int:
        """Bytes of all elements together."""
        return self.numel * (self.element_ty.primitive_bitwidth // 8)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, block_type) and self.shape == other.shape and self.element_ty == other.element_ty

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return self.name

    def mangle(self) -> str:
        """The element's text, and the sizes between two S."""
        return f"{self.element_ty.mangle()}S{'_'.join(map(str, self.shape))}S"


@lru_cache(maxsize=100_000)
def tensor_type(element_ty: dtype, shape: tuple[int, ...]) -> block_type:
    """`block_type(element_ty, shape)`, made once."""
    return block_type(element_ty, shape)


void = dtype("void")
int1 = dtype("int1")
int8, int16, int32, int64 = (dtype(f"int{bits}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (dtype(f"uint{bits}") for bits in (8, 16, 32, 64))
float8e5, float8e5b16, float8e4nv = (dtype(f"fp8{name}") for name in ("e5", "e5b16", "e4nv"))
float8e4b8, float8e4b15 = (dtype(f"fp8{name}") for name in ("e4b8", "e4b15"))
float16, bfloat16, float32, float64 = (dtype(name) for name in ("fp16", "bf16", "fp32", "fp64"))
pi32_t = pointer_type(int32)


def get_int_dtype(bitwidth: int, signed: bool) -> dtype:
    """The integer type of so many bits (1, 8, 16, 32 or 64).

    Raises:
        ValueError: there is none.
    """
    for candidate in (int1, int8, int16, int32, int64, uint8, uint16, uint32, uint64):
        if candidate.int_bitwidth == bitwidth and (bitwidth == 1 or candidate.is_int_signed() == signed):
            return candidate
    raise ValueError(f"Unsupported bitwidth {bitwidth} and signedness {signed}")
