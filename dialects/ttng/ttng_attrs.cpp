// The layouts of tensor memory.

#include "ttng/TTNG.h"

#include "ttg/LayoutFields.h"

using namespace mlir;

#define GET_ATTRDEF_CLASSES
#include "ttng/Attrs.cpp.inc"

namespace ttkit::ttng {

using ttg::Index;
using ttg::isPowerOfTwo;
using ttg::LinearLayout;

void TTNGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ttng/Attrs.cpp.inc"
      >();
}

/// Rows of tensor memory, and 32-bit columns.
constexpr int64_t kNumColumns = 512;

//===--------------------------------------------------------------------------------------------------------------===//
// What both layouts share
//===--------------------------------------------------------------------------------------------------------------===//

static LogicalResult verifyMemorySpace(function_ref<InFlightDiagnostic()> emitError, Attribute memorySpace) {
  if (!isa<TensorMemorySpaceAttr>(memorySpace))
    return emitError() << "memorySpace must be TensorMemorySpace, found " << memorySpace;
  return success();
}

static LinearLayout makeCGALayout(unsigned splitM, unsigned splitN) {
  LinearLayout layout(2, {Index::Block});
  layout.append(Index::Block, 0, splitM);
  layout.append(Index::Block, 1, splitN);
  return layout;
}

static bool isMatrixSplit(unsigned splitM, unsigned splitN, const LinearLayout &cga) {
  return ttg::getCTASplitNum(cga) == SmallVector<unsigned>{splitM, splitN};
}

/// Takes CTASplitM and CTASplitN, or the CGALayout that says more.
static FailureOr<LinearLayout> getCluster(ttg::LayoutFields &fields, unsigned &splitM, unsigned &splitN) {
  bool isSplit = fields.has("CTASplitM") || fields.has("CTASplitN");
  if (fields.get("CTASplitM", splitM) || fields.get("CTASplitN", splitN))
    return failure();
  if (!isPowerOfTwo(splitM) || !isPowerOfTwo(splitN))
    return fields.emitError() << "CTASplitM and CTASplitN must be greater than 0 and a power of 2, found " << splitM
                              << " and " << splitN,
           failure();
  if (isSplit)
    return makeCGALayout(splitM, splitN);
  FailureOr<LinearLayout> cga = fields.getCGA(2);
  if (succeeded(cga)) {
    SmallVector<unsigned> split = ttg::getCTASplitNum(*cga);
    splitM = split[0], splitN = split[1];
  }
  return cga;
}

static void printCluster(ttg::LayoutPrinter &fields, unsigned splitM, unsigned splitN, const LinearLayout &cga) {
  if (cga != makeCGALayout(splitM, splitN))
    return fields.printCGA(cga);
  if (splitM != 1)
    fields.print("CTASplitM", splitM);
  if (splitN != 1)
    fields.print("CTASplitN", splitN);
}

/// The part of a matrix of `shape` that each CTA holds; nothing if it cannot be cut so.
static std::optional<std::array<int64_t, 2>> getPart(ArrayRef<int64_t> shape, int64_t splitM, int64_t splitN) {
  if (shape.size() != 2 || !isPowerOfTwo(shape[0]) || !isPowerOfTwo(shape[1]) || shape[0] < splitM || shape[1] < splitN)
    return std::nullopt;
  return std::array<int64_t, 2>{shape[0] / splitM, shape[1] / splitN};
}

/// Bits that count from `begin` to `end` along `dim`.
static void appendSteps(LinearLayout::Bases &bases, unsigned dim, int64_t begin, int64_t end) {
  for (int64_t step = begin; step < end; step *= 2)
    bases.push_back(dim == 0 ? LinearLayout::Basis{step, 0} : LinearLayout::Basis{0, step});
}

/// The parts of `m` x `n` that the CTAs of a cluster hold.
static void appendCTAs(LinearLayout::Bases &bases, ArrayRef<LinearLayout::Basis> ctas, int64_t m, int64_t n) {
  for (const LinearLayout::Basis &cta : ctas)
    bases.push_back({cta[0] * m, cta[1] * n});
}

