// The types of ttg: memory descriptors and tokens.

#include "ttg/TTG.h"

using namespace mlir;

#define GET_TYPEDEF_CLASSES
#include "ttg/Types.cpp.inc"

namespace ttkit::ttg {

void TTGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ttg/Types.cpp.inc"
      >();
}

static constexpr StringLiteral mutableKeyword = "mutable";

Type MemDescType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape, allocShape;
  Type elementType;
  Attribute encoding, memorySpace;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(elementType) ||
      parser.parseComma() || parser.parseAttribute(encoding) || parser.parseComma() ||
      parser.parseAttribute(memorySpace))
    return {};
  bool isMutable = false, more = succeeded(parser.parseOptionalComma());
  if (more && succeeded(parser.parseOptionalKeyword(mutableKeyword))) {
    isMutable = true;
    more = succeeded(parser.parseOptionalComma());
  }
  if (more && parser.parseDimensionList(allocShape, /*allowDynamic=*/false, /*withTrailingX=*/false))
    return {};
  if (parser.parseGreater())
    return {};
  if (allocShape.empty())
    allocShape = shape;
  return parser.getChecked<MemDescType>(loc, parser.getContext(), shape, elementType, encoding, memorySpace, isMutable,
                                        allocShape);
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t size : getShape())
    printer << size << "x";
  printer << getElementType() << ", " << getEncoding() << ", " << getMemorySpace();
  if (getMutableMemory())
    printer << ", " << mutableKeyword;
  if (getAllocShape() != getShape()) {
    printer << ", ";
    llvm::interleave(getAllocShape(), printer.getStream(), "x");
  }
  printer << ">";
}

LogicalResult MemDescType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                  Type elementType, Attribute encoding, Attribute memorySpace, bool mutableMemory,
                                  ArrayRef<int64_t> allocShape) {
  if (!elementType || !encoding || !memorySpace)
    return emitError() << "a memory descriptor needs an element type, an encoding and a memory space";
  if (shape.empty())
    return emitError() << "rank 0 memdesc is not allowed";
  // The first dimension may count the buffers of a pipeline.
  if (!llvm::all_of(shape.drop_front(), isPowerOfTwo))
    return emitError() << "shape must have power-of-2 and non-zero dimensions; got " << shape;
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return emitError() << "shape must be static; got " << shape;
  if (allocShape.size() < shape.size())
    return emitError() << "alloc shape must have at least as many dimensions as shape";
  for (auto [size, allocSize] : llvm::zip(shape, allocShape.take_back(shape.size())))
    if (size > allocSize)
      return emitError() << "shape must be less than or equal to allocShape. shape = " << shape
                         << ", allocShape = " << allocShape;
  auto memory = dyn_cast<MemDescEncoding>(encoding);
  if (!memory)
    return emitError() << encoding << " is not a valid encoding";
  return memory.verifyMemDesc(emitError, shape, elementType, memorySpace, allocShape);
}

//===--------------------------------------------------------------------------------------------------------------===//
// What each shared-memory layout asks of a memory descriptor
//===--------------------------------------------------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult verifyShared(EmitError emitError, SharedEncoding layout, ArrayRef<int64_t> shape,
                                  Attribute memorySpace) {
  if (!isa<SharedMemorySpaceAttr>(memorySpace))
    return emitError() << "memorySpace must be SharedMemorySpace for shared encoding. Got " << memorySpace;
  unsigned rank = layout.getRank();
  if (rank != shape.size() && rank + 1 != shape.size())
    return emitError() << "rank must be equal to or one less than the shape size. Got " << rank << " and "
                       << shape.size();
  return success();
}

/// Checks that the layout, which has a shape of its own, is that of the allocation.
static LogicalResult verifyOwnShape(EmitError emitError, ArrayRef<int64_t> own, ArrayRef<int64_t> allocShape) {
  for (auto [dim, size] : llvm::enumerate(allocShape.take_back(own.size())))
    if (own[dim] != size)
      return emitError() << "Mismatch in expected shape for dimension " << dim << ". Expected: " << size
                         << ", got: " << own[dim];
  return success();
}

LogicalResult SwizzledSharedEncodingAttr::verifyMemDesc(EmitError emitError, ArrayRef<int64_t> shape, Type elementType,
                                                        Attribute memorySpace, ArrayRef<int64_t> allocShape) const {
  return verifyShared(emitError, *this, shape, memorySpace);
}

LogicalResult AMDRotatingSharedEncodingAttr::verifyMemDesc(EmitError emitError, ArrayRef<int64_t> shape,
                                                           Type elementType, Attribute memorySpace,
                                                           ArrayRef<int64_t> allocShape) const {
  return verifyShared(emitError, *this, shape, memorySpace);
}

LogicalResult NVMMASharedEncodingAttr::verifyMemDesc(EmitError emitError, ArrayRef<int64_t> shape, Type elementType,
                                                     Attribute memorySpace, ArrayRef<int64_t> allocShape) const {
  // A buffer with rows shorter than the swizzling is legal, though it has no linear layout.
  return verifyShared(emitError, *this, shape, memorySpace);
}

LogicalResult PaddedSharedEncodingAttr::verifyMemDesc(EmitError emitError, ArrayRef<int64_t> shape, Type elementType,
                                                      Attribute memorySpace, ArrayRef<int64_t> allocShape) const {
  if (failed(verifyShared(emitError, *this, shape, memorySpace)))
    return failure();
  return verifyOwnShape(emitError, getLinearComponent().getSizes(), allocShape);
}

LogicalResult SharedLinearEncodingAttr::verifyMemDesc(EmitError emitError, ArrayRef<int64_t> shape, Type elementType,
                                                      Attribute memorySpace, ArrayRef<int64_t> allocShape) const {
  if (failed(verifyShared(emitError, *this, shape, memorySpace)))
    return failure();
  return verifyOwnShape(emitError, getLinearLayout().getSizes(), allocShape);
}

} // namespace ttkit::ttg
