// The checks of ttg's discardable attributes: where they may be, and warp-specialization partitions.

#include "ttg/TTG.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ttkit::ttg {

static constexpr StringLiteral partitionName = "ttg.partition", outputsName = "ttg.partition.outputs";

/// Whether `op` has one of `names`, of dialects whose headers are not included.
static bool isOneOf(Operation *op, std::initializer_list<StringRef> names) {
  return llvm::is_contained(names, op->getName().getStringRef());
}

/// The partition numbers in `value`; fails unless they are in increasing order and not none.
static FailureOr<ArrayRef<int32_t>> getPartitions(Operation *op, Attribute value, StringRef name) {
  auto array = dyn_cast_or_null<DenseI32ArrayAttr>(value);
  if (!array)
    return op->emitOpError("expects partition ids as array<i32: ...> in attribute \"") << name << "\", found " << value;
  ArrayRef<int32_t> ids = array;
  if (ids.empty())
    return op->emitOpError("has no partition ids in attribute \"") << name << "\"";
  for (unsigned i = 0; i < ids.size(); ++i)
    if (llvm::is_contained(ids.take_front(i), ids[i]))
      return op->emitOpError("has duplicated partition ids in attribute \"") << name << "\"";
  if (!llvm::is_sorted(ids))
    return op->emitOpError("partition ids not in sorted order in attribute \"") << name << "\"";
  return ids;
}

/// What runs in `op`'s regions must say in which partitions it does, and `op` must be in all of them.
static LogicalResult verifyPartition(Operation *op, Attribute value) {
  FailureOr<ArrayRef<int32_t>> ids = getPartitions(op, value, partitionName);
  if (failed(ids))
    return failure();
  for (Region &region : op->getRegions())
    for (Operation &child : region.getOps()) {
      if (isOneOf(&child, {"scf.yield", "ub.poison"}))
        continue;
      Attribute childValue = child.getAttr(partitionName);
      if (!childValue)
        return child.emitOpError("does not have expected attribute ")
               << partitionName << " which is expected for ops whose parent has partitions";
      FailureOr<ArrayRef<int32_t>> childIds = getPartitions(&child, childValue, partitionName);
      if (failed(childIds))
        return failure();
      for (int32_t id : *childIds)
        if (!llvm::is_contained(*ids, id))
          return op->emitOpError("partition ids in attr \"")
                 << partitionName << "\" does not contain partition ids of all child ops: " << id << " is missing";
    }
  return success();
}

/// One list of partitions for each result; all of them together are a part of the operation's own.
static LogicalResult verifyPartitionOutputs(Operation *op, Attribute value) {
  if (!isOneOf(op, {"scf.for", "scf.if", "tt.reduce", "tt.scan", "tt.map_elementwise"}))
    return op->emitOpError("has unexpected attribute \"") << outputsName << "\"";
  auto outputs = dyn_cast<ArrayAttr>(value);
  if (!outputs)
    return op->emitOpError("expects a list of partition ids for each result in attribute \"") << outputsName << "\"";
  if (outputs.size() != op->getNumResults())
    return op->emitOpError("does not have expected number of output partition sets in attr \"")
           << outputsName << "\"; should match number of results, " << op->getNumResults();
  Attribute own = op->getAttr(partitionName);
  if (!own)
    return op->emitOpError("does not have expected attribute ")
           << partitionName << " which is expected for ops with attr " << outputsName;
  FailureOr<ArrayRef<int32_t>> ids = getPartitions(op, own, partitionName);
  if (failed(ids))
    return failure();
  for (Attribute output : outputs) {
    FailureOr<ArrayRef<int32_t>> outputIds = getPartitions(op, output, outputsName);
    if (failed(outputIds))
      return failure();
    for (int32_t id : *outputIds)
      if (!llvm::is_contained(*ids, id))
        return op->emitOpError("partition ids in attr ")
               << partitionName << " must be the union of all partition ids in \"" << outputsName << "\"; " << id
               << " is missing";
  }
  return success();
}

LogicalResult TTGDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (llvm::is_contained({numCTAsName, targetName, threadsPerWarpName}, name) && !isa<ModuleOp>(op))
    return op->emitOpError("has unexpected attribute \"") << name << "\" which is expected only on `module` ops";
  if (name == numWarpsName && !isa<ModuleOp, FunctionOpInterface>(op))
    return op->emitOpError("has unexpected attribute \"")
           << name << "\" which is expected only on `module` or `tt.func` ops";
  if (name == partitionName)
    return verifyPartition(op, attribute.getValue());
  if (name == outputsName)
    return verifyPartitionOutputs(op, attribute.getValue());
  return success();
}

} // namespace ttkit::ttg
