"""Waits for asynchronous copies: as few as possible, each for as little as possible.

    %w0 = ttg.async_wait %a {num = 0}            %w = ttg.async_wait %a, %b {num = 2}
    ...                                     =>   ...
    %w1 = ttg.async_wait %b {num = 0}

`num` is the number of groups of copies that may be unfinished: those committed after the awaited groups on every path
to the wait.
"""

from mlir import ir

from ttkit.dialects import ttg
from ttkit.inspection import address_of, next_operation, terminator
from ttkit.operation_sets import ASYNC_COMMIT, ASYNC_WAIT, CONTROL_FLOW, WARP_SPECIALIZE
from ttkit.passes.infra import collect, replace_by
from ttkit.passes.infra.loops import yielded
from ttkit.passes.infra.nesting import ancestor_in, block_of

# Operations with regions, which the analysis does not enter.
BRANCHES = (*CONTROL_FLOW, "scf.execute_region", WARP_SPECIALIZE)


def merge_waits(root: ir.Operation) -> None:
    """Sets the count of each ttg.async_wait in `root`, and merges waits without copies between them."""
    waits = collect(root, [ASYNC_WAIT])
    if not waits:
        return
    commits = collect(root, [ASYNC_COMMIT])
    with root.context:
        for wait in waits:
            wait.opview.num = groups_after(wait, commits)
        merge(waits)


def groups_after(wait: ir.Operation, commits: list[ir.Operation]) -> int:
    """The least number of groups committed after the one that a wait is for; 0 if it is unknown."""
    if len(wait.operands) != 1:
        return 0
    token = wait.opview.asyncToken[0]
    place = ancestor_in(block_of(token), wait)
    if place is None:
        return 0
    return Histories(commits).least(token, place)


class Histories:
    """The paths from a group of copies to a wait for it.

    Args:
        commits: all ttg.async_commit_groups.
    """

    def __init__(self, commits: list[ir.Operation]) -> None:
        self.commits = commits
        self.shortest: int | None = None

    def least(self, token: ir.Value, end: ir.Operation, after: int = 0) -> int:
        """The least number of groups committed between the definition of a token and a wait, over all paths.

        Args:
            end: the end of the path from the token within its block.
            after: the number of groups committed from `end` to the wait.
        """
        paths, seen = [(token, end, after)], set()
        while paths:
            path = token, end, after = paths.pop()
            if path[::2] in seen:  # a loop passes it on without a commit
                continue
            seen.add(path[::2])
            owner = token.owner
            if not isinstance(owner, ir.Block):
                total = after + self.between(owner.operation, end)
                self.shortest = total if self.shortest is None else min(self.shortest, total)
                continue
            loop = owner.owner.operation
            if loop.name != "scf.for":
                return 0
            after += self.between(None, end)
            if self.shortest is not None and after >= self.shortest:
                continue
            number = ir.BlockArgument(token).arg_number
            paths.append((yielded(owner, number - 1), terminator(owner).operation, after))
            paths.append((loop.opview.initArgs[number - 1], loop, after))  # popped first: this path ends
        return self.shortest or 0

    def between(self, start: ir.Operation | None, end: ir.Operation) -> int:
        """The number of groups committed in the block of `end`, after `start` (None: its beginning), before `end`."""
        return sum(
            commit.block == end.block
            and commit.is_before_in_block(end)
            and (start is None or start.is_before_in_block(commit))
            for commit in self.commits
        )


def merge(waits: list[ir.Operation]) -> None:
    """Merges several waits without commits and branches between them into one, at the first of them."""
    merged: set[int] = set()
    replacements = []
    for wait in waits:
        if address_of(wait) in merged:
            continue
        group, tokens = [wait], list(wait.operands)
        op = next_operation(wait)
        while op is not None and op.name != ASYNC_COMMIT and op.name not in BRANCHES:
            if op.name == ASYNC_WAIT:
                awaited = [token for token in op.operands if token.owner not in group]
                if any(_follows(token, wait) for token in awaited):
                    break
                group.append(op)
                tokens += awaited
            op = next_operation(op)
        if len(group) == 1:
            continue
        merged.update(map(address_of, group))
        num = min(member.attributes["num"].value for member in group)
        new = ttg.async_wait(tokens, num, loc=wait.location, ip=ir.InsertionPoint(wait)).owner.operation
        replacements.append((group, new))
    for group, new in replacements:
        for member in group:
            replace_by(member, [new.result])


def _follows(token: ir.Value, wait: ir.Operation) -> bool:
    """Whether a token of a later wait in the same block is defined after `wait`."""
    if isinstance(token.owner, ir.Block):
        return False
    made = token.owner.operation
    return made.block == wait.block and wait.is_before_in_block(made)
