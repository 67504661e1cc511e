#ifndef TTKIT_TTG_PIPELINE_OPS
#define TTKIT_TTG_PIPELINE_OPS

include "ttg/ttg_dialect.td"

#endif // TTKIT_TTG_PIPELINE_OPS
