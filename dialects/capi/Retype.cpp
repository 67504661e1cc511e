// Changing the types of a whole module, as a change of layouts does.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace {

/// An operation that folds, and to what.
struct Folded {
  Operation *op;
  SmallVector<OpFoldResult> results;
};

/// Folds `op`, in place as often as it can be (a fold that always changes something would never end).
bool fold(Operation *op, SmallVectorImpl<OpFoldResult> &results) {
  constexpr int maxInPlaceFolds = 16;
  for (int i = 0; i < maxInPlaceFolds && succeeded(op->fold(results)); ++i)
    if (!results.empty())
      return true;
  return false;
}

/// The values that `folded` is replaced by, with constants made in front of it; nothing if that is impossible.
SmallVector<Value> materialize(const Folded &folded, const llvm::DenseMap<Value, Value> &replaced) {
  OpBuilder builder(folded.op);
  SmallVector<Value> values;
  SmallVector<Operation *> constants;
  for (auto [old, result] : llvm::zip_equal(folded.op->getResults(), folded.results)) {
    auto value = dyn_cast<Value>(result);
    if (auto attribute = dyn_cast<Attribute>(result)) {
      Operation *constant =
          folded.op->getDialect()->materializeConstant(builder, attribute, old.getType(), folded.op->getLoc());
      if (constant)
        constants.push_back(constant);
      value = constant ? constant->getResult(0) : Value();
    }
    for (auto it = replaced.find(value); value && it != replaced.end(); it = replaced.find(value))
      value = it->second;
    if (!value || value.getType() != old.getType()) {
      for (Operation *constant : constants)
        constant->erase();
      return {};
    }
    values.push_back(value);
  }
  return values;
}

} // namespace

size_t ttkitValueTypes(MlirOperation root, MlirType *found, size_t capacity) {
  llvm::SetVector<Type> types;
  unwrap(root)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    types.insert(op->result_type_begin(), op->result_type_end());
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      types.insert_range(function.getArgumentTypes());
      types.insert_range(function.getResultTypes());
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        types.insert_range(block.getArgumentTypes());
  });
  for (size_t i = 0; i < types.size() && i < capacity; ++i)
    found[i] = wrap(types[i]);
  return types.size();
}

void ttkitReplaceTypes(MlirOperation root, const MlirType *from, const MlirType *to, size_t count) {
  llvm::DenseMap<Type, Type> table;
  for (size_t i = 0; i < count; ++i)
    table[unwrap(from[i])] = unwrap(to[i]);
  auto replaced = [&](Type type) { return table.lookup_or(type, type); };
  unwrap(root)->walk([&](Operation *op) {
    for (OpResult result : op->getResults())
      result.setType(replaced(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(replaced(argument.getType()));
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      auto arguments = llvm::map_to_vector(function.getArgumentTypes(), replaced);
      auto results = llvm::map_to_vector(function.getResultTypes(), replaced);
      // Types of functions of other dialects may have no room for what is asked for (llvm.func, without results).
      if (arguments != function.getArgumentTypes() || results != function.getResultTypes())
        if (Type type = function.cloneTypeWith(arguments, results))
          function.setType(type);
    }
    if (!op->hasTrait<OpTrait::ConstantLike>())
      return;
    for (NamedAttribute attribute : op->getAttrs())
      if (auto elements = dyn_cast<DenseElementsAttr>(attribute.getValue()))
        if (auto type = dyn_cast<ShapedType>(replaced(elements.getType())))
          op->setAttr(attribute.getName(), elements.reshape(type));
  });
}

void ttkitFoldOnce(MlirOperation root, const MlirType *types, size_t count) {
  llvm::DenseSet<Type> wanted;
  for (size_t i = 0; i < count; ++i)
    wanted.insert(unwrap(types[i]));
  auto isWanted = [&](Type type) { return wanted.contains(type); };
  SmallVector<Folded> all;
  unwrap(root)->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == unwrap(root) || op->hasTrait<OpTrait::ConstantLike>() ||
        (llvm::none_of(op->getResultTypes(), isWanted) && llvm::none_of(op->getOperandTypes(), isWanted)))
      return WalkResult::advance();
    Folded folded{op, {}};
    if (!fold(op, folded.results))
      return WalkResult::advance();
    all.push_back(std::move(folded));
    return WalkResult::skip();
  });
  llvm::DenseMap<Value, Value> replaced;
  for (Folded &folded : all) {
    SmallVector<Value> values = materialize(folded, replaced);
    if (values.empty())
      continue;
    for (auto [old, value] : llvm::zip_equal(folded.op->getResults(), values)) {
      old.replaceAllUsesWith(value);
      replaced[old] = value;
    }
  }
  for (Folded &folded : all)
    if (folded.op->getNumResults() && replaced.contains(folded.op->getResult(0)))
      folded.op->erase();
}
