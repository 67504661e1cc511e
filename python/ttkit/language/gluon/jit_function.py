"""`@gluon.jit`: functions whose tensors have layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import ttkit.language.interpret_mode as interpret_mode
from ttkit.language.jit_function import JITFunction, P, R, check_can_be_jitted

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ttkit.language.launch_signature import JitOptions


class GluonJITFunction(JITFunction[P, R]):
    """A function in Gluon; made by `jit`.

    Example:
        >>> @gluon.jit
        ... def twice(x):
        ...     return x + x
        >>> isinstance(twice, gl.GluonJITFunction), twice.is_gluon()
        (True, True)
    """

    def is_gluon(self) -> bool:
        """True."""
        return True

    @cached_property
    def interpreted(self) -> Any:
        """The same kernel, compiled to ttg, which runs on the CPU."""
        return interpret_mode.loaded(interpret_mode.AS_TTG).of(self)


@overload
def jit(fn: Callable[P, R], **options: Unpack[JitOptions]) -> GluonJITFunction[P, R]:
    """`@jit`, or `jit(function)`."""


@overload
def jit(fn: None = None, **options: Unpack[JitOptions]) -> Callable[[Callable[P, R]], GluonJITFunction[P, R]]:
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
) -> Any:
    """Decorator: a kernel in Gluon, or a function that such kernels call.

    Args:
        as of `ttkit.jit`.

    Raises:
        TypeError: it decorates something else than a function.

    Example:
        >>> @gluon.jit
        ... def twice(x):
        ...     return x + x
        >>> twice(gl.arange(0, 4, line))
        int32[4] [0 2 4 6]
    """

    def decorate(function: Callable[..., Any]) -> GluonJITFunction:
        """The jitted function, or an interpreted one under TRITON_INTERPRET; raises as `check_can_be_jitted`."""
        check_can_be_jitted(function, "@gluon.jit")
        return interpret_mode.class_for(function, False, GluonJITFunction, interpret_mode.AS_TTG)(
            function,
            version=version,
            do_not_specialize=do_not_specialize,
            do_not_specialize_on_alignment=do_not_specialize_on_alignment,
            debug=debug,
            noinline=noinline,
            repr=repr,
            launch_metadata=launch_metadata,
        )

    return decorate if fn is None else decorate(fn)
