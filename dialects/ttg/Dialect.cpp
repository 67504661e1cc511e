// The ttg dialect: what it registers.

#include "ttg/TTG.h"

#include "llvm/ADT/StringExtras.h"
#include "tt/Inlining.h"

using namespace mlir;

#include "ttg/Dialect.cpp.inc"
#include "ttg/Families.inc"
#include "ttg/Enums.cpp.inc"

namespace ttkit::ttg {

void TTGDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerAliases();
  registerLayoutInterface();
  addInterfaces<InlineAnywhere>();
  registerFamilies(*this);
}

} // namespace ttkit::ttg
