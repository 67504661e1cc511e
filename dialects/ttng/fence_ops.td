#ifndef TTKIT_TTNG_FENCE_OPS
#define TTKIT_TTNG_FENCE_OPS

include "ttng/ttng_dialect.td"

#endif // TTKIT_TTNG_FENCE_OPS
