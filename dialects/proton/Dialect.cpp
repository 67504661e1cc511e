// The proton dialect: what it registers, and inlining.

#include "proton/PROTON.h"

#include "tt/Inlining.h"

using namespace mlir;

#include "proton/Dialect.cpp.inc"
#include "proton/Families.inc"

namespace ttkit::proton {

void ProtonDialect::initialize() {
  addInterfaces<InlineAnywhere>();
  registerFamilies(*this);
}

} // namespace ttkit::proton
