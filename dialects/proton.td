// The proton dialect: regions of a kernel that are timed while it runs.

#ifndef TTKIT_PROTON
#define TTKIT_PROTON

include "proton/proton_dialect.td"
include "proton/record_ops.td"

#endif // TTKIT_PROTON
