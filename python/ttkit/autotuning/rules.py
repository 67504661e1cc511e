"""Parameters of a kernel that are computed from its arguments at each launch: `@heuristics`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ttkit.language.jit_function import KernelInterface


def check_is_kernel(decorator: str, fn: Any) -> None:
    """Raises TypeError if what a decorator got is not a kernel."""
    if not hasattr(fn, "arg_names"):
        raise TypeError(f"{decorator} takes a kernel: put @jit below it; found {fn!r}")


def check_functions(decorator: str, given: Mapping[str, Any]) -> None:
    """Raises TypeError for an option of a decorator that is given and is not a function."""
    for name, function in given.items():
        if function is not None and not callable(function):
            raise TypeError(f"{name} of {decorator} must be a function, found {function!r}")


class Heuristics(KernelInterface):
    """A kernel, some of whose parameters are computed from the others.

    fn: what is launched: a jitted function, or one that is autotuned or has heuristics itself.
    values: {parameter: function from all arguments by name to its value}, in the order in which they are computed;
        each sees what those before it gave.
    """

    def __init__(self, fn: Any, arg_names: list[str], values: Mapping[str, Callable[..., Any]]) -> None:
        if not isinstance(values, Mapping) or not all(map(callable, values.values())):
            raise TypeError(f"heuristics have a function for each parameter that they compute, found {values!r}")
        self.fn = fn
        self.arg_names = arg_names
        self.values = values

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Launches, with the computed parameters added.

        Raises:
            ValueError: a function gave a dict that has no value for its parameter, or names no parameter.
        """
        arguments = {**dict(zip(self.arg_names, args)), **kwargs}
        for name, compute in self.values.items():
            computed = self._named(name, compute(arguments))
            kwargs.update(computed)
            arguments.update(computed)
        return self.fn.run(*args, **kwargs)

    def _named(self, name: str, value: Any) -> dict[str, Any]:
        """Values that a function gave, by parameter.  No parameter can be a dict, so a dict holds values by name:
        a rule for several parameters may serve each of them."""
        if not isinstance(value, Mapping):
            return {name: value}
        if name not in value:
            raise ValueError(f"the heuristic for {name} gave a dict without it: {dict(value)}; return its value")
        for other in value:
            if other not in self.arg_names:
                raise ValueError(f"the heuristic for {name} gave a value for {other}, which is no parameter")
        return dict(value)


def heuristics(values: Mapping[str, Callable[..., Any]]) -> Callable[[Any], Heuristics]:
    """Decorator: parameters of a kernel that follow from its arguments.

        @heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
        @jit
        def kernel(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr): ...

    Args:
        values: {parameter: function}; each function gets a dict of all arguments by name, and gives the value, or a
            dict with the values of several parameters.

    Raises:
        TypeError: it decorates no kernel, or `values` is of another type.
    """

    def decorate(fn: Any) -> Heuristics:
        """The kernel with the computed parameters."""
        check_is_kernel("heuristics", fn)
        return Heuristics(fn, fn.arg_names, values)

    return decorate
