// The ttg dialect in C++: include this to use its layouts, types and operations.

#ifndef TTKIT_TTG_TTG_H
#define TTKIT_TTG_TTG_H

#include "tt/TT.h"

#include "ttg/Dialect.h.inc"

#include "ttg/AttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ttg/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ttg/Types.h.inc"

namespace ttkit::ttg {

/// The shared memory of a CTA.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  mlir::StringRef getName() final { return "<SharedMemory>"; }
};

} // namespace ttkit::ttg

#define GET_OP_CLASSES
#include "ttg/Ops.h.inc"

#endif // TTKIT_TTG_TTG_H
