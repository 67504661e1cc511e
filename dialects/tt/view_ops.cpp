// Views: operations that repeat, pick or renumber elements of a tensor and compute nothing.

#include "tt/AsmDirectives.h"
#include "tt/TypeInference.h"
#include "tt/view_ops.h"

using namespace mlir;

namespace ttkit::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// Shared by several
//===--------------------------------------------------------------------------------------------------------------===//

ParseResult parseViewTypes(OpAsmParser &parser, Type &source, Type &result) {
  bool hasParens = succeeded(parser.parseOptionalLParen());
  if (parser.parseType(source) || (hasParens && parser.parseRParen()) || parser.parseArrow() ||
      parser.parseType(result))
    return failure();
  return success();
}

void printViewTypes(OpAsmPrinter &printer, Operation *, Type source, Type result) {
  printer << source << " -> " << result;
}

// An operation may be its own source, directly or through others: the body of a module is a graph.  Rewriting such a
// cycle must end, so nothing folds to itself.

/// Whether `op`, if it leaves all elements in place, can be replaced by its source.
template <typename OpTy> static bool isIdentity(OpTy op) {
  return op.getSrc().getType() == op.getType() && op.getSrc() != op.getResult();
}

/// The source of `op` if another view of the same kind makes it, and that one isn't its own source.
template <typename OpTy> static OpTy innerView(OpTy op) {
  auto inner = op.getSrc().template getDefiningOp<OpTy>();
  return inner && inner.getSrc() != op.getSrc() ? inner : OpTy();
}

/// A constant in the shape and layout of `type`, which has as many elements in the same order, or a splat of any shape.
static OpFoldResult foldReshapedConstant(Attribute constant, RankedTensorType type) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(constant);
  if (!elements)
    return {};
  return elements.isSplat() ? elements.resizeSplat(type) : elements.reshape(type);
}

//===--------------------------------------------------------------------------------------------------------------===//
// SplatOp, UnsplatOp
//===--------------------------------------------------------------------------------------------------------------===//

/// splat(constant) -> constant
OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (!isa_and_present<FloatAttr, IntegerAttr>(adaptor.getSrc()))
    return {};
  return SplatElementsAttr::get(getType(), adaptor.getSrc());
}

LogicalResult SplatOp::verify() {
  // splat_c2
  auto source = dyn_cast<RankedTensorType>(getSrc().getType());
  if (source && source.getNumElements() != 1)
    return emitOpError("source must be a scalar or have one element, found ") << source;
  return success();
}

LogicalResult UnsplatOp::inferReturnTypes(MLIRContext *, OptionalLoc loc, ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  RankedTensorType source = inferenceOperand(operands, 0, loc);
  if (!source)
    return failure();
  types.push_back(source.getElementType());
  return success();
}

LogicalResult UnsplatOp::verify() {
  // unsplat_c1
  if (getSrc().getType().getNumElements() != 1)
    return emitError("source tensor must have exactly one element, found ") << getSrc().getType();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// ExpandDimsOp
//===--------------------------------------------------------------------------------------------------------------===//

static FailureOr<RankedTensorType> inferExpanded(RankedTensorType source, int64_t axis, OptionalLoc loc) {
  // expand_dims_c1
  if (axis < 0 || axis > source.getRank())
    return emitOptionalError(loc, "axis must be between 0 and the rank of the source, ", source.getRank(), ", found ",
                             axis);
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  FailureOr<Attribute> layout = inferLayout(source.getEncoding(), loc, [&](const LayoutInterface &interface) {
    return interface.inferExpandDims(source.getEncoding(), axis, loc);
  });
  if (failed(layout))
    return failure();
  return RankedTensorType::get(shape, source.getElementType(), *layout);
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext *, OptionalLoc loc, ValueRange operands,
                                             DictionaryAttr attributes, OpaqueProperties properties, RegionRange,
                                             SmallVectorImpl<Type> &types) {
  RankedTensorType source = inferenceOperand(operands, 0, loc);
  FailureOr<int64_t> axis =
      inferenceAxis(properties ? properties.as<Properties *>()->axis : IntegerAttr(), attributes, loc);
  if (!source || failed(axis))
    return failure();
  FailureOr<RankedTensorType> type = inferExpanded(source, *axis, loc);
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

/// expand_dims(splat(x)) -> splat(x)
/// expand_dims(broadcast(x)) -> broadcast(expand_dims(x)), so that a chain of both becomes one of each
LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  if (auto splat = op.getSrc().getDefiningOp<SplatOp>()) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  auto broadcast = op.getSrc().getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return failure();
  FailureOr<RankedTensorType> type =
      inferExpanded(broadcast.getSrc().getType(), op.getAxisAttr().getInt(), /*loc=*/std::nullopt);
  // Without a layout of its own the broadcast source says nothing of the result's.
  if (failed(type) || type->getEncoding() != op.getType().getEncoding())
    return failure();
  auto expanded = ExpandDimsOp::create(rewriter, op.getLoc(), *type, broadcast.getSrc(), op.getAxis());
  auto result = BroadcastOp::create(rewriter, broadcast.getLoc(), op.getType(), expanded.getResult());
  rewriter.replaceOp(op, result);
  return success();
}

/// expand_dims(constant) -> constant
OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return foldReshapedConstant(adaptor.getSrc(), getType()); }

