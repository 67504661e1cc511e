// The proton dialect: what it registers, and inlining.

#include "proton/PROTON.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "proton/Dialect.cpp.inc"

namespace ttkit::proton {

// Each is defined beside the definitions of the family's operations: `family.cpp.in`.
#define FAMILY(name) void register_##name(Dialect &);
#include "proton/Families.inc"
#undef FAMILY

namespace {

/// Everything may be inlined anywhere.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void ProtonDialect::initialize() {
  addInterfaces<Inliner>();
#define FAMILY(name) register_##name(*this);
#include "proton/Families.inc"
#undef FAMILY
}

} // namespace ttkit::proton
