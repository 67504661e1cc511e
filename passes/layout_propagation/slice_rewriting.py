"""Computing a slice in the layouts chosen for it, beside the original operations.

Each operation of the slice gets a copy that produces the new layouts, right before it.  Loops and conditionals are not
copied: they pass on the new values as further arguments and results.

    %r = scf.for iter_args(%x = %a) {          %r:2 = scf.for iter_args(%x = %a, %y = %b) {
      %1 = math.exp %x : #old                     %2 = math.exp %y : #new
      scf.yield %1 : #old                 =>      %1 = math.exp %x : #old
    }                                             scf.yield %1, %2 : #old, #new
    %2 = ttg.convert_layout %r -> #new         }
"""

from mlir import ir

from ttkit._native import addresses_of, library, operation_from_pointer
from ttkit.dialects import scf
from ttkit.inspection import address_of, defining, name_of, terminator
from ttkit.passes.infra.layout_inference import LayoutInference
from ttkit.passes.infra.loops import body_of, final_value, initial_value, yielded
from ttkit.passes.infra.nesting import holder_of, yields_of
from ttkit.passes.infra.transforms import recreate
from ttkit.passes.layout_propagation.backward_slice import Slice
from ttkit.passes.layout_propagation.function_state import FunctionState
from ttkit.passes.layout_propagation.layout_conversions import insert_conversion

Mapping = dict[ir.Value, ir.Value]


def rewrite_slice(slice: Slice, conversion: ir.OpView, state: FunctionState, mapping: Mapping | None = None) -> None:
    """Computes `slice`, whose last value is the operand of `conversion`, and replaces `conversion` by the result.

    Args:
        slice: values and their layouts.
        conversion: the operation to replace; `state` erases it later.
        state: gets the new copies.
        mapping: value -> its existing copy, for values that are not in the slice.
    """
    _SliceRewriting(slice, state, mapping or {}).run(conversion)


