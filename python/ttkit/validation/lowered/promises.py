"""Statements of lowered code beside its operations: attributes of the module, of functions, arguments and globals.

LLVM and later passes go by them, so each must be known here: read by a meaning, the kernel's, or one that promises
nothing.  An attribute without a row leaves the proof open, whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any

from ttkit.interpreter.decode import Function, Instruction, Module
from ttkit.interpreter.ops.descriptor import is_descriptor
from ttkit.validation.axis_terms import FACTS
from ttkit.validation.facts import POINTER_RANGE
from ttkit.validation.kept_attributes import is_weaker
from ttkit.validation.lowered.elementwise import HARMLESS
from ttkit.validation.unchanged import RESERVED
from ttkit.validation.values import NotModelled

OF_MAPS = ("llvm.align", "llvm.byval", "nvvm.grid_constant")
"""What holds for an argument that is a tensor map: a launch passes it so."""
SHARED_BYTES = "ttg.shared"
NOTES = ("ttkit.facts",)
"""Attributes of the module that say what lowered code has in it."""


class Anything(Container[str]):
    """Every value of an attribute: a meaning reads it, or it promises nothing."""

    def __contains__(self, value: object) -> bool:
        return True


ANY = Anything()
NEVER = ("False",)
OF_OPERATIONS: dict[str, Container[str]] = {
    **dict.fromkeys(
        """
        action alignment asm_string callee case_operand_segments case_values constraints elem_type global_name
        has_side_effects intrin isDisjoint is_align_stack is_convergent kind mask n nontemporal operandSegmentSizes
        position predicate rawConstantIndices regCount value volatile_ invariant invariantGroup access_groups
        alias_scopes noalias_scopes tbaa syncscope callee_type var_callee_type return_value_and_is_valid inbounds
        layoutA layoutB shape multiplicandAPtxType multiplicandBPtxType intOverflowBehavior b1Op size modifier
        num eltType layout weights branch_weights async_task_id
        """.split(),
        ANY,
    ),
    "CConv": ("#llvm.cconv<ccc>",),
    "TailCallKind": ("#llvm.tailcallkind<none>",),
    "tail_call_kind": ("#llvm.tailcallkind<none>",),
    "asm_dialect": ("0",),
    "ordering": ("0", "1", "2", "4", "5", "6", "7"),
    "fastmathFlags": HARMLESS,
    "op_bundle_sizes": ("()",),
    "operand_attrs": ("()",),
    "noWrapFlags": ("0",),
    "overflowFlags": ("0",),
    **dict.fromkeys(("isExact", "nonNeg", "is_int_min_poison", "is_zero_poison", "samesign"), NEVER),
}
"""Attributes of operations, each with the values that promise nothing, or that a meaning looks at."""
LOOPS = re.compile(r"#llvm\.loop_annotation<[\w\s=<>,]*>")
LOOP_PROMISES = ("parallel", "vectorize", "assume", "mustProgress")
OF_FUNCTIONS: dict[str, Container[str]] = {
    **dict.fromkeys(
        """
        arg_attrs function_type linkage noinline nvvm.kernel nvvm.maxnreg nvvm.minctasm nvvm.reqntid sym_name
        sym_visibility visibility_ always_inline no_inline
        """.split(),
        ANY,
    ),
    "CConv": ("#llvm.cconv<ccc>",),
    "passthrough": ("('noinline',)", "('alwaysinline',)"),
    "dso_local": ANY,
}
"""Attributes of functions.  Limits of registers change no result, and `nvvm.reqntid` is looked at elsewhere."""
ENDS = ("__assertfail",)
"""Declared functions that do not return."""
OF_SHARED: dict[str, Container[str]] = {
    **dict.fromkeys(("addr_space", "dso_local", "sym_name", "visibility_"), ANY),
    "alignment": [str(1 << n) for n in range(4, 11)],
    "linkage": ("#llvm.linkage<external>",),
}
"""Attributes of the shared memory of a kernel: its place is a multiple of 16 bytes at least."""
OF_CONSTANTS: dict[str, Container[str]] = {
    **dict.fromkeys("addr_space alignment constant dso_local linkage sym_name unnamed_addr visibility_".split(), ANY),
    "constant": ("True",),
}
"""Attributes of texts and tables."""


def check_stated(before: Module, after: Module, name: str) -> None:
    """Raises NotModelled if lowered code states something that is not known to hold.

    Args:
        name: the kernel.
    """
    check_module(before, after)
    for one, attributes in after.global_attributes.items():
        is_shared = after.global_addresses.get(one) == 0
        check_rows(attributes, OF_SHARED if is_shared else OF_CONSTANTS, f"@{one}")
        if is_shared and "alignment" not in attributes:
            raise NotModelled(f"@{one} has no alignment")
    for function in after.functions.values():
        rows = OF_FUNCTIONS | ({"passthrough": ("('noreturn',)",)} if function.name in ENDS else {})
        check_rows(function.attributes, rows, f"@{function.name}")
        kernel = before.functions.get(function.name)
        if function.body is not None:
            check_arguments(function, kernel)
        for op in function.operations():
            check_operation(op)


def check_module(before: Module, after: Module) -> None:
    """Raises NotModelled if attributes of the module change, or new ones have a meaning."""
    for key in {**before.attributes, **after.attributes}:
        if key.startswith("\0") or key in NOTES:
            continue
        old, new = (str(module.attributes.get(key)) for module in (before, after))
        if key == SHARED_BYTES and int(after.attributes.get(key, 0)) > int(before.attributes.get(key, 0)):
            continue  # more than the kernel needs
        if old != new and (key in before.attributes or key.partition(".")[0] in RESERVED):
            raise NotModelled(f"the module's attribute {key} is {old} before the lowering, and {new} after it")


def check_rows(attributes: dict[str, Any], rows: dict[str, Container[str]], who: str) -> None:
    """Raises NotModelled for an attribute that has no row, or another value than in its row."""
    for key, value in attributes.items():
        dialect, dot, _ = key.partition(".")
        if key not in rows and dot and dialect not in ("llvm", "nvvm", "rocdl"):
            continue
        if key not in rows or str(value) not in rows[key]:
            raise NotModelled(f"a promise to LLVM that is not known to hold: {who} has {key} = {value}")


def check_arguments(function: Function, kernel: Function | None) -> None:
    """Raises NotModelled for attributes of arguments that are not the kernel's."""
    known = kernel.argument_attributes if kernel is not None else []
    kinds = kernel.argument_types if kernel is not None else []
    maps = {place for place, kind in enumerate(kinds) if is_descriptor(kind)}
    for place, attributes in enumerate(function.attributes.get("arg_attrs", ())):
        ours = known[place] if place < len(known) else {}
        for named in attributes:
            fact = named if isinstance(named, str) else named.name
            if place in maps and fact in OF_MAPS:
                continue
            value = attributes[fact] if isinstance(named, str) else named.attr
            value = getattr(value, "value", value)
            states = fact in FACTS or fact == POINTER_RANGE
            if states and not (fact in ours and is_weaker(fact, ours[fact], value)):
                raise NotModelled(
                    f"argument {place} of @{function.name} has {fact} = {value}, which the kernel does not state"
                )
            if not fact.startswith("tt."):
                raise NotModelled(f"a promise about argument {place} that is not checked: {fact}")


def check_operation(op: Instruction) -> None:
    """Raises NotModelled for an attribute of an operation that is not known here, or has another value."""
    for key, value in op.attributes.items():
        if key.startswith("\0") or ("." in key and not key.startswith(("llvm.", "nvvm."))):
            continue
        if key == "loop_annotation" and not any(word in str(value) for word in LOOP_PROMISES):
            continue
        if key not in OF_OPERATIONS:
            raise NotModelled(f"a promise to LLVM that is not checked: {key} = {value}", op)
        if str(value) not in OF_OPERATIONS[key]:
            said = (
                f"flags {value}"
                if key == "fastmathFlags"
                else f"a promise to LLVM that is not checked: {key} = {value}"
            )
            raise NotModelled(said, op)
