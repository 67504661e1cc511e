"""Tensor descriptors made on the host: tensors that a kernel accesses in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttkit.layout.hardware import TENSOR_MAP_ALIGNMENT, TENSOR_MAP_EXTENT
from ttkit.records import dataclass
from ttkit.runtime.pointers import ArgumentError, adapter_of, element_type, pointer_value


class DescriptorError(ArgumentError, AssertionError):
    """A tensor that TMA can't access so.  An AssertionError with Triton's text: programs expect that of Triton's."""


MAX_RANK = 5
MAX_ELEMENTS = 1 << 20
# dtype -> bits, by the names of signatures.
_BITS = {"u1": 8, "fp16": 16, "bf16": 16, "fp32": 32, "fp64": 64}


def element_bytes(name: str) -> int:
    """The bytes of an element whose type has this name in a signature."""
    if name in _BITS:
        return _BITS[name] // 8
    return 1 if name.startswith("fp8") else int(name[1:]) // 8


class DescribedTensor:
    """Fields that all descriptors have: `base`, `shape`, `strides`, `block_shape`, `padding`, `round_f32_to_tf32`."""

    base: Any
    shape: Sequence[int]
    strides: Sequence[int]
    block_shape: Sequence[int]
    padding: str
    round_f32_to_tf32: bool

    def _check(self) -> None:
        """Checks the fields that all descriptors have.  Raises ArgumentError or TypeError."""
        rank = len(self.shape)
        if not len(self.strides) == len(self.block_shape) == rank:
            numbers = f"shape={self.shape}, strides={self.strides}, block_shape={self.block_shape}"
            raise DescriptorError(f"rank mismatch: {type(self).__name__}({numbers}): give each as many numbers")
        self._check_tensor()

    def _check_tensor(self) -> None:
        """Checks all but the ranks of the fields.

        Raises:
            ArgumentError: TMA can't access such a tensor.
            TypeError: the base is not a tensor, or a size or a stride is not an integer.
        """
        rank = len(self.shape)
        if adapter_of(self.base) is None:
            raise TypeError(f"base must be a tensor or an array, found {type(self.base).__name__}")
        for name, numbers in (("shape", self.shape), ("strides", self.strides)):
            for number in numbers:
                if type(number) is not int and not hasattr(number, "__index__"):
                    raise TypeError(f"{name} must have integers, found {type(number).__name__} {number}")
        require(rank > 0, "rank must not be zero")
        require(rank <= MAX_RANK, f"rank cannot be more than {MAX_RANK}")
        if type(self.base).__name__ not in ("FakeTensor", "FunctionalTensor"):
            require(
                pointer_value(self.base) % TENSOR_MAP_ALIGNMENT == 0,
                f"base must be {TENSOR_MAP_ALIGNMENT}-byte aligned",
            )
        self._check_block()
        size = element_bytes(element_type(self.base))
        for stride in self.strides[:-1]:
            require(stride * size % TENSOR_MAP_ALIGNMENT == 0, f"strides must be {TENSOR_MAP_ALIGNMENT}-byte aligned")
            require(stride >= 0, f"strides must not be negative, found {stride}")
        require(all(extent > 0 for extent in self.shape), "shape must be positive")
        for extent in self.shape:
            if extent > TENSOR_MAP_EXTENT:
                text = "a dimension has at most 2^32 elements"
                raise DescriptorError(f"{text}, found {extent}: split it over several tensors")
        require(self.strides[-1] == 1, "Last dimension must be contiguous")
        require(self.padding in ("zero", "nan"), "Illegal value for padding")
        if self.padding == "nan":
            is_float = element_type(self.base)[:2] in ("fp", "bf")
            require(is_float, "Padding option `nan` is only supported for floating point tensors")

    def _check_rounding(self) -> None:
        """Raises ArgumentError for a tensor that is to be rounded to tf32 and has other elements than f32."""
        is_f32 = not self.round_f32_to_tf32 or element_type(self.base) == "fp32"
        require(is_f32, "round_f32_to_tf32 is only supported for float32 tensors")

    def _check_block(self) -> None:
        elements = 1
        for index, extent in enumerate(self.block_shape):
            if type(extent) is not int:
                raise TypeError(
                    f"Shape element {index} must have type `constexpr[int]`, got `constexpr[{type(extent)}]"
                )
            require(extent > 0 and extent & (extent - 1) == 0, f"Shape element {index} must be a power of 2")
            elements *= extent
        if elements > MAX_ELEMENTS:
            require(False, f"numel ({elements}) exceeds triton maximum tensor numel ({MAX_ELEMENTS})")


@dataclass
class TensorDescriptor(DescribedTensor):
    """A tensor on the GPU that a kernel loads and stores in blocks, by TMA where there is one.

    base: the tensor, whose address is divisible by 16.
    shape: elements in each dimension.
    strides: in elements; all but the last, which is 1, divisible by 16 bytes.
    block_shape: of the blocks; powers of two.
    padding: what lies outside of the tensor: "zero" or "nan".
    round_f32_to_tf32: TMA rounds what is loaded to tf32, where a product would cut it off (Triton 3.7).  GPUs without
        TMA load it as it is.

    Raises:
        ArgumentError: one of these does not hold.
        TypeError: one of these has another type.
    """

    base: Any
    shape: Sequence[int]
    strides: Sequence[int]
    block_shape: Sequence[int]
    padding: str = "zero"
    round_f32_to_tf32: bool = False

    def __post_init__(self) -> None:
        self._check()
        self._check_rounding()

    @staticmethod
    def from_tensor(
        tensor: Any, block_shape: Sequence[int], padding: str = "zero", round_f32_to_tf32: bool = False
    ) -> TensorDescriptor:
        """A descriptor of all of a tensor of torch, or of an array for the interpreter.

        Raises:
            ArgumentError: TMA can't access it.
            TypeError: it is not a tensor.
        """
        if adapter_of(tensor) is None:
            raise TypeError(f"from_tensor takes a tensor or an array, found {type(tensor).__name__}")
        return TensorDescriptor(tensor, tensor.shape, element_strides(tensor), block_shape, padding, round_f32_to_tf32)


def element_strides(tensor: Any) -> Sequence[int]:
    """Strides of a tensor of torch, or of an array of NumPy's, in elements."""
    if callable(getattr(tensor, "stride", None)):
        strides: Sequence[int] = tensor.stride()
        return strides
    return [stride // tensor.itemsize for stride in tensor.strides]  # numpy's are in bytes


def require(holds: bool, message: str) -> None:
    """Raises DescriptorError unless something holds."""
    if not holds:
        raise DescriptorError(message)
