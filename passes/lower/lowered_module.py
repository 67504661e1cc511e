"""A module on its way from ttg to llvm: what it is compiled for, what its values became, and symbols of its own."""

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.layout import LinearLayout
from ttkit.module_attributes import module_number
from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.thread_index import ThreadIndex
from ttkit.passes.lower.types import Fragment, TypeConverter
from ttkit.passes.lower.unsupported import CannotLower
from ttkit.target import Target


@dataclass(frozen=True)
class Warps:
    """Warps that code is lowered for.

    count: how many.
    barrier: the hardware's number of the barrier at which their threads meet.
    index: indices of their threads.
    registers: that each thread can have; 0 if nobody has decided.
    """

    count: int
    barrier: int
    index: ThreadIndex
    registers: int = 0


class LoweredModule:
    """A module on its way from ttg to llvm.

    Attributes:
        target: the GPU.
        kernel_warps, threads_per_warp, num_ctas: of the kernel; warps per CTA without those of partitions, threads per
            warp, CTAs per cluster.
        emit: makes operations.
        types: from types of tt and ttg to those of llvm.
        axes: what is known of integers and pointers of the source.
        layouts: other layouts that handlers worked out, by whatever tells them apart.
        float_flags: the attribute of sums and products that may be fused.
        flushes_denormals: whether functions for which there is an instruction flush denormal f32 numbers to zero.
    """

    def __init__(self, module: ir.Operation, target: Target) -> None:
        self.module = module
        self.target = target
        self.kernel_warps = self._module_count("ttg.num-warps", 4)
        self.threads_per_warp = self._module_count("ttg.threads-per-warp", 32)
        self.num_ctas = self._module_count("ttg.num-ctas", 1)
        self.emit = Emitter(module.context)
        self.types = TypeConverter(self.emit)
        self._warps: Warps | None = None
        self.axes = AxisInfoAnalysis()
        self.float_flags = self.emit.attribute("#llvm.fastmath<contract>")
        self.flushes_denormals = True
        self.layouts: dict[Hashable, LinearLayout] = {}
        self._declared: set[str] = set()
        self._constants: dict[tuple[str, object], str] = {}
        self._values: dict[ir.Value, Any] = {}
        self._blocks: dict[ir.Block, ir.Block] = {}
        self._vectors: dict[Any, ir.Value] = {}

    def _module_count(self, name: str, default: int) -> int:
        return module_number(self.module, name, default)

    @property
    def warps(self) -> "Warps":
        """The warps that code is lowered for at present: those of the kernel, or of a partition."""
        assert self._warps is not None, "no function is being lowered"
        return self._warps

    @property
    def num_warps(self) -> int:
        """Number of warps that run the code being lowered."""
        return self.warps.count

    @property
    def index(self) -> ThreadIndex:
        """Indices of the threads that code is lowered for at present."""
        return self.warps.index

    @contextmanager
    def lowered_for(self, warps: "Warps") -> Iterator[None]:
        """While it lasts, code is lowered for these warps."""
        outer, self._warps = self._warps, warps
        try:
            yield
        finally:
            self._warps = outer

    def forget(self) -> None:
        """Lets go of the source, which is about to be erased."""
        self._values.clear()
        self._vectors.clear()
        self._blocks.clear()

    def require(self, feature: str, what: str) -> None:
        """Raises CannotLower if the target does not have `feature`, which `what`, a plural, needs."""
        if not getattr(self.target, feature):
            needed = Target.first_with(feature).capability
            raise CannotLower(f"{what} need sm_{needed}, found sm_{self.target.capability}")

    def require_f32_sums(self, result: Any) -> None:
        """Raises CannotLower if the result of a product with scales has a type of other elements."""
        if not isinstance(result.element_type, ir.F32Type):
            raise CannotLower(f"found a result in {result.element_type}; products with scales are added up in f32")

    # --- Values -------------------------------------------------------------------------------------------------------
    def value(self, value: ir.Value) -> Any:
        """Lowered form of a value of the source; a tensor as a vector of registers."""
        return self.plain(self._values[value])

    def plain(self, lowered: Any) -> Any:
        """Form that most handlers take: a fragment packed to a vector, anything else unchanged."""
        if not isinstance(lowered, Fragment):
            return lowered
        assert self.emit.place is not None
        # Once in each block: other blocks may not see what this one makes.
        key = (self.emit.place.block, lowered.registers[0], len(lowered.registers))
        found = self._vectors.get(key)
        if found is None:
            found = self._vectors[key] = self.types.as_vector(lowered)
        return found

    def set_values(self, values: Iterable[ir.Value], parts: Iterable[ir.Value]) -> None:
        """Notes what values of tt or ttg became: the parts of all of them, one after the other; others may follow."""
        rest = iter(parts)
        for value in values:
            count = len(self.types.parts(value.type))
            self._values[value] = self.types.join(value.type, [next(rest) for _ in range(count)])

    def block(self, block: ir.Block) -> ir.Block:
        """Lowered block of a block of the current function."""
        return self._blocks[block]

    def layout(self, value: ir.Value) -> LinearLayout:
        """The linear layout of a tensor."""
        return self.types.layout(value.type)

    def element_type(self, value: ir.Value) -> ir.Type:
        """Lowered type of a scalar, or of the elements of a tensor."""
        return self.types.element(value.type)

    @staticmethod
    def count(value: ir.Value) -> int:
        """Number of registers that a lowered value takes: the length of a vector, 1 for a scalar."""
        return value.type.shape[0] if isinstance(value.type, ir.VectorType) else 1

    def register(self, value: ir.Value, index: int) -> ir.Value:
        """An element of a vector; a scalar itself."""
        if not isinstance(value.type, ir.VectorType):
            return value
        is_bit = value.type.element_type == self.emit.i1
        return self.emit.extract_bit(value, index) if is_bit else self.emit.extract(value, index)

    def registers(self, value: ir.Value) -> list[ir.Value]:
        """The elements of a vector; of a scalar itself."""
        return self.emit.unpack(value) if isinstance(value.type, ir.VectorType) else [value]

    def piece(self, value: ir.Value, first: int, count: int) -> ir.Value:
        """`count` registers from `first` on, as a vector."""
        if not isinstance(value.type, ir.VectorType):
            return self.emit.splat(value, 1)
        return self.emit.slice(value, first, count)

    def from_registers(self, result: ir.Value, vector: ir.Value) -> ir.Value:
        """Lowered value of `result` from a vector of its registers: that for a tensor, its element 0 for a scalar."""
        return vector if isinstance(result.type, ir.RankedTensorType) else self.emit.extract(vector, 0)

    def element_places(self, value: ir.Value) -> list[ir.Value]:
        """For each register of a tensor an i32: its element's number among the tensor's; 0 for a scalar."""
        if not isinstance(value.type, ir.RankedTensorType):
            return [self.emit.i32_constant(0)]
        return self.emit.unpack(self.index.packed_coordinates(self.layout(value)))

    def each(self, function: Callable[..., Any], *values: ir.Value) -> ir.Value:
        """function(a, b, ...) of scalars, for each element of vectors."""
        if not values or not isinstance(values[0].type, ir.VectorType):
            return function(*values)
        return self.emit.pack([function(*elements) for elements in zip(*map(self.emit.unpack, values), strict=True)])

    def call(self, name: str, type: ir.Type, *values: ir.Value, returns: bool = True) -> Any:
        """A call of an external function of scalars, which is declared when it is first called; None if void.

        returns: whether the thread may go on behind the call.
        """
        emit = self.emit
        if name not in self._declared:
            self._declared.add(name)
            arguments = ", ".join(str(value.type) for value in values)
            self.add_symbol(
                "llvm.func",
                name,
                "external",
                function_type=ir.TypeAttr.get(ir.Type.parse(f"!llvm.func<{type} ({arguments})>", emit.context)),
                CConv=emit.attribute("#llvm.cconv<ccc>"),
                **({} if returns else {"passthrough": emit.attribute('["noreturn"]')}),
            )
        callee = ir.FlatSymbolRefAttr.get(name, emit.context)
        called = emit.call(callee, () if type == emit.void else (type,), values)
        return called.results[0] if called.results else None

    def text(self, text: str, name: str) -> ir.Value:
        """Pointer to a constant string that ends in a zero byte; its symbol begins with `name`."""
        data = text.encode() + b"\0"
        value = ir.StringAttr.get(data, self.emit.context)
        return self._constant_data(name, text, value, f"{len(data)} x i8", 0)

    def table(self, numbers: Sequence[int], type: ir.IntegerType) -> ir.Value:
        """Pointer to constant integers in global memory, each as aligned as it is wide."""
        value = self.emit.attribute(f"dense<{list(numbers)}> : tensor<{len(numbers)}x{type}>")
        return self._constant_data("constant", (type, *numbers), value, f"{len(numbers)} x {type}", 1)

    def _constant_data(self, name: str, key: object, value: ir.Attribute, array: str, space: int) -> ir.Value:
        """Pointer to a constant global, one for equal keys; its symbol begins with `name`."""
        emit = self.emit
        symbol = self._constants.get((name, key))
        if symbol is None:
            number = sum(kind == name for kind, _ in self._constants)
            symbol = self._constants[name, key] = f"{name}_{number}"
            self.add_symbol(
                "llvm.mlir.global",
                symbol,
                "internal",
                global_type=ir.TypeAttr.get(ir.Type.parse(f"!llvm.array<{array}>", emit.context)),
                value=value,
                constant=ir.UnitAttr.get(emit.context),
                addr_space=emit.integer(space, 32),
            )
        global_name = ir.FlatSymbolRefAttr.get(symbol, emit.context)
        return emit.op("llvm.mlir.addressof", emit.pointers[space], global_name=global_name)

    def add_symbol(self, op: str, name: str, linkage: str, **attributes: ir.Attribute) -> None:
        """Puts a function without a body, or a global variable, in front of the module."""
        emit = self.emit
        attributes |= {
            "sym_name": ir.StringAttr.get(name, emit.context),
            "linkage": emit.attribute(f"#llvm.linkage<{linkage}>"),
            "visibility_": emit.integer(0),
        }
        begin = ir.InsertionPoint.at_block_begin(self.module.regions[0].blocks[0])
        ir.Operation.create(op, attributes=attributes, regions=1, loc=ir.Location.unknown(emit.context), ip=begin)

    def begin_if(self, condition: ir.Value, otherwise: Sequence[ir.Value] = ()) -> ir.Block:
        """Has all that is made up to `end_if`, which takes the block that this gives, run where an i1 holds.

        otherwise: the results where it does not.
        """
        emit = self.emit
        assert emit.place is not None
        then = emit.place.block.create_after()
        types = [value.type for value in otherwise]
        after = then.create_after(*types, arg_locs=[emit.location] * len(types))
        emit.branch_if(condition, (then, ()), (after, otherwise))
        emit.place = ir.InsertionPoint(then)
        return after

    def end_if(self, after: ir.Block, results: Sequence[ir.Value] = ()) -> list[ir.Value]:
        """The results of `begin_if`, given those of what runs."""
        self.emit.branch(after, *results)
        self.emit.place = ir.InsertionPoint(after)
        return list(after.arguments)

    def owns_element(self, value: ir.Value) -> ir.Value | None:
        """i1: whether this thread is the one that acts for its elements of `value`, others holding copies.

        None if there are no copies in other threads.  For a scalar: whether this is the first thread of its program.
        """
        if not isinstance(value.type, ir.RankedTensorType):
            free = {"lane": self.threads_per_warp - 1, "warp": self.num_warps - 1, "block": self.num_ctas - 1}
        else:
            free = self.layout(value).free_variable_masks()
        return self.is_first(free)

    def free_blocks(self, value: ir.Value) -> int:
        """The bits of a CTA's number that only reach copies of a value's elements."""
        if not isinstance(value.type, ir.RankedTensorType):
            return self.num_ctas - 1
        return self.layout(value).free_variable_masks().get("block", 0)

    def owns_in_cta(self, value: ir.Value) -> ir.Value | None:
        """`owns_element`, where each CTA acts for what it holds."""
        return self.is_first(self.layout(value).free_variable_masks() | {"block": 0})

    def copies_in_cta(self, value: ir.Value) -> ir.Value | None:
        """`owns_in_cta`, to predicate copies with.

        LLVM makes `thread < 4` of `thread & 252 == 0`, and for copies with such a predicate ptxas 12.8 and 13.0 branch:
        a loop of 8 warps with 16 copies then has 15 branches and three times the loads from shared memory (sm_90a,
        2026-11).  So LLVM is not shown what is compared.
        """
        free = self.layout(value).free_variable_masks()
        mask = free.get("lane", 0) | free.get("warp", 0) << self.index.lane_bits
        if not mask:
            return None
        text = f"{{\n\t.reg .b32 copy;\n\tand.b32 copy, $1, {mask};\n\tsetp.eq.b32 $0, copy, 0;\n\t}}"
        return self.emit.inline_asm(text, "=b,r", self.emit.i1, self.index.thread(), effects=False)

    def is_first(self, free: dict[str, int]) -> ir.Value | None:
        """i1: whether all bits of lane, warp and block in the masks are 0; None if there are none."""
        emit, index = self.emit, self.index
        masks = [
            (index.thread, free.get("lane", 0) | free.get("warp", 0) << index.lane_bits),
            (index.block, free.get("block", 0)),
        ]
        conditions = [
            emit.compare("eq", emit.and_(number(), emit.i32_constant(mask)), emit.i32_constant(0))
            for number, mask in masks
            if mask
        ]
        return functools.reduce(emit.and_, conditions) if conditions else None

    def register_copies(self, value: ir.Value) -> int:
        """The bits of a register's number that only reach copies: registers with such a bit need no store."""
        if not isinstance(value.type, ir.RankedTensorType):
            return 0
        return self.layout(value).free_variable_masks().get("register", 0)

    def branch_operands(self, values: Iterable[ir.Value]) -> list[ir.Value]:
        """The parts of all values, as a branch or call passes them on."""
        return [part for value in values for part in self.types.flatten(value.type, self._values[value])]
