"""Copies of what a script has launched its kernels on, for runs of edited IR on the interpreter."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ttkit.compiler.checked_launch import Launch, inputs_of
from ttkit.compiler.launch_check import Checking
from ttkit.context import Context
from ttkit.interpreter.check.generated_inputs import Inputs, NoInputs
from ttkit.interpreter.decode import decode_module
from ttkit.interpreter.errors import InterpreterError

MOST_BYTES = 1 << 28
"""The most bytes of a launch's arrays; a larger launch is not kept."""
MOST_TRIES = 3
"""Launches of a kernel that are looked at; one that only warms it up has no arrays."""


class FirstLaunches(Checking):
    """Keeps the inputs of each kernel's first launch while it is in force.

    Attributes:
        inputs: by the kernel's name; without kernels whose arguments the interpreter can't have.
    """

    def __init__(self) -> None:
        super().__init__()
        self.inputs: dict[str, Inputs] = {}
        self._tries: Counter[str] = Counter()

    def check(self, launch: Launch) -> None:
        """Keeps the launch, before it runs."""
        name = launch.source.name
        is_large = sum(map(_bytes, launch.values.values())) > MOST_BYTES
        if name in self.inputs or is_large or self._tries[name] == MOST_TRIES:
            return
        self._tries[name] += 1
        with Context() as context:
            module = launch.source.make_ir(launch.target, launch.options, context=context)
            try:
                (self.inputs[name],) = inputs_of(launch, decode_module(module).public_function(None))
            except (NoInputs, InterpreterError):
                return


def _bytes(value: Any) -> int:
    return int(getattr(value, "nbytes", 0))