class _SliceRewriting:
    def __init__(self, slice: Slice, state: FunctionState, mapping: Mapping) -> None:
        self.slice, self.state, self.mapping = slice, state, mapping
        self.layouts: LayoutInference = state.layouts
        # Replaced at the end: until then `slice` refers to the old values.
        self.replacements: list[tuple[ir.Value, ir.Value]] = []
        # Address of a yield -> the numbers of the operands whose copies it will yield too.
        self.yielded: dict[int, list[int]] = {}

    def run(self, conversion: ir.OpView) -> None:
        """Computes the slice in its layouts and replaces the conversion by the result."""
        for value, copy in self.slice.existing.items():
            self.mapping.setdefault(value, copy)
        operations: dict[int, ir.Operation] = {}
        for value in self.slice.computed:
            owner, ends, number = _carried_by(value)
            operations[address_of(owner)] = owner
            for end in ends:
                operations[address_of(end)] = end
                self.yielded.setdefault(address_of(end), []).append(number)
        for op in _sorted(list(operations.values())):
            self.rewrite(op)
        conversion.result.replace_all_uses_with(self.mapping[conversion.src])
        self.state.remove(conversion.operation)
        self.state.replace_values(self.replacements)

    def rewrite(self, op: ir.Operation) -> None:
        """Creates the copy of one operation of the slice."""
        if op.name == "scf.for":
            self.rewrite_loop(op)
        elif op.name == "scf.if":
            self.rewrite_conditional(op)
        elif op.name == "scf.yield":
            # In the order of the new results of the parent.
            extra = [self.mapping[yielded(op.block, number)] for number in sorted(self.yielded[address_of(op)])]
            scf.yield_([*op.operands, *extra], loc=op.location, ip=ir.InsertionPoint(op))
            op.erase()
        elif op.name == "arith.constant":
            self.add(op.result, self.converted_constant(op))
        else:
            self.copy(op)

    def add(self, value: ir.Value, copy: ir.Value) -> None:
        """Notes that `copy` is `value` in the layout of the slice."""
        self.mapping[value] = copy
        self.state.add_copy(value, self.slice.encodings[value], copy)

    def converted_constant(self, op: ir.Operation) -> ir.Value:
        """A constant in the slice's layout; for a splat, a conversion that canonicalization folds."""
        result, clone = op.result, op.clone(ip=ir.InsertionPoint(op))
        encoding, value = self.slice.encodings[result], op.attributes["value"]
        if isinstance(value, ir.DenseElementsAttr) and value.is_splat:  # canonicalization folds the two
            return insert_conversion(clone.result, encoding, op.location, self.layouts, ir.InsertionPoint(op))
        type = self.layouts.retyped(result.type, encoding)
        clone.attributes["value"] = ir.Attribute.parse(str(value).removesuffix(f" : {result.type}") + f" : {type}")
        clone.result.set_type(type)
        return clone.result

    def copy(self, op: ir.Operation) -> None:
        """Clones an operation, with copies of its operands and the slice's layouts."""
        clone = op.clone(ip=ir.InsertionPoint(op))
        operands = clone.operands
        for number, operand in enumerate(operands):
            if (copy := self.mapping.get(operand)) is not None:
                operands[number] = copy
        for old, new in zip(op.results, clone.results):
            self.mapping[old] = new
            if (encoding := self.slice.encodings.get(old)) is not None:
                new.set_type(self.layouts.retyped(old.type, encoding))
                self.add(old, new)

    def rewrite_loop(self, loop: ir.Operation) -> None:
        """Replaces a loop by one that carries the copies of some of its values too."""
        block = body_of(loop)
        carried = [arg for arg in list(block.arguments)[1:] if arg in self.slice.computed]
        inits = [self.mapping[initial_value(loop, arg.arg_number - 1)] for arg in carried]
        new = self.replace(loop, [*loop.operands, *inits], [init.type for init in inits])
        for result, arg, init in zip(list(new.results)[len(loop.results) :], carried, inits):
            encoding = self.slice.encodings[arg]
            copy = block.add_argument(init.type, init.location)
            number = arg.arg_number - 1
            self.mapping[final_value(loop, number)] = result
            self.mapping[arg] = copy
            self.state.add_copy(final_value(new, number), encoding, result)
            self.state.add_copy(arg, encoding, copy)

    def rewrite_conditional(self, conditional: ir.Operation) -> None:
        """Replaces a conditional by one with the copies of some of its results as further results."""
        wanted = [result for result in conditional.results if result in self.slice.computed]
        types = [self.layouts.retyped(result.type, self.slice.encodings[result]) for result in wanted]
        new = self.replace(conditional, list(conditional.operands), types)
        for result, copy in zip(wanted, list(new.results)[len(conditional.results) :]):
            self.add(result, copy)

    def replace(self, op: ir.Operation, operands: list[ir.Value], more: list[ir.Type]) -> ir.Operation:
        """A loop or conditional with more results and the regions of `op`; `cleanup` erases `op`."""
        new = recreate(op, [*(result.type for result in op.results), *more], operands)
        for source, target in zip(op.regions, new.regions):
            source.blocks[0].append_to(target)
        self.replacements += zip(op.results, list(new.results)[: len(op.results)])
        self.state.remove(op)
        return new


def _carried_by(value: ir.Value) -> tuple[ir.Operation, list[ir.Operation], int]:
    """The operation to rewrite for `value`: its definition, or the loop that carries it.

    Returns:
        The operation; the terminators that yield the value; and the number of their operand.
    """
    op = defining(value)
    if op is None:
        return holder_of(value), [terminator(value.owner).operation], value.arg_number - 1
    if name_of(op) == "scf.if":
        return op.operation, yields_of(op.operation), value.result_number
    return op.operation, [], 0


def _sorted(operations: list[ir.Operation]) -> list[ir.Operation]:
    """The operations in topological order: definitions before uses, loops and conditionals before their bodies."""
    addresses = addresses_of(operations)
    library().ttkitTopologicalSort(addresses, len(operations))
    return [operation_from_pointer(address) for address in addresses]
