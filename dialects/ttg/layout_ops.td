#ifndef TTKIT_TTG_LAYOUT_OPS
#define TTKIT_TTG_LAYOUT_OPS

include "ttg/ttg_dialect.td"

#endif // TTKIT_TTG_LAYOUT_OPS
