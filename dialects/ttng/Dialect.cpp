// The ttng dialect: what it registers, aliases and inlining.

#include "ttng/AsmDirectives.h"

#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

#include "ttng/Dialect.cpp.inc"

#define GET_OP_CLASSES
#include "ttng/Ops.cpp.inc"

namespace ttkit::ttng {

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
  addOperations<
#define GET_OP_LIST
#include "ttng/Ops.cpp.inc"
      >();
}

} // namespace ttkit::ttng
