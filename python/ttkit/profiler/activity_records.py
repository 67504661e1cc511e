"""CUPTI's activity records: what lies where in a buffer, read all at once.

The places are those of cupti_activity.h.  From CUPTI 12.0 to 13.x they are the same but for the size of a kernel's
record, which grows at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

# CUpti_ActivityKind
MEMCPY, MEMSET, KERNEL, DRIVER, RUNTIME, CONCURRENT_KERNEL, EXTERNAL = 1, 2, 3, 4, 5, 10, 39

_SIZES = {MEMCPY: 96, MEMSET: 88, DRIVER: 40, RUNTIME: 40, EXTERNAL: 24}
_FIELDS: dict[int, dict[str, tuple[str, int]]] = {
    CONCURRENT_KERNEL: {
        "start": ("<u8", 16),
        "end": ("<u8", 24),
        "device": ("<u4", 40),
        "stream": ("<u4", 48),
        "correlation": ("<u4", 92),
        "name": ("<u8", 104),
        "graph_node": ("<u8", 144),
        "graph": ("<u4", 156),
    },
    EXTERNAL: {"kind": ("<u4", 4), "id": ("<u8", 8), "correlation": ("<u4", 16)},
}
KERNEL_SIZES = {12: 208, 13: 216}
"""Bytes of a kernel's record, by CUPTI's major version."""


def layouts(kernel_size: int) -> dict[int, Any]:
    """The records as numpy's structured types, by kind, with their fields alone."""
    import numpy as np

    made = {}
    for kind, fields in _FIELDS.items():
        size = kernel_size if kind == CONCURRENT_KERNEL else _SIZES[kind]
        formats = {
            "names": list(fields),
            "formats": [text for text, _ in fields.values()],
            "offsets": [offset for _, offset in fields.values()],
            "itemsize": size,
        }
        made[kind] = np.dtype(formats)  # type: ignore[call-overload]
    return made


class Reader:
    """Reads buffers.

    Args:
        kernel_size: bytes of a kernel's record.
        skip: the place of the record behind the one at a place, for kinds that are not known here.
    """

    def __init__(self, kernel_size: int, skip: Callable[[bytes, int], int]) -> None:
        self.layouts = layouts(kernel_size)
        self.sizes = {**_SIZES, CONCURRENT_KERNEL: kernel_size, KERNEL: kernel_size}
        self.skip = skip

    def read(self, buffer: bytes) -> dict[int, np.ndarray]:
        """The records of a buffer, by kind; in the order in which they lie there."""
        import numpy as np

        words = {kind: size // 4 for kind, size in self.sizes.items()}
        kinds = memoryview(buffer)[: len(buffer) // 4 * 4].cast("I")
        places: dict[int, list[int]] = {kind: [] for kind in self.layouts}
        place, end = 0, len(kinds)
        while place < end:
            kind = kinds[place]
            if (found := places.get(kind)) is not None:
                found.append(place)
            step = words.get(kind)
            place = place + step if step is not None else self.skip(buffer, place * 4) // 4
        found_records = {}
        data = np.frombuffer(buffer, dtype=np.uint8)
        for kind, starts in places.items():
            layout = self.layouts[kind]
            if starts:
                rows = np.array(starts, dtype=np.int64)[:, None] * 4 + np.arange(layout.itemsize)
                found_records[kind] = data[rows].reshape(-1).view(layout)
        return found_records
