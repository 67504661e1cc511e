// Questions about IR that Python asks often and answers slowly by itself.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace {

/// The names as the context's uniqued identifiers, so that each comparison is one of pointers.
llvm::SmallPtrSet<const void *, 8> uniqued(MLIRContext *context, const char *const *names, size_t count) {
  llvm::SmallPtrSet<const void *, 8> set;
  for (size_t i = 0; i < count; ++i)
    set.insert(OperationName(names[i], context).getAsOpaquePointer());
  return set;
}

} // namespace

bool ttkitContainsAny(MlirOperation root, const char *const *names, size_t count) {
  auto wanted = uniqued(unwrap(root)->getContext(), names, count);
  return unwrap(root)
      ->walk<WalkOrder::PreOrder>([&](Operation *op) {
        bool found = op != unwrap(root) && wanted.contains(op->getName().getAsOpaquePointer());
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

size_t ttkitCollect(MlirOperation root, const char *const *names, size_t count, MlirOperation *found, size_t capacity) {
  auto wanted = uniqued(unwrap(root)->getContext(), names, count);
  size_t total = 0;
  unwrap(root)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == unwrap(root) || !wanted.contains(op->getName().getAsOpaquePointer()))
      return;
    if (total < capacity)
      found[total] = wrap(op);
    ++total;
  });
  return total;
}

void ttkitElementwiseNames(MlirOperation root, void (*emit)(const char *name)) {
  llvm::SetVector<OperationName> names;
  unwrap(root)->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::Elementwise>())
      names.insert(op->getName());
  });
  for (OperationName name : names)
    emit(name.getStringRef().str().c_str());
}

bool ttkitIsMemoryEffectFree(MlirOperation operation) { return isMemoryEffectFree(unwrap(operation)); }
