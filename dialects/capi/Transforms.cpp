// Transformations that MLIR has in C++ alone, as functions that a pass in Python calls.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

bool ttkitEliminateCommonSubexpressions(MlirOperation root) {
  IRRewriter rewriter(unwrap(root)->getContext());
  DominanceInfo dominance(unwrap(root));
  bool changed = false;
  eliminateCommonSubExpressions(rewriter, dominance, unwrap(root), &changed);
  return changed;
}

size_t ttkitHoistLoopInvariants(MlirOperation root, const char *const *names, size_t count,
                                bool (*mayHoist)(MlirOperation loop, MlirOperation operation)) {
  MLIRContext *context = unwrap(root)->getContext();
  llvm::SmallPtrSet<const void *, 8> asked;
  for (size_t i = 0; i < count; ++i)
    asked.insert(OperationName(names[i], context).getAsOpaquePointer());
  auto isAsked = [&](Operation *op) { return asked.contains(op->getName().getAsOpaquePointer()); };

  size_t hoisted = 0;
  // Innermost loops first: what leaves one may leave the loop around it too.
  unwrap(root)->walk([&](LoopLikeOpInterface loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
        [&](Operation *op, Region *) { return isAsked(op) || (isSpeculatable(op) && isMemoryEffectFree(op)); },
        [&](Operation *op, Region *) {
          if (isAsked(op) && !mayHoist(wrap(loop.getOperation()), wrap(op)))
            return;
          loop.moveOutOfLoop(op);
          ++hoisted;
        });
  });
  return hoisted;
}

bool ttkitUnrollLoop(MlirOperation loop, uint64_t factor, MlirOperation *epilogue) {
  *epilogue = MlirOperation{nullptr};
  auto forOp = dyn_cast<scf::ForOp>(unwrap(loop));
  if (!forOp || factor == 0)
    return false;
  FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(forOp, factor);
  if (failed(unrolled))
    return false;
  if (unrolled->epilogueLoopOp)
    *epilogue = wrap(unrolled->epilogueLoopOp->getOperation());
  return true;
}

void ttkitCloneOperations(const MlirOperation *operations, size_t count, const MlirValue *from, const MlirValue *to,
                          size_t mapped, MlirBlock block, MlirOperation before, MlirOperation *clones) {
  IRMapping mapping;
  for (size_t i = 0; i < mapped; ++i)
    mapping.map(unwrap(from[i]), unwrap(to[i]));
  Block::iterator position = before.ptr ? unwrap(before)->getIterator() : unwrap(block)->end();
  for (size_t i = 0; i < count; ++i) {
    Operation *clone = unwrap(operations[i])->clone(mapping);
    unwrap(block)->getOperations().insert(position, clone);
    clones[i] = wrap(clone);
  }
}

void ttkitSetOperands(MlirOperation operation, const MlirValue *operands, size_t count) {
  SmallVector<Value> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(unwrap(operands[i]));
  unwrap(operation)->setOperands(values);
}

bool ttkitFold(MlirOperation operation, MlirValue *results) {
  OpBuilder builder(unwrap(operation));
  SmallVector<Value> values;
  // Without values the operation was changed in place.
  if (failed(builder.tryFold(unwrap(operation), values)) || values.empty())
    return false;
  llvm::transform(values, results, [](Value value) { return wrap(value); });
  return true;
}
