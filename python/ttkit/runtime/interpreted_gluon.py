"""Kernels in Gluon under `TRITON_INTERPRET=1`: compiled to ttg, which the interpreter runs on the CPU.

Layouts and shared memory have no meaning in Python, so the body of such a kernel does not run as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ttkit.knobs as knobs
from ttkit.language.gluon.jit_function import GluonJITFunction
from ttkit.options import parse_arch
from ttkit.runtime.driver import driver
from ttkit.runtime.stand_in import StandInDriver, target_of_knob
from ttkit.target import GPUTarget


class InterpretedGluonFunction(GluonJITFunction):
    """A kernel in Gluon whose launches run on the CPU: `kernel[grid](*args)` with arrays, as `TTKIT_DEVICE` has them.

    It is compiled for the GPU of TRITON_OVERRIDE_ARCH or TTKIT_DEVICE, else for the one that is there, else for sm_90.
    """

    @classmethod
    def of(cls, function: GluonJITFunction) -> InterpretedGluonFunction:
        """The same kernel, run on the CPU."""
        made = cls(
            function.fn,
            function.version,
            function.do_not_specialize,
            function.do_not_specialize_on_alignment,
            function.debug,
            function.noinline,
            function._repr,
            function.launch_metadata,
        )
        made.params, made.pre_run_hooks = function.params, function.pre_run_hooks
        return made

    is_interpreted = True

    def run(self, *args: Any, grid: Any, warmup: bool = False, **kwargs: Any) -> Any:
        """Runs every program of the grid, see `JITFunction.run`.

        Raises:
            InterpreterError: the kernel did something undefined, such as an access out of bounds.
            Exception: as `JITFunction.run`.
        """
        with _on_the_cpu():
            return self.launches.run(args, grid, warmup, kwargs)


@contextmanager
def _on_the_cpu() -> Iterator[None]:
    """A `with` statement's scope in which launches run on the CPU; a driver that does so anyway, such as that of
    TTKIT_SANITIZE, stays."""
    active = driver.active
    if isinstance(active, StandInDriver) and active.interprets:
        yield
        return
    with driver.scoped(StandInDriver(_target(), interprets=True)):
        yield


def _target() -> GPUTarget:
    if arch := knobs.runtime.override_arch:
        return GPUTarget("cuda", parse_arch(arch), 32)
    if knobs.runtime.device is None and driver.is_active():
        found: GPUTarget = driver.active.get_current_target()
        return found
    return target_of_knob()
