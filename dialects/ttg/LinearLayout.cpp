// Linear layouts over GF(2); LinearLayout.h says what they are.

#include "ttg/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ttkit::ttg {

StringRef getName(Index index) {
  static constexpr StringLiteral names[] = {"register", "lane", "warp", "offset", "block", "row", "col"};
  return names[static_cast<unsigned>(index)];
}

LinearLayout::LinearLayout(unsigned rank, ArrayRef<Index> indices) : sizes(rank, 1) {
  for (Index index : indices)
    require(index);
}

/// The smallest power of two above `coordinate`.
static int64_t sizeHolding(int64_t coordinate) { return static_cast<int64_t>(llvm::NextPowerOf2(coordinate)); }

LinearLayout LinearLayout::fromBases(unsigned rank, ArrayRef<std::pair<Index, Bases>> bases) {
  LinearLayout layout(rank, {});
  for (const auto &[index, vectors] : bases) {
    layout.getOrInsert(index) = vectors;
    for (const Basis &basis : vectors)
      for (unsigned dim = 0; dim < rank; ++dim)
        layout.sizes[dim] = std::max(layout.sizes[dim], sizeHolding(basis[dim]));
  }
  return layout;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Reading
//===--------------------------------------------------------------------------------------------------------------===//

const LinearLayout::Input *LinearLayout::find(Index index) const {
  for (const Input &input : inputs)
    if (input.index == index)
      return &input;
  return nullptr;
}

LinearLayout::Bases &LinearLayout::getOrInsert(Index index) {
  auto *it = llvm::lower_bound(inputs, index, [](const Input &input, Index i) { return input.index < i; });
  if (it == inputs.end() || it->index != index)
    it = inputs.insert(it, Input{index, {}});
  return it->bases;
}

SmallVector<Index> LinearLayout::getIndices() const {
  return llvm::map_to_vector(inputs, [](const Input &input) { return input.index; });
}

ArrayRef<LinearLayout::Basis> LinearLayout::getBases(Index index) const {
  const Input *input = find(index);
  return input ? ArrayRef(input->bases) : ArrayRef<Basis>();
}

unsigned LinearLayout::countBits() const {
  unsigned bits = 0;
  for (const Input &input : inputs)
    bits += input.bases.size();
  return bits;
}

/// Gaussian elimination: each vector is reduced by those kept before it, whose highest bits all differ.
unsigned LinearLayout::getMatrixRank() const {
  struct Row {
    unsigned dim;
    int64_t highestBit;
    Basis vector;
  };
  SmallVector<Row> rows;
  for (const Input &input : inputs) {
    for (Basis vector : input.bases) {
      for (const Row &row : rows)
        if (vector[row.dim] & row.highestBit)
          for (unsigned dim = 0; dim < sizes.size(); ++dim)
            vector[dim] ^= row.vector[dim];
      auto *nonzero = llvm::find_if(vector, [](int64_t coordinate) { return coordinate != 0; });
      if (nonzero == vector.end())
        continue;
      auto dim = static_cast<unsigned>(nonzero - vector.begin());
      rows.push_back({dim, static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(*nonzero))), vector});
    }
  }
  return rows.size();
}

bool LinearLayout::isSurjective() const {
  unsigned bits = 0;
  for (int64_t size : sizes)
    bits += llvm::Log2_64(size);
  return getMatrixRank() == bits;
}

bool LinearLayout::isInjective() const { return getMatrixRank() == countBits(); }

