"""`for` and `while`."""

from __future__ import annotations

import ast
import warnings
from typing import Any

import ttkit.language as language
from ttkit.frontend.branches import AMBIGUOUS, is_large
from ttkit.frontend.carried_variables import stand_ins_of
from ttkit.frontend.errors import (
    EndlessLoop,
    LoopBoundOfTensor,
    LoopBounds,
    LoopCarriedConstexpr,
    LoopCarriedType,
    LoopElse,
    NotIterable,
    OutOfRange,
    RangeWithoutBounds,
    StepOfZero,
)
from ttkit.frontend.visitor import Visitor, flatten, unflatten
from ttkit.language import tensor
from ttkit.language.base import base_value
from ttkit.language.constants import to_tensor
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.promotion import promote_integers
from ttkit.language.record import Block, Operation, Value
from ttkit.language.type_conversion import cast_to, int_cast

_NO_LICM = "#llvm.loop_annotation<licm = <disable = true, versioningDisable = true>>"
MAX_UNROLLED = 1 << 17
"""Iterations of tl.static_range; an empty one takes 2 us, one that does anything is some operations."""
_FLAGS = {
    "disallow_acc_multi_buffer": ("tt.disallow_acc_multi_buffer", "unit"),
    "flatten": ("tt.flatten", "unit"),
    "warp_specialize": ("tt.warp_specialize", "unit"),
    "disable_licm": ("llvm.loop_annotation", _NO_LICM),
}


