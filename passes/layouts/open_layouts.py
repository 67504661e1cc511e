"""Inference of gluon's open layouts from operands, users and `gluon.set_auto_layout`."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from mlir import ir

from ttkit.inspection import collect, defining, name_of, terminator
from ttkit.layout.encodings import Blocked, Layout
from ttkit.operation_sets import LOOPS_AND_IF
from ttkit.passes.infra.base import PassError
from ttkit.passes.infra.layout_inference import LayoutInference
from ttkit.passes.infra.preconditions import operations
from ttkit.passes.layouts.assignment import tensor_layout, with_layout

Rule: TypeAlias = Callable[[ir.OpView, ir.Attribute], ir.Attribute | None]

AUTO, COALESCED = "#gluon.auto_encoding", "#gluon.coalesced_encoding"

_MAY_VARY = ("tt.join", "tt.split", "tt.reshape", "tt.trans")
"""Operations that infer one of several valid layouts: a layout requested elsewhere takes precedence."""


def has_layout(type: ir.Type, layout: str) -> bool:
    """Whether a type is a tensor type with the open layout `layout`."""
    return isinstance(type, ir.RankedTensorType) and str(type.encoding) == layout


def is_open(type: ir.Type) -> bool:
    """Whether a type is a tensor type whose layout is still to be inferred."""
    return isinstance(type, ir.RankedTensorType) and str(type.encoding) in (AUTO, COALESCED)


def layout_or_one_cta(type: ir.RankedTensorType) -> Layout:
    """The layout of a tensor; if it is open, one that does not divide the tensor among CTAs."""
    if not is_open(type):
        return tensor_layout(type)
    ones = (1,) * type.rank
    return Blocked(ones, ones, ones, tuple(range(type.rank)))


def settle(function: ir.Operation, layout: str, asked: Iterable[tuple[ir.Value, ir.Attribute]]) -> None:
    """Infers the layouts of a function's tensors with the open layout `layout`, starting from those `asked` for.

    Raises:
        PassError: arguments or results of the function have the open layout, or a value would need two layouts.
    """
    type = ir.TypeAttr(function.attributes["function_type"]).value
    for types, what in ((type.inputs, "taking"), (type.results, "returning")):
        if any(has_layout(one, layout) for one in types):
            raise PassError(function, f"Functions {what} {layout[7:].split('_')[0]} encoding must be fully inlined")
    search = _Search(function, layout)
    for value, encoding in asked:
        search.ask([value], encoding, may_vary=False)
    search.spread()
    for value, (encoding, _) in search.found.items():
        _set_layout(value, encoding)


def refuse_open(root: ir.Operation, layout: str) -> None:
    """Raises PassError where a result or an argument of a block still has the open layout `layout`."""
    for op in operations(root):
        if any(has_layout(result.type, layout) for result in op.results):
            raise PassError(op, f"Failed to infer return type: nothing determines the layout of '{op.name}'")
    for op in operations(root):
        blocks = (block for region in op.regions for block in region)
        if any(has_layout(argument.type, layout) for block in blocks for argument in block.arguments):
            raise PassError(op, "Failed to infer block argument type: nothing determines its layout")


class _Search:
    """The layouts inferred so far, and the values from which more may follow."""

    def __init__(self, function: ir.Operation, layout: str) -> None:
        self.function, self.layout = function, layout
        self.found: dict[ir.Value, tuple[ir.Attribute, bool]] = {}  # and whether a fixed layout may replace it
        self.pending: dict[ir.Value, None] = {}  # the last one is next
        self.inference = LayoutInference()
        self.tied: dict[ir.Value, list[list[ir.Value]]] = {}
        for group in _tied_values(function):
            for value in group:
                self.tied.setdefault(value, []).append(group)

    def ask(self, values: Iterable[ir.Value], encoding: ir.Attribute, may_vary: bool) -> None:
        """Requests a layout for those values whose own is open.  Raises PassError: another one is fixed already."""
        for value in values:
            if not has_layout(value.type, self.layout):
                continue
            known = self.found.get(value)
            if known is not None and (may_vary or known == (encoding, False)):
                continue
            if known is not None and not known[1]:
                conflict = f"found conflicting encodings for value:\n  {known[0]}\nand\n  {encoding}"
                raise PassError(defining(value) or self.function, conflict)
            self.found[value] = encoding, may_vary
            self.pending.pop(value, None)
            self.pending[value] = None

    def spread(self) -> None:
        """Propagates the layouts found to users and definitions, until nothing changes."""
        while self.pending:
            value, _ = self.pending.popitem()
            encoding, may_vary = self.found[value]
            for group in self.tied.get(value, ()):
                self.ask(group, encoding, may_vary)
            for use in value.uses:
                self._go_on(use.owner, self.inference.result_layout, encoding, may_vary)
            if (op := defining(value)) is not None:
                self._go_on(op, self.inference.source_layout, encoding, may_vary)

    def _go_on(self, op: ir.OpView, rule: Rule, encoding: ir.Attribute, may_vary: bool) -> None:
        """Requests the layouts that a rule infers for an operation, from operands to results or back."""
        name = name_of(op)
        if name.startswith("scf."):  # see _tied_values
            return
        inferred = rule(op, encoding)
        if inferred is not None:
            values = op.results if rule == self.inference.result_layout else op.operands
            self.ask(values, inferred, may_vary or name in _MAY_VARY)


def _tied_values(function: ir.Operation) -> Iterator[list[ir.Value]]:
    """The groups of values of loops and branches that share a layout: initial, carried, yielded and returned ones."""
    for op in collect(function, LOOPS_AND_IF):
        blocks = [region.blocks[0] for region in op.regions if len(region.blocks)]
        ends = [list(terminator(block).operands) for block in blocks]
        arguments = [list(block.arguments) for block in blocks]
        if op.name == "scf.for":
            yield from map(list, zip(op.results, op.opview.initArgs, arguments[0][1:], ends[0]))
        elif op.name == "scf.while":
            yield from map(list, zip(op.operands, arguments[0], ends[1]))
            yield from map(list, zip(op.results, ends[0][1:], arguments[1]))
        else:
            yield from map(list, zip(op.results, *ends))


def _set_layout(value: ir.Value, encoding: ir.Attribute) -> None:
    """Gives a tensor a layout; the value of a constant gets it too."""
    type = with_layout(value.type, encoding)
    value.set_type(type)
    op = defining(value)
    if op is not None and name_of(op) == "arith.constant":
        elements = op.attributes["value"]
        text = str(elements).removesuffix(str(elements.type))
        op.attributes["value"] = ir.Attribute.parse(f"{text}{type}", type.context)
