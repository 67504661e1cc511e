// Buffers in tensor memory and accesses to them.

#include "ttg/layout_ops.h"
#include "ttng/AsmDirectives.h"
#include "ttng/tensor_memory_ops.h"

#include "ttg/OpVerification.h"

using namespace mlir;

namespace ttkit::ttng {

ParseResult parseSubsliceAttributes(OpAsmParser &parser, NamedAttrList &attributes) {
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  if (Attribute offset = attributes.erase("offset"))
    attributes.set("N", offset);
  return success();
}

void printSubsliceAttributes(OpAsmPrinter &printer, Operation *op, DictionaryAttr attributes) {
  // Triton 3.6 to 3.8 have columns alone.
  bool ofColumns = cast<TMEMSubSliceOp>(op).getDim() == 1;
  printer.printOptionalAttrDict(attributes.getValue(), ofColumns ? ArrayRef<StringRef>{"dim"} : ArrayRef<StringRef>{});
}

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static bool isTensorMemoryLayout(Attribute layout) {
  return isa<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(layout);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Tokens
//===--------------------------------------------------------------------------------------------------------------===//

ParseResult parseToken(OpAsmParser &parser, std::optional<OpAsmParser::UnresolvedOperand> &before, Type &token) {
  if (failed(parser.parseOptionalLSquare()))
    return success();
  token = ttg::AsyncTokenType::get(parser.getContext());
  if (succeeded(parser.parseOptionalRSquare()))
    return success();
  return failure(parser.parseOperand(before.emplace()) || parser.parseRSquare());
}

void printToken(OpAsmPrinter &printer, Operation *, Value before, Type token) {
  if (!token)
    return;
  printer << '[';
  if (before)
    printer << before;
  printer << ']';
}

ParseResult parseLoad(OpAsmParser &parser, std::optional<OpAsmParser::UnresolvedOperand> &before,
                      NamedAttrList &attributes, Type &source, Type &result, SmallVectorImpl<Type> &rest) {
  Type token;
  if (parseToken(parser, before, token) || parser.parseOptionalAttrDict(attributes) || parser.parseColonType(source) ||
      parser.parseArrow() || parser.parseType(result))
    return failure();
  if (token)
    rest.push_back(token);
  return succeeded(parser.parseOptionalComma()) ? parser.parseType(rest.emplace_back()) : success();
}

void printLoad(OpAsmPrinter &printer, Operation *op, Value before, DictionaryAttr attributes, Type source, Type result,
               TypeRange rest) {
  bool hasToken = !rest.empty() && isa<ttg::AsyncTokenType>(rest.front());
  printToken(printer, op, before, hasToken ? rest.front() : Type());
  printer.printOptionalAttrDict(attributes.getValue());
  printer << " : " << source << " -> " << result;
  for (Type type : rest.drop_front(hasToken))
    printer << ", " << type;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Waiting
//===--------------------------------------------------------------------------------------------------------------===//

ParseResult parseKeyword(OpAsmParser &parser, StringAttr &word) {
  StringRef text;
  if (failed(parser.parseKeyword(&text)))
    return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}

void printKeyword(OpAsmPrinter &printer, Operation *, StringAttr word) { printer.printKeywordOrString(word); }

LogicalResult TMEMWaitOp::verify() {
  if (getKind() != "load" && getKind() != "store") // tmem_wait_c1
    return emitOpError("kind must be load or store, found '") << getKind() << "'";
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Buffers
//===--------------------------------------------------------------------------------------------------------------===//

void TMEMAllocOp::getEffects(Effects &effects) {
  // Two equal immutable buffers may be one, until each has its own columns.
  if (!getResult().getType().getMutableMemory() && !(*this)->hasAttr("tensor_memory_col_offset"))
    return;
  OpResult buffer = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), buffer, TensorMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), buffer, TensorMemory::get());
}

LogicalResult TMEMAllocOp::verify() {
  ttg::MemDescType result = getResult().getType();
  if (!isTensorMemoryLayout(result.getEncoding())) // tmem_alloc_c1
    return emitOpError("should use tensor memory encoding, found ") << result;
  auto source = getSrc() ? getSrc().getType() : RankedTensorType();
  if (source && failed(verifyTensorMemoryAccess(*this, source, result, "source"))) // tmem_alloc_c5
    return failure();
  return ttg::verifyAllocation(*this, source, result); // tmem_alloc_c2, tmem_alloc_c3, tmem_alloc_c4
}

LogicalResult TMEMSubSliceOp::verify() {
  auto source = dyn_cast<TensorMemoryEncodingAttr>(getSrc().getType().getEncoding());
  auto result = dyn_cast<TensorMemoryEncodingAttr>(getType().getEncoding());
  if (!source) // tmem_subslice_c1
    return emitOpError("The source must be a tensor memory buffer. Found ") << getSrc().getType();
  if (!result) // tmem_subslice_c1
    return emitOpError("The destination must be a tensor memory buffer. Found ") << getType();
  // tmem_subslice_c2
  if (source.getBlockM() != result.getBlockM() || source.getCTASplitM() != result.getCTASplitM() ||
      source.getCTASplitN() != result.getCTASplitN() || source.getColStride() != result.getColStride())
    return emitOpError("The destination must have the same block size and CTASplit size as the source. Found ")
           << result << " and " << source;
  if (getDim() > 1) // tmem_subslice_c3
    return emitOpError("dim must be 0 or 1, found ") << static_cast<int32_t>(getDim());
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Accesses
//===--------------------------------------------------------------------------------------------------------------===//

void TMEMLoadOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "result");
  for (Value value : getRest())
    setName(value, isa<ttg::AsyncTokenType>(value.getType()) ? "token" : "red");
}

