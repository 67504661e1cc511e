// The nvws dialect: what it registers, and inlining.

#include "nvws/NVWS.h"

#include "tt/Inlining.h"

using namespace mlir;

#include "nvws/Dialect.cpp.inc"
#include "nvws/Families.inc"
#include "nvws/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "nvws/Attrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "nvws/Types.cpp.inc"

namespace ttkit::nvws {

void NVWSDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nvws/Attrs.cpp.inc"
      >();
}

void NVWSDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "nvws/Types.cpp.inc"
      >();
}

void NVWSDialect::initialize() {
  registerAttributes();
  registerTypes();
  addInterfaces<InlineAnywhere>();
  registerFamilies(*this);
}

} // namespace ttkit::nvws
