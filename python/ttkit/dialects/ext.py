"""Dialects and operations of one's own, defined in Python: in any package, without a compiler.

    Tensor = NewType("Tensor", ir.RankedTensorType)  # values with it have one and the same type

    class Roll(ext.Dialect, name="roll", lowering="roll.lowering", meaning="roll.meaning"):
        \"\"\"Rotations of tensors.\"\"\"

    class RotateOp(Roll.Operation, name="rotate", pure=True):
        \"\"\"result[..., i, ...] = src[..., (i + shift) mod n, ...]\"\"\"

        src: ext.Operand[Tensor]
        axis: int
        shift: int
        result: ext.Result[Tensor]

        def verify_invariants(self) -> None:
            if not 0 <= self.axis < self.src.type.rank:
                raise ValueError(f"axis must be less than {self.src.type.rank}, found {self.axis}")

Contexts made from here on parse, verify and print `roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (...) -> ...`.
`RotateOp(x, axis=0, shift=1)` builds one, and `op.axis` reads its attribute.  Operands and results may be optional
(`ext.Operand[Tensor] | None`) or several (`Sequence[ext.Operand[Tensor]]`); `body: ext.Region` is a region of one
block.  Types and attributes are classes too, derived from `Roll.Type` and `Roll.Attribute`.

The classes look as those of MLIR's own `mlir.dialects.ext`, which MLIR 22 does not have yet.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit._native import handle, library, operation_from_pointer
from ttkit._signatures import VerifyCallback
from ttkit.dialects._attributes import i8, i16, i32, i32_array, i64
from ttkit.dialects._complaints import complaint_about, complaint_about_regions
from ttkit.dialects._failures import failure_of, known_context
from ttkit.dialects._operation import attribute, create, operand, operation, region, regions, result
from ttkit.dialects._parametric import AttributeBase, TypeBase
from ttkit.dialects._parts import ONE, OPTIONAL, SEVERAL, AnyBlocks, OneBlock, Parts, RegionPart, segments_name

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Of = TypeVar("Of", bound=ir.Type, default=Any)

    class Operand(ir.Value[Of]):
        """An operand."""

    class Result(ir.OpResult[Of]):
        """A result."""

    class Region(ir.Region):
        """A region."""
else:
    from typing import TypeVar

    Of = TypeVar("Of")

    class Operand(Generic[Of]):
        """An operand.  In brackets: a class of types, or a NewType; values of one NewType have the same type."""

    class Result(Generic[Of]):
        """A result.  In brackets as for `Operand`; a NewType of an operand makes its type known."""

    class Region:
        """A region of one block.  `Annotated[Region, OneBlock(...)]` says more of it; `AnyBlocks()` allows several."""


class OperationBase(ir.OpView):
    """The base of all operations that are defined in Python.

    Attributes:
        dialect: the class of the dialect.
        parts: operands, results and attributes.
        keeps_layout: whether all tensors of an operation have one layout, whichever it is.
    """

    dialect: ClassVar[type[Dialect]]
    parts: ClassVar[Parts]
    keeps_layout: ClassVar[bool] = False
    OPERATION_NAME: ClassVar[str]
    if TYPE_CHECKING:
        result: Any  # so that operations may name a result so, with its type

    def __init_subclass__(
        cls,
        name: str = "",
        pure: bool = False,
        keeps_layout: bool = False,
        elementwise: bool = False,
        terminator: bool = False,
        no_terminator: bool = False,
        isolated: bool = False,
    ) -> None:
        """Defines an operation.

        Args:
            name: without the dialect.
            pure: it has no effects, but for those of its regions, so it may be removed, merged and moved out of loops.
            keeps_layout: see the attribute.
            elementwise: each element of the results is computed of those at its place; implies `keeps_layout`.
            terminator: it ends a block.
            no_terminator: the blocks of its regions need not end in a terminator.
            isolated: its regions use no values from outside.

        Raises:
            TypeError: the name is none, or an annotation is not that of an operand, a result, a region or an attribute.
            ValueError: the dialect has the operation already.
        """
        if not name:
            return
        dialect = getattr(cls, "dialect", None)
        if dialect is None:
            raise TypeError(f"{cls.__name__} is in no dialect: derive it from MyDialect.Operation")
        if not re.fullmatch(r"[a-z_][a-z0-9_.$]*", name):
            raise TypeError(f"'{name}' can't name an operation: small letters, digits, _ and dots, such as rotate")
        full = f"{dialect.name}.{name}"
        if full in defined.OPERATIONS:
            raise ValueError(f"there is an operation '{full}' already, {defined.OPERATIONS[full].__qualname__}")
        cls.OPERATION_NAME, cls.keeps_layout = full, keeps_layout or elementwise
        cls.parts = Parts.of_class(cls, Operand, Result, Region)
        cls._add_accessors()
        operation(cls)
        # In the order of TtkitOperationTrait.
        promises = (pure, cls.keeps_layout, elementwise, terminator, no_terminator, isolated)
        traits = sum(1 << bit for bit, promise in enumerate(promises) if promise)
        library().ttkitDefineOperation(dialect.name.encode(), name.encode(), traits, _verify)
        defined.OPERATIONS[full] = cls

    @classmethod
    def _add_accessors(cls) -> None:
        for what, single in (("operands", operand), ("results", result)):
            parts = cls.parts.of(what)
            is_fixed = all(part.count == ONE for part in parts)
            for index, part in enumerate(parts):
                setattr(cls, part.name, single(index) if is_fixed else _group(what, index, part.count))
        for index, block in enumerate(cls.parts.regions):
            accessor: Any = {SEVERAL: regions, OPTIONAL: _optional_region}.get(block.count, region)
            setattr(cls, block.name, accessor(index))
        for of in cls.parts.attributes:
            setattr(cls, of.name, attribute(of.name, of.kind))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Builds an operation: operands and attributes in the order of the class, or by name.

        Args:
            results: for each result its type, None, or a list of types, where they do not follow from the operands.
            loc, ip: by default the current ones.

        A region is given by its name, as the types of the arguments of its block, or a list of such where there are
        several regions.  Without, it gets its block if the class says which arguments that has.

        Raises:
            TypeError: arguments are missing or too many, or the types of results do not follow.
        """
        results, loc, ip = (kwargs.pop(name, None) for name in ("results", "loc", "ip"))
        bound = self.parts.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = [bound.arguments[part.name] for part in self.parts.operands]
        types = list(results) if results is not None else self.result_types(values)
        operands, attributes = self._flat("operands", values)
        result_types, sizes = self._flat("results", types)
        context = operands[0].context if operands else None
        for of in self.parts.attributes:
            if not (of.is_optional and bound.arguments[of.name] is None):
                attributes[of.name] = of.kind(bound.arguments[of.name], context)
        blocks = [self._blocks(part, bound.arguments[part.name], values) for part in self.parts.regions]
        wanted = [one for several in blocks for one in several]
        made = create(self.OPERATION_NAME, operands, attributes | sizes, result_types, len(wanted), loc=loc, ip=ip)
        for to, arguments in zip(made.regions, wanted):
            if arguments is not None:
                to.blocks.append(*arguments, arg_locs=[made.location] * len(arguments))
        super().__init__(made)

    @classmethod
    def _flat(cls, what: str, given: Sequence[Any]) -> tuple[list[Any], dict[str, ir.Attribute]]:
        """Operands, or the types of results, one after the other; and the attribute with the sizes of parts, if any."""
        parts = cls.parts.of(what)
        if len(given) != len(parts):
            raise TypeError(f"{cls.OPERATION_NAME} has {len(parts)} {what}, found {len(given)}")
        groups = [_listed(one, part.count) for one, part in zip(given, parts)]
        sizes = {}
        if cls.parts.has_segments(what):
            sizes[segments_name(what)] = i32_array([len(group) for group in groups])
        return [one for group in groups for one in group], sizes

    @classmethod
    def _blocks(cls, part: RegionPart, given: Any, values: Sequence[Any]) -> list[Any]:
        """For each region of a part the types of its block's arguments; None for a region that gets no block."""
        if part.count == SEVERAL:
            return list(given or ())
        if given is not None or part.count == OPTIONAL or not isinstance(part.blocks, OneBlock):
            return [given]
        sources = [cls.parts.source_of(argument) for argument in part.arguments or ()]
        known = part.arguments is not None and None not in sources
        return [[values[source].type for source in sources if source is not None] if known else None]

    @classmethod
    def result_types(cls, operands: Sequence[Any]) -> list[Any]:
        """For each result its type, for these operands; a class may have a rule of its own.

        Raises:
            TypeError: they do not follow from the operands' types.
        """
        sources = [cls.parts.source_of(part) for part in cls.parts.results]
        if None in sources:
            raise TypeError(
                f"the types of results of {cls.OPERATION_NAME} don't follow from its operands: give results="
            )
        return [operands[source].type for source in sources if source is not None]

    def verify_invariants(self) -> None:
        """Raises ValueError, with what is wrong, for an operation that is not valid; operands, results and attributes
        are there and of the right kinds already.  What stands in its regions is not verified yet."""

    def verify_region_invariants(self) -> None:
        """The same for its regions, once what stands in them is verified; only for operations with regions."""


