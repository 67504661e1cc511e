"""Which function calls which."""

from typing import Any

from mlir import ir

from ttkit.inspection import collect


def calls_of(module: ir.Operation) -> dict[str, list[str]]:
    """The functions of a module in order, each with those that it calls."""
    return {
        function.attributes["sym_name"].value: [
            call.attributes["callee"].value for call in collect(function, ["tt.call"])
        ]
        for function in collect(module, ["tt.func"])
    }


def reachable_calls(module: ir.Operation) -> dict[str, set[str]]:
    """The functions of a module, each with those that it calls, those that these call, and so on."""
    calls, reached = calls_of(module), dict[str, set[str]]()
    for name in calls:
        waiting = list(calls[name])
        reached[name] = set()
        while waiting:
            if (callee := waiting.pop()) not in reached[name]:
                reached[name].add(callee)
                waiting += calls.get(callee, [])
    return reached


def callees_first(module: ir.Operation) -> list[Any]:
    """The functions of a module, each after those that it calls."""
    functions = {op.attributes["sym_name"].value: op for op in collect(module, ["tt.func"])}
    calls, ordered = calls_of(module), dict[str, None]()

    def visit(name: str, path: tuple[str, ...]) -> None:
        """Orders a function after those it calls; `path` are its callers, which it doesn't wait for."""
        if name in ordered or name in path or name not in functions:
            return
        for callee in calls[name]:
            visit(callee, (*path, name))
        ordered[name] = None

    for name in functions:
        visit(name, ())
    return [functions[name] for name in ordered]


def root_functions(module: ir.Operation) -> list[str]:
    """The functions that no other calls."""
    calls = calls_of(module)
    called = {callee for callees in calls.values() for callee in callees}
    return [name for name in calls if name not in called]
