"""The instruction that computes a tt.dot: its generation, its shape, and the part of the result of each warp.

The instructions, by the version of MMA that chooses them:

    version   instruction   operand a             operand b        rows x columns x K of one instruction
    2         mma.sync      registers             registers        16 x 8 x 256 bits
    3         wgmma         registers or shared   shared memory    16 x 8...256 x 256 bits, for each of four warps
    5         tcgen05       shared memory         shared memory    64 or 128 x up to 256 x 256 bits
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from mlir import ir

import ttkit.knobs as knobs
from ttkit.dialects._tt_enums import InputPrecision
from ttkit.inspection import address_of, collect, name_of, outermost
from ttkit.layout.clusters import shape_per_cta
from ttkit.layout.encodings import NvidiaMma
from ttkit.layout.hardware import GROUP_WARPS
from ttkit.operation_sets import ALL_DOTS
from ttkit.passes.infra import remark
from ttkit.passes.infra.slices import connected, forward_slice
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.layouts.thread_counts import num_warps
from ttkit.target import Target

DECOMPOSED = "ttkit.decomposed"
"""The attribute of a tt.dot that was a tt.dot_scaled, while its instruction is being chosen."""

# Bits along K of one instruction.
K_BITS = 256
# Rows and columns of one mma.sync; a wgmma has as many rows for each warp.
ROWS, COLUMNS = 16, 8
# If max_num_imprecise_acc is less, partial accumulators of fp8 are added in f32 between wgmmas.
MIN_IMPRECISE_FP8 = 32
# The numbers of columns of wgmma, widest first.
WGMMA_COLUMNS = tuple(range(256, 0, -8))
WGMMA_COLUMNS_OF_BYTES = (224, 208, 192, 176, 160, 144, 128, 112, 96, 80, 64, 48, 32, 24, 16, 8)
FP8 = (ir.Float8E5M2Type, ir.Float8E4M3FNType)
OTHER_FP8 = (ir.Float8E5M2FNUZType, ir.Float8E4M3FNUZType)
HALF = (ir.F16Type, ir.BF16Type)


class DotFacts(NamedTuple):
    """The properties of a tt.dot by which its instruction is chosen.

    Attributes:
        target: the GPU.
        a, b, result: element types.
        depth: elements along K.
        part: elements per dimension of the part of the result that one CTA computes.
        warps: the number of warps that run the dot.
        precision: an InputPrecision.
        imprecise: the number of fp8 products along K that may be added within the tensor core.
    """

    target: Target
    a: ir.Type
    b: ir.Type
    result: ir.Type
    depth: int
    part: tuple[int, ...]
    warps: int
    precision: int
    imprecise: int

    @classmethod
    def of(cls, op: Any, target: Target) -> "DotFacts":
        """The properties of a tt.dot on a GPU."""
        result = op.result.type
        return cls(
            target,
            op.a.type.element_type,
            op.b.type.element_type,
            result.element_type,
            op.a.type.shape[-1],
            shape_per_cta(result.shape, tensor_layout(result)),
            num_warps(op.operation),
            _number(op.inputPrecision),
            _number(op.maxNumImpreciseAcc),
        )

    @property
    def fills_an_instruction(self) -> bool:
        """Whether there are enough elements along K for one instruction."""
        return self.depth >= K_BITS // self.a.width

    def is_supported(self, version: int) -> bool:
        """Whether the instruction of a version can compute the dot; fp8 becomes f16 on GPUs whose mma.sync lacks it."""
        if version == 5 and not self.suits_tensor_memory():
            return False
        if version == 3 and self.obstacle(3):
            return False
        if self.is_f32:
            return self.precision == InputPrecision.TF32
        is_double = any(isinstance(type, ir.F64Type) for type in (self.a, self.result))
        if is_double and not self.target.has_f64_products:
            return False
        return has_tensor_cores(self.a) and has_tensor_cores(self.b)

    @property
    def other_obstacle(self) -> str:
        """The reason that no tensor core computes the dot, where shapes and warps suit one."""
        if self.is_f32:
            return "f32 needs input_precision='tf32'"
        return f"tensor cores of this GPU do not multiply {self.a}"

    @property
    def is_f32(self) -> bool:
        """Whether both operands are f32, of which tensor cores read only the upper bits."""
        return isinstance(self.a, ir.F32Type) and isinstance(self.b, ir.F32Type)

    def suits_tensor_memory(self) -> bool:
        """Whether tcgen05 supports the shape and the data types."""
        if knobs.inspection.disable_mma_v5 or not self.fills_an_instruction:
            return False
        if any(isinstance(type, ir.IntegerType) for type in (self.a, self.b, self.result)) or len(self.part) != 2:
            return False
        if not (
            isinstance(self.result, ir.F32Type) or (isinstance(self.result, ir.F16Type) and self._accumulates_in_f16)
        ):
            return False
        return self.warps in (GROUP_WARPS, 2 * GROUP_WARPS) and self.part[0] % 64 == 0 and self.part[1] % 16 == 0

    @property
    def _accumulates_in_f16(self) -> bool:
        """Whether tcgen05 can accumulate in f16 for these operand types."""
        return all(isinstance(type, (*FP8, ir.F16Type)) for type in (self.a, self.b))

    def obstacle(self, version: int) -> str:
        """The reason why wgmma (3) or tcgen05 (5) can't compute the dot, as users can change it; empty if it can."""
        name = {3: "wgmma", 5: "tcgen05"}[version]
        depth, part = K_BITS // self.a.width, "x".join(map(str, self.part))
        is_fp8 = isinstance(self.a, FP8)
        is_disabled = knobs.inspection.disable_mma_v3 if version == 3 else knobs.inspection.disable_mma_v5
        warps = (GROUP_WARPS, 2 * GROUP_WARPS)
        has_warps = self.warps % GROUP_WARPS == 0 if version == 3 else self.warps in warps
        if is_disabled:
            return f"{name} is turned off by DISABLE_MMA_V{version}"
        if not has_warps:
            needed = f"a multiple of {GROUP_WARPS}" if version == 3 else " or ".join(map(str, warps))
            return f"{name} needs {needed} as num_warps, found {self.warps}"
        if len(self.part) != 2:
            return f"{name} takes matrices, found the shape {part}"
        if not self.fills_an_instruction:
            return f"{name} needs K of {depth} or more for this type, found {self.depth}"
        if self.part[0] % 64 or self.part[1] % 16:
            return f"{name} computes multiples of 64 rows and 16 columns, found {part}"
        if version == 5:
            return "" if self.suits_tensor_memory() else f"tcgen05 does not compute {self.result} of {self.a}"
        if not (is_fp8 or is_byte(self.a) or isinstance(self.a, (*HALF, ir.F32Type))):
            return f"wgmma does not take operands of {self.a}"
        if is_fp8 and isinstance(self.result, ir.F32Type) and self.imprecise < MIN_IMPRECISE_FP8:
            return f"wgmma sums fp8 less exactly than max_num_imprecise_acc={self.imprecise} asks for"
        return ""


