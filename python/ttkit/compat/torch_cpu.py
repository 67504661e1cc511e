"""torch without a GPU: `torch.cuda`'s questions about a device that TTKIT_DEVICE stands in for, and torch.compile.

Packages ask `torch.cuda.get_device_name()` and the like when they are imported.  `torch.cuda.is_available()` stays
False, and `torch.cuda.device_count()` 0: tensors are on the CPU.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import ttkit.knobs as knobs

_MODULE = "torch.cuda"


class _Answers(importlib.abc.MetaPathFinder):
    """Finds `torch.cuda` where the other finders do, and adds the answers when it has been run."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> Any:
        """The spec of `torch.cuda`, whose loader then answers; None for other modules."""
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                """Runs the module, and adds the answers."""
                run(module)
                _answer(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def answer_questions() -> None:
    """From now on `torch.cuda` answers questions about the GPU that TTKIT_DEVICE names; without one nothing happens.

    These are `get_device_name`, `get_device_capability`, `get_device_properties`, `current_device`, `synchronize`
    and `mem_get_info`.
    """
    if not knobs.runtime.device or any(isinstance(one, _Answers) for one in sys.meta_path):
        return
    if _MODULE in sys.modules:
        _answer(sys.modules[_MODULE])
    else:
        sys.meta_path.insert(0, _Answers())


def _answer(cuda: Any) -> None:
    """Replaces the functions, where torch has no GPU of its own."""
    if cuda.is_available():
        return
    from ttkit.runtime.stand_in import StandInUtils, target_of_knob
    from ttkit.target import Target

    capability = int(target_of_knob().arch)
    known = StandInUtils(Target(capability)).get_device_properties(0)
    memory = 80 << 30
    properties = SimpleNamespace(
        name=f"NVIDIA sm_{capability} (ttkit)",
        major=known["capability_major"],
        minor=known["capability_minor"],
        multi_processor_count=known["multiprocessor_count"],
        max_threads_per_multi_processor=known["max_threads_per_multiprocessor"],
        regs_per_multiprocessor=known["max_num_regs"],
        shared_memory_per_block=48 << 10,
        shared_memory_per_block_optin=known["max_shared_mem"],
        shared_memory_per_multiprocessor=known["max_shared_mem"] + 1024,
        warp_size=known["warpSize"],
        total_memory=memory,
        L2_cache_size=50 << 20,
        is_integrated=0,
        is_multi_gpu_board=0,
    )
    answers: dict[str, Callable[..., Any]] = {
        "get_device_name": lambda device=None: properties.name,
        "get_device_capability": lambda device=None: (properties.major, properties.minor),
        "get_device_properties": lambda device=None: properties,
        "current_device": lambda: 0,
        "synchronize": lambda device=None: None,
        "mem_get_info": lambda device=None: (memory, memory),
    }
    for name, function in answers.items():
        setattr(cuda, name, function)


def inductor_on_cpu() -> None:
    """From now on torch.compile writes Triton kernels for tensors on the CPU, which run as Python.

        import ttkit.compat

        ttkit.compat.install()
        ttkit.compat.inductor_on_cpu()
        torch.compile(model)(x)

    Raises:
        ImportError: torch is not installed.
    """
    import torch._inductor.config as config  # type: ignore[import-not-found, unused-ignore]

    from ttkit.compat.backends import CPUDriver
    from ttkit.runtime.driver import driver

    os.environ["TRITON_INTERPRET"] = "1"  # which inductor asks, too
    driver.set_active(CPUDriver())
    config.cpu_backend, config.compile_threads = "triton", 1  # its workers would not run kernels as Python
