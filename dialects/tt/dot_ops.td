#ifndef TTKIT_TT_DOT_OPS
#define TTKIT_TT_DOT_OPS

include "tt/tt_types.td"
include "tt/tt_enums.td"

#endif // TTKIT_TT_DOT_OPS
