"""Axis facts of the values of a program: a sparse forward dataflow analysis on demand.

Asking for a value finds all that it depends on, from uses to definitions, through arguments of loops and blocks and
from functions to their callers; then evaluates these in the order of dependence, and where there are cycles again
until nothing changes (axis_rules.py and axis_arithmetic.py have what each operation does).

As in Triton 3.6, operations are first looked at before the regions of loops and branches: the results of these are
taken to be all facts at once, and the arguments of a loop to be what is passed to it.  What follows from that start
takes part in the end too: it can cost divisibility, and it never claims too much.
"""

from collections import deque
from collections.abc import Callable, Sequence
from math import gcd
from typing import Any

from mlir import ir

from ttkit.analysis.axis_arithmetic import RULES
from ttkit.analysis.axis_info import MAX_DIVISOR, AxisInfo, Dims, power_of_two_divisor
from ttkit.analysis.axis_rules import ValueType, value_type
from ttkit.analysis.control_flow import incoming_values
from ttkit.inspection import collect
from ttkit.operation_sets import LOOPS

DIVISIBILITY = "tt.divisibility"
HINTS = ("tt.contiguity", DIVISIBILITY, "tt.constancy")
"""Attributes with facts about arguments of functions, and of operations about their results."""

Evaluate = Callable[[list[AxisInfo | None]], AxisInfo | None]


