// Products that accumulate in tensor memory.

#include "ttng/AsmDirectives.h"
#include "ttng/tcgen5_ops.h"

#include "tt/Dot.h"

using namespace mlir;

namespace ttkit::ttng {

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===--------------------------------------------------------------------------------------------------------------===//
// Syntax of barriers
//===--------------------------------------------------------------------------------------------------------------===//

ParseResult parseBarriersAndPreds(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &barriers,
                                  SmallVectorImpl<OpAsmParser::UnresolvedOperand> &preds) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(barriers.emplace_back()) || parser.parseLSquare() ||
        parser.parseOperand(preds.emplace_back()) || parser.parseRSquare())
      return failure();
  return success();
}

void printBarriersAndPreds(OpAsmPrinter &printer, Operation *, OperandRange barriers, OperandRange preds) {
  for (auto [barrier, pred] : llvm::zip(barriers, preds))
    printer << ", " << barrier << '[' << pred << ']';
}

//===--------------------------------------------------------------------------------------------------------------===//
// TCGen5CommitOp
//===--------------------------------------------------------------------------------------------------------------===//

ParseResult parsePredAndDescs(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  if (succeeded(parser.parseOptionalComma()) && failed(parser.parseOperand(operands.emplace_back())))
    return failure();
  return succeeded(parser.parseOptionalKeyword("descs")) ? parser.parseOperandList(operands) : success();
}

void printPredAndDescs(OpAsmPrinter &printer, Operation *op, OperandRange operands) {
  OperandRange descs = cast<TCGen5CommitOp>(op).getDescs();
  if (operands.size() > descs.size())
    printer << ", " << operands.front();
  if (!descs.empty())
    printer << " descs " << descs;
}

ParseResult parsePredAndDescTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types,
                                  ArrayRef<OpAsmParser::UnresolvedOperand> operands) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseType(types.emplace_back()))
      return failure();
  if (types.size() < operands.size())
    types.insert(types.begin(), parser.getBuilder().getI1Type());
  return success();
}

void printPredAndDescTypes(OpAsmPrinter &printer, Operation *op, TypeRange, OperandRange) {
  for (Type type : cast<TCGen5CommitOp>(op).getDescs().getTypes())
    printer << ", " << type;
}

OperandRange TCGen5CommitOp::getDescs() {
  OperandRange rest = getRest();
  return rest.drop_front(!rest.empty() && rest.front().getType().isInteger(1));
}

LogicalResult TCGen5CommitOp::verify() {
  OperandRange descs = getDescs();
  if (descs.size() > 4) // tc_gen5_commit_c1
    return emitOpError("descs are the operands of a product, 4 at most, found ") << descs.size();
  auto numCTAs = [](Type type) {
    auto layout = cast<ttg::LayoutEncoding>(cast<ttg::MemDescType>(type).getEncoding());
    return layout.getCGALayout().getIndexSize(ttg::Index::Block);
  };
  for (Value desc : descs) {
    auto type = dyn_cast<ttg::MemDescType>(desc.getType());
    if (!type || !isa<ttg::SharedMemorySpaceAttr>(type.getMemorySpace())) // tc_gen5_commit_c1
      return emitOpError("descs must be in shared memory, found ") << desc.getType();
    if (numCTAs(type) != numCTAs(descs.front().getType())) // tc_gen5_commit_c1
      return emitOpError("descs must be divided among as many CTAs, found ") << descs.front().getType() << " and " << type;
  }
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// What both products share
//===--------------------------------------------------------------------------------------------------------------===//

template <typename Op> static LogicalResult verifyBarrierCount(Op op) {
  if (op.getBarriers().size() != op.getBarrierPreds().size())
    return op.emitOpError("has ") << op.getBarriers().size() << " barriers but " << op.getBarrierPreds().size()
                                  << " predicates for them";
  return success();
}

/// The kind of product that an element type belongs to; empty for other types.  fp4 is packed in i8.
static StringRef getProductKind(Type type) {
  if (type.isF32())
    return "tf32";
  if (type.isF16() || type.isBF16())
    return "f16";
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type) || type.isInteger(8))
    return "f8f6f4";
  return "";
}

/// Whether products of elements of `type` can be accumulated in `accumulator`.
static bool canAccumulateIn(Type type, Type accumulator) {
  return accumulator.isF32() || (accumulator.isInteger(32) && type.isInteger(8)) ||
         (accumulator.isF16() && !type.isF32() && !type.isBF16());
}