static void appendZeros(LinearLayout::Bases &bases, int64_t count) {
  for (int64_t size = 1; size < count; size *= 2)
    bases.push_back({0, 0});
}

//===--------------------------------------------------------------------------------------------------------------===//
// TensorMemoryEncodingAttr
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult TensorMemoryEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned blockM,
                                               unsigned blockN, unsigned colStride, unsigned splitM, unsigned splitN,
                                               bool twoCTAs, LinearLayout cga, bool fp4Padded) {
  if (!isMatrixSplit(splitM, splitN, cga))
    return emitError() << "CTASplitM and CTASplitN must be what CGALayout splits, found " << splitM << " and " << splitN;
  if (blockM != 64 && blockM != 128)
    return emitError() << "blockM must be 64 or 128 but got " << blockM;
  if (!isPowerOfTwo(blockN))
    return emitError() << "blockN must be a power of 2 but got " << blockN;
  if (colStride != 1 && colStride != 2 && colStride != 4)
    return emitError() << "colStride must be 1, 2, or 4 but got " << colStride;
  if (fp4Padded && colStride != 1)
    return emitError() << "fp4Padded requires colStride 1 but got " << colStride;
  return success();
}

Attribute TensorMemoryEncodingAttr::parse(AsmParser &parser, Type) {
  ttg::LayoutFields fields(parser);
  unsigned blockM = 0, blockN = 0, colStride = 0, splitM = 1, splitN = 1;
  bool twoCTAs = false, fp4Padded = false;
  if (fields.parseWithoutBraces())
    return {};
  for (StringRef key : {"blockM", "blockN", "colStride"})
    if (!fields.has(key))
      return fields.emitError() << "struct is missing required parameter: " << key, Attribute();
  if (fields.get("blockM", blockM) || fields.get("blockN", blockN) || fields.get("colStride", colStride) ||
      fields.get("twoCTAs", twoCTAs) || fields.get("fp4Padded", fp4Padded))
    return {};
  FailureOr<LinearLayout> cga = getCluster(fields, splitM, splitN);
  if (failed(cga) || fields.finish())
    return {};
  return parser.getChecked<TensorMemoryEncodingAttr>(parser.getContext(), blockM, blockN, colStride, splitM, splitN,
                                                     twoCTAs, *cga, fp4Padded);
}

void TensorMemoryEncodingAttr::print(AsmPrinter &printer) const {
  ttg::LayoutPrinter fields(printer, /*hasBraces=*/false);
  fields.print("blockM", getBlockM());
  fields.print("blockN", getBlockN());
  fields.print("colStride", getColStride());
  printCluster(fields, getCTASplitM(), getCTASplitN(), getCGALayout());
  if (getTwoCTAs())
    fields.print("twoCTAs", true);
  if (getFp4Padded())
    fields.print("fp4Padded", true);
}