/// tmem_load_c4, tmem_load_c5 and tmem_load_c6
static LogicalResult verifyReduction(TMEMLoadOp op) {
  ResultRange rest = op.getRest();
  auto reduced = rest.drop_front(!rest.empty() && isa<ttg::AsyncTokenType>(rest.front().getType()));
  if (!op.getRedOp()) {
    if (op.getAbs() || op.getNaN())
      return op.emitOpError("has abs or NaN, which say how redOp compares, but no redOp");
    return reduced.empty() ? success() : op.emitOpError("has a result red, but no redOp");
  }
  RankedTensorType result = op.getResult().getType();
  auto red = reduced.size() == 1 ? dyn_cast<RankedTensorType>(reduced.front().getType()) : RankedTensorType();
  if (!red || red.getShape() != result.getShape().drop_back())
    return op.emitOpError("with redOp must have a result red with an element for each row of ")
           << result << ", found " << reduced.getTypes();
  if (!result.getElementType().isF32() || !red.getElementType().isF32())
    return op.emitOpError("with redOp must have elements of f32, found ") << result << " and " << red;
  auto layout = dyn_cast_or_null<ttg::DistributedEncoding>(result.getEncoding());
  if (layout && red.getEncoding() != ttg::SliceEncodingAttr::get(op.getContext(), 1, layout))
    return op.emitOpError("must have the slice of the layout of result along dimension 1 for red, found ") << red;
  if (!layout)
    return success();
  FailureOr<ttg::LinearLayout> linear = ttg::toLinearLayout(result);
  for (ttg::Index index : {ttg::Index::Lane, ttg::Index::Warp, ttg::Index::Block})
    if (failed(linear) || llvm::any_of(linear->getBases(index), [](const auto &basis) { return basis[1] != 0; }))
      return op.emitOpError("with redOp must give threads whole rows, found ") << result;
  return success();
}

LogicalResult TMEMLoadOp::verify() {
  ttg::MemDescType source = getSrc().getType();
  if (!isa<TensorMemorySpaceAttr>(source.getMemorySpace())) // tmem_load_c1
    return emitOpError("source must be a tensor memory buffer. Found ") << source;
  if (!isa<TensorMemoryEncodingAttr>(source.getEncoding())) // tmem_load_c1
    return emitOpError("should use tensor memory encoding. Found ") << source;
  RankedTensorType result = getResult().getType();
  if (failed(verifyTensorMemoryAccess(*this, result, source, "result"))) // tmem_load_c3
    return failure();
  if (failed(ttg::verifySameElements(*this, source, result))) // tmem_load_c2
    return failure();
  return verifyReduction(*this);
}

