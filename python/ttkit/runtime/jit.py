"""Launching a jitted function: `kernel[grid](*arguments)`.

A call binds its arguments, finds what they are specialized for, and launches the kernel compiled for that: from the
function's own cache, else by `ttkit.compile`.
"""

from __future__ import annotations

import re
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import ttkit.knobs as knobs
import ttkit.locks as locks
from ttkit.compiler.backend import make_backend
from ttkit.compiler.pipeline_identity import hook_identity, pipeline_identity
from ttkit.compiler.tracebacks import hide_all_frames, is_of_users_code
from ttkit.cuda import libcuda
from ttkit.frontend.source import ASTSource
from ttkit.kernel_errors import TritonError
from ttkit.language.jit_callable import SOURCE_CHANGES
from ttkit.language.jit_function import JITFunction, KernelInterface
from ttkit.options import CompileOptions
from ttkit.runtime import bundle_answers, native, preloading
from ttkit.runtime.async_compile import FutureKernel, active_mode
from ttkit.runtime.binder import Binder, create_binder
from ttkit.runtime.compile import compile, compile_to_load, current_target, get_cache_key
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.driver import driver
from ttkit.runtime.launch_key import compute_cache_key
from ttkit.runtime.launches import grid_sizes
from ttkit.runtime.plugins import load_plugins
from ttkit.runtime.pointers import ArgumentError
from ttkit.runtime.specialization import Signature, Specialized, signature_of, tensor_key_of
from ttkit.suggestions import suggestion
from ttkit.target import GPUTarget

if TYPE_CHECKING:
    from ttkit.compiler.launch_check import Checking

Kernel: TypeAlias = Any  # CompiledKernel or FutureKernel


class DeviceCache(NamedTuple):
    """Kernels of a function on one device, in Triton's order.

    kernels: {key: kernel}.
    keys: {what is cheap to compare: key}.
    """

    kernels: dict[str, Kernel]
    keys: dict[Any, str]
    target: Any
    backend: Any
    binder: Binder