FailureOr<LinearLayout> TensorMemoryEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  // Two CTAs with 64 rows each hold their block as one of 128 rows, of which each has half of the columns.
  ArrayRef<LinearLayout::Basis> ctas = getCGALayout().getBases(Index::Block);
  bool isTransposedPair = getTwoCTAs() && getBlockM() == 64 && getCTASplitM() > 1;
  if (isTransposedPair && ctas.front() != LinearLayout::Basis{1, 0})
    return failure();
  int64_t blockM = isTransposedPair ? 128 : getBlockM();
  int64_t splitM = isTransposedPair ? getCTASplitM() / 2 : getCTASplitM();
  auto part = getPart(shape, splitM, getCTASplitN());
  if (!part)
    return failure();
  auto [m, n] = *part;
  int64_t blockN = std::min<int64_t>(getBlockN(), n), tileM = blockM, tileN = blockN;
  if (m < blockM)
    return failure();

  LinearLayout::Bases rows, columns;
  if (blockM == 128) {
    appendSteps(rows, 0, 1, 128);
  } else {
    // Rows 16 to 31 of each warp: the next block, below or else beside this one, or nothing.
    appendSteps(rows, 0, 1, 16);
    if (m > blockM)
      appendSteps(rows, 0, blockM, tileM *= 2);
    else if (n > blockN)
      appendSteps(rows, 1, blockN, tileN *= 2);
    else
      rows.push_back({0, 0});
    appendSteps(rows, 0, 16, 64);
  }
  appendZeros(columns, getFp4Padded() ? 2 : getColStride());
  appendSteps(columns, 1, 1, blockN);
  appendSteps(columns, 0, tileM, m);
  appendSteps(columns, 1, tileN, n);
  // CTAs along the rows come first, those of other pairs included.
  auto alongRows = [](const LinearLayout::Basis &cta) { return cta[1] == 0; };
  ArrayRef<LinearLayout::Basis> above = ctas.take_while(alongRows), rest = ctas.drop_while(alongRows);
  if (isTransposedPair)
    above = above.drop_front();
  appendCTAs(columns, above, isTransposedPair ? m / 2 : m, n);
  if (isTransposedPair && !columns.empty())
    std::swap(rows.back(), columns.back());
  appendCTAs(columns, rest, isTransposedPair ? m / 2 : m, n);
  return LinearLayout::fromBases(2, {{Index::Row, rows}, {Index::Column, columns}});
}

LogicalResult TensorMemoryEncodingAttr::verifyMemDesc(function_ref<InFlightDiagnostic()> emitError,
                                                      ArrayRef<int64_t> shape, Type elementType, Attribute memorySpace,
                                                      ArrayRef<int64_t> allocShape) const {
  if (shape.size() != 2 && shape.size() != 3)
    return emitError() << "rank must be 2 or 3, found " << shape.size();
  if (failed(verifyMemorySpace(emitError, memorySpace)))
    return failure();
  if (!elementType.isIntOrFloat())
    return emitError() << "tensor memory holds integers and floats, found " << elementType;
  int64_t bits = elementType.getIntOrFloatBitWidth();
  if (bits == 0 || bits * getColStride() > 32)
    return emitError() << "bitwidth * colStride must be less than or equal to 32. Got " << bits << " and "
                       << getColStride();
  if (getFp4Padded() && bits != 8)
    return emitError() << "fp4Padded requires elements of 8 bits, each of them two fp4; found " << elementType;
  ArrayRef<int64_t> matrix = allocShape.take_back(2);
  int64_t leastM = int64_t(getBlockM()) * getCTASplitM(), leastN = int64_t(getBlockN()) * getCTASplitN();
  if (matrix[0] < leastM || matrix[1] < leastN)
    return emitError() << "the allocation shape must be at least " << leastM << "x" << leastN << ". Got " << matrix;
  FailureOr<LinearLayout> layout = toLinearLayout(matrix);
  if (failed(layout))
    return emitError() << "the layout does not suit the allocation shape " << matrix;
  int64_t numCTAs = getCGALayout().getIndexSize(Index::Block), columns = layout->getIndexSize(Index::Column) / numCTAs;
  if (columns > kNumColumns * 32 / bits)
    return emitError() << "nCol / (CTASplitM * CTASplitN) must be less than or equal to 512 * 32 / bitwidth but got "
                       << columns;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// TensorMemoryScalesEncodingAttr
//===--------------------------------------------------------------------------------------------------------------===//

constexpr StringLiteral kMnThenK = "mnThenK", kKThenMn = "kThenMn";

LogicalResult TensorMemoryScalesEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned splitM,
                                                     unsigned splitN, LinearLayout cga, StringRef blockRepOrder) {
  if (blockRepOrder != kMnThenK && blockRepOrder != kKThenMn)
    return emitError() << "blockRepOrder must be mnThenK or kThenMn, found " << blockRepOrder;
  if (!isMatrixSplit(splitM, splitN, cga))
    return emitError() << "CTASplitM and CTASplitN must be what CGALayout splits, found " << splitM << " and " << splitN;
  return success();
}

