"""The ttg layout attributes as frozen Python values.

A *distributed* layout says which register of which thread holds each element of a tensor; a *shared* layout says at
which offset of shared memory an element lies.  Field names are the attribute's keys in snake case (`sizePerThread` is
`size_per_thread`), `str(layout)` is the attribute's text, and `parse_layout` reads it back.

`order` lists dimensions, fastest-varying first.  A *basis* is the tensor coordinate that one bit of an index moves to:
the coordinate of an index is the XOR of the bases of its set bits.  `cga_layout` holds the bases of the CTA index in
the cluster (CGA); it is empty for a single CTA, and `(0, ..., 0)` is a bit whose two CTAs hold the same elements.

A value that can be constructed here is a legal attribute.  Constructors raise ValueError with the field, what was
expected and what was found, also for attributes that can be written but describe no tensor, such as an `nvidia_mma`
without `instrShape`.
"""

from ttkit.layout.distributed_encodings import AmdMfma, AmdWmma, Blocked, DotOperand, Linear, NvidiaMma, Slice
from ttkit.layout.encoding_base import Bases, Distributed, Ints, Layout, Shared, TensorMemoryLayout
from ttkit.layout.encoding_parser import parse_layout
from ttkit.layout.shared_encodings import (
    AmdRotatingShared,
    NvmmaShared,
    PaddedShared,
    SharedLinear,
    SwizzledShared,
    TensorMemory,
    TensorMemoryScales,
)

__all__ = [
    "AmdMfma", "AmdRotatingShared", "AmdWmma", "Bases", "Blocked", "Distributed", "DotOperand", "Ints",
    "Layout", "Linear", "NvidiaMma", "NvmmaShared", "PaddedShared", "Shared", "SharedLinear", "Slice",
    "SwizzledShared", "TensorMemory", "TensorMemoryLayout", "TensorMemoryScales", "parse_layout",
]  # fmt: skip
