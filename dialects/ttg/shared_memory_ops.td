#ifndef TTKIT_TTG_SHARED_MEMORY_OPS
#define TTKIT_TTG_SHARED_MEMORY_OPS

include "ttg/ttg_dialect.td"

#endif // TTKIT_TTG_SHARED_MEMORY_OPS
