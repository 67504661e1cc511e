// Reductions and scans along one axis, combined by a region.

#include "tt/TypeInference.h"
#include "tt/reduce_ops.h"

using namespace mlir;

namespace ttkit::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// Rules of both
//===--------------------------------------------------------------------------------------------------------------===//

// reduce_c1, reduce_c3, reduce_c4, scan_c1, scan_c3, scan_c4
template <typename OpTy> static LogicalResult verifyOperands(OpTy op) {
  if (op.getSrcs().empty())
    return op.emitOpError("must have at least 1 operand");
  if (op.getNumOperands() != op.getNumResults())
    return op.emitOpError("must have the same number of inputs as outputs, found ")
           << op.getNumOperands() << " and " << op.getNumResults();
  int64_t axis = op.getAxisAttr().getInt();
  constexpr bool beyond = std::is_same_v<OpTy, ScanOp>; // as Triton's verifier
  for (Type type : op.getSrcs().getTypes()) {
    int64_t rank = cast<RankedTensorType>(type).getRank();
    if (axis < 0 || axis >= rank + beyond)
      return op.emitOpError("axis out of bounds for operand rank ") << rank << ", found " << axis;
  }
  for (auto [operand, result] : llvm::zip_equal(op.getSrcs().getTypes(), op.getResultTypes()))
    if (getElementTypeOrSelf(operand) != getElementTypeOrSelf(result))
      return op.emitOpError("operand types and result types must agree, found ") << operand << " and " << result;
  return success();
}

// reduce_c6, reduce_c7, scan_c5, scan_c6.  The operation has been verified, and so has all within its region.
template <typename ReturnTy, typename OpTy> static LogicalResult verifyCombineOp(OpTy op) {
  unsigned count = op.getSrcs().size();
  Block &block = op.getCombineOp().front();
  if (block.getNumArguments() != 2 * count)
    return op.emitOpError("nested block must take ") << 2 * count << " arguments, but given block with "
                                                     << block.getNumArguments() << " arguments";
  auto verifyType = [&](StringRef kind, unsigned index, Type type) -> LogicalResult {
    Type expected = getElementTypeOrSelf(op.getSrcs()[index % count].getType());
    if (type == expected)
      return success();
    return op.emitOpError("type mismatch on combine operation. Expected ")
           << kind << " " << index << " to have type " << expected << " but got " << type;
  };
  for (auto [index, type] : llvm::enumerate(block.getArgumentTypes()))
    if (failed(verifyType("argument", index, type)))
      return failure();

  auto terminator = block.mightHaveTerminator() ? dyn_cast<ReturnTy>(block.getTerminator()) : ReturnTy();
  if (!terminator)
    return op.emitOpError("combine operation must be terminated with ") << ReturnTy::getOperationName();
  if (terminator.getNumOperands() != count)
    return op.emitOpError("expected combine operation to return ")
           << count << " values but got " << terminator.getNumOperands();
  // Returned values are called arguments as well, as in Triton's message.
  for (auto [index, type] : llvm::enumerate(terminator->getOperandTypes()))
    if (failed(verifyType("argument", index, type)))
      return failure();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// ReduceOp
//===--------------------------------------------------------------------------------------------------------------===//

static FailureOr<Type> inferReduced(RankedTensorType source, int64_t axis, OptionalLoc loc) {
  if (axis < 0 || axis >= source.getRank())
    return emitOptionalError(loc, "axis out of bounds for operand rank ", source.getRank(), ", found ", axis);
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  if (shape.empty())
    return source.getElementType();
  FailureOr<Attribute> layout = inferLayout(source.getEncoding(), loc, [&](const LayoutInterface &interface) {
    return interface.inferReduce(source.getEncoding(), axis, loc);
  });
  if (failed(layout))
    return failure();
  return Type(RankedTensorType::get(shape, source.getElementType(), *layout));
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, OptionalLoc loc, ValueRange operands, DictionaryAttr attributes,
                                         OpaqueProperties properties, RegionRange, SmallVectorImpl<Type> &types) {
  FailureOr<int64_t> axis =
      inferenceAxis(properties ? properties.as<Properties *>()->axis : IntegerAttr(), attributes, loc);
  if (failed(axis))
    return failure();
  for (unsigned index = 0; index < operands.size(); ++index) {
    RankedTensorType source = inferenceOperand(operands, index, loc);
    if (!source)
      return failure();
    FailureOr<Type> type = inferReduced(source, *axis, loc);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  return success();
}

LogicalResult ReduceOp::verify() { return verifyOperands(*this); }

LogicalResult ReduceOp::verifyRegions() { return verifyCombineOp<ReduceReturnOp>(*this); }

//===--------------------------------------------------------------------------------------------------------------===//
// ScanOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, OptionalLoc, ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult ScanOp::verify() { return verifyOperands(*this); }

LogicalResult ScanOp::verifyRegions() { return verifyCombineOp<ScanReturnOp>(*this); }

} // namespace ttkit::tt