//===--------------------------------------------------------------------------------------------------------------===//
// BroadcastOp
//===--------------------------------------------------------------------------------------------------------------===//

/// broadcast(splat(x)) -> splat(x)
/// broadcast(broadcast(x)) -> broadcast(x)
LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  if (auto splat = op.getSrc().getDefiningOp<SplatOp>()) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  if (BroadcastOp broadcast = innerView(op)) {
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), broadcast.getSrc());
    return success();
  }
  return failure();
}

/// broadcast(x : T) : T -> x;  broadcast(splat constant) -> constant
OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (isIdentity(*this))
    return getSrc();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    return splat.resizeSplat(getType());
  return {};
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> source = getSrc().getType().getShape(), result = getType().getShape();
  // broadcast_c1
  if (source.size() != result.size())
    return emitError("rank of source must be same as rank of result, found ")
           << source.size() << " and " << result.size();
  // broadcast_c2
  for (auto [index, from, to] : llvm::enumerate(source, result))
    if (from != 1 && from != to)
      return emitError("Different dimensions at index ")
             << index << " between source and result.  Broadcast requires the source dimension to be 1.  Found " << from
             << " and " << to;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// ReshapeOp
//===--------------------------------------------------------------------------------------------------------------===//

/// reshape(reshape(x)) -> reshape(x), which may reorder if either may
/// reshape(splat(x)) -> splat(x)
LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (op.getEfficientLayout())
    return failure();
  if (ReshapeOp inner = innerView(op)) {
    bool allowReorder = op.getAllowReorder() || inner.getAllowReorder();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSrc(), allowReorder, /*efficient_layout=*/false);
    return success();
  }
  if (auto splat = op.getSrc().getDefiningOp<SplatOp>()) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  return failure();
}

/// reshape(x : T) : T -> x, unless it may reorder;  reshape(constant) -> constant
OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (isIdentity(*this) && !getAllowReorder())
    return getSrc();
  return foldReshapedConstant(adaptor.getSrc(), getType());
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType source = getSrc().getType(), result = getType();
  // reshape_c1
  if (source.getNumElements() != result.getNumElements())
    return emitError("number of src and dst elements of reshape must be the same, found ")
           << source.getNumElements() << " and " << result.getNumElements();
  // reshape_c2
  if (!source.getEncoding() != !result.getEncoding())
    return emitError("Op requires that either (a) src and dst both have encodings, or (b) neither does.  Found ")
           << source << " and " << result;
  if (!source.getEncoding() || getAllowReorder())
    return success();
  // reshape_c3
  FailureOr<Attribute> layout = inferLayout(source.getEncoding(), getLoc(), [&](const LayoutInterface &interface) {
    return interface.inferReshape(source.getShape(), source.getEncoding(), result.getShape(), getLoc());
  });
  if (failed(layout))
    return failure();
  return getLayoutInterface(source.getEncoding())
      ->verifyEquivalent(result.getShape(), *layout, result.getEncoding(), getLoc());
}

//===--------------------------------------------------------------------------------------------------------------===//
// TransOp
//===--------------------------------------------------------------------------------------------------------------===//

// trans_c1
static LogicalResult verifyOrder(ArrayRef<int32_t> order, int64_t rank, OptionalLoc loc) {
  if (static_cast<int64_t>(order.size()) != rank)
    return emitOptionalError(loc, "order must have the same size as the rank of the operand and result, found ",
                             order.size(), " for rank ", rank);
  SmallVector<bool> seen(rank);
  for (int32_t dim : order) {
    if (dim < 0 || dim >= rank || seen[dim])
      return emitOptionalError(loc, "order must be a permutation of [0, ..., rank - 1], found [", order, "]");
    seen[dim] = true;
  }
  return success();
}

