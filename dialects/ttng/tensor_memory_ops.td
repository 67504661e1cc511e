#ifndef TTKIT_TTNG_TENSOR_MEMORY_OPS
#define TTKIT_TTNG_TENSOR_MEMORY_OPS

include "ttng/ttng_dialect.td"

#endif // TTKIT_TTNG_TENSOR_MEMORY_OPS
