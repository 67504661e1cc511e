"""Passes checked on a launch: the kernel's tt goes through those of its stages, down to llvm, and the interpreter runs
it on copies of the arguments before and after each (`interpreter.check`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ttkit.compiler.pipeline_identity import EVERYWHERE
from ttkit.context import Context
from ttkit.interpreter.argument_specs import Argument
from ttkit.interpreter.check.check_passes import Checker, Settings
from ttkit.interpreter.check.generated_inputs import Inputs, NoInputs
from ttkit.interpreter.check.pipelines import PassChecks
from ttkit.interpreter.compiled_kernels import taken_values
from ttkit.interpreter.launch import normalize_grid
from ttkit.interpreter.ops.descriptor import companion_arguments, is_descriptor
from ttkit.interpreter.python_mode.host_arrays import host_array
from ttkit.passes.infra.events import PassSubscriber
from ttkit.passes.manager import run_passes
from ttkit.passes.stages import STAGES, stage_passes
from ttkit.records import dataclass


class Launch(NamedTuple):
    """One launch of a kernel.

    source: `ASTSource`.
    options: `CompileOptions`.
    target: `GPUTarget`.
    values: of the arguments, by name, also of constants.
    grid: one to three sizes.
    """

    source: Any
    options: Any
    target: Any
    values: Mapping[str, Any]
    grid: Any


@dataclass(frozen=True)
class Checked:
    """A launch whose passes were checked.

    kernel: its name.
    passes: those that changed the IR and kept the result.
    skipped: what could not be checked, and why.
    """

    kernel: str
    passes: list[str]
    skipped: list[str]


def check_launch(launch: Launch, programs: int | None = None, subscribers: Sequence[PassSubscriber] = ()) -> Checked:
    """Checks the passes for one launch.

    Args:
        programs: how many programs run; None for all.
        subscribers: are told of the passes too.

    Raises:
        PassChangedResult: a pass changes what the kernel does.
        TypeError, ValueError: an argument or the grid has no valid value.
        Exception: what compiling the kernel raises.
    """
    name = launch.source.name
    arguments = _Arguments(launch, programs)
    skipped: list[str] = []
    checker = Checker(Settings(inputs=arguments.inputs), lambda function, text: skipped.append(text))
    with Context() as context:
        module = launch.source.make_ir(launch.target, launch.options, context=context)
        run_passes(module, ",".join(passes_of(launch)), subscribers=[PassChecks(checker), *subscribers], kernel=name)
    for watch in EVERYWHERE:
        watch.checked(name, checker.checked, checker.found)
    if checker.found is not None:
        raise checker.found
    return Checked(name, checker.checked, skipped)


def passes_of(launch: Launch, lowered: bool = True) -> list[str]:
    """The passes of all stages, or of those down to ttg, with their options."""
    stages = [stage for stage in STAGES if lowered or stage != "ttkit-llir"]
    return [one for stage in stages for one in stage_passes(stage, launch.options)]


def module_of(launch: Launch) -> str:
    """The kernel's tt, in the generic form with locations."""
    with Context() as context:
        module = launch.source.make_ir(launch.target, launch.options, context=context)
        return module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True)


def inputs_of(launch: Launch, function: Any, programs: int | None = None) -> list[Any]:
    """Copies of a launch's arguments, for a function that is its kernel.

    Raises:
        NoInputs: an argument can't be given to the interpreter.
    """
    return _Arguments(launch, programs).inputs(function)


def values_of(launch: Launch, function: Any) -> list[tuple[str, Any]]:
    """A launch's arguments by the names that the function has for them: those in tuples one by one, constants left out.

    Raises:
        NoInputs: the function takes others.
    """
    return _Arguments(launch, None).named(function)


class _Arguments:
    """Copies of a launch's arguments for the interpreter."""

    def __init__(self, launch: Launch, programs: int | None) -> None:

        grid = launch.grid(launch.values) if callable(launch.grid) else launch.grid
        self.grid = normalize_grid(grid)
        self.programs = programs
        given = ((name, kind, launch.values[name]) for name, kind in launch.source.signature.items())
        self.values = [value for _, value in taken_values(given)]

    def named(self, function: Any) -> list[tuple[str, Any]]:
        """See `values_of`."""
        if any(kind.text.endswith(", im2col>") for kind in function.argument_types):
            raise NoInputs("it takes a descriptor of images, whose box of pixels is known to launches alone")
        implied = companion_arguments(function)
        names = [name for place, name in enumerate(function.argument_names) if place not in implied]
        if len(names) != len(self.values):
            raise NoInputs(f"it takes {len(names)} arguments, the launch gives {len(self.values)}")
        return list(zip(names, self.values))

    def inputs(self, function: Any) -> list[Any]:
        """The inputs of a function that is the kernel.

        Raises:
            NoInputs: an argument can't be given to the interpreter.
        """
        implied = companion_arguments(function)
        named = self.named(function)
        places = [place for place in range(len(function.argument_names)) if place not in implied]
        count = int(np.prod(self.grid))
        chosen = None
        if self.programs is not None and self.programs < count:
            chosen = np.unique(np.linspace(0, count - 1, self.programs).astype(np.int64))
        made = Inputs(0, self.grid, {}, programs=chosen)
        for place, (name, value) in zip(places, named):
            made.given[place] = _argument(name, function.argument_types[place], value)
        for place, (descriptor, what, dimension) in implied.items():
            sizes = made.given[descriptor].array.shape
            made.scalars[place] = sizes[dimension] if what == "sizes" else int(np.prod(sizes[dimension + 1 :]))
        return [made]


def _argument(name: str, kind: Any, value: Any) -> Any:
    """One argument, whose array is a copy.

    Raises:
        NoInputs: the interpreter can't have it.
    """
    base = getattr(value, "base", value) if is_descriptor(kind) else value
    if isinstance(base, (bool, int, float, np.generic)) and kind.pointee is None:
        return Argument(base.item() if isinstance(base, np.generic) else base)
    held = host_array(base)
    if held is None or kind.pointee is None:
        raise NoInputs(f"argument {name} is a {type(value).__name__}, which has no copy on the host")
    element = kind.pointee.element
    from_first = held.bytes[held.offset :]
    array = from_first[: from_first.size // element.itemsize * element.itemsize].view(element).copy()
    if not is_descriptor(kind):
        return Argument(array, array)
    sizes = tuple(int(size) for size in value.shape)
    steps = tuple(int(np.prod(sizes[axis + 1 :])) for axis in range(len(sizes)))
    if tuple(int(step) for step in value.strides) != steps:
        raise NoInputs(f"the tensor of descriptor {name} is not contiguous")
    shaped = array[: int(np.prod(sizes))].reshape(sizes)
    return Argument(shaped, shaped)
