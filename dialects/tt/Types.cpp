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

Type PointerType::parse(AsmParser &parser) {
  Type pointee;
  int addressSpace = 1;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseType(pointee))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseInteger(addressSpace))
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

RankedTensorType TensorDescType::getSignlessBlockType() const {
  RankedTensorType block = getBlockType();
  auto element = dyn_cast<IntegerType>(block.getElementType());
  if (!element || element.isSignless())
    return block;
  return RankedTensorType::get(block.getShape(), IntegerType::get(getContext(), element.getWidth()), block.getEncoding());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Functions of types
//===--------------------------------------------------------------------------------------------------------------===//

static Type withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

bool isTensorPointerType(Type type) {
  auto pointer = dyn_cast<PointerType>(type);
  return pointer && isa<RankedTensorType>(pointer.getPointeeType());
}

Type getPointeeType(Type type) {
  auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(type));
  return pointer ? withElementType(type, pointer.getPointeeType()) : Type();
}

Type getI1SameShape(Type type) { return withElementType(type, IntegerType::get(type.getContext(), 1)); }

Type getI32SameShape(Type type) { return withElementType(type, IntegerType::get(type.getContext(), 32)); }

Type getPointerTypeSameShape(Type type, int addressSpace) {
  return withElementType(type, PointerType::get(getElementTypeOrSelf(type), addressSpace));
}

unsigned getElementBitWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<PointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

} // namespace ttkit::tt
