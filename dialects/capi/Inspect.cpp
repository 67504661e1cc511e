// What Python asks of IR often and does slowly by itself.

#include "capi/ttkit.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "tt/Traits.h"

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

size_t ttkitOperationsIn(MlirOperation root, MlirOperation *found, size_t capacity) {
  size_t total = 0;
  unwrap(root)->walk([&](Operation *op) {
    if (total < capacity)
      found[total] = wrap(op);
    ++total;
  });
  return total;
}

size_t ttkitCountUses(MlirValue value) { return unwrap(value).getNumUses(); }

size_t ttkitUsers(MlirValue value, MlirOperation *found, size_t capacity) {
  size_t total = 0;
  for (OpOperand &use : unwrap(value).getUses()) {
    if (total < capacity)
      found[total] = wrap(use.getOwner());
    ++total;
  }
  return total;
}

void ttkitPrint(MlirOperation operation, MlirStringCallback tell, void *userData) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  unwrap(operation)->print(stream, OpPrintingFlags().enableDebugInfo().printNameLocAsPrefix());
  tell({text.data(), text.size()}, userData);
}

bool ttkitCanonicalize(MlirOperation root, const char *const *names, size_t count, bool mergesConstants) {
  MLIRContext *context = unwrap(root)->getContext();
  RewritePatternSet patterns(context);
  for (size_t i = 0; i < count; ++i)
    if (std::optional<RegisteredOperationName> name = RegisteredOperationName::lookup(StringRef(names[i]), context))
      name->getCanonicalizationPatterns(patterns, context);
  bool changed = false;
  (void)applyPatternsGreedily(unwrap(root), std::move(patterns), GreedyRewriteConfig().enableConstantCSE(mergesConstants),
                              &changed);
  return changed;
}

static void emitNames(MlirOperation root, void (*emit)(const char *name),
                      llvm::function_ref<bool(Operation *)> wanted) {
  llvm::SetVector<OperationName> names;
  unwrap(root)->walk([&](Operation *op) {
    if (wanted(op))
      names.insert(op->getName());
  });
  for (OperationName name : names)
    emit(name.getStringRef().str().c_str());
}

void ttkitOperationNames(MlirOperation root, void (*emit)(const char *name)) {
  emitNames(root, emit, [](Operation *) { return true; });
}

size_t ttkitCollectElementwise(MlirOperation root, const char *const *names, size_t count, MlirOperation *found,
                               size_t capacity) {
  auto wanted = uniqued(unwrap(root)->getContext(), names, count);
  auto isWanted = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return op && wanted.contains(op->getName().getAsOpaquePointer());
  };
  size_t total = 0;
  unwrap(root)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumOperands() == 0 || !op->hasTrait<OpTrait::Elementwise>() ||
        !llvm::all_of(op->getOperands(), isWanted))
      return;
    if (total < capacity)
      found[total] = wrap(op);
    ++total;
  });
  return total;
}

bool ttkitIsMemoryEffectFree(MlirOperation operation) { return isMemoryEffectFree(unwrap(operation)); }

bool ttkitIsPure(MlirOperation operation) { return isPure(unwrap(operation)); }

bool ttkitOnlyReads(MlirOperation operation) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(unwrap(operation));
  return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

bool ttkitMemoryEffects(MlirOperation operation,
                        void (*emit)(const char *kind, const char *resource, MlirValue value)) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(unwrap(operation));
  if (!interface)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    const char *kind = isa<MemoryEffects::Read>(effect.getEffect())       ? "read"
                       : isa<MemoryEffects::Write>(effect.getEffect())    ? "write"
                       : isa<MemoryEffects::Allocate>(effect.getEffect()) ? "allocate"
                                                                          : "free";
    emit(kind, effect.getResource()->getName().str().c_str(), wrap(effect.getValue()));
  }
  return true;
}

bool ttkitWouldBeTriviallyDead(MlirOperation operation) { return wouldOpBeTriviallyDead(unwrap(operation)); }

bool ttkitHasTrait(MlirOperation operation, const char *trait) {
  TypeID id = llvm::StringSwitch<TypeID>(trait)
                  .Case("Elementwise", TypeID::get<OpTrait::Elementwise>())
                  .Case("SameOperandsAndResultEncoding", TypeID::get<ttkit::tt::SameOperandsAndResultEncoding>())
                  .Case("SameLoadStoreOperandsAndResultEncoding",
                        TypeID::get<ttkit::tt::SameLoadStoreOperandsAndResultEncoding>())
                  .Default(TypeID());
  return unwrap(operation)->getName().hasTrait(id);
}

// Dominance is computed anew each time: it costs something only where a region has several blocks.

bool ttkitProperlyDominates(MlirValue value, MlirOperation user) {
  return DominanceInfo().properlyDominates(unwrap(value), unwrap(user));
}

bool ttkitPostDominates(MlirOperation later, MlirOperation earlier) {
  return PostDominanceInfo().postDominates(unwrap(later), unwrap(earlier));
}

void ttkitTopologicalSort(MlirOperation *operations, size_t count) {
  SetVector<Operation *> sorted;
  for (size_t i = 0; i < count; ++i)
    sorted.insert(unwrap(operations[i]));
  sorted = topologicalSort(sorted);
  llvm::transform(sorted, operations, [](Operation *op) { return wrap(op); });
}

namespace {

/// Groups of operations connected by definitions and uses, and which groups a group with regions holds.
class SliceGroups {
public:
  explicit SliceGroups(Operation *root) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == root)
        return;
      groups.insert(op);
      for (Value operand : op->getOperands())
        if (Operation *definition = operand.getDefiningOp())
          groups.unionSets(op, definition);
    });
    root->walk([&](Operation *op) {
      if (op != root && op->getParentOp() != root)
        held[groupOf(op->getParentOp())].insert(groupOf(op));
    });
  }

  Operation *groupOf(Operation *op) const { return groups.getLeaderValue(op); }

  /// The group of `op`, all groups that it holds, and those that they hold.
  llvm::SmallSetVector<Operation *, 4> reachableFrom(Operation *op) {
    llvm::SmallSetVector<Operation *, 4> found;
    found.insert(groupOf(op));
    for (size_t i = 0; i < found.size(); ++i)
      for (Operation *group : held[found[i]])
        found.insert(group);
    return found;
  }

private:
  llvm::EquivalenceClasses<Operation *> groups;
  llvm::DenseMap<Operation *, llvm::SmallSetVector<Operation *, 2>> held;
};

} // namespace

size_t ttkitSlices(MlirOperation root, const MlirOperation *operations, size_t count, size_t *slices, bool *reaches) {
  SliceGroups groups(unwrap(root));
  llvm::MapVector<Operation *, size_t> numbers;
  for (size_t i = 0; i < count; ++i)
    slices[i] = numbers.try_emplace(groups.groupOf(unwrap(operations[i])), numbers.size()).first->second;
  for (auto [group, number] : numbers)
    for (Operation *other : groups.reachableFrom(group))
      if (auto it = numbers.find(other); it != numbers.end())
        reaches[number * count + it->second] = true;
  return numbers.size();
}
