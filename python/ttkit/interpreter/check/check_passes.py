"""Checking passes by running the kernel before and after each of them.

Every public function of the module runs on generated inputs (generated_inputs.py) on the IR before the first pass, and
again after each pass that changed the IR.  All buffers and results must be the same: bit by bit (a NaN is a NaN), or
within a tolerance after a pass that declares what it may change.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np
from mlir import ir

from ttkit.context import Context, parse_text
from ttkit.interpreter.check.generated_inputs import Inputs, NoInputs, Outcome, run, try_inputs
from ttkit.interpreter.decode import Function, Instruction, Module, decode_module
from ttkit.interpreter.errors import InterpreterError, NotInterpretable, TookTooLong
from ttkit.interpreter.memory.global_memory import Memory
from ttkit.interpreter.ops.descriptor import is_descriptor, part_types
from ttkit.interpreter.ops.dot import TF32
from ttkit.interpreter.values import FLOATS, ValueType
from ttkit.passes.infra import bridge

MAY_CHANGE = {
    "arith-expand": "rounding of operations that become several",
    "math-expand-ops": "rounding of operations that become several",
    "math-extend-to-supported-types": "rounding of intermediate results",
    "math-uplift-to-fma": "a product and a sum round once",
    "test-math-algebraic-simplification": "powers become products",
    "test-math-polynomial-approximation": "functions become polynomials",
}
"""What upstream passes may change in floating-point results; ours say so themselves, in `Pass.may_change`."""

TOLERANCES = (("float64", 1e-9), ("float32", 1e-4), ("tf32", 1e-2), ("float16", 1e-2), ("bfloat16", 8e-2))
"""Largest difference after a pass that may change floats, relative to the largest magnitude in the buffer, by the
narrowest type that the function computes in."""
FLOAT8_TOLERANCE = 0.3
OVERFLOW = 0.001
"""Fraction of the largest number of a type: larger sums may as well overflow."""
ORDERS = 2
"""Orders of stores, updates and reductions that are tried before lowered code is reported as wrong."""
FAILS = "it fails after the pass and not before it"


@dataclass
class Settings:
    """Inputs and grid that kernels run with.

    runs: sets of inputs.
    seed: of the first; the others count on.
    arguments: as for tt-run's --arg; those that are not given are generated.
    grid: number of programs; None to choose.
    inputs: gives the inputs in place of all that, for a function of a module.
    """

    runs: int = 3
    seed: int = 0
    arguments: list[str] = field(default_factory=list)
    grid: tuple[int, int, int] | None = None
    inputs: Callable[[Function], list[Inputs]] | None = None


@dataclass
class Subject:
    """A function that is checked: its inputs, and the outcome of the latest IR on each.

    encoded: the function when its descriptors had layouts, which tensor maps of lowered code follow from.
    source: the latest IR that is not lowered, with its function.
    """

    function: Function
    inputs: list[Inputs]
    outcomes: list[Outcome]
    source: tuple[Module, Function]
    encoded: Function | None = None


class PassChangedResult(Exception):
    """A pass changed what a kernel computes.

    Args:
        pass_name: the first pass that did.
        function: the kernel.
        message: the pass, the first differing element, the inputs.
        before, after: the module on both sides of the pass.

    Attributes:
        pipeline: the pass with its options, as in a pipeline.
        inputs: the sets of inputs that it was checked on.
        located_before: the module before the pass with locations, in the generic form.
    """

    pipeline = ""
    inputs: list[Inputs]
    located_before = ""

    def __init__(self, pass_name: str, function: str, message: str, before: str, after: str) -> None:
        super().__init__(message)
        self.pass_name, self.function, self.message = pass_name, function, message
        self.before, self.after = before, after


@dataclass
class Checker:
    """Follows one pipeline.

    warn: called with (function, text) where a function is not checked.
    found: the difference; once there is one, nothing more is checked.
    checked: the passes that changed the IR, and not the result.
    has_run: whether there was a function to run.
    """

    settings: Settings
    warn: Callable[[str, str], None]
    found: PassChangedResult | None = None
    checked: list[str] = field(default_factory=list)
    has_run: bool = False
    _subjects: dict[str, Subject] | None = None
    _text: str = ""
    _context: ir.Context | None = None

    def before(self, text: str) -> None:
        """The module before a pass."""
        if self.found is None and self._subjects is None:
            try:
                self._subjects = self._choose(self._decode(text))
                self.has_run = bool(self._subjects)
            except InterpreterError as error:  # an attribute of the module
                self._subjects = {}
                self.warn("", f"nothing is checked: {error}")
        elif self.found is None and text != self._text and self._subjects:
            # Something between two passes changed it: start from here.
            module = self._decode(text)
            for subject in self._subjects.values():
                subject.outcomes = [self._run(module, subject, inputs) for inputs in subject.inputs]
        self._text = text

    def after(self, name: str, text: str, pipeline: str = "") -> None:
        """The module after the pass of that name; `pipeline` is the pass with its options."""
        if self.found is not None or not self._subjects or text == self._text:
            return
        try:
            module = self._decode(text)
        except (ir.MLIRError, InterpreterError) as error:
            self._give_up(list(self._subjects), f"the IR after pass '{name}' is invalid: {error}")
            return
        for function in list(self._subjects):
            try:
                self._check(name, module, self._subjects[function], text)
            except (NotInterpretable, NoInputs) as error:
                self._give_up([function], f"after pass '{name}': {error}")
            if self.found is not None:
                self.found.pipeline, self.found.inputs = pipeline or name, self._subjects[function].inputs
                self.found.located_before = self._text
                return
        self._text = text
        self.checked.append(name)

    def _give_up(self, functions: list[str], reason: str) -> None:
        for function in functions:
            (self._subjects or {}).pop(function)
            self.warn(function, f"@{function} is no longer checked: {reason}")

    def _decode(self, text: str) -> Module:
        if self._context is None:
            self._context = Context()
            self._context.allow_unregistered_dialects = True
        return decode_module(parse_text(text, self._context))

    def _choose(self, module: Module) -> dict[str, Subject]:
        """The functions to check, with the inputs on which they run."""
        subjects = {}
        for name, function in module.functions.items():
            if function.body is None or function.private:
                continue
            try:
                tried = self._inputs(module, function)
                inputs = [item for item, _ in tried]
                outcomes = [outcome or run(module, function, item) for item, outcome in tried]
                if failed := next((outcome.error for outcome in outcomes if outcome.error is not None), None):
                    raise NoInputs(str(failed))
                subjects[name] = Subject(function, inputs, outcomes, (module, function))
            except (NotInterpretable, NoInputs, ValueError, OSError) as error:
                self.warn(name, f"@{name} is not checked: {error}")
        return subjects

    def _inputs(self, module: Module, function: Function) -> list[tuple[Inputs, Outcome | None]]:
        """Inputs, each with what the function does on them if that is known."""
        if self.settings.inputs is not None:
            return [(inputs, None) for inputs in self.settings.inputs(function)]
        seeds = range(self.settings.seed, self.settings.seed + self.settings.runs)
        return [try_inputs(module, function, seed, self.settings.arguments, self.settings.grid) for seed in seeds]

    def _run(self, module: Module, subject: Subject, inputs: Inputs) -> Outcome:
        old, new = subject.function, module.functions.get(subject.function.name)
        if new is None or new.body is None:
            raise NoInputs(f"@{old.name} is gone")
        if new.is_lowered and any(kind.rank and kind.size > 1 for kind in old.argument_types):
            raise NoInputs("a tensor is an argument, which lowered code takes divided among the threads")
        if similar(old.argument_types, new.argument_types):
            # Names are in locations, which passes may drop.
            new.argument_names = old.argument_names
            if any(kind.pointee is not None and kind.pointee.tensor_map for kind in new.argument_types):
                subject.encoded = new
            if not new.is_lowered:
                subject.source = module, new
            return run(module, new, inputs, made_for=old if new.is_lowered else None)
        parts = [part for kind in old.argument_types for part in (part_types(kind) if is_descriptor(kind) else [kind])]
        if new.is_lowered and len(new.argument_types) == len(old.argument_types):
            return run(module, new, inputs, made_for=subject.encoded or old)
        if not similar(parts, new.argument_types):
            raise NoInputs("it takes other arguments")
        return run(module, new, inputs, made_for=old)

    def _check(self, name: str, module: Module, subject: Subject, text: str) -> None:
        reason = may_change(name)
        function = module.functions.get(subject.function.name, subject.function)
        tolerance = tolerance_of(subject.function, function) if reason else 0.0
        outcomes = [self._run(module, subject, inputs) for inputs in subject.inputs]
        if late := next((new.error for new in outcomes if isinstance(new.error, TookTooLong)), None):
            raise NoInputs(str(late))
        for inputs, old, new in zip(subject.inputs, subject.outcomes, outcomes):
            difference = compare(old, new, tolerance)
            if difference:
                if function.is_lowered and not difference.fails:
                    check_order(subject, inputs, old, tolerance)
                kernel = subject.function.name
                message = f"pass '{name}' changes what @{kernel} does: {difference}"
                if reason:
                    message += f"\n  the pass may change {reason}, within {tolerance:g} of the largest magnitude"
                message += f"\n  inputs   {inputs.describe(subject.function)}"
                sides = (str(parse_text(side, self._context)) for side in (self._text, text))
                self.found = PassChangedResult(name, kernel, message, *sides)
                return
        subject.outcomes = outcomes


def check_order(subject: Subject, inputs: Inputs, outcome: Outcome, tolerance: float) -> None:
    """Checks that a kernel leaves no order of elements open, and that what it does depends on none.

    Raises:
        NoInputs: it is not, or the kernel leaves it open.
    """
    module, function = subject.source
    if open_order := next(filter(leaves_open, function.operations()), None):
        raise NoInputs(f"{open_order.name} at {open_order.location} returns elements in any order")
    if difference := difference_by_order(module, function, inputs, outcome, tolerance):
        raise NoInputs(
            f"what it does depends on the order in which elements are stored, updated or combined: {difference}"
        )


def difference_by_order(module: Module, function: Function, inputs: Inputs, outcome: Outcome, tolerance: float) -> str:
    """The difference that other orders of stores, updates and reductions make, as lowered code may have them; empty if
    there is none."""
    for seed in range(ORDERS):
        memory = Memory()
        memory.order = np.random.default_rng(seed)
        # Backwards, each pair that combines changes places.
        memory.combining = np.random.default_rng(seed).permutation if seed else lambda size: np.arange(size)[::-1]
        if difference := compare(outcome, run(module, function, inputs, memory), tolerance):
            return difference
    return ""


def leaves_open(op: Instruction) -> bool:
    """Whether an operation may give its elements in any order."""
    return op.name == "tt.cat" or bool(op.attributes.get("allow_reorder"))


def similar(first: list[ValueType], second: list[ValueType]) -> bool:
    """Whether arguments of these types take the same values."""
    return [(kind.shape, kind.element) for kind in first] == [(kind.shape, kind.element) for kind in second]


def may_change(name: str) -> str:
    """Changes of results that a pass declares; empty if it may change nothing."""
    return getattr(bridge.pass_class(name), "may_change", "") or MAY_CHANGE.get(name, "")


def tolerance_of(*functions: Function) -> float:
    """The tolerance for the narrowest floating-point type that functions compute in."""
    names = {dtype.name for function in functions for dtype in function.elements if dtype in FLOATS}
    if any(TF32 in function.precisions for function in functions):
        names.add("tf32")
    if any(name.startswith("float8") for name in names):
        return FLOAT8_TOLERANCE
    return max((value for name, value in TOLERANCES if name in names), default=0.0)


class Difference(str):
    """A difference of two outcomes, in words; empty if there is none.

    fails: whether the second one is an error, and the first one is not.
    """

    fails: bool

    def __new__(cls, text: str = "", fails: bool = False) -> Difference:
        """The text, with what it says."""
        made = super().__new__(cls, text)
        made.fails = fails
        return made


def compare(old: Outcome, new: Outcome, tolerance: float) -> Difference:
    """First difference between two outcomes; empty if there is none."""
    if new.error is not None and old.error is None:
        return Difference(f"{FAILS}: {new.error}", fails=True)
    if len(old.results) != len(new.results):
        return Difference(f"it returns {len(old.results)} values before and {len(new.results)} after")
    pairs = [(name, array, new.buffers.get(name)) for name, array in old.buffers.items()]
    pairs += [(f"result {n}", *pair) for n, pair in enumerate(zip(old.results, new.results))]
    for name, a, b in pairs:
        difference = compare_arrays(name, a, b, tolerance)
        if difference:
            return Difference(difference)
    return Difference()


def compare_arrays(name: str, a: np.ndarray, b: np.ndarray | None, tolerance: float) -> str:
    """A sentence about how an array differs after a pass; nothing if it is the same up to a relative tolerance."""
    if b is None or a.shape != b.shape or a.dtype != b.dtype:
        after = "gone" if b is None else f"{b.dtype}{list(b.shape)}"
        return f"{name} is {a.dtype}{list(a.shape)} before and {after} after"
    differs = different(a, b, tolerance)
    if not differs.any():
        return ""
    index = np.unravel_index(int(np.argmax(differs)), differs.shape)
    where = ", ".join(map(str, index))
    if a.dtype == np.bool_:
        a, b = a.view(np.uint8), b.view(np.uint8)
    count = f"{int(differs.sum())} of {differs.size} elements differ"
    return f"{name}[{where}] is {a[index]!s} before and {b[index]!s} after ({count})"


def different(a: np.ndarray, b: np.ndarray, tolerance: float) -> np.ndarray:
    """Which elements differ: in any bit, or by more than the tolerance; NaNs are all the same.

    With an infinite tolerance, only NaN differs from finite numbers.
    """
    if tolerance == math.inf:
        if a.dtype not in FLOATS:
            return np.zeros(a.shape, np.bool_)
        wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
        return (np.isnan(wide_a) & np.isfinite(wide_b)) | (np.isnan(wide_b) & np.isfinite(wide_a))
    if a.dtype == np.bool_:  # a byte that is neither 0 nor 1 is another number where it is read again
        return a.view(np.uint8) != b.view(np.uint8)
    if a.dtype not in FLOATS:
        return a != b
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    both_nan = np.isnan(wide_a) & np.isnan(wide_b)
    if tolerance == 0.0:
        return ((wide_a != wide_b) | (np.signbit(wide_a) != np.signbit(wide_b))) & ~both_nan
    finite = np.abs(wide_a[np.isfinite(wide_a)])
    scale = float(finite.max()) if finite.size else 0.0
    with np.errstate(invalid="ignore"):
        near = (wide_a == wide_b) | (np.abs(wide_a - wide_b) <= tolerance * scale)
        # A sum that overflows may do so at another place in another order: infinite, NaN, or just not yet.
        largest = OVERFLOW * float(ml_dtypes.finfo(a.dtype).max)
        overflow = ~(np.abs(wide_a) < largest) & ~(np.abs(wide_b) < largest)
    return ~(near | both_nan | overflow)


def show_both_sides(found: PassChangedResult, prefix: str | None) -> None:
    """Writes the IR before and after to PREFIX.before.mlir and PREFIX.after.mlir, or to stderr."""
    for side, text in (("before", found.before), ("after", found.after)):
        if prefix:
            with open(f"{prefix}.{side}.mlir", "w") as file:
                file.write(text)
        else:
            print(f"// -----// IR {side} pass '{found.pass_name}' //----- //\n{text}", file=sys.stderr, flush=True)


__all__ = ["Checker", "InterpreterError", "PassChangedResult", "Settings"]
