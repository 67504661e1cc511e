"""Source of a compilation: a jitted function with the types and constants of its arguments."""

from __future__ import annotations

import contextlib
import enum
import hashlib
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import ttkit.language.versions as versions
from ttkit.frontend.errors import CompilationError, InvalidModule
from ttkit.frontend.invalid_modules import diagnostics_of, invalid_module
from ttkit.frontend.prototype import Path, Prototype
from ttkit.frontend.translation_unit import TranslationUnit
from ttkit.language.constexpr import constexpr_type
from ttkit.language.jit_function import JITFunction
from ttkit.language.parameters import canonical_signature
from ttkit.language.signatures import str_to_ty
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

# A source whose kernel is in the cache is only hashed: what builds IR is imported when it does.
if TYPE_CHECKING:
    from mlir import ir


class Language(enum.Enum):
    """Languages of kernels, by Triton's names."""

    TRITON = 0
    GLUON = 1


def set_machine(module: ir.Module, options: CompileOptions) -> None:
    """Notes on a module the machine that its layouts are for, as the conversion to ttg does for tt."""
    from mlir import ir

    from ttkit.module_attributes import MAXNREG, NUM_CTAS, NUM_WARPS, TARGET, THREADS_PER_WARP

    numbers = {NUM_WARPS: options.num_warps, NUM_CTAS: options.num_ctas, THREADS_PER_WARP: options.warp_size}
    if options.maxnreg is not None:
        numbers[MAXNREG] = options.maxnreg
    i32 = ir.IntegerType.get_signless(32)
    attributes = module.operation.attributes
    attributes[TARGET] = ir.StringAttr.get(f"cuda:{options.target.capability}")
    for name, value in numbers.items():
        attributes[name] = ir.IntegerAttr.get(i32, value)


class SpecializationProxy(NamedTuple):
    """Facts that the name of a kernel may depend on: constants by name, types by name."""

    constants: dict[str, Any]
    signature: dict[str, Any]


