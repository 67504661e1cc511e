// Verifiers shared by many operations.

#include "tt/index_ops.h"
#include "tt/view_ops.h"

using namespace mlir;

namespace ttkit::tt::impl {

namespace {

enum class Property { Shape, Encoding };

std::string describe(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return shape.empty() ? "scalar" : text;
}

/// The tensor that `type` is, or for loads and stores the one that it points to; null for a scalar.
RankedTensorType tensorOf(Type type, bool lookThroughPointers) {
  if (lookThroughPointers)
    if (auto pointer = dyn_cast<PointerType>(type))
      type = pointer.getPointeeType();
  return dyn_cast<RankedTensorType>(type);
}

/// Whether `op` is a broadcast of a tensor whose elements, few as they are, the layouts of source and result place alike:
/// Triton 3.9 leaves such.
bool broadcastsInPlace(Operation *op) {
  auto broadcast = dyn_cast<BroadcastOp>(op);
  if (!broadcast)
    return false;
  RankedTensorType source = broadcast.getSrc().getType();
  const LayoutInterface *layouts = getLayoutInterface(source.getEncoding());
  return layouts && source.getRank() == broadcast.getType().getRank() &&
         succeeded(layouts->verifyEquivalent(source.getShape(), broadcast.getType().getEncoding(), source.getEncoding(),
                                             /*loc=*/std::nullopt));
}

/// Checks that the operands of `op`, and perhaps its results, agree in one property.  Layouts are compared among the
/// tensors that have one: a pass may be half way through giving them out.
LogicalResult verifySame(Operation *op, bool withResults, Property property, bool lookThroughPointers) {
  std::optional<RankedTensorType> first;
  SmallVector<Type> types(op->getOperandTypes());
  unsigned results = withResults ? op->getNumResults() : 0;
  if (!types.empty()) // the results follow the first operand: what Triton says first
    types.insert(types.begin() + 1, op->result_type_begin(), op->result_type_begin() + results);
  for (auto [index, type] : llvm::enumerate(types)) {
    RankedTensorType tensor = tensorOf(type, lookThroughPointers);
    if (property == Property::Encoding && (!tensor || !tensor.getEncoding()))
      continue;
    if (!first) {
      first = tensor;
      continue;
    }
    StringRef scope = index > results ? "all operands" : "all operands and results";
    if (property == Property::Encoding) {
      if (tensor.getEncoding() != first->getEncoding() && !broadcastsInPlace(op))
        return op->emitOpError("requires the same encoding for ") << scope << ", found " << *first << " and " << tensor;
      continue;
    }
    auto shapeOf = [](RankedTensorType t) { return t ? t.getShape() : ArrayRef<int64_t>(); };
    if (shapeOf(*first) != shapeOf(tensor))
      return op->emitOpError("requires the same shape for ")
             << scope << ", found " << describe(shapeOf(*first)) << " and " << describe(shapeOf(tensor));
  }
  return success();
}

LogicalResult forEachOperandAndResult(Operation *op, function_ref<LogicalResult(Type, StringRef, unsigned)> check) {
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (failed(check(type, "Operand", index)))
      return failure();
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(check(type, "Result", index)))
      return failure();
  return success();
}

} // namespace

LogicalResult verifyTensorSize(Operation *op) {
  return forEachOperandAndResult(op, [&](Type type, StringRef kind, unsigned index) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return success();
    int64_t elements = 1;
    for (int64_t size : tensor.getShape()) {
      if (ShapedType::isDynamic(size))
        return op->emitOpError() << kind << " " << index << " must have a static shape, found " << type;
      // Checked inside the loop, so that the product can't overflow.
      if (size > kMaxTensorElements || (elements *= size) > kMaxTensorElements)
        return op->emitOpError("Maximum allowed number of elements is ")
               << kMaxTensorElements << ", but " << kind.lower() << " " << index << " has more: " << type;
    }
    if (elements == 0 && isa<MakeRangeOp>(op)) // whose verifier says what is wrong with its bounds
      return success();
    if (elements == 0 || (elements & (elements - 1)) != 0)
      return op->emitOpError("Number of elements must be power-of-two, but ")
             << kind.lower() << " " << index << " has " << elements << ": " << type;
    return success();
  });
}

LogicalResult verifyTensorLayouts(Operation *op) {
  return forEachOperandAndResult(op, [&](Type type, StringRef kind, unsigned index) -> LogicalResult {
    auto emitError = [&]() -> InFlightDiagnostic {
      InFlightDiagnostic diagnostic = op->emitOpError() << kind;
      if (kind == "Operand")
        diagnostic << " " << index << " (" << op->getOperand(index) << ")";
      else if (op->getNumResults() > 1)
        diagnostic << " " << index;
      diagnostic << " has an invalid layout: ";
      return diagnostic;
    };
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      if (const LayoutInterface *layout = getLayoutInterface(tensor.getEncoding()))
        return layout->verifyTensorLayout(tensor, op, emitError);
      return success();
    }
    if (auto *layout = dyn_cast<LayoutInterface>(&type.getDialect()))
      return layout->verifyDescriptorLayout(type, op, emitError);
    return success();
  });
}

LogicalResult verifySameOperandsAndResultEncoding(Operation *op) {
  if (op->getNumOperands() != 0 && failed(OpTrait::impl::verifyAtLeastNResults(op, 1)))
    return failure();
  return verifySame(op, /*withResults=*/true, Property::Encoding, false);
}

LogicalResult verifySameOperandsEncoding(Operation *op) {
  return verifySame(op, /*withResults=*/false, Property::Encoding, false);
}

LogicalResult verifySameLoadStoreOperandsShape(Operation *op) {
  return verifySame(op, /*withResults=*/false, Property::Shape, true);
}

LogicalResult verifySameLoadStoreOperandsAndResultShape(Operation *op) {
  return verifySame(op, /*withResults=*/true, Property::Shape, true);
}

LogicalResult verifySameLoadStoreOperandsEncoding(Operation *op) {
  return verifySame(op, /*withResults=*/false, Property::Encoding, true);
}

LogicalResult verifySameLoadStoreOperandsAndResultEncoding(Operation *op) {
  return verifySame(op, /*withResults=*/true, Property::Encoding, true);
}

} // namespace ttkit::tt::impl
