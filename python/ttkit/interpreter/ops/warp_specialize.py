"""Different code on different groups of warps."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction, Region
from ttkit.interpreter.machine import Frame, Machine, structured
from ttkit.interpreter.memory.storages import Background
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.rotation import Rotation


@structured("ttg.warp_specialize")
def warp_specialize(machine: Machine, op: Instruction, frame: Frame) -> tuple[Any, ...]:
    """The default region and the partitions in turn: each runs until it waits for a barrier that is not there yet.
    The results are those of the default region."""
    captured = [frame[slot] for slot in op.operands]
    default, holder = op.regions
    partitions = holder.blocks[0].instructions[-1].regions

    races = machine.shared.races
    agents = [machine.agents] * (1 + len(partitions))
    if races is not None:
        agents[1:] = races.fork(machine, op.attributes["partitionNumWarps"])

    def group(number: int, region: Region, arguments: list[Any]) -> Any:
        """A task that runs a region on a machine of its own, which shares memory with the others."""
        own = copy.copy(machine)
        own.background, own.agents = Background(machine.shared.rows), agents[number]
        if number > 0:
            own.group, own.warps = number, op.attributes["partitionNumWarps"][number - 1]
        return lambda: own.run_region(region, frame, arguments)

    regions = [(default, []), *((region, captured) for region in partitions)]
    rotation = machine.shared.rotation = Rotation()
    try:
        results = rotation.run([group(number, *region) for number, region in enumerate(regions)])
    finally:
        machine.shared.rotation = None
    if races is not None:
        races.join(machine, agents[1:])
    return results[0]


@interprets("ttg.warp_id")
def warp_id(machine: Machine, op: Instruction) -> np.ndarray:
    """All warps run together: the first one stands for them."""
    return np.zeros(1, np.int32)
