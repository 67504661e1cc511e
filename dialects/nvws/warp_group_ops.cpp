// Groups of warps.

#include "nvws/warp_group_ops.h"

using namespace mlir;

namespace ttkit::nvws {

LogicalResult WarpGroupOp::verify() {
  // warp_group_c1
  if (getNumWarps().size() != getPartitionRegions().size())
    return emitError("Must supply numWarps for each Warp Group.");
  // warp_group_c2
  auto yields = [](Block &block) { return !block.empty() && isa<WarpGroupYieldOp>(block.back()); };
  if (getNumResults() > 0 && !getPartitionRegions().empty() && !yields(getPartitionRegions().front().back()))
    return emitError("When nvws.warp_group op has results, the first region should be terminated by "
                     "nvws.warp_group.yield op.");
  // warp_group_c3
  if (!getPartitionRegions().empty())
    if (Block &last = getPartitionRegions().front().back();
        yields(last) && last.back().getNumOperands() != getNumResults())
      return emitError("Mismatch in the number of results returned by nvws.warp_group op and the number of the operands "
                       "of the corresponding nvws.warp_group.yield op in the first region.");
  return success();
}

/// The n-th region's keyword.
static std::string getRegionKeyword(size_t n) { return ("partition" + Twine(n)).str(); }

ParseResult WarpGroupOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<int32_t> numWarps;
  while (succeeded(parser.parseOptionalKeyword(getRegionKeyword(numWarps.size()))))
    if (parser.parseKeyword("num_warps") || parser.parseLParen() || parser.parseInteger(numWarps.emplace_back()) ||
        parser.parseRParen() || parser.parseRegion(*result.addRegion()))
      return failure();
  // The results' types are those of what the first region yields.
  if (!result.regions.empty() && !result.regions.front()->empty() && !result.regions.front()->back().empty())
    if (auto yield = dyn_cast<WarpGroupYieldOp>(result.regions.front()->back().back()))
      result.addTypes(yield.getOperandTypes());
  result.addAttribute(getNumWarpsAttrName(result.name), parser.getBuilder().getDenseI32ArrayAttr(numWarps));
  return success();
}

void WarpGroupOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getNumWarpsAttrName()});
  for (auto [i, region, numWarps] : llvm::enumerate(getPartitionRegions(), getNumWarps())) {
    printer.printNewline();
    printer << getRegionKeyword(i) << " num_warps(" << numWarps << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
}

} // namespace ttkit::nvws
