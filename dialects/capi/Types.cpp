// Construction and inspection of the tt and ttg types.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "ttg/TTG.h"
#include "ttng/TTNG.h"

using namespace mlir;
using ttkit::tt::CachePolicyAttr;
using ttkit::tt::PointerType;
using ttkit::tt::TensorDescType;
using ttkit::ttg::AsyncTokenType;
using ttkit::ttg::MemDescType;

/// `T::getChecked` with its diagnostics dropped.
template <typename T, typename... Args> static MlirType getSilently(MLIRContext *context, Args &&...args) {
  ScopedDiagnosticHandler drop(context, [](Diagnostic &) { return success(); });
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  return wrap(Type(T::getChecked(emitError, std::forward<Args>(args)...)));
}

MlirTypeID ttkitTypeID(const char *name) {
  llvm::StringRef asked(name);
  if (asked == PointerType::name)
    return wrap(TypeID::get<PointerType>());
  if (asked == TensorDescType::name)
    return wrap(TypeID::get<TensorDescType>());
  if (asked == MemDescType::name)
    return wrap(TypeID::get<MemDescType>());
  if (asked == AsyncTokenType::name)
    return wrap(TypeID::get<AsyncTokenType>());
  return {nullptr};
}

// --- !tt.ptr ---------------------------------------------------------------------------------------------------------
MlirType ttkitPointerTypeGet(MlirType pointee, int addressSpace) {
  Type type = unwrap(pointee);
  return getSilently<PointerType>(type.getContext(), type, addressSpace);
}

MlirType ttkitPointerTypeGetPointee(MlirType type) { return wrap(cast<PointerType>(unwrap(type)).getPointeeType()); }

int ttkitPointerTypeGetAddressSpace(MlirType type) { return cast<PointerType>(unwrap(type)).getAddressSpace(); }

// --- !tt.tensordesc --------------------------------------------------------------------------------------------------
MlirType ttkitTensorDescTypeGet(MlirType blockType, bool im2col) {
  auto type = dyn_cast<RankedTensorType>(unwrap(blockType));
  return wrap(type ? Type(TensorDescType::get(type.getContext(), type, im2col)) : Type());
}

bool ttkitTensorDescTypeIsIm2col(MlirType type) { return cast<TensorDescType>(unwrap(type)).getIm2col(); }

MlirType ttkitTensorDescTypeGetBlockType(MlirType type) {
  return wrap(cast<TensorDescType>(unwrap(type)).getBlockType());
}

// --- !ttg.async.token ------------------------------------------------------------------------------------------------
MlirType ttkitAsyncTokenTypeGet(MlirContext context) {
  // No operation need have loaded the dialect yet.
  unwrap(context)->getOrLoadDialect<ttkit::ttg::TTGDialect>();
  return wrap(AsyncTokenType::get(unwrap(context)));
}

// --- !ttg.memdesc ----------------------------------------------------------------------------------------------------
MlirType ttkitMemDescTypeGet(intptr_t rank, const int64_t *shape, MlirType elementType, MlirAttribute encoding,
                             MlirAttribute memorySpace, bool isMutable, intptr_t allocRank,
                             const int64_t *allocShape) {
  MLIRContext *context = unwrap(elementType).getContext();
  return getSilently<MemDescType>(context, llvm::ArrayRef(shape, rank), unwrap(elementType), unwrap(encoding),
                                  unwrap(memorySpace), isMutable, llvm::ArrayRef(allocShape, allocRank));
}

intptr_t ttkitMemDescTypeGetRank(MlirType type) { return cast<MemDescType>(unwrap(type)).getShape().size(); }

const int64_t *ttkitMemDescTypeGetShape(MlirType type) { return cast<MemDescType>(unwrap(type)).getShape().data(); }

intptr_t ttkitMemDescTypeGetAllocRank(MlirType type) { return cast<MemDescType>(unwrap(type)).getAllocShape().size(); }

const int64_t *ttkitMemDescTypeGetAllocShape(MlirType type) {
  return cast<MemDescType>(unwrap(type)).getAllocShape().data();
}

MlirType ttkitMemDescTypeGetElementType(MlirType type) {
  return wrap(cast<MemDescType>(unwrap(type)).getElementType());
}

MlirAttribute ttkitMemDescTypeGetEncoding(MlirType type) { return wrap(cast<MemDescType>(unwrap(type)).getEncoding()); }

MlirAttribute ttkitMemDescTypeGetMemorySpace(MlirType type) {
  return wrap(cast<MemDescType>(unwrap(type)).getMemorySpace());
}

bool ttkitMemDescTypeIsMutable(MlirType type) { return cast<MemDescType>(unwrap(type)).getMutableMemory(); }

MlirAttribute ttkitCachePolicyGetFields(MlirAttribute policy) {
  if (auto found = dyn_cast<ttng::CachePolicyAttr>(unwrap(policy)))
    return wrap(found.getFields());
  auto found = dyn_cast<CachePolicyAttr>(unwrap(policy));
  if (!found)
    return MlirAttribute{nullptr};
  Builder builder(found.getContext());
  SmallVector<NamedAttribute> fields;
  bool caches = found.getCacheModifier() != ttkit::tt::CacheModifier::NONE;
  if (caches)
    fields.push_back(builder.getNamedAttr(
        "cache_modifier", builder.getStringAttr(stringifyCacheModifier(found.getCacheModifier()))));
  if (found.getEvictionPolicy() != ttkit::tt::EvictionPolicy::NORMAL) {
    auto evict = builder.getStringAttr(stringifyEvictionPolicy(found.getEvictionPolicy()));
    if (!caches)
      fields.push_back(builder.getNamedAttr("l1", evict));
    fields.push_back(builder.getNamedAttr("l2_primary", evict));
    fields.push_back(builder.getNamedAttr("l2_secondary", builder.getStringAttr("evict_unchanged")));
    fields.push_back(builder.getNamedAttr("l2_fraction", builder.getF32FloatAttr(1)));
  }
  return wrap(builder.getDictionaryAttr(fields));
}
