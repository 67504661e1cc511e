"""Kernels on whole tiles, for tests of the interpreter: each argument is an array, read and written through a block
pointer that covers it."""

from __future__ import annotations

from typing import Any

import numpy as np
from mlir import ir

import ttkit
from ttkit.interpreter import interpret
from ttkit.interpreter.values import DTYPES

NAMES = {dtype: name for name, dtype in DTYPES.items() if not name.startswith(("si", "ui", "index"))}


def tile_type(array: np.ndarray) -> str:
    """The type of a tensor like the array."""
    return f"tensor<{'x'.join(map(str, array.shape))}x{NAMES[array.dtype]}>"


def block_pointer(name: str, array: np.ndarray) -> str:
    """A block pointer %name to the array that argument %name_ptr points to."""
    strides = [stride // array.itemsize for stride in array.strides]
    lines = [f"%{name}_{kind}{d} = arith.constant {value} : i64" for kind, values in
             (("size", array.shape), ("stride", strides)) for d, value in enumerate(values)]  # fmt: skip
    sizes, steps, zeros = (
        ", ".join(f"%{name}_{kind}{d}" if kind else "%zero" for d in range(array.ndim))
        for kind in ("size", "stride", "")
    )
    order = ", ".join(map(str, reversed(range(array.ndim))))
    lines.append(
        f"%{name} = tt.make_tensor_ptr %{name}_ptr, [{sizes}], [{steps}], [{zeros}] "
        f"{{order = array<i32: {order}>}} : <{tile_type(array)}>"
    )
    return "\n".join(lines)


def tile_kernel(body: str, arrays: dict[str, np.ndarray], outputs: tuple[str, ...]) -> str:
    """A kernel whose body reads %NAME_tile for each input and makes %NAME_tile for each output."""
    arguments = ", ".join(f"%{name}_ptr: !tt.ptr<{NAMES[array.dtype]}>" for name, array in arrays.items())
    pointers = "\n".join(block_pointer(name, array) for name, array in arrays.items())
    loads = "\n".join(
        f"%{name}_tile = tt.load %{name} : !tt.ptr<{tile_type(array)}>"
        for name, array in arrays.items()
        if name not in outputs
    )
    stores = "\n".join(f"tt.store %{name}, %{name}_tile : !tt.ptr<{tile_type(arrays[name])}>" for name in outputs)
    return f"""tt.func public @kernel({arguments}) {{
      %zero = arith.constant 0 : i32
      {pointers}
      {loads}
      {body}
      {stores}
      tt.return
    }}"""


def run_tiles(body: str, outputs: tuple[str, ...] = ("out",), **arrays: np.ndarray) -> None:
    """Runs `body` once; its outputs are in their arrays."""
    run_text(tile_kernel(body, arrays, outputs), 1, list(arrays.values()))


def run_text(text: str, grid: int | tuple[int, ...], args: list[Any], **options: Any) -> None:
    """Runs the kernel of a module given as text."""
    with ttkit.Context(), ir.Location.unknown():
        interpret(ir.Module.parse(text), grid, args, **options)
