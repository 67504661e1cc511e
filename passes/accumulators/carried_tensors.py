"""Tensors that a loop carries only to store them in an accumulator, or only because it loaded them from there.

The buffer in tensor memory carries them instead.
"""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, ttng
from ttkit.dialects._ttg_types import AsyncTokenType
from ttkit.inspection import terminator, users_of
from ttkit.operation_sets import TMEM_ALLOC
from ttkit.passes.accumulators.accesses import argument_number, load_after, made_by
from ttkit.passes.infra.loops import (
    body_of,
    carried_argument,
    final_value,
    initial_value,
    set_initial_value,
    set_yielded,
    yielded,
)
from ttkit.passes.infra.nesting import is_above


def store_in_iteration_before(store: Any) -> bool:
    """A store of a carried value, the first access of an iteration -> a store at the end of the previous iteration

    scf.for ... iter_args(%x = %x0, %t = %t0) {              %t1 = ttng.tmem_store %x0, %acc[%t0]
      %t2 = ttng.tmem_store %x, %acc[%t]                     scf.for ... iter_args(%t = %t1) {
      ...                                              =>      ...
      scf.yield %y, %t3                                        %t4 = ttng.tmem_store %y, %acc[%t3]
    }                                                          scf.yield %t4
                                                             }
    """
    loop = store.operation.parent.operation
    if store.dep is None or loop.name != "scf.for":
        return False
    if not (is_above(store.pred, loop) and is_above(store.dst, loop)):
        return False
    number, token_number = argument_number(store.src, loop), argument_number(store.dep, loop)
    if number is None or token_number is None or len(users_of(store.src)) != 1:
        return False
    body = body_of(loop)
    with ir.InsertionPoint(loop), store.location:
        initial, before = initial_value(loop, number), initial_value(loop, token_number)
        (first,) = ttng.tmem_store(AsyncTokenType.get(), store.dst, initial, store.pred, dep=before)
    set_initial_value(loop, token_number, first)
    store.token.replace_all_uses_with(carried_argument(loop, token_number))
    store.operation.move_before(terminator(body).operation)
    store.dep, store.src = yielded(body, token_number), yielded(body, number)
    set_yielded(body, token_number, store.token)
    with ir.InsertionPoint.after(loop), store.location:
        last, _ = load_after(store, final_value(loop, token_number), store.src.type)
    final_value(loop, number).replace_all_uses_with(last)
    set_yielded(body, number, carried_argument(loop, number))  # unused: canonicalization drops it
    return True


def load_in_next_iteration(load: Any) -> bool:
    """A load of a value to carry, the last access of an iteration -> a load at the start of the next iteration

    %acc, %t0 = ttng.tmem_alloc                              %acc, %t0 = ttng.tmem_alloc
    scf.for ... iter_args(%x = %x0, %t = %t0) {              %t1 = ttng.tmem_store %x0, %acc[%t0]
      ...                                              =>    scf.for ... iter_args(%t = %t1) {
      %y, %t3 = ttng.tmem_load %acc[%t2]                       %x, %t4 = ttng.tmem_load %acc[%t]
      scf.yield %y, %t3                                        ...
    }                                                          scf.yield %t2
                                                             }
    """
    loop = load.operation.parent.operation
    if load.dep is None or loop.name != "scf.for" or not is_above(load.src, loop):
        return False
    body, end = body_of(loop), terminator(body_of(loop)).operation
    uses = list(load.result.uses)
    token_uses = list(load.token.uses)
    if len(uses) != 1 or uses[0].owner.operation != end or all(use.owner.operation != end for use in token_uses):
        return False
    number, token_number = uses[0].operand_number, token_uses[0].operand_number
    alloc = made_by(initial_value(loop, token_number), TMEM_ALLOC)
    if alloc is None or alloc.src is not None:
        return False
    with ir.InsertionPoint(loop), load.location:
        true = arith.true()
        initial = initial_value(loop, number)
        (first,) = ttng.tmem_store(AsyncTokenType.get(), load.src, initial, true, dep=alloc.token)
    set_initial_value(loop, token_number, first)
    carried, token = carried_argument(loop, number), carried_argument(loop, token_number)
    set_yielded(body, token_number, load.dep)
    load.operation.move_before(body.operations[0])
    load.dep = token
    token.replace_all_uses_except(load.token, load.operation)
    set_yielded(body, number, carried)  # unused: canonicalization drops it
    carried.replace_all_uses_except(load.result, end)
    with ir.InsertionPoint.after(loop), load.location:
        last, _ = load_after(load, final_value(loop, token_number), load.result.type)
    final_value(loop, number).replace_all_uses_with(last)
    return True