class Loops(Visitor):
    """Visitors of loops."""

    def _carried(self, node: Any, before: dict[str, Any], ignored: str | None = None) -> Any:
        """Which variables the loop changes, by a trial run of its body, which is thrown away.

        Returns:
            Their names, initial IR values and types.
        """
        stand_ins = stand_ins_of(before)
        self.scope.update(stand_ins.values)
        self.builder.to_start(Block())
        self.loops.append(node)
        self.visit_statements(node.body)
        self.loops.pop()
        finals = {}
        for name, value in before.items():
            if name == ignored:
                continue
            if not isinstance(value, base_value):
                if name in self.defined:
                    raise LoopCarriedConstexpr(name=name, found=value)
                continue
            after = self.scope[name]
            _check_carried(name, value, after)
            finals[name] = flatten([after])
        carried = stand_ins.changed(before, finals)
        names = [name for name in finals if name in carried]
        types = [before[name].type for name in names]
        handles = flatten(before[name] for name in names)
        self.scope, self.defined = before.copy(), {}
        return names, handles, types

    def _bind(self, names: list[str], handles: Any, types: list[Any]) -> None:
        """The variables as these IR values, which get their names."""
        for name, value in zip(names, unflatten(handles, types)):
            self.name_value(value, name)
            self.scope[name] = self.defined[name] = value

    def _body(self, node: Any, names: list[str]) -> list[Any]:
        """Builds the body at the current place; gives what it yields."""
        self.loops.append(node)
        self.visit_statements(node.body)
        self.loops.pop()
        return flatten(self.scope[name] for name in names)

    # --- while -------------------------------------------------------------------------------------------------------
    def visit_While(self, node: ast.While) -> None:
        """A loop as scf.while; variables that it assigns are carried, so they keep their types."""
        if node.orelse:
            raise LoopElse()
        builder = self.builder
        with self.sub_region() as before:
            outer, loc = builder.block, builder.loc
            names, handles, types = self._carried(node, before)
            ir_types = [handle.type for handle in handles]
            condition_block, body = Block(ir_types), Block(ir_types)
            builder.block, builder.loc = outer, loc
            op = builder.emit_op("scf.while", handles, ir_types, regions=[[condition_block], [body]])
            builder.to_start(condition_block)
            self._bind(names, condition_block.arguments, types)
            condition = self.visit(node.test)
            if isinstance(condition, language.condition):
                if unwrap(condition.disable_licm):
                    op.attributes = {"llvm.loop_annotation": _NO_LICM}
                condition = condition.condition
            builder.to_end(condition_block)
            if not isinstance(condition, tensor) and (known := unwrap(condition)):
                raise EndlessLoop(condition=known)
            condition = to_tensor(condition)
            if is_large(condition):
                raise self.unsupported(node.test, *AMBIGUOUS)
            if condition.type != language.int1 and not condition.type.is_block():
                condition = cast_to(condition, language.int1)
            builder.emit_op("scf.condition", [condition.handle, *condition_block.arguments])
            builder.to_start(body)
            self._bind(names, body.arguments, types)
            builder.emit_op("scf.yield", self._body(node, names))
        self._bind(names, op.results, types)

    # --- for ---------------------------------------------------------------------------------------------------------
    def visit_For(self, node: ast.For) -> None:
        """A loop over `range` or `tl.range` as scf.for; over `tl.static_range` it is unrolled."""
        if node.orelse:
            raise LoopElse()
        if not isinstance(node.iter, ast.Call) or not isinstance(node.target, ast.Name):
            found = ast.unparse(node.iter)
            raise NotIterable(found=found)
        iterator_class = self.visit(node.iter.func)
        args = [self.visit(argument) for argument in node.iter.args]
        kwargs: Any = {keyword.arg: self.visit(keyword) for keyword in node.iter.keywords}
        if iterator_class is language.static_range:
            self._unrolled(node, iterator_class(*args, **kwargs))
            return
        options: dict[str, str] = {}
        if iterator_class is language.range:
            iterator = iterator_class(*args, **kwargs)
            bounds = (iterator.start, iterator.end, iterator.step)
            options = _loop_attributes(iterator)
        elif iterator_class is range:
            bounds = self._python_range(node.iter, args, kwargs)
        else:
            raise NotIterable(found=iterator_class)
        self._loop(node, node.target.id, bounds, options)

    def _unrolled(self, node: ast.For, iterator: Any) -> None:
        iterations = range(iterator.start.value, iterator.end.value, iterator.step.value)
        if iterations[MAX_UNROLLED:]:
            found = f"tl.static_range has more than {MAX_UNROLLED} iterations, and each one is compiled"
            raise self.error(node, f"{found}; use tl.range")
        for index in iterations:
            self.scope[node.target.id] = constexpr(index)
            self.visit_statements(node.body)

    def _python_range(self, call: ast.Call, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Start, end and step.  A single argument is computed a second time, as Triton does."""
        if not args:
            raise RangeWithoutBounds()
        if dropped := [*kwargs, *(f"argument {number}" for number in range(4, len(args) + 1))]:  # Triton says nothing
            message = f"range drops {', '.join(dropped)}: tl.range takes options of loops, and `step` by name"
            warnings.warn_explicit(message, UserWarning, self.file, self.lines_before + call.lineno)
        if len(args) == 1:
            return constexpr(0), self.visit(call.args[0]), constexpr(1)
        return args[0], args[1], args[2] if len(args) > 2 else constexpr(1)

    def _loop(self, node: ast.For, target: str, bounds: Any, options: dict[str, str]) -> None:
        builder = self.builder
        lower, upper, step = bounds
        if isinstance(step, constexpr) and step.value == 0:
            raise StepOfZero()
        backward = isinstance(step, constexpr) and step.value < 0  # scf.for counts upward
        if backward:
            step, lower, upper = constexpr(-step.value), upper, lower
        lower, upper, step = to_tensor(lower), to_tensor(upper), to_tensor(step)
        for bound in (lower, upper, step):
            if not bound.dtype.is_int():
                raise LoopBounds(lower=lower.dtype, upper=upper.dtype, step=step.dtype)
        for name, bound in (("lower bound", lower), ("upper bound", upper), ("step", step)):
            if bound.type.is_block():
                raise LoopBoundOfTensor(bound=name, type=bound.type)
        type = promote_integers(promote_integers(lower.dtype, upper.dtype), step.dtype)
        lower, upper, step = (int_cast(bound, type, type.is_int_signed()).handle for bound in (lower, upper, step))
        after = builder.emit("ub.poison", (), type.ir)  # what the variable is once the loop has ended
        index = Value(type.ir, after.owner, 0)  # stands for the index until the loop exists
        self.define(target, tensor(index, type))
        with self.sub_region() as before:
            outer, loc = builder.block, builder.loc
            names, handles, types = self._carried(node, before, ignored=target)
            ir_types = [handle.type for handle in handles]
            body = Block([type.ir, *ir_types], loc)
            builder.block, builder.loc = outer, loc
            op = builder.emit_op("scf.for", [lower, upper, step, *handles], ir_types, options, [[body]])
            builder.to_start(body)
            self._bind(names, body.arguments[1:], types)
            yielded = self._body(node, names)
            if yielded:
                builder.emit_op("scf.yield", yielded)
            real = self._index(op, body, lower, upper, backward)
            index.replace_all_uses_with(real)
            self.name_value(real, target)
        self.define(target, tensor(after, type))
        self.loop_variables.add(target)
        self._bind(names, op.results, types)

    def _index(self, op: Operation, body: Block, lower: Any, upper: Any, backward: bool) -> Any:
        """The index in the body: of a loop that counts downward, mirrored."""
        counter = body.arguments[0]
        if not backward:
            return counter
        loc = body.operations[0].loc if body.operations else op.loc
        mirrored = Operation("arith.subi", (upper, counter), (upper.type,), {}, loc)
        shifted = Operation("arith.addi", (mirrored.results[0], lower), (upper.type,), {}, loc)
        body.operations[:0] = [mirrored, shifted]
        return shifted.results[0]


def _check_carried(name: str, before: Any, after: Any) -> None:
    if isinstance(before, constexpr) and after is before:
        return
    if not isinstance(after, base_value) or (isinstance(before, constexpr) != isinstance(after, constexpr)):
        raise LoopCarriedConstexpr(name=name, found=before)
    if type(after) is not type(before) or (isinstance(after, tensor) and after.type != before.type):
        raise LoopCarriedType(name=name, initial=before.type, found=after.type)


def _loop_attributes(iterator: Any) -> dict[str, str]:
    attributes = {}
    for option in ("num_stages", "loop_unroll_factor"):
        value = unwrap(getattr(iterator, option))
        if isinstance(value, float | str):
            raise language.errors.BadArgument(reason=f"{option} of tl.range must be an integer, found {value!r}")
        if value is not None and not isinstance(value, int):
            raise language.errors.NotConstant(what=f"{option} of tl.range", value=value)
        if value is not None:
            if not -(2**31) <= value < 2**31:
                raise OutOfRange(what=f"{option} of tl.range", value=value, bits=32)
            attributes[f"tt.{option}"] = f"{value:d} : i32"
    for option, (name, text) in _FLAGS.items():
        if unwrap(getattr(iterator, option)):
            attributes[name] = text
    return attributes