Attribute TensorMemoryScalesEncodingAttr::parse(AsmParser &parser, Type) {
  ttg::LayoutFields fields(parser);
  unsigned splitM = 1, splitN = 1;
  StringRef order = kMnThenK;
  if (fields.parseWithoutBraces({kMnThenK, kKThenMn}) || fields.get("blockRepOrder", order))
    return {};
  FailureOr<LinearLayout> cga = getCluster(fields, splitM, splitN);
  if (failed(cga) || fields.finish())
    return {};
  return parser.getChecked<TensorMemoryScalesEncodingAttr>(parser.getContext(), splitM, splitN, *cga, order);
}

void TensorMemoryScalesEncodingAttr::print(AsmPrinter &printer) const {
  ttg::LayoutPrinter fields(printer, /*hasBraces=*/false);
  printCluster(fields, getCTASplitM(), getCTASplitN(), getCGALayout());
  if (getBlockRepOrder() == kKThenMn)
    fields.print("blockRepOrder", kKThenMn);
}

FailureOr<LinearLayout> TensorMemoryScalesEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  auto part = getPart(shape, getCTASplitM(), getCTASplitN());
  if (!part)
    return failure();
  auto [m, n] = *part;
  LinearLayout::Bases rows, columns;
  // What a matrix smaller than one unit leaves empty is written with zeros.
  auto appendPadded = [](LinearLayout::Bases &bases, unsigned dim, int64_t begin, int64_t end, int64_t size) {
    appendSteps(bases, dim, begin, std::min(end, size));
    appendZeros(bases, end / std::max(begin, std::min(end, size)));
  };
  appendPadded(rows, 0, 1, 32, m);
  appendZeros(rows, 4);
  appendPadded(columns, 1, 1, 4, n);
  appendPadded(columns, 0, 32, 64, m);
  int64_t first = getBlockRepOrder() == kKThenMn ? std::min<int64_t>(m, 128) : m;
  appendSteps(columns, 0, 64, first);
  appendSteps(columns, 1, 4, n);
  appendSteps(columns, 0, std::max<int64_t>(first, 64), m);
  appendCTAs(columns, getCGALayout().getBases(Index::Block), m, n);
  return LinearLayout::fromBases(2, {{Index::Row, rows}, {Index::Column, columns}});
}

LogicalResult TensorMemoryScalesEncodingAttr::verifyMemDesc(function_ref<InFlightDiagnostic()> emitError,
                                                            ArrayRef<int64_t> shape, Type elementType,
                                                            Attribute memorySpace, ArrayRef<int64_t>) const {
  if (failed(verifyMemorySpace(emitError, memorySpace)))
    return failure();
  if (shape.size() != 2)
    return emitError() << "Scales don't currently support multibuffering, found rank " << shape.size();
  if (!elementType.isIntOrFloat() || elementType.getIntOrFloatBitWidth() != 8)
    return emitError() << "bitwidth must be 8, found " << elementType;
  return success();
}

Attribute ReductionAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&word) || parser.parseGreater())
    return {};
  if (word != "min" && word != "max")
    return parser.emitError(loc) << "redOp must be min or max, found " << word, Attribute();
  return get(parser.getContext(), word == "max");
}

void ReductionAttr::print(AsmPrinter &printer) const { printer << '<' << (getIsMax() ? "max" : "min") << '>'; }

/// `<name = word, name = attribute>`; words are kept as strings.
Attribute CachePolicyAttr::parse(AsmParser &parser, Type) {
  NamedAttrList fields;
  auto parseField = [&]() -> ParseResult {
    StringRef name, word;
    Attribute value;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (succeeded(parser.parseOptionalKeyword(&word)))
      value = parser.getBuilder().getStringAttr(word);
    else if (parser.parseAttribute(value))
      return failure();
    fields.set(name, value);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseField))
    return {};
  return get(parser.getContext(), fields.getDictionary(parser.getContext()));
}

void CachePolicyAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getFields(), printer.getStream(), [&](NamedAttribute field) {
    printer << field.getName().getValue() << " = ";
    if (auto word = dyn_cast<StringAttr>(field.getValue()))
      printer << word.getValue();
    else
      printer << field.getValue();
  });
  printer << ">";
}

} // namespace ttkit::ttng
