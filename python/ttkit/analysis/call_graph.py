"""The call graph of a module."""

from typing import Any

from mlir import ir

from ttkit.inspection import collect


def calls_of(module: ir.Operation) -> dict[str, list[str]]:
    """Function -> the functions that it calls, in the order of the module."""
    return {
        function.attributes["sym_name"].value: [
            call.attributes["callee"].value for call in collect(function, ["tt.call"])
        ]
        for function in collect(module, ["tt.func"])
    }


def reachable_calls(module: ir.Operation) -> dict[str, set[str]]:
    """Function -> the functions that it calls, directly or not."""
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
    """The functions of a module, callees before callers."""
    functions = {op.attributes["sym_name"].value: op for op in collect(module, ["tt.func"])}
    calls, ordered = calls_of(module), dict[str, None]()
    for name in functions:
        _order(name, (), calls, ordered)
    return [functions[name] for name in ordered if name in functions]


def _order(name: str, path: tuple[str, ...], calls: dict[str, list[str]], ordered: dict[str, None]) -> None:
    """Orders a function after its callees; `path` has its callers, for which it does not wait."""
    if name in ordered or name in path:
        return
    for callee in calls.get(name, ()):
        _order(callee, (*path, name), calls, ordered)
    ordered[name] = None


def root_functions(module: ir.Operation) -> list[str]:
    """The functions without callers."""
    calls = calls_of(module)
    called = {callee for callees in calls.values() for callee in callees}
    return [name for name in calls if name not in called]
