"""Passes that show what the pass manager hands them, and that fail in every way."""

from dataclasses import dataclass

from mlir import ir

from ttkit.passes.infra import Pass, PassError, apply_greedily, collect, option


@dataclass(frozen=True)
class Probe(Pass):
    """Print the options and the anchor."""

    name = "probe"
    anchor = None
    statistics = {"runs": "how often it ran", "bytes": "what it counted"}
    on: bool = option(False, "a boolean")
    size: int = option(3, "an integer")
    ratio: float = option(0.5, "a float")
    label: str = option("none", "a string")
    sizes: tuple[int, ...] = option((1, 2), "a list of integers")
    names: tuple[str, ...] = option((), "a list of strings")

    def run(self, op: ir.Operation) -> None:
        self.count("runs")
        self.count("bytes", self.size)
        print(f"{op.name}: {self}", flush=True)


class OnFunctions(Pass):
    """Mark functions."""

    name = "mark-functions"
    anchor = "func.func"

    def run(self, op: ir.Operation) -> None:
        op.attributes["marked"] = ir.UnitAttr.get()


@dataclass(frozen=True)
class Fail(Pass):
    """Fail in the way that is asked for."""

    name = "fail"
    how: str = option("bug", "bug, input, count, invalid-ir, erased-in-use, pattern or callee")

    def run(self, op: ir.Operation) -> None:
        returns = collect(op, ["func.return"])
        if self.how == "pattern":
            apply_greedily(op, {"func.return": lambda found, rewriter: found.nothing})
        if self.how == "callee":
            collect(None, ["func.return"])
        if self.how == "input":
            raise PassError(returns[0], "found a return; remove it")
        if self.how == "count":
            self.count("nothing")
        if self.how == "erased-in-use":
            collect(op, ["arith.constant"])[0].erase()
        if self.how == "invalid-ir":
            returns[0].erase()
            return
        raise KeyError("no such thing")
