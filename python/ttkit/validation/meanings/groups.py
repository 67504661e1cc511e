"""Groups of warps that run different code at the same time (ttg.warp_specialize).

Where loops are followed one iteration after the other, groups are followed in turn: each until it waits for a phase of
an mbarrier that goes on.  `happens_before.py` accepts this one order only if every other one has the same result.

Elsewhere what a group does to memory and to barriers is a sequence of effects of its own.  What it reads is a function
of its own effects so far.  If each group of one function does the same as that group of another one, both do the same:
what a group finds depends on what the others have done, and that is the same, too.
"""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction, Region
from ttkit.validation.opaque import PARALLEL
from ttkit.validation.registry import means
from ttkit.validation.tensors_apart import forget_tensors
from ttkit.validation.terms import MEMORY, make
from ttkit.validation.together import Together
from ttkit.validation.values import NotModelled


def groups_of(op: Instruction, frame: dict[int, Any]) -> list[tuple[Region, list[Any]]]:
    """The default region and the partitions, each with its arguments."""
    default, holder = op.regions
    given = [frame[slot] for slot in op.operands]
    return [(default, []), *((region, given) for region in holder.blocks[0].instructions[-1].regions)]


@means(PARALLEL)
def warp_specialize(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """The results of the default region.

    Raises:
        NotModelled: in another order of the groups the result may be another one.
    """
    if not walk.follows_groups:
        raise NotModelled("warp specialization is not modelled", op)
    if walk.order is None:
        return by_themselves(walk, op, frame)
    return Together(walk, op).run(groups_of(op, frame), frame)


def by_themselves(walk: Any, op: Instruction, frame: dict[int, Any]) -> tuple:
    """Each group as a sequence of effects of its own.

    Raises:
        NotModelled: what is in shared memory is not part of these effects.
    """
    forget_tensors(walk)  # other groups may write them
    before, results, memories = walk.state.memory, [], []
    if walk.state.contents:
        raise NotModelled("a buffer that is followed by itself", op)
    for number, (region, given) in enumerate(groups_of(op, frame)):
        walk.state.memory = make("effect", (before,), (("group", number), (), ()), MEMORY)
        results.append(walk.region(region, frame, given))
        memories.append(walk.state.memory)
    walk.state.memory = make("groups", memories, None, MEMORY)
    return results[0]
