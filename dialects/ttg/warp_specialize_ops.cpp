// Warp specialization.

#include "ttg/warp_specialize_ops.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ttkit::ttg {

MutableArrayRef<Region> WarpSpecializeOp::getPartitionRegions() {
  Region &holder = getPartitionOpHolder();
  if (holder.empty() || holder.front().empty())
    return {};
  auto partitions = dyn_cast<WarpSpecializePartitionsOp>(holder.front().front());
  return partitions ? partitions.getPartitionRegions() : MutableArrayRef<Region>();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Control flow: into the default region and the partitions, out through the yield of the default region
//===--------------------------------------------------------------------------------------------------------------===//

void WarpSpecializeOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (!point.isParent()) {
    successors.emplace_back(getOperation(), getResults());
    return;
  }
  successors.emplace_back(&getDefaultRegion());
  // Without an edge to them MLIR's analyses take the partitions for code that never runs, and passes delete them.
  successors.emplace_back(&getPartitionOpHolder());
}

//===--------------------------------------------------------------------------------------------------------------===//
// Verification
//===--------------------------------------------------------------------------------------------------------------===//

/// warp_specialize_c4: each partition takes the captures as its arguments.
static LogicalResult verifyCaptures(WarpSpecializeOp op) {
  for (auto [i, region] : llvm::enumerate(op.getPartitionRegions())) {
    if (region.getNumArguments() != op.getNumOperands())
      return op.emitOpError("partition region #") << i << " has " << region.getNumArguments()
                                                  << " arguments but expected " << op.getNumOperands();
    for (auto [index, argument, capture] : llvm::enumerate(region.getArgumentTypes(), op.getOperandTypes()))
      if (argument != capture)
        return op.emitOpError("partition region #") << i << " argument #" << index << " has type " << argument
                                                    << " but corresponding capture has type " << capture;
  }
  return success();
}

LogicalResult WarpSpecializeOp::verify() {
  // warp_specialize_c1
  Block &holder = getPartitionOpHolder().front();
  if (holder.empty() || !isa<WarpSpecializePartitionsOp>(holder.front()))
    return emitOpError("expected to find only a `ttg.warp_specialize.partitions` op inside its second region");
  // warp_specialize_c2
  ArrayRef<int32_t> numWarps = getPartitionNumWarps();
  size_t numPartitions = getPartitionRegions().size();
  if (numPartitions != numWarps.size())
    return emitOpError("has ") << numPartitions << " partitions but `partitionNumWarps` has " << numWarps.size()
                               << " elements";
  for (auto [i, count] : llvm::enumerate(numWarps))
    if (!isPowerOfTwo(count))
      return emitOpError("partition #") << i << " number of warps (" << count << ") must be a power of 2";
  // warp_specialize_c3
  if (std::optional<ArrayRef<int32_t>> ids = getWarpGroupStartIds(); ids && ids->size() != numPartitions)
    return emitOpError("has ") << ids->size() << " warp group start IDs but expected " << numPartitions;
  if (failed(verifyCaptures(*this)))
    return failure();
  // warp_specialize_c5
  if ((*this)->getParentOfType<WarpSpecializeOp>())
    return emitOpError("cannot be nested inside another `ttg.warp_specialize` op");
  // warp_specialize_c6
  if (std::optional<int> around = lookupNumWarps(*this); around && *around % 4 != 0)
    return emitOpError("warp-specialized kernels requires num_warps to be a multiple of 4, found ") << *around;
  return success();
}

