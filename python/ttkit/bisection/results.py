"""Results of launches, beside what the interpreter computes from the kernel's tt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ttkit.knobs as knobs
from ttkit.compiler.checked_launch import Launch, inputs_of, module_of, values_of
from ttkit.context import Context, parse_text
from ttkit.interpreter.check.check_passes import compare_arrays, tolerance_of
from ttkit.interpreter.check.generated_inputs import Inputs, NoInputs, Outcome, run
from ttkit.interpreter.decode import Function, decode_module
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.ops.descriptor import is_descriptor
from ttkit.interpreter.python_mode.host_arrays import host_array


@dataclass(frozen=True)
class Expected:
    """The results that a launch should have.

    text: the kernel's tt.
    function, inputs, outcome: what the interpreter ran, on what, and what came out.
    arrays: the arguments that the launch writes to, by the names of the function's.
    """

    launch: Launch
    text: str
    function: Function
    inputs: Inputs
    outcome: Outcome
    arrays: dict[str, Any]

    def difference(self) -> str:
        """The first element that the launch left otherwise; empty if there is none.  Floats may differ as much as after
        a pass that may round."""
        for name, array in self.arrays.items():
            held, wanted = host_array(array), self.outcome.buffers[name]
            if held is None:
                continue
            found = held.bytes[held.offset :][: wanted.nbytes].view(wanted.dtype)
            if said := compare_arrays(name, wanted, found, tolerance_of(self.function)):
                return said.replace(" before and ", " by the interpreter and ").replace(" after (", " by the launch (")
        return ""


def expected(launch: Launch) -> Expected:
    """The results that a launch which is about to run should have.

    Raises:
        NoInputs, NotInterpretable: the interpreter can't run it.
    """
    text = module_of(launch)
    with Context() as context:
        module = decode_module(parse_text(text, context))
        function = module.functions[launch.source.name]
        inputs = inputs_of(launch, function)[0]
        outcome = run(module, function, inputs)
    if outcome.error is not None:
        raise NoInputs(str(outcome.error))
    descriptors = {name for name, kind in zip(function.argument_names, function.argument_types) if is_descriptor(kind)}
    values = dict(values_of(launch, function))
    arrays = {
        name: values[name].base if name in descriptors else values[name] for name in outcome.buffers if name in values
    }
    return Expected(launch, text, function, inputs, outcome, arrays)


class Results:
    """Compares each launch, when it has ended, with what was expected of it.

    Args:
        differs: called where they are not the same.
    """

    def __init__(self, differs: Callable[[Expected, str], None]) -> None:
        self.differs = differs
        self.waiting: Expected | None = None

    def expect(self, launch: Launch) -> str:
        """A launch is about to run; gives why it can't be compared, if so."""
        try:
            self.waiting = expected(launch)
        except (NoInputs, NotInterpretable, ValueError, KeyError) as error:
            return f"@{launch.source.name} is not compared with the interpreter: {error}"
        return ""

    def ended(self) -> None:
        """A launch has ended, and what the script does after launches too."""
        waiting, self.waiting = self.waiting, None
        if waiting is not None and (difference := waiting.difference()):
            self.differs(waiting, difference)


def launches_compute() -> bool:
    """Whether launches compute anything: not with a TTKIT_DEVICE that is compiled for alone."""
    device = knobs.runtime.device or ""
    return not device or device.startswith("interpret:")