def _listed(given: Any, count: str) -> list[Any]:
    """The values of one part."""
    if count == SEVERAL:
        return list(given)
    return [] if given is None and count == OPTIONAL else [given]


def _group(what: str, index: int, count: str) -> property:
    """The values of a part: a value, None where it is absent, or a list."""

    def place(op: Any) -> tuple[int, int]:
        """The first and the number of the values."""
        sizes = op.parts.sizes(what, op.operation)
        return sum(sizes[:index]), sizes[index]

    def read(op: Any) -> Any:
        """The values of the part.  Raises ValueError for an operation that is not valid."""
        start, size = place(op)
        values = list(getattr(op.operation, what))[start : start + size]
        return values if count == SEVERAL else values[0] if values else None

    def write(op: Any, value: ir.Value) -> None:
        """Has the operation use another value.  Raises IndexError if it has none there."""
        start, size = place(op)
        if not size:
            raise IndexError(f"'{op.operation.name}' has no operand there; an operand has to be added")
        op.operation.operands[start] = value

    return property(read, write if what == "operands" and count != SEVERAL else None)


def _optional_region(index: int) -> property:
    """A region, None if it has no block."""

    def read(op: Any) -> ir.Region | None:
        """The region, or None."""
        found = op.operation.regions[index]
        return found if len(list(found.blocks)) else None

    return property(read)


