// Which register layouts can be loaded from tensor memory, and stored to it.
//
// Each warp reaches 32 of the 128 rows: warp w of a group of four rows 32w to 32w + 31.  One instruction moves a
// pattern of 32-bit elements, repeated along the columns.  As (lane, register) -> (row, column), fastest bit first:
//
//     32x32b     lane (1,0) (2,0) (4,0) (8,0) (16,0)
//     16x64b     lane (8,0) (0,1) (1,0) (2,0) (4,0)
//     16x128b    lane (0,1) (0,2) (1,0) (2,0) (4,0)      register (8,0)
//     16x256b    lane (0,2) (0,4) (1,0) (2,0) (4,0)      register (0,1) (8,0)
//     16x32bx2   lane (1,0) (2,0) (4,0) (8,0)            the other half of the lanes anywhere else; not in the same
//                                                        place, but for scales, whose allocations have room for copies
//
// So the map from registers, lanes and warps to rows and columns must begin with one of these; what it has beyond must
// not touch the rows and columns of the pattern.  Narrower elements are first packed, or, unpacked, have a column each.

#include "ttng/TTNG.h"

using namespace mlir;

namespace ttkit::ttng {

using ttg::Index;
using ttg::LinearLayout;

namespace {

struct Place {
  int64_t row, column;
  bool operator==(Place other) const { return row == other.row && column == other.column; }
  bool overlaps(Place other) const { return (row & other.row) || (column & other.column); }
  bool isZero() const { return row == 0 && column == 0; }
};

/// Where the bits of each register, lane and warp number lie in tensor memory.
struct Access {
  SmallVector<Place> registers, lanes, warps;

  template <typename Function> void forEach(Function function) {
    for (SmallVector<Place> *places : {&registers, &lanes, &warps})
      for (Place &place : *places)
        function(place);
  }

  /// Whether no column lies below `columns`, apart from the first `numRegisters` register bits.
  bool leavesColumns(int64_t columns, size_t numRegisters) {
    bool leaves = true;
    size_t seen = 0;
    forEach([&](Place place) { leaves &= seen++ < numRegisters || (place.column & (columns - 1)) == 0; });
    return leaves;
  }

