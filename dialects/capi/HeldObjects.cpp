// Which of the objects that Python holds are of operations, values, blocks and regions that are gone.
//
// MLIR tells nobody that an operation dies, and the bindings keep no list of their objects.  So the contents of an
// operation are compared before and after a call that may erase.  Erased objects are looked up in the table in which
// nanobind keeps its instances.  No MLIR object is read for that: only addresses are compared.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

struct TtkitContents {
  llvm::DenseSet<const void *> addresses;
};

/// Calls `act` for the address of everything in `root`, itself included.
template <typename Action> static void forEachAddress(Operation *root, Action act) {
  root->walk([&](Operation *op) {
    act(op);
    for (OpResult result : op->getResults())
      act(result.getAsOpaquePointer());
    for (OpOperand &operand : op->getOpOperands())
      act(&operand);
    for (Region &region : op->getRegions()) {
      act(&region);
      for (Block &block : region) {
        act(&block);
        for (BlockArgument argument : block.getArguments())
          act(argument.getAsOpaquePointer());
      }
    }
  });
}

TtkitContents *ttkitContents(MlirOperation root) {
  auto *contents = new TtkitContents;
  forEachAddress(unwrap(root), [&](const void *address) { contents->addresses.insert(address); });
  return contents;
}

TtkitContents *ttkitArgumentContents(MlirBlock block, unsigned index) {
  auto *contents = new TtkitContents;
  contents->addresses.insert(unwrap(block)->getArgument(index).getAsOpaquePointer());
  contents->addresses.insert(unwrap(block));
  return contents;
}

void ttkitAddContents(TtkitContents *contents, MlirOperation root) {
  forEachAddress(unwrap(root), [&](const void *address) { contents->addresses.insert(address); });
}

void ttkitKeepGone(TtkitContents *contents, MlirOperation root) {
  forEachAddress(unwrap(root), [&](const void *address) { contents->addresses.erase(address); });
}

void ttkitFreeContents(TtkitContents *contents) { delete contents; }

bool ttkitHasUses(MlirOperation operation) { return !unwrap(operation)->use_empty(); }

bool ttkitArgumentHasUses(MlirBlock block, unsigned index) { return !unwrap(block)->getArgument(index).use_empty(); }

size_t ttkitCountArguments(MlirBlock block) { return unwrap(block)->getNumArguments(); }

//===--------------------------------------------------------------------------------------------------------------===//
// Erased operations whose memory stays for a while
//===--------------------------------------------------------------------------------------------------------------===//

/// The operands of what is in `root` that come from elsewhere.
static SmallVector<OpOperand *> outerOperands(Operation *root) {
  SmallVector<OpOperand *> found;
  root->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() && !root->isAncestor(operand.get().getParentBlock()->getParentOp()))
        found.push_back(&operand);
      else if (operand.get() && operand.get().getDefiningOp() == root)
        found.push_back(&operand); // of an operation that uses its own result
  });
  return found;
}

MlirOperation ttkitSetAside(MlirOperation operation, void *rewriter, const MlirValue *values, size_t count) {
  Operation *op = unwrap(operation);
  // Blocks would count branches of what is set aside among their predecessors.
  bool isSimple = true;
  op->walk([&](Operation *nested) {
    isSimple &= nested->getNumSuccessors() == 0;
    isSimple &= llvm::all_of(nested->getRegions(), [](Region &region) { return region.empty() || region.hasOneBlock(); });
  });
  if (!isSimple)
    return wrap(static_cast<Operation *>(nullptr));
  if (rewriter) {
    auto *base = static_cast<RewriterBase *>(rewriter);
    SmallVector<Value> replacements;
    for (size_t i = 0; i < count; ++i)
      replacements.push_back(unwrap(values[i]));
    if (count)
      base->replaceAllOpUsesWith(op, replacements);
    // In the order in which a rewriter erases: users before what they use.
    if (auto *listener = dyn_cast_if_present<RewriterBase::Listener>(base->getListener()))
      op->walk<WalkOrder::PostOrder, ::mlir::ReverseIterator>(
          [&](Operation *nested) { listener->notifyOperationErased(nested); });
  }
  SmallVector<OpOperand *> operands = outerOperands(op);
  OperationState state(op->getLoc(), UnrealizedConversionCastOp::getOperationName());
  for (OpOperand *operand : operands)
    state.types.push_back(operand->get().getType());
  Operation *standIn = Operation::create(state);
  for (auto [operand, result] : llvm::zip_equal(operands, standIn->getResults()))
    operand->set(result);
  if (op->getBlock())
    op->remove();
  return wrap(standIn);
}

