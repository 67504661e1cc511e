"""The accesses to a buffer in tensor memory, in the order of their tokens (`insert_tmem_aref.py`)."""

from __future__ import annotations

from dataclasses import field
from itertools import pairwise

from mlir import ir

from ttkit.dialects._ttg_types import AsyncTokenType
from ttkit.inspection import terminator
from ttkit.operation_sets import ACCUMULATOR_USES, TMEM_LOAD
from ttkit.passes.infra import PassError
from ttkit.passes.infra.loops import body_of, carried_argument, final_value, yielded
from ttkit.passes.infra.nesting import loop_with
from ttkit.passes.infra.operation_attributes import integer
from ttkit.passes.partitioning.partitions import TAG, has_partition, ids_of, outputs_of
from ttkit.records import dataclass

Owner = tuple[int, int]
"""A partition, and the tag of its loop."""


@dataclass(eq=False)
class Access:
    """An access to a buffer, or a loop or branch that contains accesses.

    Attributes:
        op: the operation.
        operand: the number of the operand with the token of the previous access.
        owner: the partition that owns the buffer at that point; None outside of partitions.
        before: the previous access.
        after: the next access.
        holder: for the first access in a block, the loop or branch; for a yield, the first access in its block.
        inside: for a loop or branch, the first accesses in its blocks.
        result: for a loop or branch, the number of the result with the token.
    """

    op: ir.Operation
    operand: int | None = None
    owner: Owner | None = None
    before: Access | None = None
    after: Access | None = None
    holder: Access | None = None
    inside: list[Access] = field(default_factory=list)
    result: int | None = None

    def last(self) -> Access:
        """The last access of the chain."""
        return chain(self)[-1]


def owner_of(op: ir.Operation, number: int = 0) -> Owner | None:
    """The partition of an operation; for an operation with regions, that of a result.

    Raises:
        PassError: there are several.
    """
    if not has_partition(op):
        return None
    ids = outputs_of(op)[number] if len(op.regions) else ids_of(op)
    holder = loop_with(op, TAG)
    if len(ids) != 1 or holder is None:
        raise PassError(op, f"a buffer in tensor memory belongs to one partition at a time; found {list(ids)}")
    return ids[0], integer(holder, TAG) or 0


def token_of(op: ir.Operation) -> ir.Value | None:
    """The token among an operation's results; None if there is none."""
    tokens = [value for value in op.results if isinstance(value.type, AsyncTokenType)]
    return tokens[0] if tokens else None


def only_use(value: ir.Value, op: ir.Operation) -> ir.OpOperand:
    """The only use of a token.

    Raises:
        PassError: there are several, or none.
    """
    uses = list(value.uses)
    if len(uses) != 1:
        raise PassError(op, f"the order of accesses to tensor memory is not a chain: a token has {len(uses)} uses")
    return uses[0]


def history_of(alloc: ir.Operation) -> Access:
    """The accesses to a buffer, as a chain that starts with its allocation."""
    root = Access(alloc, owner=owner_of(alloc) if len(alloc.operands) else None)
    token = token_of(alloc)
    if token is None:
        user = only_use(alloc.opview.result, alloc).owner.operation
        root.after = Access(user, None, owner_of(user), root)
    else:
        _follow(only_use(token, alloc), root)
    return root


def _follow(use: ir.OpOperand, access: Access) -> ir.Value:
    """Adds the accesses after `access` in its block; returns the last token of the block."""
    while True:
        op = use.owner.operation
        if op.name == "scf.yield":
            return yielded(op.block, use.operand_number)
        made = Access(op, use.operand_number, None if len(op.regions) else owner_of(op), access)
        access.after = made
        if op.name == "scf.for":
            token: ir.Value | None = _follow_loop(made)
        elif op.name in ACCUMULATOR_USES:
            token = token_of(op)
        else:
            raise PassError(op, f"{op.name} can't order accesses to tensor memory")
        access = made
        if token is None:
            raise PassError(op, "the order of accesses to tensor memory is not known after it")
        uses = list(token.uses)
        if not uses:
            return token
        if len(uses) == 2:
            access, token = _follow_branch(uses, access)
            uses = list(token.uses)
        use = only_use(token, op)


def _follow_loop(loop: Access) -> ir.Value:
    number = (loop.operand or 0) - 3
    first = Access(loop.op)
    _follow(only_use(carried_argument(loop.op, number), loop.op), first)
    loop.owner = owner_of(loop.op, number)
    loop.result = number
    _close(first, loop, terminator(body_of(loop.op)).operation, number)
    return final_value(loop.op, number)


def _close(first: Access, holder: Access, end: ir.Operation, number: int) -> None:
    """Makes the accesses after `first` those of a block of a loop or branch."""
    start = first.after
    if start is None:
        raise PassError(holder.op, "it passes on the token of a buffer in tensor memory that it doesn't access")
    last = first.last()
    last.after = Access(end, number, holder.owner, last, holder=start)
    start.before, start.holder = None, holder
    holder.inside.append(start)


def _follow_branch(uses: list[ir.OpOperand], access: Access) -> tuple[Access, ir.Value]:
    branch = uses[0].owner.operation.parent.operation
    made = Access(branch, None, None, access)
    access.after = made
    blocks = [region.blocks[0] for region in branch.regions if len(region.blocks)]
    firsts = [Access(branch) for _ in blocks]
    numbers = []
    for block, first in zip(blocks, firsts):
        inside = [use for use in uses if use.owner.operation.block == block]
        if branch.name != "scf.if" or len(blocks) != 2 or len(inside) != 1:
            raise PassError(branch, "the order of accesses to tensor memory is not a chain")
        token = _follow(inside[0], first)
        values = list(terminator(block).operation.operands)
        numbers.append(values.index(token))
    number = numbers[0]
    made.owner, made.result = owner_of(branch, number), number
    for block, first in zip(blocks, firsts):
        if first.after is None:  # the block passes the token on
            first.after = Access(terminator(block).operation, number, made.owner, first)
            first.after.before, first.after.holder = None, made
            made.inside.append(first.after)
        else:
            _close(first, made, terminator(block).operation, number)
    return made, list(branch.results)[number]


def sequence(access: Access | None) -> list[Access]:
    """The accesses in order; those in blocks come after their loop or branch."""
    found = []
    while access is not None:
        found.append(access)
        for one in access.inside:
            found += sequence(one)
        access = access.after
    return found


def owners_of(root: Access) -> tuple[list[Owner], bool]:
    """The partitions that use a buffer, sorted; and whether code outside of partitions uses it after one of them."""
    owners = [root.owner] if root.owner is not None and len(root.op.operands) else []
    is_shared = False
    for access in sequence(root.after):
        if access.owner is None:
            is_shared = bool(owners)
        else:
            owners.append(access.owner)
    return sorted(set(owners)), is_shared


def alternates(root: Access) -> bool:
    """Whether one partition writes, another one reads, and then the first one continues."""
    accesses = [access for access in sequence(root.after) if access.owner is not None]
    if root.owner is not None and len(root.op.operands):
        accesses.insert(0, root)
    writes, changes = True, 0
    for access, following in pairwise(accesses):
        if access.op.name in ACCUMULATOR_USES and (access.op.name != TMEM_LOAD) != writes:
            return False
        if access.owner != following.owner:
            writes, changes = not writes, changes + 1
    return changes == 2


def chain(access: Access | None) -> list[Access]:
    """The accesses in order, without those in blocks of loops and branches."""
    found = []
    while access is not None:
        found.append(access)
        access = access.after
    return found
