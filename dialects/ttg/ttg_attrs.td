#ifndef TTKIT_TTG_ATTRS
#define TTKIT_TTG_ATTRS

include "ttg/ttg_dialect.td"

#endif // TTKIT_TTG_ATTRS
