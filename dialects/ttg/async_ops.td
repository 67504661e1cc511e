#ifndef TTKIT_TTG_ASYNC_OPS
#define TTKIT_TTG_ASYNC_OPS

include "ttg/ttg_dialect.td"

#endif // TTKIT_TTG_ASYNC_OPS
