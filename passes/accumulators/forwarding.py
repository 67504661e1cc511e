"""Loads and stores of an accumulator that undo each other."""

from typing import Any

from mlir import ir

from ttkit.dialects import arith, ttng
from ttkit.dialects._ttg_types import AsyncTokenType
from ttkit.inspection import users_of
from ttkit.operation_sets import TMEM_ALLOC, TMEM_LOAD, TMEM_STORE
from ttkit.passes.accumulators.accesses import made_by
from ttkit.passes.infra import constant_splat, defining_op, set_operands
from ttkit.passes.infra.loops import set_yielded
from ttkit.passes.infra.nesting import defining_in, yields_of


def store_where_selected(store: Any) -> bool:
    """store(select(c, x, load(buffer))) -> store(x) if c; likewise if the load is the other case"""
    select = defining_op(store.src, "arith.select")
    if store.dep is None or select is None:
        return False
    condition, *cases = list(select.operation.operands)
    if isinstance(condition.type, ir.RankedTensorType):
        return False
    kept = [_is_kept(case, store) for case in cases]
    if kept[0] == kept[1]:
        return False
    with ir.InsertionPoint(store), store.location:
        if kept[0]:
            condition = arith.xori(condition, arith.constant(condition.type, 1))
        (token,) = ttng.tmem_store(AsyncTokenType.get(), store.dst, cases[kept[0]], condition, dep=store.dep)
    store.token.replace_all_uses_with(token)
    store.operation.erase()
    return True


def _is_kept(case: ir.Value, store: Any) -> bool:
    """Whether a value is the content of the buffer right before a store."""
    load = made_by(case, TMEM_LOAD)
    return load is not None and load.src == store.dst and load.token == store.dep


def drop_unused_load(load: Any) -> bool:
    """The token of a load whose result is unused -> the token before it; canonicalization then erases the load"""
    if load.dep is None or load.red is not None or users_of(load.result) or not users_of(load.token):
        return False
    load.token.replace_all_uses_with(load.dep)
    return True


def drop_store_of_load(store: Any) -> bool:
    """store(load(buffer)), to the same buffer and right after the load -> nothing"""
    load = made_by(store.dep, TMEM_LOAD)
    if load is None or load.result != store.src or load.src != store.dst:
        return False
    store.token.replace_all_uses_with(load.token)
    store.operation.erase()
    return True


def fill_with_store(store: Any) -> bool:
    """store(x, alloc()), the first access to the buffer -> alloc(x)"""
    alloc = made_by(store.dep, TMEM_ALLOC)
    if alloc is None or constant_splat(store.pred) != 1 or store.dst != alloc.result:
        return False
    if alloc.operation.block != store.operation.block:
        return False
    made = defining_in(alloc.operation.block, store.src)
    if made is not None and alloc.operation.is_before_in_block(made):
        return False
    source = store.src
    store.token.replace_all_uses_with(alloc.token)
    store.operation.erase()
    set_operands(alloc, [source])
    return True


def reuse_buffer(alloc: Any) -> bool:
    """alloc(load(buffer)), where the load and its buffer have no other use -> buffer"""
    load = made_by(alloc.src, TMEM_LOAD)
    if (
        alloc.token is None
        or load is None
        or load.dep is None
        or load.red is not None
        or load.src.type != alloc.result.type
    ):
        return False
    if len(users_of(load.result)) + len(users_of(load.token)) != 1 or len(users_of(load.dep)) != 1:
        return False
    buffer, token = load.src, load.dep
    alloc.result.replace_all_uses_with(buffer)
    alloc.token.replace_all_uses_with(token)
    alloc.operation.erase()
    load.operation.erase()
    return True


def move_out_of_if(alloc: Any) -> bool:
    """A buffer in an scf.if that starts with the value of the other branch -> the buffer before the scf.if

    %d = scf.if %c {                                     %acc, %t0 = ttng.tmem_alloc %x
      %acc, %t0 = ttng.tmem_alloc %x                     %t = scf.if %c {
      ...                                                  ...
      %y, %t2 = ttng.tmem_load %acc[%t1]           =>      scf.yield %t2
      scf.yield %y                                       } else {
    } else {                                               scf.yield %t0
      scf.yield %x                                       }
    }                                                    %d, %t3 = ttng.tmem_load %acc[%t]
    """
    initial, branch = alloc.src, alloc.operation.parent.operation
    if alloc.token is None or initial is None or branch.name != "scf.if" or not len(branch.regions[1].blocks):
        return False
    then, other = yields_of(branch)
    loads = [
        (number, result, load)
        for number, (result, value, unchanged) in enumerate(zip(branch.results, then.operands, other.operands))
        if unchanged == initial and (load := made_by(value, TMEM_LOAD)) is not None and load.src == alloc.result
    ]
    if not loads:
        return False
    alloc.operation.move_before(branch)
    for number, result, load in loads:
        with ir.InsertionPoint.after(branch), load.location:
            copy, token = ttng.tmem_load(load.result.type, load.token.type, load.src, dep=load.token)
        result.replace_all_uses_with(copy)
        result.set_type(token.type)
        token.owner.dep = result
        set_yielded(then.block, number, load.token)
        set_yielded(other.block, number, alloc.token)
    return True


BEFORE_PIPELINING = {TMEM_STORE: (drop_store_of_load, store_where_selected), TMEM_LOAD: (drop_unused_load,)}
AFTER_PIPELINING = {TMEM_STORE: (fill_with_store,), TMEM_ALLOC: (move_out_of_if, reuse_buffer)}
