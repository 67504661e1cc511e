// The tt dialect in C++: its types and enumerations.  Operations are in the headers of their families, tt/memory_ops.h
// and so on, which CMake makes of `family.h.in`.

#ifndef TTKIT_TT_TT_H
#define TTKIT_TT_TT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tt/LayoutInterface.h"
#include "tt/Traits.h"

#include "tt/Dialect.h.inc"
#include "tt/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tt/Attrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tt/Types.h.inc"

namespace ttkit {

/// Registers operations of a family, for `family.cpp.in`.
template <typename... Ops> void registerOperations(mlir::Dialect &dialect) {
  (mlir::RegisteredOperationName::insert<Ops>(dialect), ...);
}

} // namespace ttkit

namespace ttkit::tt {

/// Memory that kernels share with the host: loads, stores and atomics on pointers and descriptors.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  mlir::StringRef getName() final { return "<GlobalMemory>"; }
};

/// True for `!tt.ptr<tensor<...>>`.
bool isTensorPointerType(mlir::Type type);

/// What a load through `type` gives: T for !tt.ptr<T>, tensor<AxT> for tensor<Ax!tt.ptr<T>>; null for other types.
mlir::Type getPointeeType(mlir::Type type);

/// i1 with the shape and layout of `type`.
mlir::Type getI1SameShape(mlir::Type type);

/// A pointer, in `addressSpace`, with the shape and layout of `type`, to its element type.
mlir::Type getPointerTypeSameShape(mlir::Type type, int addressSpace = 1);

/// Checks that an atomic update `kind` can be of elements of `type`: sums of floats and of integers have two names.
mlir::LogicalResult verifyUpdatedType(mlir::Operation *op, RMWOp kind, mlir::Type type);

/// The pointer to one element of the block that a block pointer points to; null for other types.
mlir::Type getBlockBasePointerType(mlir::Type type);

/// Bits of one element of `type`; 64 for pointers.
unsigned getElementBitWidth(mlir::Type type);

/// Checks that `rows`, a tensor or a memory descriptor, has the shape of rows, one for each of `offsets`, that the
/// tensor memory accelerator can gather or scatter.
mlir::LogicalResult verifyGatheredRows(mlir::Operation *op, mlir::RankedTensorType offsets, mlir::ShapedType rows);

} // namespace ttkit::tt

#endif // TTKIT_TT_TT_H
