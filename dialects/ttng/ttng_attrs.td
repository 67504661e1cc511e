#ifndef TTKIT_TTNG_ATTRS
#define TTKIT_TTNG_ATTRS

include "ttng/ttng_dialect.td"

#endif // TTKIT_TTNG_ATTRS
