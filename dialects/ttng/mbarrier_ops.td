#ifndef TTKIT_TTNG_MBARRIER_OPS
#define TTKIT_TTNG_MBARRIER_OPS

include "ttng/ttng_dialect.td"

#endif // TTKIT_TTNG_MBARRIER_OPS
