// Views of memory.

#include "ttg/AsmDirectives.h"
#include "ttg/memdesc_ops.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace ttkit::ttg {

static LogicalResult verifySameElementType(Operation *op, MemDescType source, MemDescType result) {
  if (source.getElementType() != result.getElementType())
    return op->emitOpError("result element type must match desc element type, found ")
           << result.getElementType() << " and " << source.getElementType();
  return success();
}

/// The same type, but for layouts that are written differently and place every element alike.
static bool areEquivalent(MemDescType a, MemDescType b) {
  if (a.getShape() != b.getShape() || a.getElementType() != b.getElementType() ||
      a.getMemorySpace() != b.getMemorySpace() || a.getMutableMemory() != b.getMutableMemory() ||
      a.getAllocShape() != b.getAllocShape())
    return false;
  if (a.getEncoding() == b.getEncoding())
    return true;
  // Padding is not part of the linear layout.
  if (isa<PaddedSharedEncodingAttr>(a.getEncoding()) || isa<PaddedSharedEncodingAttr>(b.getEncoding()))
    return false;
  FailureOr<LinearLayout> layoutA = toLinearLayout(a), layoutB = toLinearLayout(b);
  return succeeded(layoutA) && succeeded(layoutB) && *layoutA == *layoutB;
}

//===--------------------------------------------------------------------------------------------------------------===//
// MemDescIndexOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult MemDescIndexOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifySameElementType(*this, source, result))) // memdesc_index_c1
    return failure();
  if (source.getRank() != result.getRank() + 1) // memdesc_index_c2
    return emitOpError("result rank must be input rank - 1, found ") << result.getRank() << " and " << source.getRank();
  if (int64_t(source.getAllocShape().size()) != source.getRank()) // memdesc_index_c3
    return emitOpError("We don't allow taking memdesc_index of a memdesc_index, found ") << source;
  if (source.getShape().drop_front() != result.getShape()) // memdesc_index_c2
    return emitOpError("result shape must equal to srcShape[1:], found ") << result << " of " << source;
  if (source.getAllocShape() != source.getShape()) // memdesc_index_c3
    return emitOpError("We don't support memdesc_index of a subview, found ") << source;
  if (isa<SharedEncoding>(source.getEncoding()) != isa<SharedEncoding>(result.getEncoding())) // memdesc_index_c4
    return emitOpError("src and dst must have the same type of encoding, found ")
           << source.getEncoding() << " and " << result.getEncoding();
  if (result.getAllocShape() != result.getShape()) // memdesc_index_c3
    return emitOpError("alloc shape must match shape for both result and src, found ") << result;
  if (!isa<SharedEncoding>(source.getEncoding()) && source.getRank() != 3) // memdesc_index_c5
    return emitOpError("only 3D -> 2D subviews are supported for TensorMemoryEncodingAttr, found ") << source;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// MemDescSubsliceOp
//===--------------------------------------------------------------------------------------------------------------===//