class AxisInfoAnalysis:
    """Axis facts of the values of the current module or function; a change of the IR needs a new analysis."""

    def __init__(self) -> None:
        self._known: dict[ir.Value, AxisInfo] = {}
        self._first: dict[ir.Value, AxisInfo | None] = {}
        self._without_start: set[ir.Value] = set()
        self._types: dict[ir.Type, ValueType] = {}
        self._calls: dict[str, list[Any]] | None = None

    def info(self, value: ir.Value) -> AxisInfo:
        """The facts of `value`."""
        if value not in self._known:
            self._solve(value)
        return self._known[value]

    def value_type(self, type: ir.Type) -> ValueType:
        """The shape and element of an MLIR type, cached."""
        found = self._types.get(type)
        if found is None:
            found = self._types[type] = value_type(type)
        return found

    def _solve(self, root: ir.Value) -> None:
        nodes, is_cyclic = self._slice(root)
        if not is_cyclic and not any(node.is_merge for node in nodes.values()):
            for value, node in nodes.items():
                inputs: list[AxisInfo | None] = [self._known[needed] for needed in node.inputs]
                if all(self._first[needed] is info for needed, info in zip(node.inputs, inputs)):
                    state = self._first[value] = node.evaluate(inputs)
                else:
                    self._start(value, node)
                    state, first = node.evaluate(inputs), self._first[value]
                    state = first if state is None else state if first is None else first.join(state)
                self._known[value] = state if state is not None else self._unknown(value)
            return
        self._start_all(nodes)
        states = {value: self._first[value] for value in nodes}
        users: dict[ir.Value, list[ir.Value]] = {}
        for value, node in nodes.items():
            for needed in node.inputs:
                users.setdefault(needed, []).append(value)
        pending, waiting = deque(nodes), set(nodes)
        while pending:
            value = pending.popleft()
            waiting.discard(value)
            node, old = nodes[value], states[value]
            new = node.evaluate([self._state(states, needed) for needed in node.inputs])
            if new is not None and old is not None:
                new = old.join(new)
            if new is None or new == old:
                continue
            states[value] = new
            for user in users.get(value, ()):
                if user not in waiting:
                    waiting.add(user)
                    pending.append(user)
        for value, state in states.items():
            self._known[value] = state if state is not None else self._unknown(value)

    def _start_all(self, nodes: dict[ir.Value, "_Node"]) -> None:
        """Calls `_start` for each value, after the values on which its start depends."""
        for root in nodes:
            path, on_path = [root], {root}
            while path:
                value = path[-1]
                missing = [v for v in nodes[value].first_inputs if v not in self._first and v not in on_path]
                if missing:
                    path.append(missing[0])
                    on_path.add(missing[0])
                    continue
                if value not in self._first:
                    self._start(value, nodes[value])
                on_path.discard(path.pop())

    def _start(self, value: ir.Value, node: "_Node") -> None:
        """Sets the facts assumed for a value before the regions of loops and branches are visited."""
        if value in self._without_start or any(needed in self._without_start for needed in node.first_inputs):
            self._without_start.add(value)
            self._first[value] = None
            return
        if node.is_merge and not node.first_inputs:
            self._first[value] = anything(self.value_type(value.type).rank) if is_read(value) else None
            return
        inputs = [self._first.get(needed) for needed in node.first_inputs]
        if not node.is_merge:
            ranks = [self.value_type(needed.type).rank for needed in node.first_inputs]
            inputs = [anything(rank) if info is None else info for info, rank in zip(inputs, ranks, strict=True)]
        self._first[value] = node.evaluate(inputs)

    def _state(self, states: dict[ir.Value, AxisInfo | None], value: ir.Value) -> AxisInfo | None:
        return states[value] if value in states else self._known.get(value)

    def _slice(self, root: ir.Value) -> tuple[dict[ir.Value, "_Node"], bool]:
        """The unknown values on which `root` depends, and whether they have cycles.

        Without cycles, each comes after the values on which it depends.
        """
        ordered: dict[ir.Value, _Node] = {}
        open_nodes = {root: self._node(root)}
        path = [(root, iter(open_nodes[root].inputs))]
        is_cyclic = False
        while path:
            value, rest = path[-1]
            for needed in rest:
                if needed in open_nodes:
                    is_cyclic = True
                elif needed not in ordered and needed not in self._known:
                    node = open_nodes[needed] = self._node(needed)
                    path.append((needed, iter(node.inputs)))
                    break
            else:
                path.pop()
                ordered[value] = open_nodes.pop(value)
        return ordered, is_cyclic

    def _node(self, value: ir.Value) -> "_Node":
        owner = value.owner
        if isinstance(owner, ir.Block):
            return self._argument(value, owner)
        name = getattr(owner, "OPERATION_NAME", None) or owner.operation.name
        rule = RULES.get(name)
        if rule is None:
            sources = incoming_values(value)
            if sources is None:
                return _Node((), lambda _: self._unknown(value))
            return _Node(sources, joined, is_merge=True, first_inputs=())
        result = self.value_type(value.type)
        attributes = owner.attributes
        hinted = len(attributes) and any(name in attributes for name in HINTS)

        def evaluate(states: list[AxisInfo | None]) -> AxisInfo | None:
            """The facts of the result from those of its operands; None while one of them is unknown."""
            if None in states:
                return None
            info = rule(owner, result, *states)
            if info is None:
                return self._unknown(value)
            return with_hints(info, attributes) if hinted else info

        return _Node(tuple(owner.operands), evaluate)

    def _argument(self, value: ir.Value, block: ir.Block) -> "_Node":
        parent = block.owner
        name = parent.operation.name
        number = ir.BlockArgument(value).arg_number
        if name == "tt.func" and block == parent.regions[0].blocks[0]:
            return self._function_argument(value, parent, number)
        if name == "scf.for" and number == 0:
            return _Node((parent.lowerBound, parent.step), induction_variable)
        sources = incoming_values(value)
        if sources is None:
            return _Node((), lambda _: self._unknown(value))
        if block != block.region.blocks[0]:  # the target of a branch has no start of its own
            self._without_start.add(value)
            return _Node(sources, joined, is_merge=True, first_inputs=())
        # The arguments of a loop start with the facts of its initial values.
        first = sources[:1] if name in LOOPS else sources
        return _Node(sources, joined, is_merge=True, first_inputs=first)

    def _function_argument(self, value: ir.Value, function: Any, number: int) -> "_Node":
        """The node of a function's argument: facts of its attributes, and for a scalar those that hold in all calls."""
        all_attributes = function.attributes
        attributes = all_attributes["arg_attrs"][number] if "arg_attrs" in all_attributes else {}
        rank = self.value_type(value.type).rank
        unknown = AxisInfo.unknown(rank)
        calls = self._callers(function) if rank == 1 else []

        def evaluate(states: list[AxisInfo | None]) -> AxisInfo | None:
            """Facts that hold in all calls, by greatest common divisors; without calls the argument's hints alone."""
            if not calls:
                return with_hints(unknown, attributes)
            facts = [list(dims) for dims in hint_dimensions(attributes, [(MAX_DIVISOR,)] * 3)]
            for state in states:
                if state is None:
                    return None
                facts = [[gcd(*old, new[0])] for old, new in zip(facts, state[:3], strict=True)]
            contiguity, divisibility, constancy = map(tuple, facts)
            return AxisInfo(contiguity, divisibility, constancy)

        return _Node([call.operands[number] for call in calls], evaluate)

    def _callers(self, function: Any) -> list[Any]:
        """The calls of a function in its module."""
        if self._calls is None:
            self._calls = {}
            module = function.operation.parent
            for call in collect(module.operation, ["tt.call"]) if module is not None else ():
                self._calls.setdefault(call.attributes["callee"].value, []).append(call)
        return self._calls.get(function.attributes["sym_name"].value, [])

    def _unknown(self, value: ir.Value) -> AxisInfo:
        """Only the facts in the attributes of the operation."""
        info = AxisInfo.unknown(self.value_type(value.type).rank)
        owner = value.owner
        return info if isinstance(owner, ir.Block) else with_hints(info, owner.attributes)


