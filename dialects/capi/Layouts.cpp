// Layouts for Python: as text, through operations, and what a conversion between them moves.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Utils.h"
#include "ttg/LayoutInference.h"
#include "ttng/TTNG.h"

using namespace mlir;
using namespace ttkit;

/// Applies `infer` to the interface of the layout's dialect.
static MlirAttribute inferLayout(MlirAttribute layout,
                                 function_ref<FailureOr<Attribute>(const tt::LayoutInterface &, Attribute)> infer) {
  const tt::LayoutInterface *interface = tt::getLayoutInterface(unwrap(layout));
  FailureOr<Attribute> result = interface ? infer(*interface, unwrap(layout)) : FailureOr<Attribute>();
  return wrap(succeeded(result) ? *result : Attribute());
}

static FailureOr<ttg::LinearLayout> toLinearLayout(MlirType type) {
  auto tensor = dyn_cast<RankedTensorType>(unwrap(type));
  return tensor ? ttg::toLinearLayout(tensor) : FailureOr<ttg::LinearLayout>();
}

bool ttkitPrintLinearLayout(MlirType type, MlirStringCallback callback, void *userData) {
  FailureOr<ttg::LinearLayout> layout = failure();
  if (auto tensor = dyn_cast<RankedTensorType>(unwrap(type)))
    layout = ttg::toLinearLayout(tensor);
  else if (auto memory = dyn_cast<ttg::MemDescType>(unwrap(type)))
    layout = ttg::toLinearLayout(memory);
  if (failed(layout))
    return false;
  detail::CallbackOstream stream(callback, userData);
  layout->print(stream);
  return true;
}

MlirAttribute ttkitInferTransLayout(MlirAttribute layout, intptr_t rank, const int64_t *shape, const int32_t *order) {
  return inferLayout(layout, [&](const tt::LayoutInterface &interface, Attribute source) {
    return interface.inferTrans(source, {shape, size_t(rank)}, {order, size_t(rank)}, std::nullopt);
  });
}

MlirAttribute ttkitInferReduceLayout(MlirAttribute layout, unsigned axis) {
  return inferLayout(layout, [&](const tt::LayoutInterface &interface, Attribute source) {
    return interface.inferReduce(source, axis, std::nullopt);
  });
}

MlirAttribute ttkitInferExpandDimsLayout(MlirAttribute layout, unsigned axis) {
  return inferLayout(layout, [&](const tt::LayoutInterface &interface, Attribute source) {
    return interface.inferExpandDims(source, axis, std::nullopt);
  });
}

MlirAttribute ttkitInferReshapeLayout(MlirAttribute layout, intptr_t rank, const int64_t *shape, intptr_t resultRank,
                                      const int64_t *resultShape) {
  return inferLayout(layout, [&](const tt::LayoutInterface &interface, Attribute source) {
    return interface.inferReshape({shape, size_t(rank)}, source, {resultShape, size_t(resultRank)}, std::nullopt);
  });
}

MlirAttribute ttkitInferJoinLayout(MlirAttribute layout, intptr_t rank, const int64_t *shape) {
  return inferLayout(layout, [&](const tt::LayoutInterface &interface, Attribute source) {
    return interface.inferJoin(source, {shape, size_t(rank)}, std::nullopt);
  });
}

MlirAttribute ttkitInferSplitLayout(MlirAttribute layout, intptr_t rank, const int64_t *shape) {
  return inferLayout(layout, [&](const tt::LayoutInterface &interface, Attribute source) {
    return interface.inferSplit(source, {shape, size_t(rank)}, std::nullopt);
  });
}

MlirAttribute ttkitInferFp4ToFpLayout(MlirAttribute layout, intptr_t rank, const int64_t *shape, unsigned axis,
                                      bool forward) {
  FailureOr<Attribute> result =
      ttg::inferFp4ToFpLayout({shape, size_t(rank)}, axis, unwrap(layout), forward, std::nullopt);
  return wrap(succeeded(result) ? *result : Attribute());
}

bool ttkitConvertsWithinThreads(MlirType source, MlirType result) {
  FailureOr<ttg::LinearLayout> before = toLinearLayout(source), after = toLinearLayout(result);
  // Registers then span the same elements: both layouts cover the whole tensor.
  return succeeded(before) && succeeded(after) &&
         llvm::all_of(std::array{ttg::Index::Lane, ttg::Index::Warp, ttg::Index::Block},
                      [&](ttg::Index index) { return before->getBases(index) == after->getBases(index); });
}

bool ttkitFitsTensorMemory(MlirType tensor, MlirType buffer) {
  auto values = dyn_cast<RankedTensorType>(unwrap(tensor));
  auto memory = dyn_cast<ttg::MemDescType>(unwrap(buffer));
  return values && memory && succeeded(ttng::verifyTensorMemoryAccess(nullptr, values, memory, std::nullopt));
}

bool ttkitIsExpensiveView(MlirType source, MlirType result) {
  auto before = dyn_cast<RankedTensorType>(unwrap(source)), after = dyn_cast<RankedTensorType>(unwrap(result));
  return !before || !after || ttg::isExpensiveView(before, after);
}

int64_t ttkitRegistersPerThread(MlirType type) {
  FailureOr<ttg::LinearLayout> layout = toLinearLayout(type);
  return succeeded(layout) ? layout->getIndexSize(ttg::Index::Register) : 0;
}

int64_t ttkitLanesAlongAxis(MlirType type, unsigned axis, bool ofWarps) {
  FailureOr<ttg::LinearLayout> layout = toLinearLayout(type);
  if (failed(layout) || axis >= layout->getRank())
    return 0;
  auto bases = layout->getBases(ofWarps ? ttg::Index::Warp : ttg::Index::Lane);
  return int64_t{1} << llvm::count_if(bases, [&](const auto &basis) { return basis[axis] != 0; });
}

int ttkitNumWarps(MlirOperation operation) { return ttg::lookupNumWarps(unwrap(operation)).value_or(0); }

int ttkitThreadsPerWarp(MlirOperation operation) { return ttg::lookupThreadsPerWarp(unwrap(operation)); }
