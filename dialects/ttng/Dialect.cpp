// The ttng dialect: what it registers, aliases and inlining.

#include "ttng/TTNG.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "ttng/Dialect.cpp.inc"

namespace ttkit::ttng {

// Each is defined beside the definitions of the family's operations: `family.cpp.in`.
#define FAMILY(name) void register_##name(Dialect &);
#include "ttng/Families.inc"
#undef FAMILY

namespace {

struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (isa<TensorMemoryEncodingAttr>(attribute))
      os << "tmem";
    else if (isa<TensorMemoryScalesEncodingAttr>(attribute))
      os << "tmem_scales";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};

/// Everything may be inlined anywhere.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void TTNGDialect::registerInterfaces() { addInterfaces<Aliases, Inliner>(); }

void TTNGDialect::initialize() {
  registerAttributes();
  registerInterfaces();
#define FAMILY(name) register_##name(*this);
#include "ttng/Families.inc"
#undef FAMILY
}

} // namespace ttkit::ttng