ParseResult parseOffsets(OpAsmParser &parser, DenseI32ArrayAttr &offsets) {
  SmallVector<int32_t> values;
  if (parser.parseCommaSeparatedList([&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  offsets = parser.getBuilder().getDenseI32ArrayAttr(values);
  return success();
}

void printOffsets(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr offsets) {
  llvm::interleaveComma(offsets.asArrayRef(), printer);
}

/// The unit step along `dim` to coordinate `at` is one bit of the offset, so both sides of it keep their inner layout.
static bool cutsBetweenOffsets(const LinearLayout &layout, unsigned dim, int64_t at) {
  LinearLayout::Basis step(layout.getRank(), 0);
  step[dim] = at;
  return llvm::is_contained(layout.getBases(Index::Offset), step);
}

/// memdesc_subslice_c4 and memdesc_subslice_c5, for a buffer of which the dimensions `cut` are reduced to `shape`.
static LogicalResult verifyCuts(MemDescSubsliceOp op, ArrayRef<unsigned> cut, ArrayRef<int64_t> shape) {
  MemDescType source = op.getSrc().getType();
  FailureOr<LinearLayout> layout;
  if (auto padded = dyn_cast<PaddedSharedEncodingAttr>(source.getEncoding())) {
    if (padded.getRank() < source.getRank())
      return op.emitOpError("SubSlice of low rank PaddedSharedEncoding from higher rank tensors is not supported yet, "
                            "found ")
             << source;
    layout = padded.getLinearComponent();
  } else {
    layout = toLinearLayout(source);
  }
  if (failed(layout) || layout->getRank() != source.getRank())
    return op.emitOpError("the layout has no subslices of such a memdesc, found ") << source;
  if (layout->getIndexSize(Index::Block) != 1)
    return op.emitOpError("non-trivial block dimension not supported, found ") << source.getEncoding();
  for (unsigned dim : cut)
    for (int64_t at = shape[dim]; at < source.getDimSize(dim); at *= 2)
      if (!cutsBetweenOffsets(*layout, dim, at))
        return op.emitOpError("We don't support splitting along the swizzling pattern, which a cut at ")
               << at << " in dimension " << dim << " does";
  return success();
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  if (failed(verifySameElementType(*this, source, result))) // memdesc_subslice_c1
    return failure();
  if (int64_t(getOffsets().size()) != source.getRank()) // memdesc_subslice_c1
    return emitOpError("offsets must have the same rank as input, found ")
           << getOffsets().size() << " and " << source.getRank();
  if (source.getRank() != result.getRank()) // memdesc_subslice_c1
    return emitOpError("result rank must equal to input rank, found ")
           << result.getRank() << " and " << source.getRank();
  if (!isa<SharedEncoding>(source.getEncoding()) || !isa<SharedEncoding>(result.getEncoding())) // memdesc_subslice_c2
    return emitOpError("src and dst must both be of shared memory encoding, found ")
           << source.getEncoding() << " and " << result.getEncoding();

  SmallVector<unsigned> cut;
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip_equal(source.getShape(), result.getShape())))
    if (std::get<0>(sizes) != std::get<1>(sizes))
      cut.push_back(dim);
  // The whole, whatever the offsets.
  if (cut.empty())
    return success();
  for (auto [dim, offset] : llvm::enumerate(getOffsets())) { // memdesc_subslice_c3
    if (!llvm::is_contained(cut, dim)) {
      if (offset != 0)
        return emitOpError("A non zero offset found in a dimension that is not being split: ")
               << offset << " in dimension " << dim;
    } else if (offset & (result.getDimSize(dim) - 1)) {
      return emitOpError("The split offset may not touch the tile: ")
             << offset << " in dimension " << dim << " is not a multiple of " << result.getDimSize(dim);
    }
  }
  return verifyCuts(*this, cut, result.getShape());
}

//===--------------------------------------------------------------------------------------------------------------===//
// MemDescTransOp
//===--------------------------------------------------------------------------------------------------------------===//

/// Whether `order` has each of 0, 1, ... once.
static bool isPermutation(ArrayRef<int32_t> order) {
  llvm::BitVector seen(order.size());
  for (int32_t dim : order)
    if (dim >= 0 && size_t(dim) < order.size())
      seen.set(dim);
  return seen.all();
}

LogicalResult MemDescTransOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc, Adaptor adaptor,
                                               SmallVectorImpl<Type> &inferred) {
  // Runs on unverified operations, too.
  auto source = dyn_cast<MemDescType>(adaptor.getSrc().getType());
  DenseI32ArrayAttr orderAttr = adaptor.getProperties().order;
  if (!source || !orderAttr)
    return emitOptionalError(loc, "memdesc_trans needs a memory descriptor and an order");
  ArrayRef<int32_t> order = orderAttr;
  if (int64_t(order.size()) != source.getRank()) // memdesc_trans_c1
    return emitOptionalError(loc, "order must have the same size as the rank of the operand and result, found ",
                             order.size(), " and ", source.getRank());
  if (!isPermutation(order)) // memdesc_trans_c1
    return emitOptionalError(loc, "order must be a permutation of [0, ..., rank - 1], found ", orderAttr);
  FailureOr<MemDescType> result = inferMemDescTransType(source, order, loc);
  if (failed(result))
    return failure();
  inferred.push_back(*result);
  return success();
}

bool MemDescTransOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != 1 || actual.size() != 1)
    return false;
  auto expected = dyn_cast<MemDescType>(inferred[0]), got = dyn_cast<MemDescType>(actual[0]);
  return expected && got && areEquivalent(expected, got);
}

/// Whether order[i] = i.
static bool isIdentity(ArrayRef<int32_t> order) {
  return llvm::all_of(llvm::enumerate(order), [](auto entry) { return int64_t(entry.index()) == entry.value(); });
}

OpFoldResult MemDescTransOp::fold(FoldAdaptor) {
  // trans(x, [0, 1, ...]) -> x
  if (isIdentity(getOrder()) && getSrc().getType() == getType())
    return getSrc();
  // trans(trans(x, a), b) -> trans(x, a[b])
  if (auto inner = getSrc().getDefiningOp<MemDescTransOp>()) {
    SmallVector<int32_t> order;
    for (int32_t dim : getOrder())
      order.push_back(inner.getOrder()[dim]);
    setOrder(order);
    setOperand(inner.getSrc());
    return getResult();
  }
  return {};
}

//===--------------------------------------------------------------------------------------------------------------===//
// MemDescReshapeOp, MemDescReinterpretOp
//===--------------------------------------------------------------------------------------------------------------===//

/// Nothing if the product does not fit.
static std::optional<int64_t> countElements(ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = 1;
  for (int64_t size : shape)
    count = count ? llvm::checkedMul(*count, size) : count;
  return count;
}

LogicalResult MemDescReshapeOp::verify() {
  MemDescType source = getSrc().getType(), result = getType();
  std::optional<int64_t> count = countElements(source.getShape());
  if (!count || count != countElements(result.getShape())) // memdesc_reshape_c1
    return emitOpError("number of src and dst elements of reshape must be the same, found ")
           << source << " and " << result;
  if (source.getAllocShape().take_back(source.getRank()) != source.getShape()) // memdesc_reshape_c2
    return emitOpError("NYI: memdesc_reshape of memdesc_subslice, found ") << source;
  FailureOr<MemDescType> expected = inferMemDescReshapeType(source, result.getShape(), getLoc());
  if (failed(expected))
    return failure();
  if (!areEquivalent(*expected, result)) // memdesc_reshape_c3
    return emitOpError("result type must be ") << *expected << ", found " << result;
  return success();
}

OpFoldResult MemDescReinterpretOp::fold(FoldAdaptor) {
  return getType() == getSrc().getType() ? OpFoldResult(getSrc()) : OpFoldResult();
}

} // namespace ttkit::ttg
