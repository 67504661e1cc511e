// The ttg dialect: layouts, shared memory and what else a GPU adds to tt.

#ifndef TTKIT_TTG
#define TTKIT_TTG

include "ttg/ttg_dialect.td"
include "ttg/ttg_enums.td"
include "ttg/assembly_ops.td"
include "ttg/ttg_attrs.td"
include "ttg/ttg_types.td"
include "ttg/layout_ops.td"
include "ttg/shared_memory_ops.td"
include "ttg/memdesc_ops.td"
include "ttg/async_ops.td"
include "ttg/pipeline_ops.td"
include "ttg/warp_specialize_ops.td"

#endif // TTKIT_TTG
