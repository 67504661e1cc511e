"""Operations that run at once, for kernels whose body runs as Python (`kernel_mode.py`).

The language builds operations through a `Builder`; the one here runs each by the interpreter's own meaning of it.
A value is a `Concrete`: an array whose leading dimension is that of the programs that run together, as everywhere in
the interpreter (`values.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from mlir import ir

import ttkit.dialects.defined as defined
import ttkit.locks as locks
from ttkit.context import Context
from ttkit.frontend.materialize import Materializer
from ttkit.frontend.source import set_machine
from ttkit.frontend.translation_unit import TranslationUnit
from ttkit.interpreter.decode import Module, decode_module
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.machine import STRUCTURED, Machine
from ttkit.interpreter.memory.global_memory import Memory
from ttkit.interpreter.run_options import Options
from ttkit.interpreter.values import DTYPES, unsigned
from ttkit.language.constants import to_tensor
from ttkit.language.promotion import promote_integers
from ttkit.language.record import NO_ATTRIBUTES, Attributes, Block, Builder, Operation
from ttkit.language.tensor import tensor
from ttkit.language.type_conversion import int_cast

# Operations whose results or effects tell the order of programs.
ORDERED = frozenset(["tt.atomic_cas", "tt.atomic_rmw", "tt.descriptor_reduce", "tt.print"])


class NotTogether(BaseException):
    """Programs can't go on together: the kernel asks for their order, or calls what may have effects of its own.

    No error: only `batches.py` sees it.
    """


class Diverged(NotTogether):
    """The kernel asks in Python for a number that is not the same in all programs: `values` has each one's."""

    def __init__(self, values: np.ndarray) -> None:
        super().__init__()
        self.values = values


class Concrete:
    """A value that is there: an array [P or 1, ...], or what the interpreter has for descriptors and block pointers."""

    __slots__ = ("array", "type")
    owner = None

    def __init__(self, type: str, array: Any) -> None:
        self.type = type
        self.array = array

    def set_hint(self, name: str, attribute: str) -> None:
        """Nothing: hints don't change values."""

    def add_name(self, name: str) -> None:
        """Nothing: names are for IR."""

    @property
    def data(self) -> Any:
        """The numbers of the first program: of the tensor's shape, (1,) of a scalar."""
        return self.array if not isinstance(self.array, np.ndarray) or self.array.ndim == 1 else self.array[0]

    def shown(self, dtype: Any) -> str:
        """The numbers of the first program, as text after a type: addresses in hexadecimal."""
        if not isinstance(self.array, np.ndarray):
            return f" {self.array}"
        numbers = self._numbers(dtype)[0]
        separator = "\n" if numbers.ndim > 1 else " "
        if dtype.is_ptr():
            return separator + np.array2string(numbers, formatter={"int": hex})
        return f"{separator}{numbers}"

    def item(self, dtype: Any) -> Any:
        """The only element, as a Python number.

        Raises:
            Diverged: programs have different ones.
        """
        elements = self._numbers(dtype).reshape(-1)
        if elements.size > 1 and not (elements == elements[0]).all():
            raise Diverged(elements)
        return elements[0].item()

    def _numbers(self, dtype: Any) -> np.ndarray:
        is_unsigned = dtype.is_int() and dtype.is_int_unsigned()
        return unsigned(self.array) if is_unsigned and self.array.dtype.kind == "i" else self.array


class Done:
    """An operation that has run; `results` are its values."""

    def __init__(self, results: list[Concrete]) -> None:
        self.results = results
        self.loc: Any = None