class Launches:
    """The launches of one jitted function.

    device_caches: {number of the device: DeviceCache}; without a GPU the number is minus the compute capability.
    """

    def __init__(self, function: JITFunction) -> None:
        self.function = function
        self.device_caches: dict[int, DeviceCache] = defaultdict(self.create_binder)
        self._lock = locks.lock()
        self._compiling: dict[tuple[int, str], threading.RLock] = {}
        self._dispatcher = native.create_dispatcher(function, self.miss)
        self._guards: list[native.Guard] | None = None
        # grid -> what launches over it when it is called; (grid, args, kwargs) -> the kernel, launched
        self.bind: Callable[[Any], Callable[..., Kernel]]
        self.choose_bind()
        self.launch: Callable[[Any, tuple[Any, ...], dict[str, Any]], Kernel] = self._launch_in_python
        if self._dispatcher is not None:
            self.launch = self._dispatcher.launch

    def choose_bind(self) -> None:
        """Has `kernel[grid](...)` call `kernel.run` if somebody has set one, else pass it by."""
        if "run" in vars(self.function):
            self.bind = partial(KernelInterface.__getitem__, self.function)
        else:
            self.bind = self._bind if self._dispatcher is None else self._dispatcher.bind

    def _bind(self, grid: Any) -> Callable[..., Kernel]:
        return lambda *args, **kwargs: self.run(args, grid, False, kwargs)

    def _launch_in_python(self, grid: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Kernel:
        return self.run(args, grid, False, kwargs)

    def miss(self, grid: Any, args: tuple[Any, ...], kwargs: dict[str, Any], key: bytes | None) -> Kernel:
        """A launch that the native dispatcher leaves to Python.

        key: under which it asks for the kernel, if it can ask again.
        """
        found = self._guards
        kernel = self.run(args, grid, False, kwargs)
        self._guards = native.guards(self.function)
        if self._guards is None or not native.connect_driver(libcuda.library_path()):
            self._guards = None  # the dispatcher has not been told of them
            return kernel
        if not native.same_guards(found, self._guards):
            native.forget_changed_functions()
            self._dispatcher.set_guards(self._guards, native.hook_lists())
        if key is not None and isinstance(kernel, CompiledKernel) and vars(type(kernel.run)).get("is_native"):
            self._enter(key, kernel)
        return kernel

    def _enter(self, key: bytes, kernel: CompiledKernel) -> None:
        device = driver.active.get_current_device()
        cache = self._device_cache(device)
        if tensor_key_of(cache.backend) is not None:
            return  # the dispatcher knows nothing of its keys
        text = next(
            (text for text, each in tuple(cache.kernels.items()) if each is kernel), None
        )  # others add and clear
        if text is not None:
            where = (self.device_caches, device, cache, cache.kernels, text)
            native.enter(self._dispatcher, key, self.function, kernel, where)

    def _device_cache(self, device: int) -> DeviceCache:
        """That of `device_caches`, made by one thread where several ask first."""
        found = self.device_caches.get(device)
        if found is None:
            with self._lock:
                found = self.device_caches[device]
        return found

    def create_binder(self) -> DeviceCache:
        """An empty cache for the current device."""
        load_plugins()  # before keys are made, which cover what they change
        target = driver.active.get_current_target() if driver.is_active() else current_target()
        backend = make_backend(target)
        binder = create_binder(self.function.signature, self.function.params, self.function.__name__, backend)
        return DeviceCache({}, {}, target, backend, binder)

    def run(self, args: Sequence[Any], grid: Any, warmup: bool, kwargs: dict[str, Any]) -> Kernel:
        """Launches the function, see `JITFunction.run`; with `warmup` it is only compiled."""
        try:
            return self._run(args, grid, warmup, kwargs)
        except Exception as error:
            is_typed = isinstance(error, (TritonError, ArgumentError, libcuda.DriverMissing))
            if is_typed or is_of_users_code(error):  # of the script, the machine, or a pass of the script
                hide_all_frames(error)
            raise

    def _run(self, args: Sequence[Any], grid: Any, warmup: bool, kwargs: dict[str, Any]) -> Kernel:
        function = self.function
        kwargs["debug"] = bool(kwargs.get("debug", function.debug) or knobs.runtime.debug)
        kwargs["instrumentation_mode"] = knobs.compilation.instrumentation_mode
        device = self._device(warmup)
        for hook in function.pre_run_hooks:
            hook(*args, **kwargs)
        cache = self._device_cache(device)
        try:
            bound, specialization, options = cache.binder(*args, **kwargs)
        except TypeError as error:
            if misspelt := self._misspelt(kwargs):
                raise TypeError(f"{error}{misspelt}") from None
            raise
        key = self._key(cache.keys, specialization, options)
        kernel = cache.kernels.get(key)
        checking = self._checking(is_new=kernel is None)
        if kernel is None or checking is not None:
            signature = signature_of(function.arg_names, list(bound.values()), specialization)
            CompileOptions.check_names(options)
            parsed = cache.backend.parse_options(options, function.__name__)
            if checking is not None:
                self._check_passes(checking, cache.target, signature, parsed, bound, grid)
            if kernel is None and (kernel := self.compile(key, signature, device, parsed, warmup)) is None:
                return None
        function.check_globals()
        if not warmup:
            if isinstance(kernel, FutureKernel):
                kernel = kernel.result()
            self._launch(kernel, device, grid, bound)
            if checking is not None:
                checking.launched()
        return kernel

    def _device(self, warmup: bool) -> int:
        if warmup and not driver.is_active():  # TRITON_OVERRIDE_ARCH says what to compile for
            return -int(current_target().arch)
        return driver.active.get_current_device()

    def _launch(self, kernel: Any, device: int, grid: Any, bound: dict[str, Any]) -> None:
        if callable(grid):
            grid = grid(bound)
        if grid is None:
            raise TypeError(f"{self.function.__name__} has no grid: launch it as {self.function.__name__}[grid](...)")
        sizes = grid_sizes(grid, kernel.name, kernel.metadata.num_ctas)
        stream = driver.active.get_current_stream(device)
        kernel.on_device.start(sizes, grid, stream, tuple(bound.values()))

    # --- keys --------------------------------------------------------------------------------------------------------

    def _key(self, keys: dict[Any, str], specialization: list[Specialized], options: dict[str, Any]) -> str:
        """All that decides which kernel is launched, as text."""
        state = compile_state(self.function.__name__)
        if state:
            options = {**options, "changes of the pipeline": state}
        if SOURCE_CHANGES["count"]:
            options = {**options, "source": self.function.cache_key}
        return compute_cache_key(keys, specialization, options)

    # --- compiling ---------------------------------------------------------------------------------------------------

    def _checking(self, is_new: bool) -> Checking | None:
        """Whether passes are checked on the arguments: of each launch within `ttkit.pipelines.checked()`, of each new
        kernel with TTKIT_CHECK_PASSES."""
        always = is_new and knobs.compilation.check_passes
        if not always and native.CHECK not in sys.modules:
            return None
        from ttkit.compiler import launch_check

        return launch_check.active.get() or (launch_check.Checking(says=True) if always else None)

    def _check_passes(
        self,
        checking: Checking,
        target: GPUTarget,
        signature: Signature,
        options: CompileOptions,
        bound: dict[str, Any],
        grid: Any,
    ) -> None:
        from ttkit.compiler.checked_launch import Launch

        source = ASTSource(self.function, *signature)
        checking.check(Launch(source, options, target, bound, 1 if grid is None else grid))

    def _misspelt(self, given: dict[str, Any]) -> str:
        """Names that a launch gives and the kernel does not have, with those that were meant; empty without any."""
        names = self.function.arg_names
        known = {*names, *CompileOptions.__dataclass_fields__}
        wrong = [name for name in given if name not in known]
        return "".join(f"; {name} is not a parameter{suggestion(name, names)}" for name in wrong)

    def compile(self, key: str, signature: Signature, device: int, options: CompileOptions, warmup: bool) -> Kernel:
        """Compiles for arguments that are not known yet; None if a hook does not want it."""
        cache = self._device_cache(device)
        with self._lock:
            lock = self._compiling.setdefault((device, key), locks.lock())
        with lock:  # one compilation of a kernel, whatever threads ask for it; those of others go on meanwhile
            if (found := cache.kernels.get(key)) is not None:
                return found
            described = preloading.Description(self.function, key, signature, device, options, warmup)
            if (hook := knobs.runtime.jit_cache_hook) is not None and described.call(hook):
                return None
            source = ASTSource(self.function, *signature)

            def finish(kernel: Kernel) -> None:
                """Puts the kernel into the cache, then tells the hook."""
                cache.kernels[key] = kernel
                if (hook := knobs.runtime.jit_post_compile_hook) is not None:
                    described.call(hook)

            if (mode := active_mode.get()) is not None:
                cache_key = get_cache_key(source, cache.backend, options)
                # A partial: what it is called with says what is compiled, to those that compile elsewhere.
                compilation = partial(found_or_compiled, source, cache.target, options, finish)
                return mode.submit(cache_key, compilation, finish)
            kernel = found_or_compiled(source, cache.target, options, finish, warmup)
            finish(kernel)
            return kernel

    def preload(self, specialization_data: str) -> Kernel:
        """Compiles what a hook was told of in another process, see `JITFunction.preload`."""
        device = self._device(warmup=True)
        key, signature, options = preloading.parse(self.function, specialization_data)
        parsed = self._device_cache(device).backend.parse_options(options, self.function.__name__)
        return self.compile(key, signature, device, parsed, warmup=True)


def _set_attribute(function: JITFunction, name: str, value: Any) -> None:
    """`JITFunction.__setattr__` once functions are launched."""
    object.__setattr__(function, name, value)
    if name == "run" and "launches" in vars(function):
        function.launches.choose_bind()


def _delete_attribute(function: JITFunction, name: str) -> None:
    """Likewise `__delattr__`."""
    object.__delattr__(function, name)
    if name == "run" and "launches" in vars(function):
        function.launches.choose_bind()


# From now on, not from the class on: it would slow the start, which makes functions that are not launched.
JITFunction.__setattr__ = _set_attribute  # type: ignore[method-assign,assignment]
JITFunction.__delattr__ = _delete_attribute  # type: ignore[method-assign,assignment]


def found_or_compiled(
    source: Any, target: Any, options: Any, finish: Callable[[Kernel], None], warmup: bool = False
) -> CompiledKernel:
    """The kernel of a bundle, else compiled, see `compile_for_launch`.

    finish: puts the kernel itself to use, where one of a bundle stands in for it meanwhile.

    Raises:
        BundleError: no bundle has it, and it may not be compiled.
        Exception: as `compile_for_launch`.
    """

    def later() -> None:
        """Compiles it; launches find it from then on."""
        finish(compile_for_launch(source, target, options, warmup))

    makes_own = hasattr(driver.active, "compile_kernel")
    if not makes_own and (found := bundle_answers.answer(source, target, options, later)) is not None:
        return found
    with bundle_answers.left_aside():  # they were asked
        return compile_for_launch(source, target, options, warmup)


def compile_for_launch(source: Any, target: Any, options: Any, warmup: bool = False) -> CompiledKernel:
    """`ttkit.compile` of a kernel that is to run at once, but for a warmup.

    Raises:
        OutOfResources: it takes more memory of a CTA than the GPU has, as Triton says when it loads such a kernel.
        Exception: as `ttkit.compile`.
    """
    if (own := getattr(driver.active, "compile_kernel", None)) is not None:  # a driver that needs no code for a GPU
        return own(source, target, options)
    if warmup:
        return compile(source, target, options)
    try:
        return compile_to_load(source, target, options)
    except Exception as error:
        resource = getattr(error, "resource", None)  # of passes.lower.unsupported.TooMuchMemory
        if resource is None:
            raise
        refused = libcuda.OutOfResources(*resource)
        refused.detail = _largest_part(error)
    raise refused


def _largest_part(error: Exception) -> str:
    """The line of a kernel that takes the largest part of its shared memory, and how much; empty if nobody knows."""
    diagnosed = getattr(error.__cause__, "error_diagnostics", None)
    place = re.search(r'"([^"]+)":(\d+)', str(diagnosed[0].location)) if diagnosed else None
    part = re.search(r"the largest part, \d+ bytes", str(error))
    return f"{part[0]}, is at {place[1]}:{place[2]}" if place and part else ""


def compile_state(name: str) -> str:
    """All that decides how a kernel of this name is compiled besides arguments and options: changes of the stages, and
    a driver that compiles in a way of its own."""
    identity = pipeline_identity(name) if "ttkit.pipelines" in sys.modules else ""
    identity += getattr(driver.active, "compile_state", "")
    return identity + hook_identity()
