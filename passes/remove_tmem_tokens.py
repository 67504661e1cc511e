"""Drop the tokens that order accesses to tensor memory.

    %d, %t1 = ttng.tmem_load %acc[%t0] : ... -> tensor<128x64xf32, #linear>
  =>
    %d = ttng.tmem_load %acc : ... -> tensor<128x64xf32, #linear>

Loops may carry them; there they become ub.poison, which canonicalization removes.

Input:  ttg and ttng.      Output: the same without tokens at accesses to tensor memory.
Order:  after the last pass that moves accesses to tensor memory: from here on their order is that of the text.
Skips:  nothing.
Test:   test/lit/passes/remove_tmem_tokens.mlir
"""

from mlir import ir

from ttkit.dialects import ub
from ttkit.dialects._ttg_types import AsyncTokenType
from ttkit.inspection import collect
from ttkit.operation_sets import ACCUMULATOR_ACCESSES
from ttkit.passes.infra import Pass, replace_each
from ttkit.passes.infra.segments import drop_operand
from ttkit.passes.infra.transforms import recreate


class RemoveTMEMTokens(Pass):
    """Drop the tokens that order accesses to tensor memory"""

    name = "triton-nvidia-gpu-remove-tmem-tokens"
    dependent_dialects = ("ub", "ttg")

    def run(self, op: ir.Operation) -> None:
        """Removes the tokens of all accesses in functions with a body, which get one poison value instead."""
        for function in collect(op, ["tt.func"]):
            if not len(function.regions[0].blocks):
                continue
            start = ir.InsertionPoint.at_block_begin(function.regions[0].blocks[0])
            type = AsyncTokenType.get(op.context)
            # Triton leaves it there even where nobody needs it.
            nothing = ub.poison(type, loc=function.location, ip=start)
            for access in collect(function, ACCUMULATOR_ACCESSES):
                remove_tokens(access, nothing)


def remove_tokens(access: ir.Operation, nothing: ir.Value) -> None:
    """Replaces an access by one without tokens."""
    for number, operand in reversed(list(enumerate(access.operands))):
        if isinstance(operand.type, AsyncTokenType):
            drop_operand(access, number)
    results = [result for result in access.results if not isinstance(result.type, AsyncTokenType)]
    if len(results) == len(access.results):
        return
    new = recreate(access, [result.type for result in results])
    replace_each(results, new.results)
    for result in access.results:
        if isinstance(result.type, AsyncTokenType):
            result.replace_all_uses_with(nothing)
    access.erase()
