"""A module on its way from ttg to llvm: what it is compiled for, and the objects that own each part of it."""

from collections.abc import Hashable

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.layout import LinearLayout
from ttkit.module_attributes import MAXNREG, NUM_CTAS, NUM_WARPS, THREADS_PER_WARP, TOTAL_NUM_WARPS, module_number
from ttkit.passes.layouts.thread_counts import Machine
from ttkit.passes.lower.elements import Elements
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.function_memory import AddedParameters, SharedMemory
from ttkit.passes.lower.lowered_values import LoweredValues
from ttkit.passes.lower.owners import ElementOwners
from ttkit.passes.lower.symbols import Symbols
from ttkit.passes.lower.thread_index import ThreadIndex
from ttkit.passes.lower.types import TypeConverter
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.passes.lower.warps import CurrentWarps
from ttkit.target import Target


class LoweredModule:
    """A module on its way from ttg to llvm.

    Attributes:
        target: the GPU.
        kernel_warps, threads_per_warp, num_ctas: of the kernel; warps per CTA without those of partitions, threads per
            warp, CTAs per cluster.
        total_warps: warps of a CTA, those of partitions included.
        machine: the same, with threads per warp and CTAs per cluster.
        register_limit: registers that each thread has when the kernel starts; 0 if nobody has decided.
        emit: makes operations.
        types: from types of tt and ttg to those of llvm.
        values: what values and blocks of the source became.
        elements: takes lowered values apart.
        warps: those that code is lowered for at present.
        owners: which thread acts for an element.
        parameters: that functions take after those of the source.
        shared: shared memory of the current function.
        symbols: that lowering adds to the module.
        axes: what is known of integers and pointers of the source.
        layouts: other layouts that handlers worked out, by whatever tells them apart.
        float_flags: the attribute of sums and products that may be fused.
        flushes_denormals: whether functions for which there is an instruction flush denormal f32 numbers to zero.
    """

    def __init__(self, module: ir.Operation, target: Target, scratch_bytes: dict[ir.Operation, int]) -> None:
        self.module = module
        self.target = target
        self.kernel_warps = self._module_count(NUM_WARPS, 4)
        self.threads_per_warp = self._module_count(THREADS_PER_WARP, 32)
        self.num_ctas = self._module_count(NUM_CTAS, 1)
        self.emit = Emitter(module.context)
        self.types = TypeConverter(self.emit)
        self.total_warps = max(self.kernel_warps, self._module_count(TOTAL_NUM_WARPS, self.kernel_warps))
        self.machine = Machine(self.total_warps, self.threads_per_warp, self.num_ctas)
        self.register_limit = self._module_count(MAXNREG, 0)
        self.values = LoweredValues(self.emit, self.types)
        self.elements = Elements(self.emit)
        self.warps = CurrentWarps(self.emit, self.machine)
        self.owners = ElementOwners(self.emit, self.types, self.warps, self.machine)
        self.parameters = AddedParameters(module, self.emit, self.warps)
        self.shared = SharedMemory(self.emit, self.parameters, scratch_bytes)
        self.symbols = Symbols(module, self.emit)
        self.axes = AxisInfoAnalysis()
        self.float_flags = self.emit.attribute("#llvm.fastmath<contract>")
        self.flushes_denormals = True
        self.layouts: dict[Hashable, LinearLayout] = {}

    def _module_count(self, name: str, default: int) -> int:
        return module_number(self.module, name, default)

    @property
    def num_warps(self) -> int:
        """Number of warps that run the code being lowered."""
        return self.warps.count

    @property
    def index(self) -> ThreadIndex:
        """Indices of the threads that code is lowered for at present."""
        return self.warps.index

    def require(self, feature: str, what: str) -> None:
        """Raises CannotLower if the target does not have `feature`, which `what`, a plural, needs."""
        if not getattr(self.target, feature):
            needed, found = Target.first_with(feature).capability, self.target.capability
            if found > needed:
                raise CannotLower(f"sm_{found} does not have {what}; sm_{needed} has them")
            raise CannotLower(f"{what} need sm_{needed}, found sm_{found}")

    def layout(self, value: ir.Value) -> LinearLayout:
        """The linear layout of a tensor."""
        return self.types.layout(value.type)

    def element_type(self, value: ir.Value) -> ir.Type:
        """Lowered type of a scalar, or of the elements of a tensor."""
        return self.types.element(value.type)
