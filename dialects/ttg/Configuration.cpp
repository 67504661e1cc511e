// How many warps, threads and CTAs run an operation.

#include "ttg/TTG.h"

using namespace mlir;

namespace ttkit::ttg {

/// The integer attribute `name` of `op`; nothing if it is missing, of another kind or too large.
static std::optional<int> getInteger(Operation *op, StringRef name) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  if (!attribute || !attribute.getValue().isSignedIntN(32))
    return std::nullopt;
  return static_cast<int>(attribute.getValue().getSExtValue());
}

static std::optional<int> getFromModule(Operation *op, StringRef name) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  return module ? getInteger(module, name) : std::nullopt;
}

/// The number of warps of partition `region` of a warp_specialize.
static std::optional<int> getPartitionNumWarps(Operation *partitions, Region *region) {
  Operation *specialize = partitions->getParentOp();
  auto warps = specialize ? specialize->getAttrOfType<DenseI32ArrayAttr>("partitionNumWarps") : nullptr;
  unsigned index = region->getRegionNumber();
  if (!warps || index >= warps.size())
    return std::nullopt;
  return warps[index];
}

std::optional<int> lookupNumWarps(Operation *op) {
  for (; op; op = op->getParentOp()) {
    if (std::optional<int> warps =
            isa<ModuleOp, FunctionOpInterface>(op) ? getInteger(op, TTGDialect::numWarpsName) : std::nullopt)
      return warps;
    Operation *parent = op->getParentOp();
    if (parent && parent->getName().getStringRef() == "ttg.warp_specialize.partitions")
      return getPartitionNumWarps(parent, op->getParentRegion());
  }
  return std::nullopt;
}

int lookupThreadsPerWarp(Operation *op) { return getFromModule(op, TTGDialect::threadsPerWarpName).value_or(32); }

int lookupNumCTAs(Operation *op) { return getFromModule(op, TTGDialect::numCTAsName).value_or(1); }

} // namespace ttkit::ttg
