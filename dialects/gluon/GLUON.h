// The gluon dialect in C++: its attributes.  Operations are in the headers of their families (see tt/TT.h).

#ifndef TTKIT_GLUON_GLUON_H
#define TTKIT_GLUON_GLUON_H

#include "tt/TT.h"

#include "gluon/Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "gluon/Attrs.h.inc"

#endif // TTKIT_GLUON_GLUON_H