def _number(attribute: Any) -> int:
    """The integer value of an attribute, or of an enumeration's member."""
    return int(getattr(attribute, "value", attribute))


def is_byte(type: ir.Type) -> bool:
    """Whether a type is an 8-bit integer."""
    return isinstance(type, ir.IntegerType) and type.width == 8


def has_tensor_cores(type: ir.Type) -> bool:
    """Whether tensor cores multiply elements of a type, as they are or converted to a wider type."""
    return isinstance(type, (*FP8, *OTHER_FP8, *HALF, ir.F32Type, ir.F64Type)) or is_byte(type)


def choose_version(op: Any, facts: DotFacts) -> int:
    """The newest MMA version of a GPU that can compute a tt.dot: 2, 3 or 5; 0 if there is none.

    Emits a remark at the operation for each newer version that can not.
    """
    for version in facts.target.mma_versions:
        if facts.is_supported(version):
            return version
        # With tcgen05 f32 may miss the tensor cores because of its precision alone.
        if version == 3 or (version == 5 and not (facts.is_f32 and facts.suits_tensor_memory())):
            remark(
                op,
                f"MMA version {version} acceleration not applied due to unsupported shapes or data types.",
                f"Target compute capability ({facts.target.capability}) supports MMA v{version}. "
                f"Cause: {facts.obstacle(version) or facts.other_obstacle}",
            )
    return 0


