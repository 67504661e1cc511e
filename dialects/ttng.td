// The ttng dialect: operations that only NVIDIA GPUs of the Hopper and Blackwell generations have.

#ifndef TTKIT_TTNG
#define TTKIT_TTNG

include "ttng/ttng_dialect.td"
include "ttng/ttng_attrs.td"
include "ttng/wgmma_ops.td"
include "ttng/mbarrier_ops.td"
include "ttng/fence_ops.td"
include "ttng/tma_ops.td"
include "ttng/tensor_memory_ops.td"
include "ttng/tcgen5_ops.td"
include "ttng/clc_ops.td"
include "ttng/packed_ops.td"

#endif // TTKIT_TTNG
