// The ttng dialect: what it registers, aliases and inlining.

#include "ttng/TTNG.h"

#include "tt/Inlining.h"

using namespace mlir;

#include "ttng/Dialect.cpp.inc"
#include "ttng/Families.inc"

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

} // namespace

void TTNGDialect::registerInterfaces() { addInterfaces<Aliases, InlineAnywhere>(); }

void TTNGDialect::initialize() {
  registerAttributes();
  registerInterfaces();
  registerFamilies(*this);
}

} // namespace ttkit::ttng