void ttkitDestroyAside(MlirOperation operation, MlirOperation standIn) {
  unwrap(operation)->erase();
  unwrap(standIn)->erase();
}

//===--------------------------------------------------------------------------------------------------------------===//
// nanobind's table of instances
//===--------------------------------------------------------------------------------------------------------------===//

namespace {

/// An entry: where an object of C++ is, and the object of Python for it, or with bit 0 set a list of several.
struct Bucket {
  uint32_t hash;
  int16_t distance; // negative: empty
  bool isLast;
  const void *key;
  uintptr_t value;
};

/// A tsl::robin_map<void *, void *>, as it lies in memory.
struct Table {
  size_t mask;
  const Bucket *begin, *end, *capacity;
  const Bucket *buckets;
  size_t bucketCount, count;

  /// Whether this can be one: each number in it follows from others.
  bool isConsistent() const {
    return bucketCount > 1 && (bucketCount & (bucketCount - 1)) == 0 && mask == bucketCount - 1 && begin &&
           begin == buckets && end == capacity &&
           reinterpret_cast<uintptr_t>(end) - reinterpret_cast<uintptr_t>(begin) == bucketCount * sizeof(Bucket) &&
           count <= bucketCount;
  }
};

struct List {
  void *object;
  const List *next;
};

/// Calls `act` for each instance, with its address in C++ and its object.
template <typename Action> void forEachInstance(const Table &table, Action act) {
  for (const Bucket *bucket = table.begin; bucket != table.end; ++bucket) {
    if (bucket->distance < 0)
      continue;
    if ((bucket->value & 1) == 0) {
      act(bucket->key, reinterpret_cast<void *>(bucket->value));
      continue;
    }
    for (auto *list = reinterpret_cast<const List *>(bucket->value ^ 1); list; list = list->next)
      act(bucket->key, list->object);
  }
}

/// Whether a word of an instance, `size` bytes large, is one of the addresses.
bool mentions(const void *instance, size_t size, const llvm::DenseSet<const void *> &addresses) {
  auto words = llvm::ArrayRef(static_cast<const void *const *>(instance), size / sizeof(void *));
  return llvm::any_of(words, [&](const void *word) { return addresses.contains(word); });
}

} // namespace

const void *ttkitFindInstances(const void *internals, size_t words, const void *instance, const void *object) {
  auto *start = static_cast<const size_t *>(internals);
  for (size_t offset = 0; offset + sizeof(Table) / sizeof(size_t) <= words; ++offset) {
    auto *table = reinterpret_cast<const Table *>(start + offset);
    if (!table->isConsistent())
      continue;
    size_t count = 0;
    bool isFound = false;
    for (const Bucket *bucket = table->begin; bucket != table->end; ++bucket)
      count += bucket->distance >= 0;
    if (count != table->count)
      continue;
    for (const Bucket *bucket = table->begin; bucket != table->end; ++bucket)
      isFound |= bucket->distance >= 0 && bucket->key == instance &&
                 bucket->value == reinterpret_cast<uintptr_t>(object);
    if (isFound)
      return table;
  }
  return nullptr;
}

size_t ttkitCountInstances(const void *instances) { return static_cast<const Table *>(instances)->bucketCount; }

size_t ttkitFindHeld(const TtkitContents *gone, const void *instances, const TtkitHeldTypes *types, void (*hold)(void *),
                     void **found, size_t capacity) {
  const Table &table = *static_cast<const Table *>(instances);
  if (gone->addresses.empty() || !table.isConsistent())
    return 0;
  llvm::SmallDenseMap<const void *, size_t> sizes;
  for (size_t i = 0; i < types->count; ++i)
    sizes[types->types[i]] = types->sizes[i];
  size_t count = 0;
  llvm::DenseSet<const void *> held;
  auto collect = [&](bool operations) {
    forEachInstance(table, [&](const void *instance, void *object) {
      const void *type = static_cast<void *const *>(object)[1];
      if ((type == types->types[0]) != operations)
        return;
      auto size = sizes.find(type);
      if (size == sizes.end() || !(mentions(instance, size->second, gone->addresses) ||
                                   (!operations && mentions(instance, size->second, held))))
        return;
      if (operations)
        held.insert(object);
      if (count < capacity) {
        hold(object);
        found[count] = object;
      }
      ++count;
    });
  };
  // Whatever else belongs to an operation refers to Python's object of it.
  collect(true);
  collect(false);
  return count;
}
