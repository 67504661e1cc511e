// The nvws dialect: what it registers, and inlining.

#include "nvws/NVWS.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "nvws/Dialect.cpp.inc"
#include "nvws/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "nvws/Attrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "nvws/Types.cpp.inc"

namespace ttkit::nvws {

// Each is defined beside the definitions of the family's operations: `family.cpp.in`.
#define FAMILY(name) void register_##name(Dialect &);
#include "nvws/Families.inc"
#undef FAMILY

namespace {

/// Everything may be inlined anywhere.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

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
  addInterfaces<Inliner>();
#define FAMILY(name) register_##name(*this);
#include "nvws/Families.inc"
#undef FAMILY
}

} // namespace ttkit::nvws
