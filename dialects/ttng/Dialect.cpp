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

Type TTNGDialect::parseType(DialectAsmParser &parser) const {
  // Triton's type of descriptors of images; a flag of tt's type here.
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  if (parser.parseKeyword(&mnemonic))
    return {};
  if (mnemonic != "tensordesc_im2col") {
    parser.emitError(loc) << "unknown type `" << mnemonic << "` in dialect `ttng`; it has `tensordesc_im2col`";
    return {};
  }
  auto tiled = dyn_cast_or_null<tt::TensorDescType>(tt::TensorDescType::parse(parser));
  return tiled ? tt::TensorDescType::get(getContext(), tiled.getBlockType(), /*im2col=*/true) : Type();
}

void TTNGDialect::printType(Type type, DialectAsmPrinter &printer) const {
  llvm_unreachable("the dialect has no types of its own");
}

void TTNGDialect::registerInterfaces() { addInterfaces<Aliases, InlineAnywhere>(); }

void TTNGDialect::initialize() {
  registerAttributes();
  registerInterfaces();
  registerFamilies(*this);
}

} // namespace ttkit::ttng
