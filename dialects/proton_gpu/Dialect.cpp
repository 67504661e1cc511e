// The proton_gpu dialect: what it registers, and inlining.

#include "proton_gpu/PROTON_GPU.h"

#include "tt/Inlining.h"

using namespace mlir;

#include "proton_gpu/Dialect.cpp.inc"
#include "proton_gpu/Families.inc"
#include "proton_gpu/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "proton_gpu/Attrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "proton_gpu/Types.cpp.inc"

namespace ttkit::proton_gpu {

void ProtonGPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "proton_gpu/Attrs.cpp.inc"
      >();
}

void ProtonGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "proton_gpu/Types.cpp.inc"
      >();
}

void ProtonGPUDialect::initialize() {
  registerAttributes();
  registerTypes();
  addInterfaces<InlineAnywhere>();
  registerFamilies(*this);
}

} // namespace ttkit::proton_gpu