class _Node:
    """A value in the dependence graph: the values it needs, and its facts from theirs (None: not determined yet).

    is_merge: whether control flow passes it on.  first_inputs: those of the inputs that it starts from.
    """

    __slots__ = ("evaluate", "first_inputs", "inputs", "is_merge")

    def __init__(
        self,
        inputs: Sequence[ir.Value],
        evaluate: Evaluate,
        is_merge: bool = False,
        first_inputs: Sequence[ir.Value] | None = None,
    ) -> None:
        self.inputs = inputs
        self.evaluate = evaluate
        self.is_merge = is_merge
        self.first_inputs = inputs if first_inputs is None else first_inputs


def anything(rank: int) -> AxisInfo:
    """The strongest facts: those of a value that is not determined yet."""
    best = (MAX_DIVISOR,) * rank
    return AxisInfo(best, best, best)


def is_read(value: ir.Value) -> bool:
    """Whether an operation uses `value` in a computation, instead of only passing it on."""
    return any(len(use.owner.operation.results) and not len(use.owner.operation.regions) for use in value.uses)


def joined(states: list[AxisInfo | None]) -> AxisInfo | None:
    """The facts of a value that may be any of the determined ones; None if there are none."""
    result = None
    for state in states:
        if state is not None:
            result = state if result is None else result.join(state)
    return result


def induction_variable(states: list[AxisInfo | None]) -> AxisInfo | None:
    """first + i * step"""
    first, step = states
    if first is None or step is None:
        return None
    return AxisInfo((1,), (gcd(first.divisibility[0], step.divisibility[0]),), (1,))


def with_hints(info: AxisInfo, attributes: Any) -> AxisInfo:
    """`info`, with the facts of attributes in place of computed ones."""
    if not any(name in attributes for name in HINTS):
        return info
    contiguity, divisibility, constancy = hint_dimensions(attributes, list(info[:3]))
    return AxisInfo(contiguity, divisibility, constancy, info.constant_value)


def hint_dimensions(attributes: Any, otherwise: list[Dims]) -> list[Dims]:
    """The contiguity, divisibility and constancy in the attributes, with a default for each.

    What states another rank, or numbers that are not positive, states nothing.  Groups of 6 equal or consecutive
    elements are groups of 2: vectors and layouts have powers of two.
    """
    result = []
    for name, default in zip(HINTS, otherwise, strict=True):
        dims = _dimensions(attributes[name], len(default)) if name in attributes else default
        if len(dims) != len(default) or any(number <= 0 for number in dims):
            dims = default
        elif name != DIVISIBILITY:
            dims = tuple(map(power_of_two_divisor, dims))
        result.append(dims)
    return result


def _dimensions(attribute: ir.Attribute, rank: int) -> Dims:
    if isinstance(attribute, ir.IntegerAttr):
        return (attribute.value,)
    if isinstance(attribute, ir.DenseElementsAttr) and len(attribute) == rank:
        return tuple(int(value) for value in attribute)
    return ()
