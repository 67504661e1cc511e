// The nvg dialect: what it registers.

#include "nvg/NVG.h"

using namespace mlir;

#include "nvg/Dialect.cpp.inc"
#include "nvg/Families.inc"
#include "nvg/Enums.cpp.inc"

namespace ttkit::nvg {

void NVGDialect::initialize() {
  registerFamilies(*this);
}

} // namespace ttkit::nvg
