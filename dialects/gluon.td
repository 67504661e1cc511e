// The gluon dialect: layouts that are still to be found.

#ifndef TTKIT_GLUON
#define TTKIT_GLUON

include "gluon/gluon_dialect.td"
include "gluon/layout_ops.td"

#endif // TTKIT_GLUON
