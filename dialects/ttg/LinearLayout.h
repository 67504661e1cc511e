// Linear layouts: where the elements of a tensor are, as a matrix over the field of two elements.
//
// A layout maps hardware indices (register, lane, warp, block; or offset, block) to tensor coordinates.  It is linear
// over GF(2).  Each *bit* of a hardware index has a vector of coordinates, its basis.  The coordinates of an index are
// the exclusive or of the bases of its set bits.  Example, a 4x8 tensor over 8 lanes of 4 registers:
//
//     register   bit 0 -> (0, 1)   bit 1 -> (0, 2)                   what each register of lanes 0 .. 3 holds:
//     lane       bit 0 -> (0, 4)   bit 1 -> (1, 0)   bit 2 -> (2, 0)
//                                                                    register  0     1     2     3
//     lane 3 = 011b, register 2 = 10b:                               lane 0  (0,0) (0,1) (0,2) (0,3)
//     (0, 4) xor (1, 0) xor (0, 2) = (1, 6)                          lane 1  (0,4) (0,5) (0,6) (0,7)
//                                                                    lane 2  (1,0) (1,1) (1,2) (1,3)
//                                                                    lane 3  (1,4) (1,5) (1,6) (1,7)
//
// - A basis of zeros means that this bit changes nothing: both indices hold the same element (*broadcasting*).
// - A basis that is not a power of two in one dimension means *swizzling*.
// - The layout is *surjective* if every element is somewhere, *injective* if no element is twice.
// - The *product* A * B puts copies of A where B's elements are: B's coordinates are scaled by A's sizes and its bits
//   follow A's.  Most layouts are products of one-dimensional identities, and are built so: append() by append().
//
// All sizes are powers of two.  Dimensions are numbered as in the tensor type.

#ifndef TTKIT_TTG_LINEARLAYOUT_H
#define TTKIT_TTG_LINEARLAYOUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace ttkit::ttg {

/// The hardware indices, in the order in which layouts list them.
enum class Index { Register, Lane, Warp, Offset, Block, Row, Column };

llvm::StringRef getName(Index index);

class LinearLayout {
public:
  /// One coordinate for each dimension.
  using Basis = llvm::SmallVector<int64_t, 4>;
  using Bases = llvm::SmallVector<Basis>;

  /// No dimensions, no indices.
  LinearLayout() = default;

  /// A single element of a tensor of `rank` dimensions, with indices of size one.
  LinearLayout(unsigned rank, llvm::ArrayRef<Index> indices);

  /// The layout with these bases.  Each dimension has the smallest size that holds all coordinates.
  static LinearLayout fromBases(unsigned rank, llvm::ArrayRef<std::pair<Index, Bases>> bases);

  // --- Reading ------------------------------------------------------------------------------------------------------
  unsigned getRank() const { return sizes.size(); }
  llvm::ArrayRef<int64_t> getSizes() const { return sizes; }
  int64_t getSize(unsigned dim) const { return sizes[dim]; }
  llvm::SmallVector<Index> getIndices() const;
  bool has(Index index) const { return find(index) != nullptr; }
  /// The bases of `index`, bit 0 first; none if the layout has no such index.
  llvm::ArrayRef<Basis> getBases(Index index) const;
  /// How many values `index` takes; one if the layout has no such index.
  int64_t getIndexSize(Index index) const { return int64_t{1} << getBases(index).size(); }

  bool isSurjective() const;
  bool isInjective() const;
  bool isInvertible() const { return isSurjective() && isInjective(); }
  bool operator==(const LinearLayout &other) const { return sizes == other.sizes && inputs == other.inputs; }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }
  friend llvm::hash_code hash_value(const LinearLayout &layout);

  // --- Building, fastest first --------------------------------------------------------------------------------------
  /// The product with an identity: the next bits of `index` count `size` steps along `dim`.
  LinearLayout &append(Index index, unsigned dim, int64_t size);
  /// append() for each dimension, in `order`.
  LinearLayout &append(Index index, llvm::ArrayRef<unsigned> shape, llvm::ArrayRef<unsigned> order);
  /// The next bits of `index`, `size` values of it, all hold the same element.
  LinearLayout &broadcast(Index index, int64_t size);
  /// The product with `outer`.
  LinearLayout &operator*=(const LinearLayout &outer);
  /// Adds an index of size one, if there is none.
  LinearLayout &require(Index index);

  // --- Fitting a shape ----------------------------------------------------------------------------------------------
  /// Repeats the layout, over more values of `index`, until it is at least as large as `shape`; dimensions in `order`.
  void grow(Index index, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<unsigned> order);
  /// Folds what lies outside of `shape` into it; registers that so become copies stay as such, or are dropped.
  void shrink(llvm::ArrayRef<int64_t> shape, bool dropRegisters = false);

  // --- Changing dimensions ------------------------------------------------------------------------------------------
  /// Dimension i of the result is dimension order[i].
  LinearLayout permute(llvm::ArrayRef<int32_t> order) const;
  /// The layout of the same elements, counted in row-major order, in a tensor of `shape`; same number of elements.
  LinearLayout reshape(llvm::ArrayRef<int64_t> shape) const;
  /// Without dimension `dim`, whatever the coordinates in it.
  LinearLayout dropDim(unsigned dim) const;
  /// With a new dimension of size one at `dim`.
  LinearLayout insertDim(unsigned dim) const;
  /// Only this index, all dimensions.
  LinearLayout sublayout(Index index) const;
  /// Without the bits of `index` that only broadcast.
  LinearLayout withoutBroadcast(Index index) const;
  /// With other bases for `index`, and sizes as fromBases() finds them.
  LinearLayout withBases(Index index, Bases bases) const;

  /// `register = [[0, 1], [0, 2]], lane = []`
  void print(llvm::raw_ostream &os) const;

private:
  struct Input {
    Index index;
    Bases bases;
    bool operator==(const Input &other) const { return index == other.index && bases == other.bases; }
  };
  const Input *find(Index index) const;
  Bases &getOrInsert(Index index);
  unsigned getMatrixRank() const;
  unsigned countBits() const;
  LinearLayout mapBases(unsigned rank, llvm::function_ref<Basis(const Basis &)> map) const;

  llvm::SmallVector<Input, 4> inputs; // sorted by index
  llvm::SmallVector<int64_t, 4> sizes;
};

inline bool isPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

} // namespace ttkit::ttg

#endif // TTKIT_TTG_LINEARLAYOUT_H
