"""Layouts by the names and fields that Gluon has for them.

Each is a frozen value; `layout.encoding` is the same layout as `ttkit.layout.encodings` has it, and `from_encoding`
leads back.  Kernels construct them, so fields take constexprs and tuples of kernels too, and become lists and numbers.
"""

from ttkit.layout.gluon.base import DistributedLayout, SharedLayout
from ttkit.layout.gluon.distributed_layouts import (
    AutoLayout,
    BlockedLayout,
    CoalescedLayout,
    DistributedLinearLayout,
    DotOperandLayout,
    NVMMADistributedLayout,
    SliceLayout,
)
from ttkit.layout.gluon.shared_layouts import (
    NVMMASharedLayout,
    PaddedSharedLayout,
    SharedLinearLayout,
    SwizzledSharedLayout,
)
from ttkit.layout.gluon.suggestions import suggest_layout, suggest_shared_layout

__all__ = [
    "AutoLayout", "BlockedLayout", "CoalescedLayout", "DistributedLayout", "DistributedLinearLayout",
    "DotOperandLayout", "NVMMADistributedLayout", "NVMMASharedLayout", "PaddedSharedLayout", "SharedLayout",
    "SharedLinearLayout", "SliceLayout", "SwizzledSharedLayout", "suggest_layout", "suggest_shared_layout",
]  # fmt: skip
