#ifndef TTKIT_TTNG_TYPES
#define TTKIT_TTNG_TYPES

include "ttng/ttng_dialect.td"

#endif // TTKIT_TTNG_TYPES