LogicalResult TMEMStoreOp::verify() {
  ttg::MemDescType destination = getDst().getType();
  if (!isTensorMemoryLayout(destination.getEncoding())) // tmem_store_c1
    return emitOpError("should use tensor memory encoding. Found ") << destination;
  if (!destination.getMutableMemory()) // tmem_store_c2
    return emitOpError("Cannot store into an immutable alloc, found ") << destination;
  if (failed(verifyTensorMemoryAccess(*this, getSrc().getType(), destination, "source"))) // tmem_store_c4
    return failure();
  return ttg::verifySameElements(*this, getSrc().getType(), destination); // tmem_store_c3
}

/// store(convert(x), buffer) -> store(x, buffer), if x can be stored, and by the same CTAs.
static LogicalResult storeUnconverted(TMEMStoreOp op, PatternRewriter &rewriter) {
  auto convert = op.getSrc().getDefiningOp<ttg::ConvertLayoutOp>();
  if (!convert || !ttg::areDividedAlike(convert.getSrc().getType(), convert.getType()) ||
      failed(verifyTensorMemoryAccess(op, convert.getSrc().getType(), op.getDst().getType(), std::nullopt)))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getSrcMutable().assign(convert.getSrc()); });
  return success();
}

void TMEMStoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(storeUnconverted);
}

/// tmem_copy_c6 and tmem_copy_c7
static LogicalResult verifyCopyLayouts(TMEMCopyOp op) {
  ttg::MemDescType source = op.getSrc().getType();
  auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(source.getEncoding());
  if (isa<TensorMemoryScalesEncodingAttr>(op.getDst().getType().getEncoding())) {
    if (nvmma && nvmma.getSwizzlingByteWidth() != 0)
      return op.emitOpError("The source should not be swizzled for now, found ") << source;
    return success();
  }
  auto blocks = dyn_cast<TensorMemoryEncodingAttr>(op.getDst().getType().getEncoding());
  if (!blocks)
    return op.emitOpError("Incorrect tmem layout. Found ") << op.getDst().getType();
  if (blocks.getBlockM() != 128)
    return op.emitOpError("Tmem layout should have M=128. Found ") << blocks;
  if (nvmma && nvmma.getSwizzlingByteWidth() == 0)
    return op.emitOpError("Source layout should be swizzled. Found ") << source;
  Type element = source.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 32)
    return op.emitOpError("Source element type should be 32-bit. Found ") << element;
  return success();
}

LogicalResult TMEMCopyOp::verify() {
  ttg::MemDescType source = getSrc().getType(), destination = getDst().getType();
  if (!isa<ttg::SharedMemorySpaceAttr>(source.getMemorySpace())) // tmem_copy_c1
    return emitOpError("The source must be a shared memory buffer, found ") << source;
  if (source.getShape() != destination.getShape()) // tmem_copy_c3
    return emitOpError("source shape ") << source.getShape() << " must match destination shape "
                                        << destination.getShape();
  if (getBarrier() && !isa<ttg::SharedMemorySpaceAttr>(getBarrier().getType().getMemorySpace())) // tmem_copy_c1
    return emitOpError("The optional barrier should be a shared memory buffer, found ") << getBarrier().getType();
  if (!destination.getMutableMemory()) // tmem_copy_c2
    return emitOpError("Cannot copy into an immutable alloc, found ") << destination;
  auto shared = dyn_cast<ttg::SharedEncoding>(source.getEncoding());
  if (!shared || shared.getAlignment() < 16) // tmem_copy_c4
    return emitOpError("Source must have at least 16-byte alignment to be representable in a matrix descriptor. Found ")
           << source;
  if (int numCTAs = ttg::lookupNumCTAs(*this); numCTAs != 1) // tmem_copy_c5
    return emitOpError("NYI: Only one CTA is supported for now. Found ") << numCTAs;
  if (auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(source.getEncoding());
      nvmma && (nvmma.getTransposed() || nvmma.getFp4Padded())) // tmem_copy_c4
    return emitOpError("The source should not be transposed or padded, found ") << source;
  return verifyCopyLayouts(*this);
}

} // namespace ttkit::ttng