class EagerBuilder(Builder):
    """Runs operations instead of recording them, except in a block: what a combine function does is recorded.

    Args:
        run: runs an operation, as `Runner.run`.
        enter: gives the Python function that stands for a jitted one.
    """

    __slots__ = ("enter", "run")

    @property
    def is_eager(self) -> bool:  # type: ignore[override]
        """Whether operations run at once: not while a region is recorded."""
        return self.block is None

    def __init__(self, unit: TranslationUnit, run: Callable[..., Any], enter: Callable[[Any], Any]) -> None:
        super().__init__(unit)
        self.block: Any = None
        self.run = run
        self.enter = enter

    def emit(self, name: str, operands: Sequence[Any], type: str, attributes: Attributes = NO_ATTRIBUTES) -> Any:
        """Runs an operation at once, unless a region is being recorded; gives its result."""
        if self.block is not None:
            return super().emit(name, operands, type, attributes)
        return self.run(name, operands, (type,), attributes, ())[0]

    def emit_op(
        self,
        name: str,
        operands: Sequence[Any] = (),
        types: Sequence[str] = (),
        attributes: Attributes = NO_ATTRIBUTES,
        regions: Sequence[list[Block]] = (),
        successors: Sequence[Block] = (),
    ) -> Any:
        """As `emit`, of an operation with any number of results; gives it."""
        if self.block is not None:
            return super().emit_op(name, operands, types, attributes, regions, successors)
        return Done(self.run(name, operands, tuple(types), attributes, regions))

    def call(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Calls a jitted function and returns its result."""
        return self.enter(function)(*args, **kwargs)

    def count(self, start: Any, end: Any, step: Any) -> Iterator[tensor]:
        """The values of a loop's variable: scalars of the type that a compiled loop has."""
        bounds = [to_tensor(bound) for bound in (start, end, step)]
        type = promote_integers(promote_integers(bounds[0].dtype, bounds[1].dtype), bounds[2].dtype)
        first, last, by = (int(int_cast(bound, type, type.is_int_signed())) for bound in bounds)
        for value in range(first, last, by):
            yield tensor(Concrete(type.ir, np.array([value]).astype(DTYPES[type.ir])), type)


_DECODED: dict[Any, Any] = {}
"""Operations without regions, which mean the same in every launch, by name, types and attributes."""
MOST_DECODED = 10_000
"""Then all are forgotten: kernels of a large program have some hundred kinds of operations each."""
_lock = locks.lock()


@functools.cache
def _materializer() -> Materializer:
    """The materializer of the one context in which operations are made: making one takes longer than most kernels."""
    return Materializer(Context())


class Runner:
    """Runs single operations for the programs of `machine`: each distinct one is made and decoded once, as a function
    of a module of its own."""

    def __init__(self, unit: TranslationUnit, memory: Memory, grid: tuple[int, int, int]) -> None:
        self.unit = unit
        self.memory = memory
        self.grid = grid
        self.decoded: dict[Any, Any] = {}
        self.constants: dict[Any, list[Concrete]] = {}
        self.largest = 1
        """Elements of the largest tensor so far, of one program."""
        self.start(np.zeros(1, np.int64))

    def start(self, programs: np.ndarray, together: bool = False) -> None:
        """From now on operations run for these programs.

        Args:
            programs: linear indices, int64 [P].
            together: whether they may have to start again: what can't be undone is then refused.
        """
        self.machine = Machine(Module({}, {}), self.memory, self.grid, programs, Options())
        self.together = together

    def run(
        self, name: str, operands: Sequence[Concrete], types: tuple[str, ...], attributes: Attributes, regions: Any
    ) -> list[Concrete]:
        """Runs an operation, prepared once for each name, types and attributes; gives its results.

        Raises:
            NotTogether: programs that run together must run it one by one.
        """
        if self.together and name in ORDERED:
            raise NotTogether
        key: Any = (name, tuple([value.type for value in operands]), types)
        if attributes:
            key = (*key, *attributes.items())
        if regions:
            key = (*key, _callees(regions))
        elif not operands and key in self.constants:
            return self.constants[key]
        found = self.decoded.get(key)
        if found is None:
            found = self.decoded[key] = self._decode(key, name, key[1], types, attributes, regions)
        module, function, op = found
        arrays = [value.array for value in operands]
        if op.handler is not None and name not in STRUCTURED:
            results = op.handler(self.machine, op, *arrays)
            if not isinstance(results, tuple):
                results = (results,)
        else:
            self.machine.module = module
            results = self.machine.call(function, arrays)
        made = [Concrete(type, array) for type, array in zip(types, results)]
        if name == "arith.constant":
            self.constants[key] = made
        return made

    def _decode(self, key: Any, name: str, operands: Any, types: Any, attributes: Attributes, regions: Any) -> Any:
        with _lock:
            if regions:  # they call functions of this launch
                return self._make(name, operands, types, attributes, regions)
            found = _DECODED.get(key)
            if found is None:
                if len(_DECODED) >= MOST_DECODED:
                    _DECODED.clear()
                found = _DECODED[key] = self._make(name, operands, types, attributes, regions)
        self.largest = max(self.largest, found[1].largest)
        return found

    def _make(self, name: str, operands: Any, types: Any, attributes: Attributes, regions: Any) -> Any:
        entry = Block(operands)
        op = Operation(name, entry.arguments, types, attributes, None, regions)
        entry.operations = [op, Operation("tt.return", op.results, ())]
        result = types[0] if len(types) == 1 else f"({', '.join(types)})"
        signature = f"({', '.join(operands)}) -> {result}"
        names = {"sym_name": '"operation"', "function_type": signature, "sym_visibility": '"public"'}
        function = Operation("tt.func", (), (), names, None, [[entry]])
        callees = list(self.unit.functions.values()) if regions else []
        made = _materializer()
        with made.context:
            defined.load_into(made.context)  # those that were defined after the context was made, too
            module = made.module([*callees, function], None)
            if self.unit.is_gluon:  # layouts are of so many warps
                set_machine(module, self.unit.options)
            try:
                module.operation.verify()
            except ir.MLIRError as error:
                raise InterpreterError("; ".join(one.message for one in error.error_diagnostics)) from None
            decoded = decode_module(module)
        found = decoded.functions["operation"]
        assert found.body is not None
        return decoded, found, found.body.blocks[0].instructions[0]


def _callees(regions: Any) -> Any:
    return tuple(
        op.attributes.get("callee", op.name) for region in regions for block in region for op in block.operations
    )
