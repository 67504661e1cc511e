"""Dialects and operations of one's own, defined in Python: in any package, without a compiler.

    T = TypeVar("T", bound=ir.RankedTensorType)

    class Roll(ext.Dialect, name="roll", lowering="roll.lowering", meaning="roll.meaning"):
        \"\"\"Rotations of tensors.\"\"\"

    class RotateOp(Roll.Operation, name="rotate", pure=True):
        \"\"\"result[..., i, ...] = src[..., (i + shift) mod n, ...]\"\"\"

        src: ext.Operand[T]
        axis: int
        shift: int
        result: ext.Result[T]

        def verify_invariants(self) -> None:
            if not 0 <= self.axis < self.src.type.rank:
                raise ValueError(f"axis must be less than {self.src.type.rank}, found {self.axis}")

Contexts made from here on parse, verify and print `roll.rotate %x {axis = 0 : i32, shift = 1 : i32} : (...) -> ...`.
`RotateOp(x, axis=0, shift=1)` builds one, and `op.axis` reads its attribute.  An operation has any number of operands
and results, each one value, and attributes; it has no regions.

The classes look as those of MLIR's own `mlir.dialects.ext`, which MLIR 22 does not have yet.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit._native import context_from_pointer, handle, library, operation_from_pointer
from ttkit._signatures import VerifyCallback
from ttkit.dialects._attributes import i8, i16, i32, i64
from ttkit.dialects._operation import attribute, create, operand, operation, result
from ttkit.dialects._parts import Parts, complaint_about

Of = TypeVar("Of")
PURE, SAME_LAYOUT, ELEMENTWISE = 1, 2, 4
"""TtkitOperationTrait of ttkit.h."""

if TYPE_CHECKING:

    class Operand(ir.Value, Generic[Of]):
        """An operand."""

    class Result(ir.Value, Generic[Of]):
        """A result."""
else:

    class Operand(Generic[Of]):
        """An operand.  In brackets: a class of types, or a TypeVar; values of one TypeVar have the same type."""

    class Result(Generic[Of]):
        """A result.  In brackets as for `Operand`; a TypeVar of an operand makes its type known."""


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

    def __init_subclass__(
        cls, name: str = "", pure: bool = False, keeps_layout: bool = False, elementwise: bool = False
    ) -> None:
        """Defines an operation.

        Args:
            name: without the dialect.
            pure: it has no effects, so it may be removed, merged and moved out of loops.
            keeps_layout: see the attribute.
            elementwise: each element of the results is computed of those at its place; implies `keeps_layout`.

        Raises:
            TypeError: the name is none, or an annotation is not that of an operand, a result or an attribute.
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
        cls.parts = Parts.of_class(cls, Operand, Result)
        for index, part in enumerate(cls.parts.operands):
            setattr(cls, part.name, operand(index))
        for index, part in enumerate(cls.parts.results):
            setattr(cls, part.name, result(index))
        for of in cls.parts.attributes:
            setattr(cls, of.name, attribute(of.name, of.kind))
        operation(cls)
        traits = PURE * pure | SAME_LAYOUT * cls.keeps_layout | ELEMENTWISE * elementwise
        library().ttkitDefineOperation(dialect.name.encode(), name.encode(), traits, _verify)
        defined.OPERATIONS[full] = cls

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Builds an operation: operands and attributes in the order of the class, or by name.

        Args:
            results: types of the results, where they do not follow from the operands.
            loc, ip: by default the current ones.

        Raises:
            TypeError: arguments are missing or too many, or the types of results do not follow.
        """
        results, loc, ip = (kwargs.pop(name, None) for name in ("results", "loc", "ip"))
        bound = self.parts.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = [bound.arguments[part.name] for part in self.parts.operands]
        types = list(results) if results is not None else self.result_types(values)
        context = values[0].context if values else None
        given = {of.name: of.kind(bound.arguments[of.name], context) for of in self.parts.attributes}
        super().__init__(create(self.OPERATION_NAME, values, given, types, loc=loc, ip=ip))

    @classmethod
    def result_types(cls, operands: Sequence[Any]) -> list[ir.Type]:
        """The types of results for these operands; a class may have a rule of its own.

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
        are there and of the right kinds already."""


class Dialect:
    """A dialect that is defined in Python.

    Attributes:
        name: before the dot in the names of its operations.
        lowering: the module with the functions that lower its operations, declared by `passes.lower.registry.lowers`.
        meaning: the module with those that run them on the CPU, declared by `interpreter.ops.registry.interprets`.
        layouts: the module with rules for layouts and for scratch memory.
        proof: the module with their terms, for proofs of passes, declared by `validation.registry.means`.
        Operation: the class from which its operations are derived.
    """

    name: ClassVar[str]
    lowering: ClassVar[str]
    meaning: ClassVar[str]
    layouts: ClassVar[str]
    proof: ClassVar[str]

    class Operation(OperationBase):
        """An operation of the dialect."""

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
        cls.Operation = type("Operation", (OperationBase,), {"dialect": cls})  # type: ignore[misc, assignment]
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
_CONTEXTS: list[ir.Context] = []
_KEEPS_CONTEXTS = False


def keep_contexts() -> None:
    """Says that contexts belong to C++, in a command such as tt-opt: the bindings must not destroy them."""
    global _KEEPS_CONTEXTS
    _KEEPS_CONTEXTS = True


@VerifyCallback
def _verify(pointer: Any) -> bool:
    """Whether an operation is valid; says what is not by a diagnostic.  Raises nothing, since its caller is C++."""
    context = context_from_pointer(library().ttkitContextOf(pointer))
    if _KEEPS_CONTEXTS and context not in _CONTEXTS:
        _CONTEXTS.append(context)
    with context:
        complaint = _complaint(operation_from_pointer(pointer.pointer))
    if complaint:
        library().ttkitEmitError(pointer, complaint.encode())
    return not complaint


def _complaint(op: ir.Operation) -> str:
    """The text for an operation that is wrong; empty if nothing is."""
    try:
        cls = defined.OPERATIONS[op.name]
        found = complaint_about(op, cls.parts, cls.keeps_layout)
        if found:
            return f"'{op.name}' op {found}"
        op.opview.verify_invariants()
    except ValueError as error:
        return f"'{op.name}' op {error}"
    except Exception as error:  # a bug in a user's verifier
        return f"the verifier of '{op.name}' raised {type(error).__name__}: {error}{_line(error.__traceback__)}"
    return ""


def _line(trace: TracebackType | None) -> str:
    """The innermost line of a traceback, in parentheses."""
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})"


__all__ = ["Dialect", "Operand", "OperationBase", "Result", "i8", "i16", "i32", "i64"]
