"""Kernels as plain Python: `@jit(interpret=True)`.

The body runs as it stands, once for each program, so that `print` and `pdb` work in it.  Every function of the language
builds the same operation as when it is compiled; here it is run at once, by the interpreter's own meaning of it.

A tensor's `handle` is a `Concrete`, whose array has a leading dimension of size one, that of the program.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ttkit.context import Context
from ttkit.frontend.compilation import Compilation, GPUTarget, LanguageOptions
from ttkit.frontend.errors import TritonError
from ttkit.frontend.generator import CodeGenerator
from ttkit.frontend.jit_function import JITFunction
from ttkit.frontend.materialize import Materializer
from ttkit.frontend.prototype import Prototype
from ttkit.frontend.record import NO_ATTRIBUTES, Attributes, Block, Builder, Operation
from ttkit.interpreter.decode import Module, decode_module
from ttkit.interpreter.errors import InterpreterError
from ttkit.interpreter.launch import Options, normalize_grid
from ttkit.interpreter.machine import STRUCTURED, Machine
from ttkit.interpreter.memory import Buffer, Memory
from ttkit.language import types
from ttkit.language.builtin import active
from ttkit.language.tensor import tensor

# The dtype of an array -> of the elements that a pointer to it has.
ELEMENT_TYPES = {
    "bool": types.int1,
    "float16": types.float16,
    "float32": types.float32,
    "float64": types.float64,
    **{f"int{bits}": types.get_int_dtype(bits, True) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": types.get_int_dtype(bits, False) for bits in (8, 16, 32, 64)},
    "bfloat16": types.bfloat16,
    "float8_e5m2": types.float8e5,
    "float8_e4m3fn": types.float8e4nv,
    "float8_e4m3fnuz": types.float8e4b8,
    "float8_e5m2fnuz": types.float8e5b16,
}


# Launch options, most of which change nothing here.
OPTIONS = frozenset(
    "num_warps num_ctas num_stages maxnreg debug sanitize_overflow enable_fp_fusion extern_libs launch_pdl "
    "launch_cooperative_grid".split()
)


class KernelError(TritonError):
    """What went wrong in a kernel that runs as Python, and at which of its lines."""


class Concrete:
    """A value that is there: an array [1, ...], or what the interpreter has for descriptors and block pointers."""

    __slots__ = ("array", "type")
    owner = None

    def __init__(self, type: str, array: Any) -> None:
        self.type = type
        self.array = array

    def set_hint(self, name: str, attribute: str) -> None:
        pass

    def add_name(self, name: str) -> None:
        pass

    def item(self) -> Any:
        """The only element, as a Python number."""
        return self.array.reshape(-1)[0].item()


class EagerBuilder(Builder):
    """Runs operations instead of recording them, except in a block: what a combine function does is recorded."""

    __slots__ = ("run",)

    @property
    def is_eager(self) -> bool:  # type: ignore[override]
        return self.block is None

    def __init__(self, compilation: Compilation, run: Callable[..., Any]) -> None:
        super().__init__(compilation)
        self.block: Any = None
        self.run = run

    def emit(self, name: str, operands: Sequence[Any], type: str, attributes: Attributes = NO_ATTRIBUTES) -> Any:
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
        if self.block is not None:
            return super().emit_op(name, operands, types, attributes, regions, successors)
        return Done(self.run(name, operands, tuple(types), attributes, regions))


class Done:
    """An operation that has run; `results` are its values."""

    def __init__(self, results: list[Concrete]) -> None:
        self.results = results
        self.loc: Any = None


class Runner:
    """Runs single operations: each distinct one is made and decoded once, as a function of a module of its own."""

    def __init__(self, compilation: Compilation, grid: tuple[int, int, int]) -> None:
        self.compilation = compilation
        self.materializer = Materializer(Context())
        self.decoded: dict[Any, Any] = {}
        self.constants: dict[Any, list[Concrete]] = {}
        self.memory = Memory()
        module = Module({}, {})
        self.machine = Machine(module, self.memory, grid, np.zeros(1, np.int64), Options())

    def run(
        self, name: str, operands: Sequence[Concrete], types: tuple[str, ...], attributes: Attributes, regions: Any
    ) -> list[Concrete]:
        key = (name, tuple([value.type for value in operands]), types, tuple(attributes.items()), _callees(regions))
        if key in self.constants:
            return self.constants[key]
        found = self.decoded.get(key)
        if found is None:
            found = self.decoded[key] = self._decode(name, key[1], types, attributes, regions)
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

    def _decode(self, name: str, operands: Any, types: Any, attributes: Attributes, regions: Any) -> Any:
        entry = Block(operands)
        op = Operation(name, entry.arguments, types, attributes, None, regions)
        entry.operations = [op, Operation("tt.return", op.results, ())]
        result = types[0] if len(types) == 1 else f"({', '.join(types)})"
        signature = f"({', '.join(operands)}) -> {result}"
        names = {"sym_name": '"operation"', "function_type": signature, "sym_visibility": '"public"'}
        function = Operation("tt.func", (), (), names, None, [[entry]])
        callees = list(self.compilation.functions.values()) if regions else []
        with self.materializer.context:
            module = self.materializer.module([*callees, function], None)
            module.operation.verify()
            decoded = decode_module(module)
        made = decoded.functions["operation"]
        assert made.body is not None
        return decoded, made, made.body.blocks[0].instructions[0]


def _callees(regions: Any) -> Any:
    return tuple(
        op.attributes.get("callee", op.name) for region in regions for block in region for op in block.operations
    )


class InterpretedFunction(JITFunction):
    """A kernel that runs as Python: `kernel[grid](*args)` with numpy arrays, or tensors of torch on the CPU.

    Functions that it calls may be jitted either way.  Their bodies run as Python too, except those that combine
    elements (of `tl.reduce` and the like), which are compiled.
    """

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> None:
        """Runs every program of the grid, in order.

        Raises:
            KernelError: at which line, and what.
        """
        if warmup:
            return
        given = {name: value for name, value in kwargs.items() if name in self.arg_names}
        for name in kwargs.keys() - given.keys() - OPTIONS:
            raise KeyError(f"Keyword argument {name} was specified but unrecognised")
        bound = self.signature.bind(*args, **given)
        bound.apply_defaults()
        values = dict(bound.arguments)
        shape = normalize_grid(grid(values) if callable(grid) else grid)
        target = GPUTarget("cuda", 90, 32)
        options = {**kwargs, "sanitize_overflow": False}
        runner = Runner(Compilation(target, LanguageOptions.for_target(target, **options)), shape)
        arguments = [self._argument(runner.memory, param, values[param.name]) for param in self.params]
        builder = EagerBuilder(runner.compilation, runner.run)
        generator = CodeGenerator(runner.compilation, self, self.full_name, Prototype([], {}, {}), False)
        generator.builder = builder
        generator.node = self.tree()
        outer = active.builder, active.generator
        active.builder, active.generator = builder, generator
        try:
            with np.errstate(all="ignore"):
                for program in range(shape[0] * shape[1] * shape[2]):
                    runner.machine.programs = np.array([program], np.int64)
                    self._run_program(arguments, runner)
        finally:
            active.builder, active.generator = outer

    def _run_program(self, arguments: list[Any], runner: Runner) -> None:
        try:
            self.fn(*arguments)
        except InterpreterError as error:
            file, _ = self.location
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
            frame = frames[-1]
            where = runner.machine.coordinates(int(runner.machine.programs[0]))
            raise KernelError(
                f"{frame.filename}:{frame.lineno}, in {frame.name}, program {where}\n    {frame.line}\n{error.what}"
            ) from error

    def _argument(self, memory: Memory, param: Any, value: Any) -> Any:
        if param.is_constexpr or isinstance(value, (str, types.dtype, JITFunction)) or value is None:
            return value
        if isinstance(value, tuple):
            return tuple(self._argument(memory, param, item) for item in value)
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, (bool, int, float)):
            scalar = _scalar_type(value)
            if value > 2**63 - 1:
                array = np.array([value], np.uint64).view(np.int64)
            else:
                array = np.array([value], _NUMPY_TYPES[scalar.ir])
            return tensor(Concrete(scalar.ir, array), scalar)
        array = _as_array(value)
        element = ELEMENT_TYPES.get(array.dtype.name)
        if element is None:
            raise TypeError(f"{param.name}: kernels have no {array.dtype.name}; expected {', '.join(ELEMENT_TYPES)}")
        pointer = types.pointer_type(element, const=param.is_const)
        base = memory.add(Buffer(param.name, array)).base
        return tensor(Concrete(pointer.ir, np.array([base], np.int64)), pointer)


_NUMPY_TYPES = {"i1": np.bool_, "i32": np.int32, "i64": np.int64, "f32": np.float32}


def _scalar_type(value: Any) -> types.dtype:
    if isinstance(value, bool):
        return types.int1
    if isinstance(value, float):
        return types.float32
    return types.int32 if -(2**31) <= value < 2**31 else types.int64 if value < 2**63 else types.uint64


def _as_array(value: Any) -> np.ndarray:
    """The memory of an array, or of a tensor of torch: what is written to one is seen in the other."""
    if isinstance(value, np.ndarray):
        return value
    if type(value).__module__.partition(".")[0] == "torch":
        import ml_dtypes

        name = str(value.dtype).removeprefix("torch.")
        bits = value.view(getattr(inspect.getmodule(type(value)), f"int{8 * value.element_size()}"))
        dtype = getattr(ml_dtypes, name, None) or np.dtype(name)
        return bits.numpy().view(dtype)
    raise TypeError(f"a kernel takes numbers, numpy arrays and torch tensors on the CPU, got {type(value)}")
