// The nvws dialect in C++: its types.  Operations are in the headers of their families (see tt/TT.h).

#ifndef TTKIT_NVWS_NVWS_H
#define TTKIT_NVWS_NVWS_H

#include "ttg/TTG.h"

#include "nvws/Dialect.h.inc"
#include "nvws/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "nvws/Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "nvws/Types.h.inc"

#endif // TTKIT_NVWS_NVWS_H
