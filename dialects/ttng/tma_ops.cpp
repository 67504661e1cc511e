// Copies by the tensor memory accelerator, and its descriptors.

#include "ttng/tma_ops.h"

#include "ttng/AsmDirectives.h"

using namespace mlir;

namespace ttkit::ttng {

ParseResult parseCoordinatesAndOffsets(OpAsmParser &parser,
                                       SmallVectorImpl<OpAsmParser::UnresolvedOperand> &coordinates,
                                       SmallVectorImpl<Type> &types) {
  Builder &builder = parser.getBuilder();
  if (parser.parseOperandList(coordinates, OpAsmParser::Delimiter::Square))
    return failure();
  types.append(coordinates.size(), builder.getI32Type());
  if (failed(parser.parseOptionalKeyword("offsets")))
    return success();
  if (parser.parseEqual() || parser.parseOperandList(coordinates, OpAsmParser::Delimiter::Square))
    return failure();
  types.append(coordinates.size() - types.size(), builder.getI16Type());
  return success();
}

void printCoordinatesAndOffsets(OpAsmPrinter &printer, Operation *, OperandRange coordinates, TypeRange types) {
  size_t count = llvm::count_if(types, [](Type type) { return type.isInteger(32); });
  printer << "[" << coordinates.take_front(count) << "]";
  if (count != coordinates.size())
    printer << " offsets = [" << coordinates.drop_front(count) << "]";
}

/// The offsets of a copy by a descriptor of images: (C5).
static LogicalResult verifyOffsets(AsyncTMACopyGlobalToLocalOp op) {
  size_t count = 0, offsets = 0;
  for (Type type : op.getCoord().getTypes()) {
    if (type.isInteger(32) && offsets) // async_tma_copy_global_to_local_c5
      return op.emitOpError("offsets, of type i16, must follow the coordinates, of type i32");
    ++(type.isInteger(32) ? count : offsets);
  }
  if (count < 1 || count > 5) // async_tma_copy_global_to_local_c2
    return op.emitOpError("TMA copies must have between 1 and 5 coordinates, found ") << count;
  if (!op.getDesc().getType().getIm2col()) {
    if (offsets) // async_tma_copy_global_to_local_c5
      return op.emitOpError("offsets are for a descriptor of images; found ") << op.getDesc().getType();
    return success();
  }
  if (count < 3 || offsets != count - 2) // async_tma_copy_global_to_local_c5
    return op.emitOpError("a copy by a descriptor of images must have 3 to 5 coordinates and two offsets less, found ")
           << count << " and " << offsets;
  return success();
}

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  if (failed(verifyBarrierType(*this, getBarrier().getType()))) // async_tma_copy_global_to_local_c1
    return failure();
  if (failed(verifyOffsets(*this)))
    return failure();
  ttg::MemDescType result = getResult().getType();
  if (!result.getMutableMemory()) // async_tma_copy_global_to_local_c3
    return emitOpError("Cannot store into immutable memory, found ") << result;
  if (!isa<ttg::NVMMASharedEncodingAttr>(result.getEncoding())) // async_tma_copy_global_to_local_c4
    return emitOpError("TMA result must have NVMMA shared layout, found ") << result.getEncoding();
  return success();
}

LogicalResult AsyncTMAGatherOp::verify() {
  if (failed(verifyBarrierType(*this, getBarrier().getType()))) // async_tma_gather_c1
    return failure();
  ttg::MemDescType result = getResult().getType();
  if (!result.getMutableMemory()) // async_tma_gather_c2
    return emitOpError("cannot store into immutable memory, found ") << result;
  return tt::verifyGatheredRows(*this, getXOffsets().getType(), result); // async_tma_gather_c3, async_tma_gather_c4
}

LogicalResult AsyncTMAScatterOp::verify() {
  // async_tma_scatter_c1, async_tma_scatter_c2
  return tt::verifyGatheredRows(*this, getXOffsets().getType(), getSrc().getType());
}

LogicalResult TensormapCreateOp::verify() {
  // tensormap_create_c1
  size_t rank = getBoxDim().size();
  if (getGlobalDim().size() != rank)
    return emitOpError("Rank mismatch for global dim. Got ") << getGlobalDim().size() << " but expected " << rank;
  if (getGlobalStride().size() + 1 != rank)
    return emitOpError("Rank mismatch for global stride. Got ")
           << getGlobalStride().size() << " but expected one less than " << rank;
  if (getElementStride().size() != rank)
    return emitOpError("Rank mismatch for element stride. Got ")
           << getElementStride().size() << " but expected " << rank;
  return success();
}

} // namespace ttkit::ttng
