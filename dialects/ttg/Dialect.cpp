// The ttg dialect: what it registers.

#include "ttg/TTG.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "ttg/Dialect.cpp.inc"
#include "ttg/Enums.cpp.inc"

namespace ttkit::ttg {

// Each is defined beside the definitions of the family's operations: `family.cpp.in`.
#define FAMILY(name) void register_##name(Dialect &);
#include "ttg/Families.inc"
#undef FAMILY

namespace {

/// Everything may be inlined anywhere, also into the regions of a warp specialization.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void TTGDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerAliases();
  registerLayoutInterface();
  addInterfaces<Inliner>();
#define FAMILY(name) register_##name(*this);
#include "ttg/Families.inc"
#undef FAMILY
}

} // namespace ttkit::ttg