LogicalResult TransOp::inferReturnTypes(MLIRContext *, OptionalLoc loc, ValueRange operands, DictionaryAttr attributes,
                                        OpaqueProperties properties, RegionRange, SmallVectorImpl<Type> &types) {
  RankedTensorType source = inferenceOperand(operands, 0, loc);
  auto order = inferenceAttribute<DenseI32ArrayAttr>(
      properties ? properties.as<Properties *>()->order : DenseI32ArrayAttr(), attributes, "order", loc);
  if (!source || !order || failed(verifyOrder(order.asArrayRef(), source.getRank(), loc)))
    return failure();
  SmallVector<int64_t> shape;
  for (int32_t dim : order.asArrayRef())
    shape.push_back(source.getDimSize(dim));
  FailureOr<Attribute> layout = inferLayout(source.getEncoding(), loc, [&](const LayoutInterface &interface) {
    return interface.inferTrans(source.getEncoding(), source.getShape(), order.asArrayRef(), loc);
  });
  if (failed(layout))
    return failure();
  types.push_back(RankedTensorType::get(shape, source.getElementType(), *layout));
  return success();
}

bool TransOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange given) {
  return haveEquivalentLayouts(inferred, given);
}

/// trans(x, identity) : T -> x;  trans(trans(x)) -> trans(x);  trans(splat constant) -> constant
OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  bool isInOrder = llvm::all_of(llvm::enumerate(getOrder()), [](auto entry) {
    return entry.value() == static_cast<int32_t>(entry.index());
  });
  if (isInOrder && isIdentity(*this))
    return getSrc();
  if (TransOp inner = innerView(*this)) {
    SmallVector<int32_t> order;
    for (int32_t dim : getOrder())
      order.push_back(inner.getOrder()[dim]);
    setOrder(order);
    setOperand(inner.getSrc());
    return getResult();
  }
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    return splat.resizeSplat(getType());
  return {};
}

LogicalResult TransOp::verify() {
  if (failed(verifyOrder(getOrder(), getSrc().getType().getRank(), getLoc())))
    return failure();
  // trans_c2; inference checks it as well, in other words.
  ArrayRef<int64_t> source = getSrc().getType().getShape(), result = getType().getShape();
  bool matches = source.size() == result.size() && llvm::all_of(llvm::zip_equal(result, getOrder()), [&](auto pair) {
                   return std::get<0>(pair) == source[std::get<1>(pair)];
                 });
  if (!matches)
    return emitError("result shape must match the permutation of the source shape, found ")
           << getSrc().getType() << " to " << getType();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// JoinOp, SplitOp, CatOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult JoinOp::verify() {
  RankedTensorType source = getLhs().getType(), result = getType();
  // join_c2
  SmallVector<int64_t> shape(source.getShape());
  shape.push_back(2);
  if (result.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError("result shape must be (") << shape << "), but got " << result.getShape();
  if (result.getElementType() != source.getElementType())
    return emitOpError("result element type must match the input element type, found ")
           << result.getElementType() << " and " << source.getElementType();
  // join_c3.  Splitting has one result layout, joining several.
  if (!source.getEncoding() && !result.getEncoding())
    return success();
  if (!result.getEncoding())
    return emitOpError("result encoding must be specified, since the operands have one");
  FailureOr<Attribute> layout = inferLayout(result.getEncoding(), getLoc(), [&](const LayoutInterface &interface) {
    return interface.inferSplit(result.getEncoding(), shape, getLoc());
  });
  if (failed(layout))
    return failure();
  if (!source.getEncoding() || !haveEquivalentLayouts(source.cloneWithEncoding(*layout), source))
    return emitOpError("incompatible join layout: halves of ")
           << result << " have layout " << *layout << ", found " << source;
  return success();
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext *, OptionalLoc loc, ValueRange operands, DictionaryAttr,
                                        OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  RankedTensorType source = inferenceOperand(operands, 0, loc);
  if (!source)
    return failure();
  // split_c1
  if (source.getRank() == 0 || source.getShape().back() != 2)
    return emitOptionalError(loc, "last dimension of input tensor must be 2, found ", source);
  FailureOr<Attribute> layout = inferLayout(source.getEncoding(), loc, [&](const LayoutInterface &interface) {
    return interface.inferSplit(source.getEncoding(), source.getShape(), loc);
  });
  if (failed(layout))
    return failure();
  types.assign(2, RankedTensorType::get(source.getShape().drop_back(), source.getElementType(), *layout));
  return success();
}

bool SplitOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange given) {
  return haveEquivalentLayouts(inferred, given);
}

LogicalResult CatOp::verify() {
  // cat_c3
  int64_t expected = 2 * getLhs().getType().getNumElements();
  if (getType().getNumElements() != expected)
    return emitOpError("result element count must equal the sum of the operand element counts, expected ")
           << expected << " but got " << getType().getNumElements();
  return success();
}

} // namespace ttkit::tt
