// The ttng dialect in C++: include this to use its operations.

#ifndef TTKIT_TTNG_TTNG_H
#define TTKIT_TTNG_TTNG_H

#include "ttg/TTG.h"

#include "ttng/Dialect.h.inc"
#include "ttng/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ttng/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ttng/Types.h.inc"
#define GET_OP_CLASSES
#include "ttng/Ops.h.inc"

#endif // TTKIT_TTNG_TTNG_H
