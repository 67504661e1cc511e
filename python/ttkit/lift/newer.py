"""Operations that Triton 3.7 to 3.9 added: ordered accesses, buffers by index, pairs, assembly, policies of caches."""

from __future__ import annotations

import re
from typing import Any

from mlir import ir

from ttkit.dialects._tt_enums import MemSemantic, MemSyncScope, PackedArith, RMWOp
from ttkit.lift.registry import writes
from ttkit.lift.values import constant_of, element_of, element_text, is_tensor, refuse

_POLICIES = "gl.nvidia.ampere"
_CLC = "gl.nvidia.blackwell.clc"


def cache_policy(op: Any) -> str:
    """The policy of an access as a further argument; empty without one."""
    if "cachePolicy" not in op.attributes:
        return ""
    fields = dict(re.findall(r"(\w+) = ([\w.+-]+)", str(op.attributes["cachePolicy"])))
    if "eviction_policy" in fields:
        modifier, evict = fields["cache_modifier"], fields["eviction_policy"]
        given = [f'cache_modifier=".{modifier}"'] if modifier != "none" else []
        return f", cache_policy=gl.CachePolicy({', '.join([*given, f'eviction_policy={evict!r}'])})"
    given = [f'{name}="{fields[name]}"' for name in ("cache_modifier", "l1") if name in fields]
    if "l2_primary" in fields:
        primary, fraction, secondary = (fields[f"l2_{name}"] for name in ("primary", "fraction", "secondary"))
        share = f'"{primary}", {float(fraction)!r}, "{secondary}"'
        given.append(f"l2={_POLICIES}.FractionalEvictionPolicy({share})")
    if "l2_prefetch_size" in fields:
        given.append(f"l2_prefetch_size={int(fields['l2_prefetch_size'])}")
    return f", cache_policy={_POLICIES}.CachePolicy({', '.join(given)})"


def routing(writer: Any, op: Any) -> str:
    """The CTAs that arrive at a barrier for others as a further argument; empty where each arrives at its own."""
    return f", from_cta={writer.integer(op, 'fromCTA')}" if "fromCTA" in op.attributes else ""


@writes("tt.atomic_load", "tt.atomic_store")
def ordered(writer: Any, op: Any) -> str | None:
    """Accesses in an order."""
    semantics, scope = MemSemantic(writer.integer(op, "sem")), MemSyncScope(writer.integer(op, "scope"))
    is_store = op.name == "tt.atomic_store"
    operands = list(op.operands)
    arguments, mask = operands[: 1 + is_store], operands[1 + is_store :]
    text = ", ".join(map(writer.ref, arguments))
    if mask and constant_of(mask[0]) is not True:
        text += f", mask={writer.ref(mask[0])}"
    scope_name = {"SYSTEM": "sys"}.get(scope.name, scope.name.lower())
    text = f'gl.{op.name.removeprefix("tt.")}({text}, sem="{semantics.name.lower()}", scope="{scope_name}")'
    if not is_store:
        return text
    writer.line(text)
    return None


@writes("tt.atomic_poll")
def poll(writer: Any, op: Any) -> str:
    """Waiting for a value in memory."""
    semantics, scope = MemSemantic(writer.integer(op, "sem")), MemSyncScope(writer.integer(op, "scope"))
    pointer, expected, *timeout = map(writer.ref, op.operands)
    scope_name = {"SYSTEM": "sys"}.get(scope.name, scope.name.lower())
    text = f'{pointer}, {expected}, sem="{semantics.name.lower()}", scope="{scope_name}"'
    return f"gl.atomic_poll({text}{''.join(f', timeout_ns={each}' for each in timeout)})"


@writes("tt.approx_divf")
def approximate_quotient(writer: Any, op: Any) -> str:
    """A quotient by the reciprocal."""
    return f"gl.fdiv({', '.join(map(writer.ref, op.operands))}, approx=True)"


@writes("ttg.local_gather")
def gather(writer: Any, op: Any) -> str:
    """Elements of a buffer by index."""
    buffer, indices = map(writer.ref, op.operands)
    return f"{buffer}.gather({indices}, axis={writer.integer(op, 'axis')})"


@writes("ttg.local_scatter")
def scatter(writer: Any, op: Any) -> None:
    """Elements to a buffer by index."""
    buffer, values, indices = map(writer.ref, op.operands)
    writer.line(f"{buffer}.scatter({values}, {indices}, axis={writer.integer(op, 'axis')})")


@writes("ttg.local_atomic_scatter_rmw")
def update(writer: Any, op: Any) -> str:
    """Atomics on a buffer."""
    kind = RMWOp(writer.integer(op, "atomic_rmw_op")).name.lower()
    if kind in ("umax", "umin"):
        refuse(op, "the elements of buffers are signed integers")
    buffer, values, indices, *mask = map(writer.ref, op.operands)
    name = kind.removeprefix("f") if kind == "fadd" else kind
    masked = f", mask={mask[0]}" if mask else ""
    return f"{buffer}.atomic_scatter_{name}({values}, {indices}, axis={writer.integer(op, 'axis')}{masked})"


@writes("ttng.packed_arith")
def packed(writer: Any, op: Any) -> str:
    """Arithmetic of pairs."""
    kind = PackedArith(writer.integer(op, "packed_arith_op")).name.lower()
    return f"gl.nvidia.blackwell.{kind}2({', '.join(map(writer.ref, op.operands))})"


def _type_text(writer: Any, value: ir.Value) -> str:
    element = element_text(element_of(value))
    if element is None:
        raise ValueError(f"there is no such type: {value.type}")
    return (
        f"gl.distributed_type({element}, {list(value.type.shape)}, {writer.layout(value)})"
        if is_tensor(value)
        else element
    )


@writes("ttg.inline_asm")
def assembly(writer: Any, op: Any) -> str:
    """Assembly on all elements of a thread."""
    asm, constraints = (ir.StringAttr(op.attributes[name]).value for name in ("asm_string", "constraints"))
    arguments = ", ".join(map(writer.ref, op.operands))
    types = [_type_text(writer, result) for result in op.results]
    result = types[0] if len(types) == 1 else f"({', '.join(types)})"
    pure = ", is_pure=True" if ir.BoolAttr(op.attributes["pure"]).value else ""
    return f"gl.inline_asm({asm!r}, {constraints!r}, [{arguments}], {result}{pure})"


@writes("ttng.async_shared_store")
def store_to_others(writer: Any, op: Any) -> None:
    """A store to the CTAs of a cluster."""
    value, buffer, barrier = map(writer.ref, op.operands)
    writer.line(f"gl.nvidia.hopper.async_store({buffer}, {value}, {barrier})")


@writes("ttng.clc_try_cancel")
def try_cancel(writer: Any, op: Any) -> None:
    """A request for the work of a program that waits."""
    writer.line(f"{_CLC}.try_cancel({', '.join(map(writer.ref, op.operands))})")


@writes("ttng.clc_load_result", "ttng.clc_is_canceled", "ttng.clc_get_program_id")
def answer(writer: Any, op: Any) -> str:
    """The answer, and what it says."""
    source = writer.ref(op.operands[0])
    if op.name == "ttng.clc_load_result":
        return f"{_CLC}.load_result({source})"
    if op.name == "ttng.clc_is_canceled":
        return f"{source}.is_canceled()"
    return f"{source}.program_id({writer.integer(op, 'dim')})"
