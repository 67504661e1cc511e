// Registration of the layouts, and their aliases: #blocked, #mma, #shared, #linear, #smem.

#include "ttg/LayoutFields.h"

using namespace mlir;

#include "ttg/AttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ttg/Attrs.cpp.inc"

namespace ttkit::ttg {

/// Triton's name, since 3.8, of linear layouts whose warps move in several dimensions at once.
constexpr const char *kGenericLinear = "generic_linear";

namespace {

struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    StringRef alias = llvm::TypeSwitch<Attribute, StringRef>(attribute)
                          .Case<MmaEncoding>([](auto) { return "mma"; })
                          .Case<SharedEncoding>([](auto) { return "shared"; })
                          .Case<BlockedEncodingAttr>([](auto) { return "blocked"; })
                          .Case<LinearEncodingAttr>([](auto layout) { return layout.isGeneric() ? kGenericLinear : "linear"; })
                          .Case<SharedMemorySpaceAttr>([](auto) { return "smem"; })
                          .Default([](Attribute) { return ""; });
    if (alias.empty())
      return AliasResult::NoAlias;
    os << alias;
    return AliasResult::FinalAlias;
  }
};

} // namespace

void TTGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ttg/Attrs.cpp.inc"
      >();
}

void TTGDialect::registerAliases() { addInterfaces<Aliases>(); }

Attribute TTGDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef mnemonic;
  Attribute attribute;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult result = generatedAttributeParser(parser, &mnemonic, type, attribute);
  if (auto linear = dyn_cast_or_null<LinearEncodingAttr>(attribute); linear && linear.isGeneric()) {
    parser.emitError(loc) << "In a distributed layout, each base must move in at most one dimension; those of warps may "
                             "move in several in #ttg.generic_linear";
    return {};
  }
  if (result.has_value())
    return attribute;
  if (mnemonic == "shared")
    return parseLegacyShared(parser);
  if (mnemonic == kGenericLinear)
    return LinearEncodingAttr::parse(parser, type);
  parser.emitError(loc) << "unknown attribute `" << mnemonic << "` in dialect `ttg`";
  return {};
}

void TTGDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  if (auto linear = dyn_cast<LinearEncodingAttr>(attribute); linear && linear.isGeneric()) {
    printer << kGenericLinear;
    return linear.print(printer);
  }
  (void)generatedAttributePrinter(attribute, printer);
}

} // namespace ttkit::ttg
