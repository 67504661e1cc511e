"""Loops that run one after the other and send the same tiles: the later one uses the buffers of the earlier one.

Attention with a mask has such loops, one without and one with it.  Tokens, mbarriers and the counter of slots are
shared too: the later loop goes on with the slot and phase at which the earlier one has ended.
"""

from mlir import ir

from ttkit.inspection import address_of
from ttkit.operation_sets import FOR_AND_IF
from ttkit.passes.layouts.load_buffers import buffer_layout
from ttkit.passes.partitioning.channels import Channel, Group


def buffer_owners(groups: list[Group]) -> list[Group]:
    """For each group the one whose buffers it uses: itself, or the like one of an earlier loop in the same block."""
    by_region: dict[int, list[Group]] = {}
    for group in groups:
        by_region.setdefault(address_of(region_of(group)), []).append(group)
    owners: dict[int, Group] = {}
    leaders: list[list[Group]] = []
    for mine in by_region.values():
        found = next((theirs for theirs in leaders if may_share(mine, theirs)), mine)
        if found is mine:
            leaders.append(mine)
        owners.update({id(group): owner for group, owner in zip(mine, found)})
    return [owners[id(group)] for group in groups]


def counted_regions(groups: list[Group], owners: list[Group]) -> list[list[ir.Operation]]:
    """The loops and branches that contain channels; those that share buffers in one list."""
    found: dict[int, dict[int, ir.Operation]] = {}
    for group, owner in zip(groups, owners):
        region = region_of(group)
        if region.name in FOR_AND_IF:
            found.setdefault(address_of(region_of(owner)), {})[address_of(region)] = region
    return [list(regions.values()) for regions in found.values()]


def region_of(group: Group) -> ir.Operation:
    """The operation in whose body the group sends."""
    return group.channels[0].region


def may_share(mine: list[Group], theirs: list[Group]) -> bool:
    """Whether the groups of a later loop are like those of an earlier one, one by one."""
    later, earlier = region_of(mine[0]), region_of(theirs[0])
    return (
        later.name == earlier.name == "scf.for"
        and later.block == earlier.block
        and len(mine) == len(theirs)
        and all(map(are_alike, mine, theirs))
    )


def are_alike(one: Group, other: Group) -> bool:
    """Whether two groups send tiles of the same types and layouts, between the same tasks, and fill buffers alike.

    All threads arrive at a barrier of copies by cp.async, and one thread at one of copies by TMA.
    """
    return (one.task, one.consumers, one.by_threads) == (other.task, other.consumers, other.by_threads) and (
        [tile_of(channel) for channel in one.channels] == [tile_of(channel) for channel in other.channels]
    )


def tile_of(channel: Channel) -> tuple[object, ...]:
    """The slots and tiles that the buffer of a channel must suit."""
    result = channel.source.result
    return (
        channel.slots,
        channel.stages,
        list(result.type.shape),
        result.type.element_type,
        buffer_layout(channel.source.result),
    )
