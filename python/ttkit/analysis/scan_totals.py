"""Who scans the totals of a scan's blocks: each thread all of them, or the lanes of a warp together."""

from __future__ import annotations

from ttkit.layout.scanning import Blocks
from ttkit.tuning.lowering import LEAST_LANES, MANY_BLOCKS, SCANNED_TOTALS


def scanned_by_lanes(blocks: Blocks) -> bool:
    """Whether the lanes of a warp scan the totals of blocks together."""
    return SCANNED_TOTALS.on and blocks.count >= MANY_BLOCKS and blocks.lanes.bit_count() >= LEAST_LANES
