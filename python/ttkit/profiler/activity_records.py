"""CUPTI's records of kernels: what lies where in a buffer, read all at once.

The places are those of cupti_activity.h.  From CUPTI 12.0 to 13.x they are the same but for the size of a record, which
grows at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

KERNEL, CONCURRENT_KERNEL = 3, 10  # CUpti_ActivityKind: kernels one after the other, and as they come
_FIELDS = {
    "start": ("<u8", 16),
    "end": ("<u8", 24),
    "device": ("<u4", 40),
    "stream": ("<u4", 48),
    "correlation": ("<u4", 92),
    "name": ("<u8", 104),
    "graph_node": ("<u8", 144),
    "graph": ("<u4", 156),
}
KERNEL_SIZES = {12: 208, 13: 216}
"""Bytes of a kernel's record, by CUPTI's major version."""


def layout(kernel_size: int) -> Any:
    """A kernel's record as one of numpy's structured types, with the fields that are read alone."""
    import numpy as np

    return np.dtype(
        {
            "names": list(_FIELDS),
            "formats": [text for text, _ in _FIELDS.values()],
            "offsets": [offset for _, offset in _FIELDS.values()],
            "itemsize": kernel_size,
        }
    )


class Reader:
    """Reads buffers.

    Args:
        kernel_size: bytes of a kernel's record.
        skip: the place of the record after the one at a place, for records of other kinds.
    """

    def __init__(self, kernel_size: int, skip: Callable[[bytes, int], int]) -> None:
        self.layout, self.size, self.skip = layout(kernel_size), kernel_size, skip

    def read(self, buffer: bytes) -> np.ndarray:
        """The kernels' records of a buffer, in the order in which they lie there."""
        import numpy as np

        whole = len(buffer) // self.size
        if whole * self.size == len(buffer):
            kernels = np.frombuffer(buffer, dtype=self.layout)
            kinds = np.frombuffer(buffer, dtype="<u4").reshape(whole, -1)[:, 0]
            if np.isin(kinds, (KERNEL, CONCURRENT_KERNEL)).all():
                return kernels
        parts, place = [], 0
        while place < len(buffer):
            kind = int.from_bytes(buffer[place : place + 4], "little")
            if kind in (KERNEL, CONCURRENT_KERNEL):
                parts.append(buffer[place : place + self.size])
                place += self.size
            else:
                place = self.skip(buffer, place)
        return np.frombuffer(b"".join(parts), dtype=self.layout)
