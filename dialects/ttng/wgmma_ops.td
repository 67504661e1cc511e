#ifndef TTKIT_TTNG_WGMMA_OPS
#define TTKIT_TTNG_WGMMA_OPS

include "ttng/ttng_dialect.td"

#endif // TTKIT_TTNG_WGMMA_OPS