static LogicalResult verifyElementTypes(Operation *op, Type a, Type b, Type d) {
  StringRef kindA = getProductKind(a), kindB = getProductKind(b);
  if (kindA.empty())
    return op->emitOpError("unsupported LHS operand dtype: ") << a;
  if (kindB.empty())
    return op->emitOpError("unsupported RHS operand dtype: ") << b;
  if (kindA != kindB)
    return op->emitOpError("LHS and RHS operand dtypes kinds don't match: LHS kind is ")
           << kindA << " but RHS kind is " << kindB;
  if (!canAccumulateIn(a, d) || !canAccumulateIn(b, d)) {
    StringRef allowed = canAccumulateIn(a, Float16Type::get(a.getContext())) ? "'f16', 'f32'" : "'f32'";
    return op->emitOpError("unsupported accumulator dtype for operand types ")
           << a << " and " << b << ", accumulator dtype is " << d << " but must be one of [" << allowed << "]";
  }
  return success();
}

/// Blocks of 64 rows, two of which share the rows of tensor memory.
static bool isInterleaved(ttg::MemDescType type) {
  auto blocks = dyn_cast<TensorMemoryEncodingAttr>(type.getEncoding());
  if (!blocks || blocks.getBlockM() != 64)
    return false;
  FailureOr<ttg::LinearLayout> layout = blocks.toLinearLayout(type.getShape().take_back(2));
  ttg::LinearLayout::Basis zero(2, 0);
  return succeeded(layout) && layout->getBases(ttg::Index::Row)[4] != zero;
}

static LogicalResult verifyInterleaving(Operation *op, ttg::MemDescType a, ttg::MemDescType d) {
  if (isInterleaved(a) && isInterleaved(d))
    return op->emitOpError("does not support blockM=64 with interleaved blocks in TMEM layout, found ")
           << a << " and " << d;
  return success();
}

template <typename Op> static void getProductEffects(Op op, Effects &effects) {
  // The old accumulator does not matter where it is known to be dropped.
  APInt useD;
  if (!matchPattern(op.getUseD(), m_ConstantInt(&useD)) || !useD.isZero())
    effects.emplace_back(MemoryEffects::Read::get(), &op.getDMutable(), TensorMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &op.getDMutable(), TensorMemory::get());
  SideEffects::Resource *sourceOfA = ttg::SharedMemory::get();
  if (!isa<ttg::SharedMemorySpaceAttr>(op.getA().getType().getMemorySpace()))
    sourceOfA = TensorMemory::get();
  effects.emplace_back(MemoryEffects::Read::get(), &op.getAMutable(), sourceOfA);
  effects.emplace_back(MemoryEffects::Read::get(), &op.getBMutable(), ttg::SharedMemory::get());
}

//===--------------------------------------------------------------------------------------------------------------===//
// TCGen5MMAOp
//===--------------------------------------------------------------------------------------------------------------===//

/// tc_gen5_mma_c3 and tc_gen5_mma_c4
static LogicalResult verifyOperandLayouts(TCGen5MMAOp op) {
  Attribute a = op.getA().getType().getEncoding(), b = op.getB().getType().getEncoding();
  auto isDescribable = [](Attribute layout) {
    return isa<ttg::NVMMASharedEncodingAttr, ttg::SharedLinearEncodingAttr>(layout);
  };
  auto blocksA = dyn_cast<TensorMemoryEncodingAttr>(a);
  if (!isDescribable(a) && !blocksA)
    return op.emitOpError("LHS operand must have a NVMMAShared or TensorMemory encoding, found ") << a;
  if (!isDescribable(b))
    return op.emitOpError("RHS operand must have a NVMMAShared encoding, found ") << b;
  ttg::MemDescType d = op.getD().getType();
  auto blocksD = dyn_cast<TensorMemoryEncodingAttr>(d.getEncoding());
  if (!blocksD)
    return op.emitOpError("Return operand must have a TensorMemory encoding, found ") << d.getEncoding();
  if (blocksA && blocksA.getColStride() != 1)
    return op.emitOpError("The col stride of the LHS operand must be 1, found ") << blocksA.getColStride();
  unsigned bits = d.getElementType().getIntOrFloatBitWidth();
  if (blocksD.getColStride() != 32 / bits)
    return op.emitOpError("The col stride of the return operand must be 32 / ")
           << bits << " but got " << blocksD.getColStride();
  return success();
}

/// tc_gen5_mma_c5
static LogicalResult verifyTwoCTAs(TCGen5MMAOp op) {
  auto verifySplit = [&](StringRef name, Attribute layout, unsigned m, unsigned n) -> LogicalResult {
    SmallVector<unsigned> split = ttg::getCTASplitNum(cast<ttg::LayoutEncoding>(layout).getCGALayout());
    if (split.size() == 2 && split[0] == m && split[1] == n)
      return success();
    InFlightDiagnostic diagnostic = op.emitOpError("The op is two CTAs but the split num of the ");
    diagnostic << name << " is not " << m << ", " << n << ". Got ";
    llvm::interleaveComma(split, diagnostic);
    return diagnostic;
  };
  Attribute a = op.getA().getType().getEncoding();
  auto d = cast<TensorMemoryEncodingAttr>(op.getD().getType().getEncoding());
  unsigned splitM = std::max(d.getCTASplitM(), 2u), splitN = d.getCTASplitN();
  if (failed(verifySplit("LHS", a, splitM, 1)) ||
      failed(verifySplit("RHS", op.getB().getType().getEncoding(), 1, 2 * splitN)) ||
      failed(verifySplit("returned value", d, splitM, splitN)))
    return failure();
  if (!d.getTwoCTAs())
    return op.emitOpError("The returned value's encoding must have twoCTA=true to be used in a twoCTA matmul, found ")
           << d;
  if (auto blocksA = dyn_cast<TensorMemoryEncodingAttr>(a); blocksA && !blocksA.getTwoCTAs())
    return op.emitOpError("The LHS operand's encoding must have twoCTA=true to be used in a twoCTA matmul, found ")
           << blocksA;
  return success();
}

