"""tcgen05: instruction descriptors, and what an instruction multiplies.

One instruction multiplies `m` rows of the first operand by `n` columns of the second over 32 bytes along K.  What it
does stands in 32 bits (PTX ISA, "Instruction descriptor"), from bit 0 on:

    bits    kind::f16, tf32, f8f6f4, i8      kind::mxf8f6f4, mxf4, mxf4nvf4
    4, 5    type of the result               which of four bytes has the scales of the second operand
    7-9     type of the first operand        the same
    10-12   type of the second operand       the same
    15, 16  whether rows are contiguous      the same, for mxf8f6f4
    17-22   n / 8                            n / 8
    23                                       type of the scales: 0 e4m3, 1 powers of two
    24-28   m / 16                           27, 28: m / 128
    29, 30                                   which of four bytes has the scales of the first operand

Scales are in tensor memory, a byte each, four of a row in a word.
"""

from __future__ import annotations

from ttkit.layout.matrix_descriptor import Descriptor
from ttkit.records import dataclass

RESULTS = {"f16": 0, "f32": 1, "i32": 2}
TYPES = {"f16": 0, "bf16": 1, "tf32": 2, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5, "s8": 1, "u8": 0}
"""Codes of operands' types."""
KINDS = {"f16": "f16", "bf16": "f16", "tf32": "tf32", "e4m3": "f8f6f4", "e5m2": "f8f6f4", "s8": "i8", "u8": "i8"}
DENSE_FP4 = 1
"""The code of e2m1 where both operands are fp4 in every byte."""
SCALES_IN_WORD = 4
_VERSION = 1 << 46


@dataclass(frozen=True)
class Scaling:
    """A kind of scaled products.

    kind: its name.  block: elements along K that share a scale.
    k: elements along K of an instruction.
    """

    kind: str
    block: int
    k: int

    @property
    def scales(self) -> int:
        """Scales of a row that an instruction takes."""
        return self.k // self.block

    @property
    def name(self) -> str:
        """The kind and the number of scales as PTX writes them."""
        return f"{self.kind}.block_scale.scale_vec::{self.scales}X"

    def word(self, step: int) -> int:
        """The word, of each row, that has the scales of a step along K."""
        return step * self.scales // SCALES_IN_WORD

    def byte(self, step: int) -> int:
        """The first byte of it."""
        return step * self.scales % SCALES_IN_WORD


MIXED = Scaling("mxf8f6f4", 32, 32)
FP4 = Scaling("mxf4", 32, 64)
FP4_BY_FP8 = Scaling("mxf4nvf4", 16, 64)


def choose_scaling(a: str, b: str, scales_are_fp8: bool, turned: bool) -> Scaling:
    """The kind of product for two types of operands, both fp4 possibly dense; as Triton 3.6.

    turned: whether the rows of an operand are contiguous, which needs padded fp4.
    """
    if turned or (a, b) != ("e2m1", "e2m1"):
        return MIXED
    return FP4_BY_FP8 if scales_are_fp8 else FP4


def instruction_descriptor(a: str, b: str, result: str, m: int, n: int, turned: tuple[bool, bool]) -> int:
    """The descriptor of a product of plain operands; turned: whether the rows of each are contiguous."""
    return RESULTS[result] << 4 | _operands(TYPES[a], TYPES[b], turned) | n // 8 << 17 | m // 16 << 24


def scaled_descriptor(
    scaling: Scaling, a: str, b: str, scales_are_fp8: bool, m: int, n: int, turned: tuple[bool, bool], step: int
) -> int:
    """The descriptor of a product of scaled operands, for a step along K."""
    codes = (TYPES[a], TYPES[b]) if scaling is MIXED else (DENSE_FP4, DENSE_FP4)
    byte = scaling.byte(step)
    scales = byte << 4 | int(not scales_are_fp8) << 23 | byte << 29
    return _operands(*codes, turned) | scales | n // 8 << 17 | m // 128 << 27


def _operands(a: int, b: int, turned: tuple[bool, bool]) -> int:
    return a << 7 | b << 10 | turned[0] << 15 | turned[1] << 16


def descriptor_bits(plan: Descriptor) -> int:
    """The 64 bits of an operand's descriptor, but for the address."""
    return plan.bits | _VERSION
