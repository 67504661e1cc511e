"""Numbers that all of NVIDIA's GPUs have in common; `ttkit.target` has those that differ, and those of a launch."""

LANES = 32
"""Threads of a warp."""
REGISTER_BITS = 32
VECTOR_BITS = 128
"""Most bits that one access of a thread moves."""
SECTOR_BYTES = 32
"""Global memory is read and written in so many bytes at a time."""
BANKS = 32
BANK_BITS = 32
"""Shared memory: banks, and bits that each gives at a time."""
GROUP_WARPS = 4
"""Warps of a warp group, which run one wgmma or one access to tensor memory, and hand over registers together."""
WGMMA_ROWS = 64
"""Rows of the result of one wgmma."""
TENSOR_MEMORY_COLUMNS = 512
"""Columns of the tensor memory of a multiprocessor."""
TENSOR_MAP_ALIGNMENT = 16
"""Bytes: a tensor that TMA copies begins at a multiple of so many, and its strides are multiples."""
TENSOR_MAP_EXTENT = 1 << 32
"""Most elements of a dimension of such a tensor."""
TENSOR_MAP_BYTES = 128