LogicalResult TCGen5MMAOp::verify() {
  ttg::MemDescType a = getA().getType(), b = getB().getType(), d = getD().getType();
  if (failed(tt::verifyDotRanks(*this, a.getShape(), b.getShape(), d.getShape())) || // tc_gen5_mma_c6
      failed(tt::verifyDotSizes(*this, a.getShape(), b.getShape(), d.getShape(),
                                tt::DotSizes::of(a.getShape(), b.getShape()))) ||
      failed(verifyInterleaving(*this, a, d))) // tc_gen5_mma_c7
    return failure();
  if (!getIsAsync() && !getBarriers().empty()) // tc_gen5_mma_c1
    return emitOpError("The op is synchronous but a barrier is present.");
  if (failed(verifyBarrierCount(*this)) || // tc_gen5_mma_c1
      failed(verifyElementTypes(*this, a.getElementType(), b.getElementType(), d.getElementType()))) // tc_gen5_mma_c2
    return failure();
  return failure(failed(verifyOperandLayouts(*this)) || (getTwoCtas() && failed(verifyTwoCTAs(*this))));
}

void TCGen5MMAOp::getEffects(Effects &effects) { getProductEffects(*this, effects); }

//===--------------------------------------------------------------------------------------------------------------===//
// TCGen5MMAScaledOp
//===--------------------------------------------------------------------------------------------------------------===//

/// M, N and K in elements.  Two packed ones share a byte along the contiguous dimension: K of `a`, unless it is
/// transposed, and likewise of `b`.
static tt::DotSizes getScaledSizes(TCGen5MMAScaledOp op) {
  ttg::MemDescType a = op.getA().getType(), b = op.getB().getType();
  tt::DotSizes sizes = tt::DotSizes::of(a.getShape(), b.getShape());
  auto nvmmaA = dyn_cast<ttg::NVMMASharedEncodingAttr>(a.getEncoding());
  auto nvmmaB = dyn_cast<ttg::NVMMASharedEncodingAttr>(b.getEncoding());
  bool packedAlongM = nvmmaA && nvmmaA.getTransposed(), packedAlongN = nvmmaB && !nvmmaB.getTransposed();
  if (op.getAType() == tt::ScaleDotElemType::E2M1)
    (packedAlongM ? sizes.aM : sizes.aK) *= 2;
  if (op.getBType() == tt::ScaleDotElemType::E2M1)
    (packedAlongN ? sizes.bN : sizes.bK) *= 2;
  return sizes;
}

LogicalResult TCGen5MMAScaledOp::verify() {
  ttg::MemDescType a = getA().getType(), b = getB().getType(), d = getD().getType();
  if (failed(tt::verifyDotRanks(*this, a.getShape(), b.getShape(), d.getShape())) || // tc_gen5_mma_scaled_c2
      failed(tt::verifyDotSizes(*this, a.getShape(), b.getShape(), d.getShape(), getScaledSizes(*this))) ||
      failed(verifyInterleaving(*this, a, d)) || // tc_gen5_mma_scaled_c4
      failed(verifyBarrierCount(*this)))         // tc_gen5_mma_scaled_c3
    return failure();
  auto blocksA = dyn_cast<TensorMemoryEncodingAttr>(a.getEncoding());
  if (blocksA && blocksA.getFp4Padded() && getAType() != tt::ScaleDotElemType::E2M1) // tc_gen5_mma_scaled_c5
    return emitOpError("has an LHS operand with fp4Padded, which is e2m1, found ")
           << tt::stringifyScaleDotElemType(getAType());
  return verifyElementTypes(*this, a.getElementType(), b.getElementType(), d.getElementType()); // tc_gen5_mma_scaled_c1
}

void TCGen5MMAScaledOp::getEffects(Effects &effects) {
  getProductEffects(*this, effects);
  effects.emplace_back(MemoryEffects::Read::get(), &getAScaleMutable(), TensorMemory::get());
  effects.emplace_back(MemoryEffects::Read::get(), &getBScaleMutable(), TensorMemory::get());
}

} // namespace ttkit::ttng
