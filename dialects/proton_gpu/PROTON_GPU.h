// The proton_gpu dialect in C++: its types.  Operations are in the headers of their families (see tt/TT.h).

#ifndef TTKIT_PROTON_GPU_PROTON_GPU_H
#define TTKIT_PROTON_GPU_PROTON_GPU_H

#include "proton/PROTON.h"
#include "ttg/TTG.h"

#include "proton_gpu/Dialect.h.inc"
#include "proton_gpu/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "proton_gpu/Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "proton_gpu/Types.h.inc"

#endif // TTKIT_PROTON_GPU_PROTON_GPU_H
