// The nvg dialect: what it registers.

#include "nvg/NVG.h"

using namespace mlir;

#include "nvg/Dialect.cpp.inc"
#include "nvg/Enums.cpp.inc"

namespace ttkit::nvg {

// Each is defined beside the definitions of the family's operations: `family.cpp.in`.
#define FAMILY(name) void register_##name(Dialect &);
#include "nvg/Families.inc"
#undef FAMILY

void NVGDialect::initialize() {
#define FAMILY(name) register_##name(*this);
#include "nvg/Families.inc"
#undef FAMILY
}

} // namespace ttkit::nvg