def mma_layout(op: Any, facts: DotFacts, version: int, cga_layout: Any, columns_among_groups: bool) -> NvidiaMma:
    """The layout of the result of mma.sync (2) or wgmma (3).

    Args:
        columns_among_groups: the option of the pass.
    """
    shape = instruction_shape(version, facts.part, facts.a, facts.warps)
    warps: tuple[int, ...]
    if version == 3:
        warps = warps_of_wgmma(op, facts.part, facts.warps, columns_among_groups)
    else:
        warps = warps_of_mma_sync(op, facts.part, facts.warps)
    return NvidiaMma(version, 0, warps, shape, cga_layout)


def instruction_shape(version: int, part: Sequence[int], element: ir.Type, warps: int) -> tuple[int, ...]:
    """The shape of one instruction: (1 for each batch dimension, rows, columns) for version 2, else (m, n, k).

    Args:
        version: 2, 3 or 5.
        part: elements per dimension of the part of the result that one CTA computes.
        element: the element type of operand a.
        warps: the number of warps.
    """
    if version == 2:
        return (*(1 for _ in part[:-2]), ROWS, COLUMNS)
    depth = K_BITS // element.width
    if version == 5:
        return 128 if part[0] >= 128 else 64, min(part[1], 256), depth
    row_warps = max(part[0] // ROWS, 1)
    widest = max(part[1] // max(warps // row_warps, 1), COLUMNS)
    columns = WGMMA_COLUMNS_OF_BYTES if is_byte(element) else WGMMA_COLUMNS
    return ROWS, next(n for n in columns if part[1] % n == 0 and n <= widest), depth


def warps_of_wgmma(op: Any, part: Sequence[int], warps: int, columns_among_groups: bool) -> tuple[int, int]:
    """Warps per dimension; all along the rows if a later dot uses the result, so that each warp has whole rows.

    Args:
        columns_among_groups: such a result has at most one warp for each 16 rows, too.
    """
    if not columns_among_groups and has_later_dot(op):
        return warps, 1
    rows_of, columns_of = GROUP_WARPS, 1
    while rows_of * columns_of < warps:
        if part[0] > ROWS * rows_of:
            rows_of *= 2
        else:
            columns_of *= 2
    return rows_of, columns_of


def has_later_dot(op: Any) -> bool:
    """Whether another dot of the same iteration uses a value computed from the result."""
    if len(collect(outermost(op.operation), ALL_DOTS)) == 1:
        return False
    return any(name_of(user) in ALL_DOTS for user in forward_slice(op.operation))


def warps_of_mma_sync(op: Any, part: Sequence[int], warps: int) -> tuple[int, ...]:
    """Warps per dimension: those of a connected dot, or else a balance of the registers of a and b."""
    if len(part) == 3:
        return warps, 1, 1
    chained = connected_dot(op, len(part))
    if chained is not None:
        layout = tensor_layout(chained.result.type)
        if isinstance(layout, NvidiaMma):
            return layout.warps_per_cta
        return (warps, 1) if part[0] >= part[1] else (1, warps)
    rows_of, columns_of = 1, 1
    rows, columns = -(-part[0] // ROWS), -(-part[1] // COLUMNS)
    while rows_of * columns_of < warps:
        if rows >= columns:
            rows_of *= 2
            rows = max(rows // 2, 1)
        else:
            columns_of *= 2
            columns //= 2
    return rows_of, columns_of


def connected_dot(op: Any, rank: int) -> ir.Operation | None:
    """Another tt.dot of a rank in the same region, connected with `op` by definitions and uses; None without one.

    Connections do not cross transpositions.  The first dot with an instruction is preferred.  A dot that was a
    tt.dot_scaled counts only once it has its instruction: for Triton it is not a tt.dot before.
    """
    region = op.operation.block.region

    def belongs(other: ir.Operation) -> bool:
        """Whether connections go through an operation."""
        return other.name != "tt.trans" and other.block.region == region

    order: dict[int, tuple[bool, int]] = {}
    for place, dot in enumerate(collect(region.owner.operation, ["tt.dot"])):
        if dot.block.region != region or dot == op.operation or dot.result.type.rank != rank:
            continue
        is_chosen = isinstance(tensor_layout(dot.result.type), NvidiaMma)
        if is_chosen or DECOMPOSED not in dot.attributes:
            order[address_of(dot)] = not is_chosen, place
    if not order:
        return None
    first = min(order.values())
    found: dict[tuple[bool, int], ir.Operation] = {}
    for other in connected(op.operation, belongs):
        if (key := order.get(address_of(other))) is not None:
            found[key] = other
            if key == first or first[0]:
                break
    return found[min(found)] if found else None