class ASTSource:
    """A jitted function to compile.  One in Gluon begins at the level ttgir.

    Args:
        fn: the function.
        signature: {name of the argument: type}, spelled as in "*fp32", "i32", "tensordesc<fp16[64,64]>" or "constexpr";
            also with the names of numpy, such as "*float32".
        constexprs: {name, or path: value} of the constants; a path is (argument,) or (argument, item of a tuple).
        attrs: {path: [(attribute, integer)]}, such as {(0,): [("tt.divisibility", 16)]}.

    Raises:
        TypeError: a key is not a name.
        ValueError: a name is no parameter.
    """

    def __init__(
        self,
        fn: JITFunction,
        signature: Mapping[str, Any],
        constexprs: Mapping[Any, Any] | None = None,
        attrs: Mapping[Path, Any] | None = None,
    ) -> None:
        if not isinstance(signature, Mapping):
            raise TypeError(f"signature must be {{name: type}}, found {signature!r}")
        for name in signature:
            if not isinstance(name, str):
                raise TypeError("Signature keys must be string")
        for name in (*signature, *(constexprs or {})):
            if not isinstance(name, str | tuple):
                raise TypeError(f"the key of a constant must be a name or a path of integers, found {name!r}")
            if isinstance(name, str) and name not in fn.arg_names:
                raise ValueError(
                    f"{fn.__name__} has no parameter '{name}'; its parameters are {', '.join(fn.arg_names)}"
                )
        self.fn = fn
        self.language = Language.GLUON if fn.is_gluon() else Language.TRITON
        self.ext = "ttgir" if fn.is_gluon() else "ttir"
        self.name = fn.__name__
        self.signature = {name: canonical_signature(spelled) for name, spelled in signature.items()}
        self.constants = {
            (key if isinstance(key, tuple) else (fn.arg_names.index(key),)): value
            for key, value in (constexprs or {}).items()
        }
        self.attrs = dict(attrs or {})

    def hash(self) -> str:
        """Identifies the function's code with these types and constants, as hexadecimal digits."""
        from ttkit.frontend.dependencies import stable_text

        constants = [(path, stable_text(value)) for path, value in sorted(self.constants.items())]
        attributes = [(path, [tuple(item) for item in items]) for path, items in sorted(self.attrs.items())]
        with self._nesting_limited():
            key = self.fn.cache_key
        parts: tuple[Any, ...] = (key, sorted(self.signature.items()), constants, attributes, self._function_name())
        if self.language != Language.TRITON:
            parts = (*parts, self.language.name)
        if (version := versions.of_kernel(self.fn)) != versions.FIRST:
            parts = (*parts, version)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def parse_options(self) -> dict[str, Any]:
        """Options that the source itself sets: none."""
        return {}

    def make_ir(
        self,
        target: GPUTarget,
        options: CompileOptions | None = None,
        codegen_fns: Any = None,
        module_map: Any = None,
        context: ir.Context | None = None,
    ) -> ir.Module:
        """The module in tt; of Gluon in ttg, with layouts that are still open.

        Args:
            options: by default those of `target`.
            codegen_fns, module_map: not looked at; callers of Triton have them.
            context: by default the current one.

        Raises:
            CompilationError: an error in the kernel.
            ValueError: there is no context.
        """
        from mlir import ir

        from ttkit.frontend.generator import CodeGenerator  # none is needed where the cache has the kernel
        from ttkit.frontend.materialize import Materializer

        context = context or ir.Context.current
        if context is None:
            raise ValueError("no context was given and none is current: use `with ttkit.Context():`")
        options = options or CompileOptions.for_capability(target.arch)
        unit = TranslationUnit(target, options, self.language == Language.GLUON, versions.of_kernel(self.fn))
        with self._nesting_limited():
            CodeGenerator(unit, self.fn, self._function_name(), self._prototype(), is_kernel=True).build()
        with context:
            made = Materializer(context)
            file, line = self.fn.location
            try:
                module = made.module(list(unit.functions.values()), (file, line, 0))
            except ir.MLIRError as error:  # a type that there can't be
                where = made.location(made.current)
                messages = [message for _, message in diagnostics_of(error)]
                raise invalid_module(self.fn, [(where, message) for message in messages]) from error
            if unit.is_gluon:
                set_machine(module, options)
            try:
                module.operation.verify()
            except ir.MLIRError as error:
                raise self.at_kernel_line(error) from error
        # Some contexts show modules with more methods than MLIR's (`ttkit.compat.ir`).
        return context.present(module) if hasattr(context, "present") else module

    @contextlib.contextmanager
    def _nesting_limited(self) -> Iterator[None]:
        """Makes of Python's RecursionError one about the kernel."""
        try:
            yield
        except RecursionError:
            limit = sys.getrecursionlimit()
            message = (
                f"statements or expressions are nested too deeply for Python's limit of {limit} calls (each `elif` is "
                "one level more): use a loop or a function, or raise the limit by sys.setrecursionlimit"
            )
            raise CompilationError(self.fn.src, self.fn.parse().body[0], message) from None

    def _prototype(self) -> Prototype:
        types: list[Any] = [None] * len(self.fn.arg_names)
        for name, spelled in self.signature.items():
            types[self.fn.arg_names.index(name)] = str_to_ty(spelled, None)
        for path, value in self.constants.items():
            holder: Any = types
            for index in path[:-1]:
                holder = holder[index]
            (holder if isinstance(holder, list) else holder.types)[path[-1]] = constexpr_type(value)
        return Prototype(types, self.constants, self.attrs)

    def _function_name(self) -> str:
        constants = {self.fn.arg_names[path[0]]: value for path, value in self.constants.items() if len(path) == 1}
        specialization = SpecializationProxy(constants, self.signature)
        name = self.fn.repr(specialization)
        if not isinstance(name, str) or not name.rpartition(".")[2]:
            raise TypeError(f"repr of {self.fn.__name__} must return the kernel's name, found {name!r}")
        return name.rpartition(".")[2]

    def at_kernel_line(self, error: Any) -> InvalidModule:
        """An error about the kernel's operations, of MLIR or of a pass, at the kernel's line."""
        return invalid_module(self.fn, diagnostics_of(error))
