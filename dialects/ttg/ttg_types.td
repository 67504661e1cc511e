#ifndef TTKIT_TTG_TYPES
#define TTKIT_TTG_TYPES

include "ttg/ttg_dialect.td"

#endif // TTKIT_TTG_TYPES