  void divideColumns(int64_t by) {
    forEach([&](Place &place) { place.column /= by; });
  }
};

/// One instruction's pattern.
struct Pattern {
  SmallVector<Place> registers, lanes;
};

} // namespace

static ArrayRef<Pattern> getPatterns() {
  static const Pattern patterns[] = {
      {{}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}},
      {{}, {{8, 0}, {0, 1}, {1, 0}, {2, 0}, {4, 0}}},
      {{{8, 0}}, {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}},
      {{{0, 1}, {8, 0}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
      {{}, {{1, 0}, {2, 0}, {4, 0}, {8, 0}}},
  };
  return patterns;
}

/// Whether `access`, of 32-bit columns, begins with `pattern`, whose columns are `stride` apart; registers in any
/// order.
static bool matches(const Access &access, const Pattern &pattern, int64_t stride) {
  SmallVector<Place> tile, rest;
  auto split = [&](ArrayRef<Place> places, ArrayRef<Place> first) {
    if (places.size() < first.size())
      return false;
    for (auto [index, place] : llvm::enumerate(places)) {
      if (index >= first.size()) {
        rest.push_back(place);
        continue;
      }
      Place wanted = {first[index].row, first[index].column * stride};
      if (!(place == wanted))
        return false;
      tile.push_back(place);
    }
    return true;
  };
  if (!split(access.lanes, pattern.lanes) || !split(access.warps, {{32, 0}, {64, 0}}))
    return false;
  SmallVector<Place> registers(access.registers);
  for (Place place : pattern.registers) {
    Place wanted = {place.row, place.column * stride};
    auto *found = llvm::find(registers, wanted);
    if (found == registers.end())
      return false;
    registers.erase(found);
    tile.push_back(wanted);
  }
  llvm::append_range(rest, registers);
  return llvm::none_of(rest, [&](Place place) {
    return llvm::any_of(tile, [&](Place inTile) { return place.overlaps(inTile); });
  });
}

/// Whether some instruction moves `access`, whose columns are `bits` wide, of scales or other elements.
static bool isMovable(Access access, unsigned bits, bool isScales) {
  llvm::erase_if(access.registers, [](Place place) { return place.isZero(); });
  int64_t stride = 1;
  if (bits < 32) {
    // As many neighbours as fit make up one wider element.
    size_t packed = 0;
    while ((bits << (packed + 1)) <= 32 && packed < access.registers.size() &&
           access.registers[packed] == Place{0, int64_t(1) << packed} &&
           access.leavesColumns(int64_t(2) << packed, packed + 1))
      ++packed;
    if (packed > 0) {
      access.registers.erase(access.registers.begin(), access.registers.begin() + packed);
      access.divideColumns(int64_t(1) << packed);
      return isMovable(std::move(access), bits << packed, isScales);
    }
    int64_t perColumn = 32 / bits;
    if (!access.leavesColumns(perColumn, 0))
      return false;
    // 16-bit elements in columns of their own: the instruction spreads pairs of them, so a pair is one register.
    if (bits == 16) {
      stride = 2;
      if (!access.registers.empty() && access.registers.front() == Place{0, 2} && access.leavesColumns(4, 1)) {
        access.registers.erase(access.registers.begin());
      } else {
        stride = 1;
      }
    }
    access.divideColumns(perColumn);
  }
  return llvm::any_of(getPatterns(), [&](const Pattern &pattern) {
    bool halvesCoincide = pattern.lanes.size() == 4 && access.lanes.size() > 4 && access.lanes[4].isZero();
    return (!halvesCoincide || isScales) && matches(access, pattern, stride);
  });
}

/// The place of the element at `coordinates`; nothing if tensor memory does not hold it.
static std::optional<Place> findPlace(const LinearLayout &memory, ArrayRef<int64_t> coordinates) {
  Place place = {0, 0};
  for (unsigned dim = 0; dim < 2; ++dim)
    for (int64_t step = 1; step <= coordinates[dim]; step *= 2) {
      if (!(coordinates[dim] & step))
        continue;
      LinearLayout::Basis unit(2, 0);
      unit[dim] = step;
      ArrayRef<LinearLayout::Basis> rows = memory.getBases(Index::Row), columns = memory.getBases(Index::Column);
      if (const auto *row = llvm::find(rows, unit); row != rows.end())
        place.row ^= int64_t(1) << (row - rows.begin());
      else if (const auto *column = llvm::find(columns, unit); column != columns.end())
        place.column ^= int64_t(1) << (column - columns.begin());
      else
        return std::nullopt;
    }
  return place;
}

/// Why `tensor` and `buffer` do not go together; empty if they do.
static std::string findMismatch(RankedTensorType tensor, ttg::MemDescType buffer) {
  FailureOr<LinearLayout> registers = ttg::toLinearLayout(tensor), memory = ttg::toLinearLayout(buffer);
  if (failed(registers) || failed(memory) || memory->getRank() != 2)
    return "it has no linear layout";
  if (auto blocks = dyn_cast<TensorMemoryEncodingAttr>(buffer.getEncoding()); blocks && blocks.getFp4Padded())
    return "only products read padded fp4; ttg.memdesc_reinterpret gives a view of its bytes";
  ArrayRef<LinearLayout::Basis> warps = registers->getBases(Index::Warp), rows = memory->getBases(Index::Row);
  if (warps.size() < 2 || rows.size() < 7 || warps[0] != rows[5] || warps[1] != rows[6])
    return "warps=1,2 must map to rows=32,64";

  Access access;
  auto collect = [&](Index index, SmallVector<Place> &places) {
    return llvm::all_of(registers->getBases(index), [&](const LinearLayout::Basis &basis) {
      std::optional<Place> place = findPlace(*memory, basis);
      if (place)
        places.push_back(*place);
      return place.has_value();
    });
  };
  if (!collect(Index::Register, access.registers) || !collect(Index::Lane, access.lanes) ||
      !collect(Index::Warp, access.warps))
    return "tensor memory does not hold all of it";
  // Where rows repeat for the warps, the warps are still one to a quarter.
  access.warps[0] = {32, 0};
  access.warps[1] = {64, 0};
  bool isScales = isa<TensorMemoryScalesEncodingAttr>(buffer.getEncoding());
  if (!isMovable(std::move(access), buffer.getElementType().getIntOrFloatBitWidth(), isScales))
    return "no instruction moves such a tile";
  return "";
}

LogicalResult verifyTensorMemoryAccess(Operation *op, RankedTensorType tensor, ttg::MemDescType buffer,
                                       std::optional<StringRef> name) {
  if (tensor.getRank() != 2) {
    if (name)
      op->emitOpError(*name) << " must be a 2D tensor, found " << tensor;
    return failure();
  }
  if (!tensor.getEncoding())
    return success();
  std::string mismatch = findMismatch(tensor, buffer);
  if (mismatch.empty())
    return success();
  if (name)
    op->emitOpError(*name) << " layout does not suit tensor memory: " << mismatch << ", found " << tensor << " and "
                           << buffer;
  return failure();
}

} // namespace ttkit::ttng
