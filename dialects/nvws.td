// The nvws dialect: warps that hand buffers to each other, before that is barriers and phases.

#ifndef TTKIT_NVWS
#define TTKIT_NVWS

include "nvws/nvws_dialect.td"
include "nvws/aref_ops.td"
include "nvws/token_ops.td"
include "nvws/descriptor_ops.td"
include "nvws/warp_group_ops.td"

#endif // TTKIT_NVWS
