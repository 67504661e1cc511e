"""Functions that are compiled: `@jit` and `@constexpr_function`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

import ttkit.language.interpret_mode as interpret_mode
from ttkit.language.building import active
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.jit_callable import JITCallable
from ttkit.language.parameters import KernelParam
from ttkit.notices import say_once
from ttkit.suggestions import suggestion

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ttkit.language.launch_signature import JitOptions, Launch

P = ParamSpec("P")
R = TypeVar("R")


class KernelInterface:
    """Base class of kernels that can be launched: `kernel[grid](*args)`."""

    __iter__ = None  # or `for x in kernel` would ask for kernel[0], kernel[1] and so on without end

    def run(self, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        """Launches over a grid, or with `warmup` only compiles; subclasses say how."""
        raise NotImplementedError

    def warmup(self, *args: Any, grid: Any, **kwargs: Any) -> Any:
        """Compiles without running; instead of a tensor it takes a dtype, or a `MockTensor`."""
        wrap = import_module("ttkit.runtime.mock_tensors").MockTensor.wrap_dtype
        return self.run(*map(wrap, args), grid=grid, warmup=True, **kwargs)

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        return lambda *args, **kwargs: self.run(*args, grid=grid, warmup=False, **kwargs)


class ClassOfKernels(type):
    """The type of `JITFunction` and its subclasses: sees that `run` is replaced in one of them, see `choose_launches`.

    The metaclass asks once for what each launch would have to ask otherwise.
    """

    def __setattr__(cls, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "run":
            choose_launches(cls)

    def __delattr__(cls, name: str) -> None:
        super().__delattr__(name)
        if name == "run":
            choose_launches(cls)


class JITFunction(JITCallable, KernelInterface, Generic[P, R], metaclass=ClassOfKernels):
    """A function of the kernel language; made by `jit`.  P are its parameters, R is its result in kernels.

    `kernel[grid](...)` calls `run` where a subclass, a tracer or the kernel itself has another one.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        choose_launches(cls)

    def __init__(
        self,
        fn: Callable[P, R],
        version: Any = None,
        do_not_specialize: Iterable[int | str] | None = None,
        do_not_specialize_on_alignment: Iterable[int | str] | None = None,
        debug: bool | None = None,
        noinline: bool | None = None,
        repr: Callable[[Any], str] | None = None,
        launch_metadata: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(fn)
        self.module = fn.__module__
        self._fn_name = self.full_name  # libraries that make functions set it
        self.kernel = None
        self.version = version
        # As they were given: they may be sets, or tuples.
        for listed in (do_not_specialize, do_not_specialize_on_alignment):
            if listed and isinstance(listed, str | int):
                raise TypeError(f"do_not_specialize must be a list of names or numbers of parameters, found {listed!r}")
        self.do_not_specialize = do_not_specialize or []
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment or []
        self.debug = debug
        self.noinline = noinline
        self.launch_metadata = launch_metadata
        self._repr = repr
        self.params = [
            KernelParam(
                index,
                param,
                index in self.do_not_specialize or param.name in self.do_not_specialize,
                index in self.do_not_specialize_on_alignment or param.name in self.do_not_specialize_on_alignment,
            )
            for index, param in enumerate(self.signature.parameters.values())
        ]
        self.arg_names = [param.name for param in self.params]
        self.defaults = {param.name: param.default for param in self.params if param.has_default}
        self.pre_run_hooks: list[Callable[..., Any]] = []
        self.unnamed: frozenset[str] = frozenset()  # parameters not in names of functions with their defaults

    @cached_property
    def constexprs(self) -> list[int]:
        """The numbers of the parameters annotated as constexpr."""
        return [param.num for param in self.params if param.is_constexpr]

    def repr(self, specialization: Any) -> str:
        """The kernel's name, for these constants and types (`specialization`)."""
        return self.full_name if self._repr is None else self._repr(specialization)

    is_interpreted = False
    """Whether launches run on the CPU whatever else is set: TRITON_INTERPRET=1 where it was decorated."""

    def is_gluon(self) -> bool:
        """Whether it is written in Gluon, see `ttkit.language.gluon.jit`."""
        return False

    def add_pre_run_hook(self, hook: Callable[..., Any]) -> None:
        """`hook(*args, **kwargs)` is called before each launch."""
        assert callable(hook), f"a pre-run hook must be a function, found {hook!r}"
        self.pre_run_hooks.append(hook)

    @cached_property
    def interpreted(self) -> Any:
        """The same kernel, run as Python on the CPU."""
        return import_module("ttkit.interpreter.python_mode.kernel").InterpretedFunction.of(self)

    @cached_property
    def launches(self) -> Any:
        """Launches of the function, see `ttkit.runtime.jit.Launches`."""
        launches = import_module("ttkit.runtime.jit").Launches(self)
        return self.__dict__.setdefault("launches", launches)  # another thread's, if that was first

    def __getstate__(self) -> dict[str, Any]:
        # What is of this process stays: torch sends functions to its compile workers and back.
        return {name: value for name, value in self.__dict__.items() if name not in ("launches", "interpreted")}

    @property
    def device_caches(self) -> Any:
        """{number of a device: kernels by key, keys, target, backend, binder}."""
        return self.launches.device_caches

    @device_caches.setter
    def device_caches(self, value: Any) -> None:
        """Other contents for the same dictionary, which launches keep."""
        kept = self.launches.device_caches
        if value is not kept:
            kept.clear()
            kept.update(value)

    def create_binder(self) -> Any:
        """An empty cache for the current device, as `device_caches` has them."""
        return self.launches.create_binder()

    def run(self, *args: Any, grid: Any, warmup: bool, **kwargs: Any) -> Any:
        """Launches it over a grid, on the current device and stream; compiled for what its arguments are.  After
        `set_interpret_mode` it runs as Python on the CPU.

        Args:
            args, kwargs: the function's arguments; and options, such as num_warps, see `CompileOptions`.
            grid: one to three numbers of programs, or a function that gives them from {name: argument}.
            warmup: only compile it.

        Returns: the `CompiledKernel`; None if `knobs.runtime.jit_cache_hook` did not want it.

        Raises:
            TypeError: arguments are missing, too many, or nothing that a kernel can take.
            KeyError: a keyword is neither an argument nor an option.
            CompilationError: an error in the kernel.
            ArgumentError: an argument does not fit, or the grid is too large.
            DriverMissing, WrongArchitecture, OutOfResources, KernelFault, DriverError: the GPU can't run it; a fault
                may be of a kernel before.
            RuntimeError: a global variable that it was compiled with has changed.
        """
        if interpret_mode.mode.is_on:
            return self.interpreted.run(*args, grid=grid, warmup=warmup, **kwargs)
        if warmup:
            return self.launches.run(args, grid, True, kwargs)
        return self.launches.launch(grid, args, kwargs)

    def __getitem__(self, grid: Any) -> Launch[P]:
        if interpret_mode.mode.is_on:
            return super().__getitem__(grid)
        return self.launches.bind(grid)

    def preload(self, specialization_data: str) -> Any:
        """Compiles what `specialization_data`, which hooks are told, describes; perhaps in another process.

        Raises:
            RuntimeError: it is of another function.
        """
        return self.launches.preload(specialization_data)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if active.builder is None or not active.builder.is_eager:
            message = "Cannot call @triton.jit'd outside of the scope of a kernel; a launch has a grid:"
            raise RuntimeError(f"{message} {self.__name__}[grid](...)")
        return active.builder.call(self, args, kwargs)

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self if instance is None else BoundJITMethod(instance, self)

    def __repr__(self) -> str:
        return f"JITFunction({self.module}:{self.fn.__qualname__})"


_RUN, _WITHOUT_RUN = JITFunction.run, JITFunction.__getitem__


def choose_launches(cls: Any) -> None:
    """Has launches of a class and its subclasses call `run` if it is not that of `JITFunction`, else pass it by."""
    own = vars(cls).get("__getitem__")
    if own in (None, _WITHOUT_RUN, KernelInterface.__getitem__):  # else it launches in a way of its own
        replaced = cls.run is not _RUN
        cls.__getitem__ = KernelInterface.__getitem__ if replaced else _WITHOUT_RUN
    for subclass in cls.__subclasses__():
        choose_launches(subclass)


class BoundJITMethod:
    """A jitted function as a method of a value."""

    def __init__(self, instance: Any, fn: Any) -> None:
        self.__self__ = instance
        self.__func__ = fn

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(self.__self__, *args, **kwargs)


def check_jit_options(fn: JITFunction) -> None:
    """Checks the options of `jit`.  A notice tells of parameters that the function does not have, which Triton ignores.

    Raises:
        TypeError: an option that takes a function is not one.
    """
    for option, function in (("repr", fn._repr), ("launch_metadata", fn.launch_metadata)):
        if function is not None and not callable(function):
            raise TypeError(f"{option} of @jit must be a function, found {function!r}")
    known = {*fn.arg_names, *range(len(fn.arg_names))}
    for option in ("do_not_specialize", "do_not_specialize_on_alignment"):
        for name in getattr(fn, option):
            if name not in known:
                advice = suggestion(str(name), fn.arg_names) or f"; it has {', '.join(fn.arg_names)}"
                say_once(f"{option} of {fn.__name__}: {name!r} is not a parameter{advice}")


def check_can_be_jitted(function: Any, decorator: str) -> None:
    """Checks that a decorator got a function with a body to compile.

    Raises:
        ValueError: a lambda.
        TypeError: no function of Python's.
    """
    if isinstance(function, JITCallable):
        raise TypeError(f"{decorator} is given twice for {function.__name__}")
    if not hasattr(function, "__globals__"):
        raise TypeError(f"{decorator} takes functions defined with `def`, found {function!r}")
    if getattr(function, "__name__", "") == "<lambda>":
        raise ValueError(f"found a lambda: {decorator} takes functions defined with `def`")


@overload
def jit(fn: Callable[P, R], *, interpret: bool = False, **options: Unpack[JitOptions]) -> JITFunction[P, R]:
    """`@jit`, or `jit(function)`."""


@overload
def jit(
    fn: None = None, *, interpret: bool = False, **options: Unpack[JitOptions]
) -> Callable[[Callable[P, R]], JITFunction[P, R]]:
    """`@jit(...)` with options."""


def jit(
    fn: Any = None,
    *,
    version: Any = None,
    repr: Callable[[Any], str] | None = None,
    launch_metadata: Callable[..., Any] | None = None,
    do_not_specialize: Iterable[int | str] | None = None,
    do_not_specialize_on_alignment: Iterable[int | str] | None = None,
    debug: bool | None = None,
    noinline: bool | None = None,
    interpret: bool = False,
) -> Any:
    """Decorator: a kernel, or a function that kernels call.

    It may use the language (`ttkit.language`), other jitted functions, its arguments, and global variables that are
    constexprs.

    Args:
        repr: gives the kernel's name from its constants and signature.
        launch_metadata: gives what profilers show of a launch.
        do_not_specialize: parameters, by name or number, whose values compilation must not look at.
        do_not_specialize_on_alignment: parameters whose alignment it must not look at.
        debug: compile assertions.
        noinline: keep calls as calls.
        interpret: run the kernel as Python on the CPU, see `ttkit.interpreter.python_mode.kernel`; so does
            TRITON_INTERPRET=1.
    """

    def decorate(function: Callable[..., Any]) -> JITFunction:
        """The jitted function, or an interpreted one under TRITON_INTERPRET; raises as `check_can_be_jitted`."""
        check_can_be_jitted(function, "@jit")
        made = interpret_mode.class_for(function, interpret, JITFunction)(
            function,
            version=version,
            do_not_specialize=do_not_specialize,
            do_not_specialize_on_alignment=do_not_specialize_on_alignment,
            debug=debug,
            noinline=noinline,
            repr=repr,
            launch_metadata=launch_metadata,
        )
        check_jit_options(made)
        return made

    return decorate if fn is None else decorate(fn)


class ConstexprFunction(JITCallable):
    """A Python function that kernels call on constexprs, giving a constexpr."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self if instance is None else BoundConstexprFunction(instance, self)

    def __call__(self, *args: Any, _semantic: Any = None, **kwargs: Any) -> Any:
        result = self.fn(*(unwrap(arg) for arg in args), **{name: unwrap(value) for name, value in kwargs.items()})
        return result if _semantic is None else constexpr(result)


class BoundConstexprFunction(BoundJITMethod, JITCallable):
    """A `constexpr_function` as a method of a value."""


def constexpr_function(fn: Callable[P, R]) -> Callable[P, R]:
    """Decorator: a Python function that kernels may call with constexprs; it runs while compiling.

    Example:
        >>> @gl.constexpr_function
        ... def bytes_of(shape, dtype):
        ...     return shape[0] * shape[1] * dtype.primitive_bitwidth // 8
        >>> bytes_of((16, 64), gl.float16)
        2048
    """
    return ConstexprFunction(fn)
