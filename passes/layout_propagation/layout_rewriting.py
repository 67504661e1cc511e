"""Rewriting a function so that its values have the layouts picked for them.

Values are retyped in place.  An operation that needs an operand in another layout than the picked one gets a
conversion, right after the operand's definition:

    %0 = tt.load %p : #blocked                 %0 = tt.load %p : #blocked
    %1 = ttg.convert_layout %0 -> #slow   =>   %1 = ttg.convert_layout %0 -> #blocked     // cleaned up later
    %2 = arith.addf %1, %1 : #slow             %2 = arith.addf %1, %1 : #blocked
    tt.store %q, %2 : #slow                    %3 = ttg.convert_layout %2 -> #slow
                                               tt.store %q, %3 : #slow
"""

from collections import deque

from mlir import ir

from ttkit.inspection import address_of, addresses_of_users, defining, name_of, terminator
from ttkit.operation_sets import CONVERT_LAYOUT, FOR_AND_IF, WGMMA_WAIT
from ttkit.passes.infra.layout_inference import Encoding, LayoutInference, encoding_of
from ttkit.passes.infra.nesting import blocks_in, holder_of
from ttkit.passes.infra.transforms import update_operands
from ttkit.passes.layout_propagation.layout_anchors import gives_any_layout
from ttkit.passes.layout_propagation.layout_conversions import insert_conversion


def assign_layouts(function: ir.OpView, picked: dict[ir.Value, Encoding], layouts: LayoutInference) -> None:
    """Gives each value in `picked` its layout."""
    _Assignment(picked, layouts).run(function)


class _Assignment:
    def __init__(self, picked: dict[ir.Value, Encoding], layouts: LayoutInference) -> None:
        self.layouts = layouts
        self.picked = picked
        self.original = {value: encoding_of(value) for value in picked}
        self.changed = {value: None for value, encoding in picked.items() if encoding != self.original[value]}
        # Values whose operation can produce any layout: they stay, and a conversion has the picked layout.
        self.converted: dict[ir.Value, ir.Value] = {}

    def run(self, function: ir.OpView) -> None:
        """Gives each value its picked layout, and converts operands where an operation needs another one."""
        if not self.changed:
            return
        for value in self.changed:
            op = defining(value)
            if (
                op is None
                or not gives_any_layout(op, self.picked[value], self.layouts)
                or name_of(op) == CONVERT_LAYOUT
            ):
                value.set_type(self.layouts.retyped(value.type, self.picked[value]))
            else:
                self.converted[value] = insert_conversion(value, self.picked[value], op.location, self.layouts)
        concerned = self.concerned()
        # Outer regions first: an operand's definition is then visited before its uses.
        regions = deque(function.regions)
        while regions:
            for block in regions.popleft().blocks:
                for op in list(block.operations):
                    if address_of(op.operation) in concerned:
                        self.rewrite(op)
                    if len(op.regions):
                        regions.extend(op.regions)

    def concerned(self) -> set[int]:
        """The addresses of the operations that make or use a value whose layout changes, or end regions of these."""
        found: set[int] = set()
        for value in self.changed:
            found.update(addresses_of_users(value))
            op = defining(value)
            maker = holder_of(value) if op is None else op.operation
            found.add(address_of(maker))
            found.update(address_of(terminator(block).operation) for block in blocks_in(maker) if len(block.operations))
        return found

    def rewritten(self, value: ir.Value) -> ir.Value:
        """The replacement of `value` in its picked layout; `value` itself if there is none."""
        return self.converted.get(value, value)

    def value_as(self, value: ir.Value, encoding: Encoding | None) -> ir.Value:
        """`value` in the given layout."""
        rewritten = self.rewritten(value)
        current = encoding_of(rewritten)
        if encoding is None or current is None or current == encoding:
            return rewritten
        return insert_conversion(rewritten, encoding, value.location, self.layouts)

    def rewrite(self, op: ir.OpView) -> None:
        """Converts the operands of `op` to the layouts that it needs now."""
        name = name_of(op)
        if any(result in self.changed for result in op.results):
            self.rewrite_changed(op, name)
        elif name == "scf.yield":
            self.rewrite_yield(op)
        elif name == "scf.condition":
            results = op.operation.parent.results
            self.convert_operands(op, [None, *(encoding_of(result) for result in results)])
        elif name == "tt.reduce" and not any(isinstance(result.type, ir.RankedTensorType) for result in op.results):
            # A scalar has no layout, so the tensor may have any.
            known = [self.picked[operand] for operand in op.operands if operand in self.picked]
            if known:
                self.convert_operands(op, [known[0]] * len(op.operands))
        elif name == "tt.assert":
            self.convert_operands(op, [None])
        else:
            self.keep_operands(op)

    def rewrite_changed(self, op: ir.OpView, name: str) -> None:
        """Does the same for an operation with a result whose layout has changed."""
        if name == "scf.for":
            self.convert_operands(op, [None, None, None, *(encoding_of(result) for result in op.results)])
        elif name == "scf.while":
            arguments = op.regions[0].blocks[0].arguments
            self.convert_operands(op, [encoding_of(argument) for argument in arguments])
        elif name == CONVERT_LAYOUT:
            self.convert_operands(op, [None])
        elif name == WGMMA_WAIT:  # each result is one operand
            self.convert_operands(op, [encoding_of(result) for result in op.results])
        elif any(result in self.converted for result in op.results):
            self.keep_operands(op)
        elif name != "scf.if":
            self.rewrite_following(op)

    def rewrite_following(self, op: ir.OpView) -> None:
        """Does the same for an operation whose results take their layouts from its operands."""
        encoding = next(self.picked[result] for result in op.results if result in self.picked)
        for result in op.results:
            if isinstance(result.type, ir.RankedTensorType):
                result.set_type(self.layouts.retyped(result.type, encoding))
        source = next(filter(None, (self.giving(encoding, op, operand) for operand in op.operands)), None)
        source = source or self.layouts.source_layout(op, encoding)
        assert source is not None or not len(op.operands), "a layout inferred from an operand can be inferred back"
        self.convert_operands(op, [source] * len(op.operands))

    def giving(self, encoding: Encoding, op: ir.OpView, operand: ir.Value) -> Encoding | None:
        """The current layout of an operand, if `op` infers `encoding` for its results from it; else None."""
        given = encoding_of(self.rewritten(operand))
        result = None if given is None else self.layouts.result_layout(op, given)
        return given if result is not None and result == encoding else None

    def rewrite_yield(self, op: ir.OpView) -> None:
        """Converts the yielded values of a region to the current layouts of its operation's results and arguments."""
        parent = op.operation.parent
        name = name_of(parent)
        if name == "scf.while":
            targets = list(parent.regions[0].blocks[0].arguments)
        elif name in FOR_AND_IF:
            targets = list(parent.results)
        else:
            self.keep_operands(op)
            return
        self.convert_operands(op, [encoding_of(target) for target in targets])

    def keep_operands(self, op: ir.OpView) -> None:
        """Converts operands back to their original layouts."""
        changed = [(number, each) for number, each in enumerate(op.operands) if each in self.changed]
        for number, operand in changed:
            if (kept := self.value_as(operand, self.original[operand])) != operand:
                op.operation.operands[number] = kept

    def convert_operands(self, op: ir.OpView, encodings: list[Encoding | None]) -> None:
        """Converts operands to the given layouts; None for those that are not tensors, or may have any layout."""
        update_operands(op, (self.value_as(*each) for each in zip(list(op.operands), encodings)))