LogicalResult WarpYieldOp::verify() {
  // warp_yield_c2
  Operation *parent = (*this)->getParentOp();
  if (getNumOperands() != parent->getNumResults())
    return emitOpError("has ") << getNumOperands() << " operands but parent op expected " << parent->getNumResults();
  for (auto [i, result, operand] : llvm::enumerate(parent->getResultTypes(), getOperandTypes()))
    if (result != operand)
      return emitOpError("operand #") << i << " has type " << operand << " but parent op expected " << result;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Canonicalization: drop what nobody uses
//===--------------------------------------------------------------------------------------------------------------===//

/// Marks captures that no partition uses, and those that capture the same value as an earlier one, which then serves
/// both.
static llvm::BitVector findUnneededCaptures(WarpSpecializeOp op, PatternRewriter &rewriter) {
  llvm::BitVector unneeded(op.getNumOperands());
  DenseMap<Value, unsigned> firstCapture;
  for (auto [i, capture] : llvm::enumerate(op.getExplicitCaptures())) {
    auto ignoresIt = [i = i](Region &region) { return region.getArgument(i).use_empty(); };
    if (llvm::all_of(op.getPartitionRegions(), ignoresIt)) {
      unneeded.set(i);
      continue;
    }
    auto [first, isFirst] = firstCapture.try_emplace(capture, i);
    if (isFirst)
      continue;
    for (Region &region : op.getPartitionRegions())
      rewriter.replaceAllUsesWith(region.getArgument(i), region.getArgument(first->second));
    unneeded.set(i);
  }
  return unneeded;
}

/// Replaces `op` by one without the results marked in `unused`.
static void dropResults(WarpSpecializeOp op, const llvm::BitVector &unused, PatternRewriter &rewriter) {
  for (Block &block : op.getDefaultRegion())
    if (auto yield = dyn_cast<WarpYieldOp>(block.getTerminator()))
      rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperands(unused); });

  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(op.getResultTypes()))
    if (!unused.test(i))
      types.push_back(type);
  OperationState state(op.getLoc(), op->getName(), op.getOperands(), types, op->getAttrs());
  state.addRegion()->takeBody(op.getDefaultRegion());
  state.addRegion()->takeBody(op.getPartitionOpHolder());
  Operation *smaller = rewriter.create(state);

  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (!unused.test(result.getResultNumber()))
      rewriter.replaceAllUsesWith(result, smaller->getResult(next++));
  rewriter.eraseOp(op);
}

LogicalResult WarpSpecializeOp::canonicalize(WarpSpecializeOp op, PatternRewriter &rewriter) {
  llvm::BitVector unusedResults(op.getNumResults());
  for (OpResult result : op->getResults())
    if (result.use_empty())
      unusedResults.set(result.getResultNumber());
  llvm::BitVector unneededCaptures = findUnneededCaptures(op, rewriter);
  if (unneededCaptures.none() && unusedResults.none())
    return failure();
  if (unneededCaptures.any())
    rewriter.modifyOpInPlace(op, [&] {
      for (Region &region : op.getPartitionRegions())
        region.front().eraseArguments(unneededCaptures);
      op->eraseOperands(unneededCaptures);
    });
  if (unusedResults.any())
    dropResults(op, unusedResults, rewriter);
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// Syntax
//===--------------------------------------------------------------------------------------------------------------===//

/// The n-th partition's keyword.
static std::string getPartitionKeyword(size_t n) { return ("partition" + Twine(n)).str(); }

ParseResult WarpSpecializeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> captures;
  SMLoc capturesLoc = parser.getCurrentLocation();
  if (parser.parseOperandList(captures, AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseKeyword("default") ||
      parser.parseRegion(*result.addRegion()))
    return failure();

  OperationState partitions(parser.getEncodedSourceLoc(parser.getCurrentLocation()),
                            WarpSpecializePartitionsOp::getOperationName());
  // Where the text is wrong, values go before those that name them; MLIR itself takes care of `result` only.
  llvm::scope_exit dropUses([&] {
    for (std::unique_ptr<Region> &region : partitions.regions)
      for (Block &block : *region)
        block.dropAllDefinedValueUses();
  });
  SmallVector<int32_t> numWarps;
  while (succeeded(parser.parseOptionalKeyword(getPartitionKeyword(numWarps.size())))) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren, /*allowType=*/true) ||
        parser.parseKeyword("num_warps") || parser.parseLParen() || parser.parseInteger(numWarps.emplace_back()) ||
        parser.parseRParen() || parser.parseRegion(*partitions.addRegion(), arguments))
      return failure();
  }

  FunctionType types;
  if (parser.parseColon() || parser.parseType(types) ||
      parser.resolveOperands(captures, types.getInputs(), capturesLoc, result.operands))
    return failure();
  result.addTypes(types.getResults());
  result.addAttribute(getPartitionNumWarpsAttrName(result.name), parser.getBuilder().getDenseI32ArrayAttr(numWarps));

  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToStart(&result.addRegion()->emplaceBlock());
  builder.create(partitions);
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter &printer) {
  printer << '(' << getOperands() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion(), /*printEntryBlockArgs=*/false);
  for (auto [i, region, numWarps] : llvm::enumerate(getPartitionRegions(), getPartitionNumWarps())) {
    printer.printNewline();
    printer << getPartitionKeyword(i) << '(';
    llvm::interleaveComma(region.getArguments(), printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") num_warps(" << numWarps << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
  printer << " : ";
  printer.printFunctionalType(*this);
}

} // namespace ttkit::ttg
