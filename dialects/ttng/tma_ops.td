#ifndef TTKIT_TTNG_TMA_OPS
#define TTKIT_TTNG_TMA_OPS

include "ttng/ttng_dialect.td"

#endif // TTKIT_TTNG_TMA_OPS
