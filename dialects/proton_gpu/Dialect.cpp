// The proton_gpu dialect: what it registers, and inlining.

#include "proton_gpu/PROTON_GPU.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "proton_gpu/Dialect.cpp.inc"
#include "proton_gpu/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "proton_gpu/Attrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "proton_gpu/Types.cpp.inc"

namespace ttkit::proton_gpu {

// Each is defined beside the definitions of the family's operations: `family.cpp.in`.
#define FAMILY(name) void register_##name(Dialect &);
#include "proton_gpu/Families.inc"
#undef FAMILY

namespace {

/// Everything may be inlined anywhere.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

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
  addInterfaces<Inliner>();
#define FAMILY(name) register_##name(*this);
#include "proton_gpu/Families.inc"
#undef FAMILY
}

} // namespace ttkit::proton_gpu
