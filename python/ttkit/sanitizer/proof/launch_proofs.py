"""Proofs for the kernel of a launch, with what the launch suggests of its sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ttkit.compiler.compilation import Compilation
from ttkit.context import parse
from ttkit.frontend.source import ASTSource
from ttkit.interpreter.python_mode.host_arrays import HostArray, host_array
from ttkit.options import CompileOptions
from ttkit.sanitizer.proof.assumptions import Assumptions
from ttkit.sanitizer.proof.verdicts import Verdict, prove
from ttkit.target import GPUTarget

WITHOUT_DESCRIPTORS = 80
"""A capability for which descriptors become pointers with masks."""


def verdicts_of_launch(source: Any, grid: Sequence[int], arguments: Sequence[Any]) -> tuple[Assumptions, list[Verdict]]:
    """The assumptions that a launch of a jitted function suggests, and the verdicts under them.

    Raises:
        Exception: as compiling it raises.
    """
    plain = ASTSource(source.fn, source.signature, source.constants, {})  # for all sizes, not for multiples of 16
    target = GPUTarget("cuda", WITHOUT_DESCRIPTORS, 32)
    options = CompileOptions.for_capability(WITHOUT_DESCRIPTORS, sanitize_overflow=False)
    made = Compilation(plain, target, options, until="ttir").run()
    tensors, numbers = {}, {}
    for name, value in zip(source.fn.arg_names, arguments):
        if source.signature.get(name, "constexpr") == "constexpr":
            continue
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            numbers[name] = int(value)
        elif not isinstance(value, (float, np.floating)) and (array := host_array(value)) is not None:
            size = max(1, array.element.primitive_bitwidth // 8)
            tensors[name] = array.shape, [step // size for step in array.strides]
    constants = {
        source.fn.arg_names[path[0]]: value
        for path, value in source.constants.items()
        if len(path) == 1 and isinstance(value, int) and not isinstance(value, bool)
    }
    assumptions = Assumptions.of_launch(tensors, numbers, constants, grid)
    assumptions.descriptors = described(source, arguments)
    module = parse(made.asm["ttir"])
    verdicts = prove(module, assumptions.of_descriptors())
    narrower = assumptions.with_multiples(numbers, constants)
    if narrower.multiples and any(verdict.outcome != "proved" for verdict in verdicts):
        given = ", ".join(f"{name} is a multiple of {size}" for name, size in narrower.multiples.items())
        for place, verdict in enumerate(prove(module, narrower.of_descriptors())):
            if verdict.outcome == "proved" and verdicts[place].outcome != "proved":
                verdicts[place] = replace(verdict, by=f"{verdict.by}, if {given}")
    return assumptions, verdicts


def described(source: Any, arguments: Sequence[Any]) -> dict[str, tuple[int, int]]:
    """Descriptors that the host made of tensors that have what they describe: the number of the pointer that each
    becomes, and its rank."""
    found: dict[str, tuple[int, int]] = {}
    number = 0
    for name, value in zip(source.fn.arg_names, arguments):
        kind = source.signature.get(name, "constexpr")
        if isinstance(kind, tuple) or kind.startswith("tensordesc_im2col"):
            break  # how many arguments it becomes is not followed
        if kind == "constexpr":
            continue
        if not kind.startswith("tensordesc"):
            number += 1
            continue
        array, rank = host_array(value.base), len(value.shape)
        if array is not None and _extent(value.shape, value.strides) <= math.prod(array.shape) and _is_dense(array):
            found[name] = number, rank
        number += 2 + 4 * rank
    return found


def _extent(shape: Sequence[int], strides: Sequence[int]) -> int:
    """Elements from the first to the last."""
    return sum((int(size) - 1) * int(step) for size, step in zip(shape, strides)) + 1


def _is_dense(array: HostArray) -> bool:
    size = max(1, array.element.primitive_bitwidth // 8)
    return _extent(array.shape, [step // size for step in array.strides]) == math.prod(array.shape)