llvm::hash_code hash_value(const LinearLayout &layout) {
  llvm::hash_code hash = llvm::hash_combine_range(layout.sizes);
  for (const auto &input : layout.inputs) {
    hash = llvm::hash_combine(hash, input.index, input.bases.size());
    for (const LinearLayout::Basis &basis : input.bases)
      hash = llvm::hash_combine(hash, llvm::hash_combine_range(basis));
  }
  return hash;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Building
//===--------------------------------------------------------------------------------------------------------------===//

LinearLayout &LinearLayout::require(Index index) {
  getOrInsert(index);
  return *this;
}

LinearLayout &LinearLayout::append(Index index, unsigned dim, int64_t size) {
  Bases &bases = getOrInsert(index);
  for (; size > 1; size /= 2) {
    Basis basis(sizes.size(), 0);
    basis[dim] = sizes[dim];
    bases.push_back(std::move(basis));
    sizes[dim] *= 2;
  }
  return *this;
}

LinearLayout &LinearLayout::append(Index index, ArrayRef<unsigned> shape, ArrayRef<unsigned> order) {
  for (unsigned dim : order)
    append(index, dim, shape[dim]);
  return *this;
}

LinearLayout &LinearLayout::broadcast(Index index, int64_t size) {
  Bases &bases = getOrInsert(index);
  for (; size > 1; size /= 2)
    bases.push_back(Basis(sizes.size(), 0));
  return *this;
}

LinearLayout &LinearLayout::operator*=(const LinearLayout &outer) {
  for (const Input &input : outer.inputs) {
    Bases &bases = getOrInsert(input.index);
    for (Basis basis : input.bases) {
      for (auto [coordinate, size] : llvm::zip_equal(basis, sizes))
        coordinate *= size;
      bases.push_back(std::move(basis));
    }
  }
  for (auto [size, factor] : llvm::zip_equal(sizes, outer.sizes))
    size *= factor;
  return *this;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Fitting a shape
//===--------------------------------------------------------------------------------------------------------------===//

void LinearLayout::grow(Index index, ArrayRef<int64_t> shape, ArrayRef<unsigned> order) {
  for (unsigned dim : order)
    append(index, dim, shape[dim] / sizes[dim]);
}

void LinearLayout::shrink(ArrayRef<int64_t> shape, bool dropRegisters) {
  for (Input &input : inputs) {
    Bases kept;
    for (Basis &basis : input.bases) {
      bool outside = false;
      for (unsigned dim = 0; dim < sizes.size(); ++dim) {
        outside |= basis[dim] >= shape[dim];
        basis[dim] &= shape[dim] - 1;
      }
      if (!(outside && dropRegisters && input.index == Index::Register))
        kept.push_back(std::move(basis));
    }
    input.bases = std::move(kept);
  }
  for (auto [size, limit] : llvm::zip_equal(sizes, shape))
    size = std::min(size, limit);
}

//===--------------------------------------------------------------------------------------------------------------===//
// Changing dimensions
//===--------------------------------------------------------------------------------------------------------------===//

/// The layout whose bases are `map` of this one's; the sizes are left to the caller.
LinearLayout LinearLayout::mapBases(unsigned rank, function_ref<Basis(const Basis &)> map) const {
  LinearLayout result(rank, {});
  for (const Input &input : inputs)
    result.inputs.push_back({input.index, llvm::map_to_vector(input.bases, map)});
  return result;
}

LinearLayout LinearLayout::permute(ArrayRef<int32_t> order) const {
  auto pick = [&](ArrayRef<int64_t> values) {
    return Basis(llvm::map_range(order, [&](int32_t dim) { return values[dim]; }));
  };
  LinearLayout result = mapBases(order.size(), pick);
  result.sizes = pick(sizes);
  return result;
}

LinearLayout LinearLayout::reshape(ArrayRef<int64_t> shape) const {
  // No carries: all sizes are powers of two, so each bit of a flat index stays one bit of some coordinate.
  LinearLayout result = mapBases(shape.size(), [&](const Basis &basis) {
    int64_t flat = 0;
    for (auto [coordinate, size] : llvm::zip_equal(basis, sizes))
      flat = flat * size + coordinate;
    Basis coordinates(shape.size());
    for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim) {
      coordinates[dim] = flat % shape[dim];
      flat /= shape[dim];
    }
    return coordinates;
  });
  result.sizes.assign(shape.begin(), shape.end());
  return result;
}

LinearLayout LinearLayout::dropDim(unsigned dim) const {
  auto drop = [&](Basis values) {
    values.erase(values.begin() + dim);
    return values;
  };
  LinearLayout result = mapBases(sizes.size() - 1, drop);
  result.sizes = drop(sizes);
  return result;
}

LinearLayout LinearLayout::insertDim(unsigned dim) const {
  LinearLayout result = mapBases(sizes.size() + 1, [&](Basis basis) {
    basis.insert(basis.begin() + dim, 0);
    return basis;
  });
  result.sizes = sizes;
  result.sizes.insert(result.sizes.begin() + dim, 1);
  return result;
}

LinearLayout LinearLayout::sublayout(Index index) const {
  LinearLayout result(sizes.size(), index);
  result.getOrInsert(index) = Bases(getBases(index));
  result.sizes = sizes;
  return result;
}

LinearLayout LinearLayout::withoutBroadcast(Index index) const {
  LinearLayout result = *this;
  llvm::erase_if(result.getOrInsert(index), [](const Basis &basis) {
    return llvm::all_of(basis, [](int64_t coordinate) { return coordinate == 0; });
  });
  return result;
}

LinearLayout LinearLayout::withBases(Index index, Bases bases) const {
  SmallVector<std::pair<Index, Bases>> all;
  for (const Input &input : inputs)
    all.push_back({input.index, input.index == index ? bases : input.bases});
  return fromBases(sizes.size(), all);
}

void LinearLayout::print(raw_ostream &os) const {
  llvm::interleaveComma(inputs, os, [&](const Input &input) {
    os << getName(input.index) << " = [";
    llvm::interleaveComma(input.bases, os, [&](const Basis &basis) {
      os << "[";
      llvm::interleaveComma(basis, os);
      os << "]";
    });
    os << "]";
  });
}

} // namespace ttkit::ttg
