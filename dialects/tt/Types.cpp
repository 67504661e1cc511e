// The pointer and descriptor types of tt.

#include "tt/TT.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "tt/Types.cpp.inc"

namespace ttkit::tt {

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tt/Types.cpp.inc"
      >();
}

Type TTDialect::parseType(DialectAsmParser &parser) const {
  // Memory descriptors were types of this dialect once.
  if (parser.getFullSymbolSpec().starts_with("memdesc"))
    if (Dialect *ttg = getContext()->getOrLoadDialect("ttg"))
      return ttg->parseType(parser);
  StringRef mnemonic;
  Type type;
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult result = generatedTypeParser(parser, &mnemonic, type);
  if (result.has_value())
    return type;
  parser.emitError(loc) << "unknown type `" << mnemonic << "` in dialect `tt`; it has `ptr` and `tensordesc`";
  return {};
}

void TTDialect::printType(Type type, DialectAsmPrinter &printer) const { (void)generatedTypePrinter(type, printer); }

//===--------------------------------------------------------------------------------------------------------------===//
// PointerType
//===--------------------------------------------------------------------------------------------------------------===//

/// An address space: a number, or one of the names that Triton 3.9 prints.
static ParseResult parseAddressSpace(AsmParser &parser, int &addressSpace) {
  std::string name;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalString(&name)))
    return parser.parseInteger(addressSpace);
  if (name == "global")
    addressSpace = 1;
  else if (name == "constant")
    addressSpace = 1; // of memory that the kernel only reads; 3.6 to 3.8 print it as any other
  else
    return parser.emitError(loc) << "unknown address space '" << name << "': use \"global\", \"constant\" or a number";
  return success();
}

Type PointerType::parse(AsmParser &parser) {
  Type pointee;
  int addressSpace = 1;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parseAddressSpace(parser, addressSpace))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(loc, pointee, addressSpace);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<" << getPointeeType();
  if (getAddressSpace() != 1)
    printer << ", " << getAddressSpace();
  printer << ">";
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee, int addressSpace) {
  if (!pointee)
    return emitError() << "a pointer needs a pointee type";
  if (addressSpace < 0)
    return emitError() << "address space must not be negative, found " << addressSpace;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// TensorDescType
//===--------------------------------------------------------------------------------------------------------------===//

Type TensorDescType::parse(AsmParser &parser) {
  Type block;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  OptionalParseResult tensor = parser.parseOptionalType(block);
  if (tensor.has_value()) {
    if (failed(*tensor))
      return {};
  } else {
    // Later versions of Triton write the block without `tensor`: <64x64xf16, #shared>.
    SmallVector<int64_t> shape;
    Type element;
    Attribute encoding;
    if (parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element))
      return {};
    if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(encoding))
      return {};
    block = parser.getChecked<RankedTensorType>(loc, shape, element, encoding);
    if (!block)
      return {};
  }
  if (!isa<RankedTensorType>(block)) {
    parser.emitError(loc, "invalid kind of type specified: expected builtin.tensor, but found ") << block;
    return {};
  }
  bool im2col = false;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("im2col"))
      return {};
    im2col = true;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TensorDescType>(loc, parser.getContext(), cast<RankedTensorType>(block), im2col);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << "<" << getBlockType() << (getIm2col() ? ", im2col>" : ">");
}

RankedTensorType TensorDescType::getSignlessBlockType() const {
  RankedTensorType block = getBlockType();
  auto element = dyn_cast<IntegerType>(block.getElementType());
  if (!element || element.isSignless())
    return block;
  auto signless = IntegerType::get(getContext(), element.getWidth());
  return RankedTensorType::get(block.getShape(), signless, block.getEncoding());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Functions of types
//===--------------------------------------------------------------------------------------------------------------===//

/// `element`, with the shape and layout of `type` if that is a tensor.  Null if there is no such type: these functions
/// are called on types that no verifier has seen.
static Type withElementType(Type type, Type element) {
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  if (!tensor)
    return type ? element : Type();
  return RankedTensorType::isValidElementType(element) ? Type(tensor.clone(element)) : Type();
}

bool isTensorPointerType(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

Type getPointeeType(Type type) {
  auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(type));
  return pointer ? withElementType(type, pointer.getPointeeType()) : Type();
}

Type getI1SameShape(Type type) {
  return type ? withElementType(type, IntegerType::get(type.getContext(), 1)) : Type();
}

Type getPointerTypeSameShape(Type type, int addressSpace) {
  return type ? withElementType(type, PointerType::get(getElementTypeOrSelf(type), addressSpace)) : Type();
}

Type getBlockBasePointerType(Type type) {
  if (!isTensorPointerType(type))
    return {};
  auto pointer = cast<PointerType>(type);
  return PointerType::get(getElementTypeOrSelf(pointer.getPointeeType()), pointer.getAddressSpace());
}

unsigned getElementBitWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

} // namespace ttkit::tt
