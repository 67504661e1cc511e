// The proton_gpu dialect: reads of a clock, and the buffers that they go to.

#ifndef TTKIT_PROTON_GPU
#define TTKIT_PROTON_GPU

include "proton_gpu/proton_gpu_dialect.td"
include "proton_gpu/buffer_ops.td"

#endif // TTKIT_PROTON_GPU
