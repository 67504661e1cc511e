// What the conversions of layouts to linear layouts share.

#ifndef TTKIT_TTG_LAYOUTCONVERSION_H
#define TTKIT_TTG_LAYOUTCONVERSION_H

#include "ttg/TTG.h"

namespace ttkit::ttg {

/// True if `shape` has `rank` dimensions, all powers of two, of at most 2^31 elements in all: what linear layouts can
/// describe.
bool isLinearShape(llvm::ArrayRef<int64_t> shape, unsigned rank);

/// The layout of a tensor of `shape` over a cluster: each CTA repeats `tile`, along dimensions in `order`, until it has
/// its part of the tensor, or holds a smaller part several times; `cga` says which part.
LinearLayout coverShape(LinearLayout tile, Index repeatedIndex, const LinearLayout &cga, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<unsigned> order);

/// [rank-1, ..., 1, 0], or with the first two exchanged: the matrix in the last two dimensions is row-major, or not.
llvm::SmallVector<unsigned> getMatrixOrder(unsigned rank, bool rowMajor);

/// The order in which an operand's elements are consecutive along K first, or along M (N) first.
llvm::SmallVector<unsigned> getDotOperandOrder(unsigned opIdx, unsigned rank, bool kContiguous);

/// Adds `index` over `shape` in `order`, with copies instead of steps along the reduced dimension `kDim`.
void appendBroadcastingK(LinearLayout &layout, Index index, llvm::ArrayRef<unsigned> shape,
                         llvm::ArrayRef<unsigned> order, unsigned kDim);

/// The dimensions along which `index` moves, in the order of its bits, and then the rest of `defaultOrder`.
llvm::SmallVector<unsigned> getIndexOrder(const LinearLayout &layout, Index index,
                                          llvm::ArrayRef<unsigned> defaultOrder);

/// The `block` part of a whole layout, in units of what one CTA holds.
LinearLayout extractCGALayout(const LinearLayout &layout);

} // namespace ttkit::ttg

#endif // TTKIT_TTG_LAYOUTCONVERSION_H
