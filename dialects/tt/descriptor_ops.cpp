// Tensor descriptors' checks.

#include "tt/descriptor_ops.h"

using namespace mlir;

namespace ttkit::tt {

/// `type` without signedness: what the values read from memory of that type have.
static Type getSignless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth()) : type;
}

//===--------------------------------------------------------------------------------------------------------------===//
// MakeTensorDescOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult MakeTensorDescOp::verify() {
  RankedTensorType block = getType().getBlockType();
  Type pointee = getBase().getType().getPointeeType();
  if (getSignless(pointee) != getSignless(block.getElementType())) // make_tensor_descriptor_c1
    return emitOpError("base points to ") << pointee << ", but the block has elements of " << block.getElementType();
  if (int64_t(getShape().size()) != block.getRank()) // make_tensor_descriptor_c2; strides has the same size
    return emitOpError("needs one shape and stride for each of the block's ")
           << block.getRank() << " dimensions, found " << getShape().size();
  if (getPadding() == PaddingOption::PAD_NAN && !isa<FloatType>(block.getElementType())) // make_tensor_descriptor_c3
    return emitOpError("NaN padding needs a floating-point element type, found ") << block.getElementType();
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------------------------------------------===//

/// Checks that `tensor` can be a block of `desc` at as many `indices`: descriptor_load_c1, descriptor_load_c2 and
/// descriptor_load_c3; descriptor_store_c1, descriptor_store_c2 and descriptor_store_c3; descriptor_reduce_c1,
/// descriptor_reduce_c2 and descriptor_reduce_c3.
static LogicalResult verifyBlock(Operation *op, TensorDescType desc, RankedTensorType tensor, size_t indices) {
  RankedTensorType block = desc.getSignlessBlockType();
  ArrayRef<int64_t> shape = block.getShape();
  if (block.getRank() > tensor.getRank()) {
    ArrayRef<int64_t> dropped = shape.drop_back(tensor.getRank());
    if (llvm::any_of(dropped, [](int64_t size) { return size != 1; }))
      return op->emitOpError("ranked reduce load only allowed for unit dimension leading dim., found ")
             << tensor << " for block " << block;
    shape = shape.take_back(tensor.getRank());
  }
  if (shape != tensor.getShape() || block.getElementType() != tensor.getElementType())
    return op->emitOpError("tensor descriptor block and tensor types must match, found ") << block << " and " << tensor;
  // A block of fewer dimensions than the tensor has is at indices of all of them.
  if (int64_t(indices) < block.getRank())
    return op->emitOpError("needs an index for each of the block's ")
           << block.getRank() << " dimensions, found " << indices;
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getType(), getIndices().size());
}

LogicalResult DescriptorStoreOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}

LogicalResult DescriptorReduceOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getSrc().getType(), getIndices().size());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Rows
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult verifyGatheredRows(Operation *op, RankedTensorType offsets, ShapedType rows) {
  if (offsets.getRank() != 1)
    return op->emitOpError("x offsets must be a 1D tensor, but got ") << offsets;
  if (rows.getRank() != 2)
    return op->emitOpError("result must be a 2D tensor, but got ") << rows;
  if (rows.getDimSize(0) < 8)
    return op->emitOpError("gather must have at least 8 rows, but got ") << rows.getDimSize(0);
  Type element = rows.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  if (bits == 0 || bits > 32)
    return op->emitOpError("TMA dtype cannot be greater than 32 bits, found ") << element;
  int64_t columns = 32 / bits * 8;
  if (rows.getDimSize(1) < columns)
    return op->emitOpError("gather of ")
           << element << " must have at least " << columns << " columns, but got " << rows.getDimSize(1);
  if (rows.getDimSize(0) != offsets.getDimSize(0))
    return op->emitOpError("result tensor must have as many rows as indices (")
           << offsets.getDimSize(0) << "), but got " << rows;
  return success();
}

/// Checks that `tensor` can be the rows at `offsets` of `desc`: descriptor_gather_c1, descriptor_gather_c2,
/// descriptor_gather_c3, descriptor_gather_c4 and descriptor_gather_c5; descriptor_scatter_c1, descriptor_scatter_c2,
/// descriptor_scatter_c3, descriptor_scatter_c4 and descriptor_scatter_c5.
static LogicalResult verifyRows(Operation *op, TensorDescType desc, RankedTensorType offsets, RankedTensorType tensor) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getRank() != 2)
    return op->emitOpError("block must be a 2D tensor, but got ") << block;
  if (block.getShape()[0] != 1)
    return op->emitOpError("block must have exactly 1 row, but got ") << block;
  if (failed(verifyGatheredRows(op, offsets, tensor)))
    return failure();
  if (tensor.getShape()[1] != block.getShape()[1])
    return op->emitOpError("result tensor number of columns must match block (")
           << block.getShape()[1] << "), but got " << tensor;
  if (tensor.getElementType() != block.getElementType())
    return op->emitOpError("result tensor element type must match block (")
           << block.getElementType() << "), but got " << tensor;
  return success();
}

LogicalResult DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getType());
}

LogicalResult DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getXOffsets().getType(), getSrc().getType());
}

} // namespace ttkit::tt
