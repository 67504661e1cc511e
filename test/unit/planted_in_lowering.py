"""Mistakes that are planted, by a rule, in lowered code: each is one change of one operation."""

from __future__ import annotations

import re

from mlir import ir
from planted_in_passes import COMPARISONS, Change, Mistake, attribute, erased, other_operation, other_value, swapped


def number_moved(op: ir.Operation) -> bool:
    """A constant, or the last element of one, is one more."""
    value, kind = op.attributes["value"], op.results[0].type
    element = kind.element_type if isinstance(kind, ir.VectorType) else kind
    if not isinstance(element, ir.IntegerType) or element.width == 1:
        return False
    if isinstance(value, ir.DenseIntElementsAttr):
        numbers = list(value)
        numbers[-1] += 1
        parts = [ir.IntegerAttr.get(element, number) for number in numbers]
        op.attributes["value"] = ir.DenseElementsAttr.get(parts, kind)
    else:
        op.attributes["value"] = ir.IntegerAttr.get(element, value.value + 1)
    return True


def text_changed(pattern: str, new: str) -> Change:
    """The text of inline assembly changes where it fits a pattern."""

    def change(op: ir.Operation) -> bool:
        """Changes the first place."""
        old = op.attributes["asm_string"].value
        text = re.sub(pattern, new, old, count=1)
        op.attributes["asm_string"] = ir.StringAttr.get(text)
        return text != old

    return change


def elements_swapped(op: ir.Operation) -> bool:
    """The first and the last element of a shuffle of vectors change places."""
    mask = list(op.attributes["mask"])
    if mask[0] == mask[-1]:
        return False
    mask[0], mask[-1] = mask[-1], mask[0]
    op.attributes["mask"] = ir.DenseI32ArrayAttr.get(mask)
    return True


def field_moved(op: ir.Operation) -> bool:
    """Another field of a struct is taken."""
    [place] = op.attributes["position"]
    op.attributes["position"] = ir.DenseI64ArrayAttr.get([place - 1 if place else 1])
    return True


def passed_swapped(op: ir.Operation) -> bool:
    """Two values that a branch passes change places."""
    for a in range(len(op.operands)):
        for b in range(a):
            if op.operands[a].type == op.operands[b].type and op.operands[a] != op.operands[b]:
                op.operands[a], op.operands[b] = op.operands[b], op.operands[a]
                return True
    return False


def ways_swapped(op: ir.Operation) -> bool:
    """A branch is taken where it must not be."""
    condition = op.operands[0]
    with ir.InsertionPoint(op), op.location:
        one = ir.Operation.create(
            "llvm.mlir.constant", [condition.type], [], {"value": ir.IntegerAttr.get(condition.type, 1)}
        ).result
        op.operands[0] = ir.Operation.create("llvm.xor", [condition.type], [condition, one]).result
    return True


ASM = ("llvm.inline_asm",)
MISTAKES = (
    Mistake("swapped operands", ("llvm.sub", "llvm.fsub", "llvm.sdiv", "llvm.udiv", "llvm.fdiv", "llvm.shl"),
            swapped(0, 1)),
    Mistake("swapped choices", ("llvm.select",), swapped(1, 2)),
    Mistake("wrong comparison", ("llvm.icmp",), attribute("predicate", COMPARISONS)),
    Mistake("wrong sign of a comparison", ("llvm.icmp",), attribute("predicate", {2: 6, 3: 7, 4: 8, 5: 9, 6: 2})),
    Mistake("wrong comparison", ("llvm.fcmp",), attribute("predicate", {2: 3, 3: 2, 4: 5, 5: 4, 1: 6})),
    Mistake("wrong extension", ("llvm.sext", "llvm.zext"), other_operation(
        {"llvm.sext": "llvm.zext", "llvm.zext": "llvm.sext"})),
    Mistake("wrong operation", ("llvm.add", "llvm.fadd", "llvm.fmul", "llvm.intr.maxnum", "llvm.xor", "llvm.and"),
            other_operation({"llvm.add": "llvm.sub", "llvm.fadd": "llvm.fmul", "llvm.fmul": "llvm.fadd",
                             "llvm.intr.maxnum": "llvm.intr.minnum", "llvm.xor": "llvm.or", "llvm.and": "llvm.or"})),
    Mistake("wrong number", ("llvm.mlir.constant",), number_moved),
    Mistake("wrong lane", ("nvvm.shfl.sync",), swapped(2, 3)),
    Mistake("another value", ("nvvm.shfl.sync",), other_value),
    Mistake("missing barrier", ("nvvm.barrier0", "nvvm.bar.warp.sync"), erased),
    Mistake("lost effect", ("llvm.store", "llvm.inline_asm"), erased),
    Mistake("dropped mask", ASM, text_changed(r"@!?\$\d+ ", "")),
    Mistake("negated mask", ASM, text_changed(r"@\$", "@!$")),
    Mistake("wrong offset", ASM, text_changed(r"\+ 0 \]", "+ 4 ]")),
    Mistake("wrong order of registers", ASM, text_changed(r"\{ (\$\d+), (\$\d+)", r"{ \2, \1")),
    Mistake("wrong width", ASM, text_changed(r"\.b32", ".b16")),
    Mistake("another value", ("llvm.extractelement", "llvm.insertelement", "llvm.getelementptr", "llvm.fadd",
                              "llvm.bitcast", "llvm.extractvalue", "llvm.fmul", "llvm.icmp"), other_value),
    Mistake("wrong element", ("llvm.shufflevector",), elements_swapped),
    Mistake("wrong field", ("llvm.extractvalue",), field_moved),
    Mistake("swapped values of a branch", ("llvm.br", "llvm.cond_br"), passed_swapped),
    Mistake("wrong way", ("llvm.cond_br",), ways_swapped),
)  # fmt: skip
