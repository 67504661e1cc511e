"""Programs that grow: phrases of a pass (`phrases.py`) among the values of a random program."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from mlir import ir

from ttkit.fuzzing.phrases import Phrase, Step
from ttkit.inspection import collect

TRIES = 40
"""Ways to give a step operands and result types, until its verifier accepts one."""
MOST_PHRASES = 3


def grow(module: ir.Module, phrases: Sequence[Phrase], seed: int) -> int:
    """Inserts phrases into a program, each before a store, which then stores the phrase's result.

    Args:
        module: what `material.program` has made, at a level that has tt.store.
        seed: chooses phrases, stores and operands.

    Returns:
        how many phrases were inserted: 0 if no phrase fits the values of the program.
    """
    choose = random.Random(seed)
    stores = [op for op in collect(module.operation, ["tt.store"]) if _is_at_top(op)]
    choose.shuffle(stores)
    count = 0
    for store in stores:
        if count == MOST_PHRASES or not phrases:
            break
        tried = choose.sample(list(phrases), min(len(phrases), 8))
        for phrase in sorted(tried, key=lambda one: one.steps[0].operands is None):  # the bare names come last
            if _said(phrase, store, choose):
                count += 1
                break
    return count


def _is_at_top(op: ir.Operation) -> bool:
    parent = op.parent
    return parent is not None and parent.name == "tt.func"


def _said(phrase: Phrase, store: ir.Operation, choose: random.Random) -> bool:
    """Inserts a phrase before a store; whether that was possible.  What was inserted in vain is erased."""
    pool = list(_values_before(store))
    stored = store.operands[1]
    writer = _Writer(phrase, store, pool, stored.type, choose)
    for step in phrase.steps:
        if not writer.write(step):
            break
    else:
        fitting = [value for op in reversed(writer.written) for value in op.results if value.type == stored.type]
        if fitting:
            store.operands[1] = fitting[0]
            return True
    writer.erase()
    return False


def _values_before(store: ir.Operation) -> Iterator[ir.Value]:
    """Numbers, and tensors of numbers, that are known at a store."""
    block = store.block
    for op in block.operations:
        if op.operation == store:
            return
        for value in op.operation.results:
            if re.fullmatch(r"[a-z]+\d+", str(getattr(value.type, "element_type", value.type))):
                yield value


def _if_like(text: str, wanted: ir.Type) -> str | None:
    """The text of a type, if it and another have floats for elements, or both integers of several bits."""
    try:
        kinds = [getattr(kind, "element_type", kind) for kind in (ir.Type.parse(text, wanted.context), wanted)]
    except ir.MLIRError:
        return None
    floats = [isinstance(kind, ir.FloatType) for kind in kinds]
    integers = [isinstance(kind, ir.IntegerType) and kind.width > 1 for kind in kinds]
    return text if all(floats) or all(integers) else None


class _Writer:
    """Writes the steps of a phrase before a store.

    written: the operations so far.
    """

    def __init__(
        self, phrase: Phrase, store: ir.Operation, pool: list[ir.Value], wanted: ir.Type, choose: random.Random
    ) -> None:
        self.store, self.pool, self.wanted, self.choose = store, pool, wanted, choose
        self.values: dict[str, ir.Value] = {}
        self.written: list[ir.Operation] = []
        self.leaves = dict(phrase.leaves)
        types = {*self.leaves.values(), *(text for step in phrase.steps for text in step.types)}
        self.only_type = _if_like(types.pop(), wanted) if len(types) == 1 else None

    def erase(self) -> None:
        """Erases what was written."""
        for op in reversed(self.written):
            op.erase()

    def write(self, step: Step) -> bool:
        """Writes one step; whether one of TRIES ways was valid."""
        for number in range(TRIES):
            operands = self._operands(step, number)
            if operands is None:
                return False
            op = self._valid(step, list(operands.values()) if isinstance(operands, dict) else operands, number)
            if op is None:
                continue
            self.written.append(op)
            if step.operands is not None:
                self.values.update(zip(step.operands, op.operands))
            results = list(op.results)
            self.values[step.result] = results[0]
            self.values.update({f"{step.result}#{at}": value for at, value in enumerate(results)})
            self.pool += results
            return True
        return False

    def _operands(self, step: Step, number: int) -> list[ir.Value] | None:
        """Operands for the step: those it names, others of the pool; None where the pool has none."""
        count = len(step.operands) if step.operands is not None else 1 + number % 3
        if count and not self.pool:
            return None
        like = self._any(self.wanted)
        names = step.operands if step.operands is not None else [""] * count
        chosen: dict[str, ir.Value] = {}
        found = []
        for name in names:
            value = self.values.get(name) or chosen.get(name)
            if value is None:
                kind = self._retyped(self.leaves.get(name, ""))
                value = self._any(kind) if kind is not None or self.choose.random() < 0.3 else like
            if name:
                chosen[name] = value
            found.append(value)
        return found

    def _any(self, kind: ir.Type | None) -> ir.Value:
        """A value of a type if there is one, the last ones more often; else any value."""
        fitting = [value for value in self.pool if value.type == kind] or self.pool
        return self.choose.choice(fitting[-6:] if self.choose.random() < 0.5 else fitting)

    def _retyped(self, text: str) -> ir.Type | None:
        """A type of a test with the shape, and the layout, of what is stored: None where it can't be written.

        A phrase all of whose values have one type computes on the type that is stored.
        """
        if not text:
            return None
        if text == self.only_type:
            return self.wanted
        try:
            kind = ir.Type.parse(text, self.store.context)
        except ir.MLIRError:
            return None
        if not isinstance(kind, ir.RankedTensorType) or not isinstance(self.wanted, ir.RankedTensorType):
            return kind
        with self.store.location:
            return ir.RankedTensorType.get(self.wanted.shape, kind.element_type, self.wanted.encoding)

    def _valid(self, step: Step, operands: list[ir.Value], number: int) -> ir.Operation | None:
        """The operation, if its verifier accepts it."""
        types = [kind for text in step.types if (kind := self._retyped(text)) is not None]
        ways = [types] if types else []
        ways += [None, [operands[0].type] if operands else [self.wanted], [self.wanted]]  # type: ignore[list-item]
        for results in ways:
            try:
                attributes = self._attributes(step, number)
                with ir.InsertionPoint(self.store), self.store.location:
                    op = ir.Operation.create(step.operation, results, operands, attributes, infer_type=results is None)
            except (ir.MLIRError, ValueError, TypeError, RuntimeError):
                continue
            try:
                if op.verify() and len(op.results):
                    return op
            except ir.MLIRError:
                pass
            op.erase()
        return None

    def _attributes(self, step: Step, number: int) -> dict[str, ir.Attribute]:
        """The step's attributes: constants with the shape that is stored, numbers without a type as i32 or i64."""
        found = {}
        for name, text in step.attributes:
            if re.fullmatch(r"-?\d+", text.strip()):
                text = f"{text.strip()} : {'i32' if number % 2 == 0 else 'i64'}"
            constant = re.fullmatch(r"(?:dense<)?([^\[\]<>]*?)>? : (.*)", text)
            is_value = step.operation == "arith.constant" or text.startswith("dense<")
            if constant and is_value and (kind := self._retyped(constant[2])) is not None:
                is_tensor = isinstance(kind, ir.RankedTensorType)
                text = f"dense<{constant[1]}> : {kind}" if is_tensor else f"{constant[1]} : {kind}"
            found[name] = ir.Attribute.parse(text, self.store.context)
        return found