class Dialect:
    """A dialect that is defined in Python.

    Attributes:
        name: before the dot in the names of its operations.
        lowering: the module with the functions that lower its operations, declared by `passes.lower.registry.lowers`.
        meaning: the module with those that run them on the CPU, declared by `interpreter.ops.registry.interprets`.
        layouts: the module with rules for layouts and for scratch memory.
        proof: the module with their terms, for proofs of passes, declared by `validation.registry.means`.
        Operation, Type, Attribute: the classes from which its operations, types and attributes are derived.
    """

    name: ClassVar[str]
    lowering: ClassVar[str]
    meaning: ClassVar[str]
    layouts: ClassVar[str]
    proof: ClassVar[str]

    class Operation(OperationBase):
        """An operation of the dialect."""

    class Type(TypeBase):
        """A type of the dialect."""

    class Attribute(AttributeBase):
        """An attribute of the dialect."""

    def __init_subclass__(
        cls, name: str, lowering: str = "", meaning: str = "", layouts: str = "", proof: str = ""
    ) -> None:
        """Defines a dialect.

        Args:
            name: letters, digits and underscores.
            lowering, meaning, layouts, proof: modules, by their full names; see the class.

        Raises:
            ValueError: the name is none, or taken.
        """
        if not re.fullmatch(r"[a-z_][a-z0-9_]*", name):
            raise ValueError(f"'{name}' can't name a dialect: small letters, digits and _, such as roll")
        if name in _OURS or name in defined.DIALECTS:
            raise ValueError(f"there is a dialect '{name}' already")
        cls.name, cls.lowering, cls.meaning, cls.layouts, cls.proof = name, lowering, meaning, layouts, proof
        bases: dict[str, Any] = {"Operation": OperationBase, "Type": TypeBase, "Attribute": AttributeBase}
        for kind, base in bases.items():
            setattr(cls, kind, type(base)(kind, (base,), {"dialect": cls}))
        defined.DIALECTS[name] = cls
        # The bindings give operations their class only once they could import a module of this name.
        sys.modules[f"ttkit.dialects.{name}"] = sys.modules[cls.__module__]

    @classmethod
    def load(cls, context: ir.Context | None = None) -> None:
        """Loads the dialect into a context that was made before it was defined; by default the current one."""
        pointer = handle(context or ir.Context.current, "Context").pointer
        library().ttkitLoadDynamicDialect(pointer, cls.name.encode())


_OURS = frozenset(
    """
    acc affine amdgpu amx arith arm_neon arm_sme arm_sve async bufferization builtin cf complex dlti emitc func gluon
    gpu index irdl linalg llvm math memref ml_program mpi nvg nvgpu nvvm nvws omp pdl pdl_interp proton proton_gpu ptr
    quant rocdl scf shape shard smt sparse_tensor spirv tensor tosa transform tt ttg ttng ub vcix vector wasmssa
    x86vector xegpu xevm
    """.split()
)
"""Names that dialects of MLIR and ttkit have."""


# --- Verifying -------------------------------------------------------------------------------------------------------
@VerifyCallback
def _verify(pointer: Any, regions: bool) -> bool:
    """Whether an operation is valid; says what is not by a diagnostic.  Raises nothing, since its caller is C++."""
    with known_context(library().ttkitContextOf(pointer)):
        complaint = _complaint(operation_from_pointer(pointer.pointer), regions)
    if complaint:
        library().ttkitEmitError(pointer, complaint.encode())
    return not complaint


def _complaint(op: ir.Operation, regions: bool) -> str:
    """The text for an operation that is wrong, or for its regions; empty if nothing is."""
    try:
        cls = defined.OPERATIONS[op.name]
        found = complaint_about_regions(op, cls.parts) if regions else complaint_about(op, cls.parts, cls.keeps_layout)
        if found:
            return f"'{op.name}' op {found}"
        (op.opview.verify_region_invariants if regions else op.opview.verify_invariants)()
    except Exception as error:
        return failure_of(error, op.name, f"'{op.name}' op ")
    return ""


__all__ = [
    "AnyBlocks", "Dialect", "OneBlock", "Operand", "OperationBase", "Region", "Result", "i8", "i16", "i32",
    "i64",
]  # fmt: skip
