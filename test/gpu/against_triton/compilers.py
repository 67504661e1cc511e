"""Both compilers behind one interface: from a case and a launch to a run, on the GPU or as Python."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Protocol

from launches import Array, Described, Launch, flat

WARP = 32


class Compiler(Protocol):
    """name: "triton" or "ttkit", to which the case's kernel is bound."""

    name: str

    def compile(self, case: Any, capability: int) -> Callable[[tuple[int, ...], list[Any]], None]:
        """Compiles with the types that the case declares.

        Returns:
            what launches it over a grid; its arguments are tensors, numbers, `Described` with a tensor, and tuples.
        """

    def call(self, case: Any, grid: tuple[int, ...], arguments: list[Any]) -> None:
        """`kernel[grid](...)`: the types are those of the arguments."""


class Triton:
    name = "triton"

    def compile(self, case: Any, capability: int) -> Callable[[tuple[int, ...], list[Any]], None]:
        import triton
        from triton.backends.compiler import GPUTarget

        source = triton.compiler.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
        made = triton.compile(source, target=GPUTarget("cuda", capability, WARP), options=dict(case.options))
        from triton.tools.tensor_descriptor import TensorDescriptor

        def launch(grid: tuple[int, ...], arguments: list[Any]) -> None:
            given = iter(_described(arguments, TensorDescriptor))
            every = [None if kind == "constexpr" else next(given) for kind in case.signature.values()]
            made[(*grid, 1, 1)[:3]](
                *[_with_constants(value, kind) for value, kind in zip(every, case.signature.values())]
            )

        return launch

    def call(self, case: Any, grid: tuple[int, ...], arguments: list[Any]) -> None:
        from triton.language import constexpr
        from triton.tools.tensor_descriptor import TensorDescriptor

        _call(case, grid, _described(arguments, TensorDescriptor), constexpr)


class TTKit:
    name = "ttkit"

    def compile(self, case: Any, capability: int) -> Callable[[tuple[int, ...], list[Any]], None]:
        from ttkit.runtime import CompiledKernel

        kernel = CompiledKernel.from_compilation(self.compiled(case, capability))

        def launch(grid: tuple[int, ...], arguments: list[Any]) -> None:
            kernel.launch(grid, list(flat(arguments)))

        return launch

    def compiled(self, case: Any, capability: int) -> Any:
        """All levels, `ttkit.compiler.compilation.Compilation`."""
        import ttkit
        from ttkit.compiler.compilation import Compilation
        from ttkit.compiler.sources import IRSource
        from ttkit.frontend import ASTSource, GPUTarget
        from ttkit.options import CompileOptions

        options = CompileOptions.for_capability(capability, **case.options)
        source = ASTSource(case.kernel, case.signature, case.constants, case.attributes)
        target = GPUTarget("cuda", capability, WARP)
        with ttkit.Context() as context:
            module = source.make_ir(target, options, context=context)
            return Compilation(IRSource("kernel.ttir", capability, module), target, options).run()

    def call(self, case: Any, grid: tuple[int, ...], arguments: list[Any]) -> None:
        from ttkit.language import constexpr
        from ttkit.runtime.tensor_descriptor import TensorDescriptor

        _call(case, grid, _described(arguments, TensorDescriptor), constexpr)


COMPILERS: dict[str, Compiler] = {"triton": Triton(), "ttkit": TTKit()}


def no_driver(capability: int) -> None:
    """Lets Triton compile where there is no GPU."""
    from triton.backends.compiler import GPUTarget
    from triton.runtime.driver import driver

    target = GPUTarget("cuda", capability, WARP)
    driver.set_active(SimpleNamespace(get_current_target=lambda: target))
    warnings.simplefilter("ignore")


def _call(case: Any, grid: tuple[int, ...], arguments: list[Any], constexpr: Any) -> None:
    names = [name for name, kind in case.signature.items() if kind != "constexpr"]
    given = {name: _constants_of(case, name, value, constexpr) for name, value in zip(names, arguments, strict=True)}
    constants = {name: value for name, value in case.constants.items() if isinstance(name, str)}
    case.kernel[grid](**given, **constants, **case.options)


def _constants_of(case: Any, name: str, value: Any, constexpr: Any) -> Any:
    """The value of a tuple parameter with its constants, which the case declares by path."""
    if not isinstance(value, tuple):
        return value
    items, number = iter(value), case.kernel.arg_names.index(name)
    return tuple(
        constexpr(case.constants[(number, index)]) if kind == "constexpr" else next(items)
        for index, kind in enumerate(case.signature[name])
    )


def _with_constants(value: Any, kind: Any) -> Any:
    if not isinstance(kind, tuple):
        return value
    items = iter(value)
    return tuple(None if part == "constexpr" else next(items) for part in kind)


def _described(arguments: list[Any], descriptor: Any) -> list[Any]:
    made = []
    for value in arguments:
        if isinstance(value, Described):
            value = descriptor.from_tensor(value.data, list(value.block))
        made.append(value)
    return made


# --- arrays on the GPU ------------------------------------------------------------------------------------------------


class Buffers:
    """The arrays of a launch on the GPU, or on the CPU, in the same place for both compilers.

    arguments: those of the launch with tensors of torch in place of arrays.
    """

    def __init__(self, launch: Launch, device: str = "cuda") -> None:
        import torch

        self._torch, self._device = torch, device
        self._held: list[tuple[Any, Any, Any]] = []
        self.arguments = [self._placed(value) for value in launch.arguments]

    def _placed(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self._placed(item) for item in value)
        if isinstance(value, Described):
            return Described(self._tensor(value.data, 0), value.block)
        return self._tensor(value.data, value.margin) if isinstance(value, Array) else value

    def _tensor(self, array: Any, margin: int) -> Any:
        import numpy as np

        torch = self._torch
        # Bytes: torch knows no ml_dtypes.
        bytes_ = torch.from_numpy(np.ascontiguousarray(array).reshape(-1).view(np.uint8).copy())
        wide = torch.full((bytes_.numel() + 2 * margin * array.itemsize,), 0x3C, dtype=torch.uint8, device=self._device)
        kind = getattr(torch, str(array.dtype))
        inner = wide[margin * array.itemsize :][: bytes_.numel()]
        self._held.append((wide, inner, bytes_))
        inner.copy_(bytes_)
        return inner.view(kind).reshape(array.shape)

    def reset(self) -> None:
        """The contents that the launch starts with."""
        for wide, inner, bytes_ in self._held:
            wide.fill_(0x3C)
            inner.copy_(bytes_)
        self._wait()

    def contents(self) -> list[Any]:
        """Every array with its margins, as bytes on the host; waits for the GPU."""
        self._wait()
        return [wide.cpu().numpy() for wide, _, _ in self._held]

    def _wait(self) -> None:
        if self._device == "cuda":
            self._torch.cuda.synchronize()
