// The text of layouts.

#include "ttg/LayoutFields.h"

using namespace mlir;

namespace ttkit::ttg {

static void print(AsmPrinter &printer, StringRef key, ArrayRef<unsigned> values) {
  printer << key << " = [";
  llvm::interleaveComma(values, printer);
  printer << "]";
}

static void printCGA(AsmPrinter &printer, const LinearLayout &cga) {
  if (cga.getBases(Index::Block).empty())
    return;
  printer << ", CGALayout = [";
  llvm::interleaveComma(cga.getBases(Index::Block), printer, [&](const LinearLayout::Basis &basis) {
    printer << "[";
    llvm::interleaveComma(basis, printer);
    printer << "]";
  });
  printer << "]";
}

static bool allOnes(ArrayRef<unsigned> values) {
  return llvm::all_of(values, [](unsigned value) { return value == 1; });
}

//===--------------------------------------------------------------------------------------------------------------===//
// Distributed layouts
//===--------------------------------------------------------------------------------------------------------------===//

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  SmallVector<unsigned> sizePerThread, threadsPerWarp, warpsPerCTA, order;
  if (fields.parse() || fields.get("sizePerThread", sizePerThread) || fields.get("threadsPerWarp", threadsPerWarp) ||
      fields.get("warpsPerCTA", warpsPerCTA) || fields.get("order", order))
    return {};
  FailureOr<LinearLayout> cga = fields.getCGA(sizePerThread.size());
  if (failed(cga) || fields.finish())
    return {};
  return parser.getChecked<BlockedEncodingAttr>(parser.getContext(), ArrayRef(sizePerThread), ArrayRef(threadsPerWarp),
                                                ArrayRef(warpsPerCTA), ArrayRef(order), *cga);
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  ttg::print(printer, "sizePerThread", getSizePerThread());
  ttg::print(printer, ", threadsPerWarp", getThreadsPerWarp());
  ttg::print(printer, ", warpsPerCTA", getWarpsPerCTA());
  ttg::print(printer, ", order", getOrder());
  printCGA(printer, getCGALayout());
  printer << "}>";
}

Attribute SliceEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned dim = 0;
  Attribute parent;
  if (fields.parse() || fields.require("dim") || fields.require("parent") || fields.get("dim", dim) ||
      fields.get("parent", parent) || fields.finish())
    return {};
  auto distributed = dyn_cast<DistributedEncoding>(parent);
  if (!distributed) {
    fields.emitError() << "expected a distributed encoding trait for parent, found " << parent;
    return {};
  }
  return parser.getChecked<SliceEncodingAttr>(parser.getContext(), dim, distributed);
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << Attribute(getParent()) << "}>";
}

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  if (fields.parse())
    return {};
  FailureOr<LinearLayout> layout = fields.getLinear({Index::Register, Index::Lane, Index::Warp, Index::Block});
  if (failed(layout) || fields.finish())
    return {};
  return parser.getChecked<LinearEncodingAttr>(parser.getContext(), *layout);
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  getLinearLayout().print(printer.getStream());
  printer << "}>";
}

//===--------------------------------------------------------------------------------------------------------------===//
// Matrix instructions.  Unknown fields are ignored in them, as Triton does: there are files with fields of other
// versions.
//===--------------------------------------------------------------------------------------------------------------===//

Attribute NvidiaMmaEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned versionMajor = 0, versionMinor = 0;
  SmallVector<unsigned> warpsPerCTA, instrShape;
  if (fields.parse() || fields.get("versionMajor", versionMajor) || fields.get("versionMinor", versionMinor) ||
      fields.get("warpsPerCTA", warpsPerCTA) || fields.get("instrShape", instrShape))
    return {};
  FailureOr<LinearLayout> cga = fields.getCGA(warpsPerCTA.size());
  if (failed(cga))
    return {};
  return parser.getChecked<NvidiaMmaEncodingAttr>(parser.getContext(), versionMajor, versionMinor,
                                                  ArrayRef(warpsPerCTA), *cga, ArrayRef(instrShape));
}

void NvidiaMmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{versionMajor = " << getVersionMajor() << ", versionMinor = " << getVersionMinor();
  ttg::print(printer, ", warpsPerCTA", getWarpsPerCTA());
  printCGA(printer, getCGALayout());
  ttg::print(printer, ", instrShape", getInstrShape());
  printer << "}>";
}

Attribute AMDMfmaEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned version = 0, elementBitWidth = 32;
  bool isTransposed = false;
  SmallVector<unsigned> warpsPerCTA, instrShape, tilesPerWarp;
  // Older files call the version versionMajor.
  if (fields.parse() || fields.get("versionMajor", version) || fields.get("version", version) ||
      fields.get("warpsPerCTA", warpsPerCTA) || fields.get("instrShape", instrShape) ||
      fields.get("isTransposed", isTransposed) || fields.get("tilesPerWarp", tilesPerWarp) ||
      fields.get("elementBitWidth", elementBitWidth))
    return {};
  FailureOr<LinearLayout> cga = fields.getCGA(warpsPerCTA.size());
  if (failed(cga))
    return {};
  if (tilesPerWarp.empty())
    tilesPerWarp.assign(warpsPerCTA.size(), 1);
  return parser.getChecked<AMDMfmaEncodingAttr>(parser.getContext(), version, ArrayRef(warpsPerCTA),
                                                ArrayRef(instrShape), isTransposed, *cga, ArrayRef(tilesPerWarp),
                                                elementBitWidth);
}

void AMDMfmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion();
  ttg::print(printer, ", warpsPerCTA", getWarpsPerCTA());
  ttg::print(printer, ", instrShape", getInstrShape());
  printer << ", isTransposed = " << (getIsTransposed() ? "true" : "false");
  printCGA(printer, getCGALayout());
  if (!allOnes(getTilesPerWarp()))
    ttg::print(printer, ", tilesPerWarp", getTilesPerWarp());
  if (getElementBitWidth() != 32)
    printer << ", elementBitWidth = " << getElementBitWidth();
  printer << "}>";
}

/// The shape that is not printed.
static constexpr unsigned defaultWmmaShape[] = {16, 16, 16};

Attribute AMDWmmaEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned version = 0;
  bool isTransposed = false;
  SmallVector<unsigned> warpsPerCTA, tilesPerWarp, instrShape(ArrayRef<unsigned>{defaultWmmaShape});
  if (fields.parse() || fields.get("version", version) || fields.get("isTranspose", isTransposed) ||
      fields.get("warpsPerCTA", warpsPerCTA) || fields.get("tilesPerWarp", tilesPerWarp) ||
      fields.get("instrShape", instrShape))
    return {};
  FailureOr<LinearLayout> cga = fields.getCGA(warpsPerCTA.size());
  if (failed(cga))
    return {};
  if (tilesPerWarp.empty())
    tilesPerWarp.assign(warpsPerCTA.size(), 1);
  return parser.getChecked<AMDWmmaEncodingAttr>(parser.getContext(), version, isTransposed, ArrayRef(warpsPerCTA),
                                                ArrayRef(tilesPerWarp), *cga, ArrayRef(instrShape));
}

void AMDWmmaEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{version = " << getVersion() << ", isTranspose = " << (getIsTransposed() ? "true" : "false");
  ttg::print(printer, ", warpsPerCTA", getWarpsPerCTA());
  printCGA(printer, getCGALayout());
  if (!allOnes(getTilesPerWarp()))
    ttg::print(printer, ", tilesPerWarp", getTilesPerWarp());
  if (getInstrShape() != ArrayRef(defaultWmmaShape))
    ttg::print(printer, ", instrShape", getInstrShape());
  printer << "}>";
}

//===--------------------------------------------------------------------------------------------------------------===//
// Shared-memory layouts
//===--------------------------------------------------------------------------------------------------------------===//

template <typename Encoding> static Attribute parseSwizzled(AsmParser &parser) {
  LayoutFields fields(parser);
  unsigned vec = 0, perPhase = 0, maxPhase = 0;
  SmallVector<unsigned> order;
  if (fields.parse() || fields.get("vec", vec) || fields.get("perPhase", perPhase) ||
      fields.get("maxPhase", maxPhase) || fields.get("order", order))
    return {};
  FailureOr<LinearLayout> cga = fields.getCGA(order.size());
  if (failed(cga) || fields.finish())
    return {};
  return parser.getChecked<Encoding>(parser.getContext(), vec, perPhase, maxPhase, ArrayRef(order), *cga);
}

template <typename Encoding> static void printSwizzled(AsmPrinter &printer, Encoding layout) {
  printer << "<{vec = " << layout.getVec() << ", perPhase = " << layout.getPerPhase()
          << ", maxPhase = " << layout.getMaxPhase();
  print(printer, ", order", layout.getOrder());
  printCGA(printer, layout.getCGALayout());
  printer << "}>";
}

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<SwizzledSharedEncodingAttr>(parser);
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const { printSwizzled(printer, *this); }

Attribute AMDRotatingSharedEncodingAttr::parse(AsmParser &parser, Type) {
  return parseSwizzled<AMDRotatingSharedEncodingAttr>(parser);
}

void AMDRotatingSharedEncodingAttr::print(AsmPrinter &printer) const { printSwizzled(printer, *this); }

Attribute NVMMASharedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned swizzlingByteWidth = 0, elementBitWidth = 0, rank = 0;
  bool transposed = false, fp4Padded = false;
  if (fields.parse() || fields.require("swizzlingByteWidth") || fields.require("elementBitWidth") ||
      fields.get("swizzlingByteWidth", swizzlingByteWidth) || fields.get("transposed", transposed) ||
      fields.get("elementBitWidth", elementBitWidth) || fields.get("fp4Padded", fp4Padded) || fields.get("rank", rank))
    return {};
  if (rank > 16) {
    fields.emitError() << "rank must be at most 16, found " << rank;
    return {};
  }
  FailureOr<LinearLayout> cga = fields.getCGA(rank);
  if (failed(cga) || fields.finish())
    return {};
  return parser.getChecked<NVMMASharedEncodingAttr>(parser.getContext(), swizzlingByteWidth, transposed,
                                                    elementBitWidth, fp4Padded, *cga);
}

void NVMMASharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{swizzlingByteWidth = " << getSwizzlingByteWidth()
          << ", transposed = " << (getTransposed() ? "true" : "false")
          << ", elementBitWidth = " << getElementBitWidth();
  if (getFp4Padded())
    printer << ", fp4Padded = true";
  // A CGALayout shows the rank by its vectors.
  if (getCGALayout().getBases(Index::Block).empty() && getRank() != 2)
    printer << ", rank = " << getRank();
  printCGA(printer, getCGALayout());
  printer << "}>";
}

/// The layout of a tensor of `shape` whose elements lie in `order`, for one CTA.
static LinearLayout getPlainSharedLayout(ArrayRef<unsigned> shape, ArrayRef<unsigned> order) {
  return LinearLayout(shape.size(), {Index::Offset, Index::Block}).append(Index::Offset, shape, order);
}

/// Parses the braces of padded_shared in its short form.
static FailureOr<LinearLayout> getPlainFields(LayoutFields &fields) {
  SmallVector<unsigned> order, shape;
  if (fields.require("order") || fields.require("shape") || fields.get("order", order) || fields.get("shape", shape))
    return failure();
  if (order.size() != shape.size())
    return fields.emitError() << "Mismatch of shape and order ranks in padded layout", failure();
  int64_t elements = 1;
  for (unsigned size : shape)
    if (!isPowerOfTwo(size) || (elements *= size) > (int64_t{1} << 31))
      return fields.emitError() << "shape must be powers of two with a product of at most 2^31, found " << size,
             failure();
  for (unsigned position = 0; position < order.size(); ++position)
    if (!llvm::is_contained(order, position))
      return fields.emitError() << "order must be a permutation of 0..(rank-1)", failure();
  return getPlainSharedLayout(shape, order);
}

Attribute PaddedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  SmallVector<unsigned> intervals, paddings;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseInteger(intervals.emplace_back()) || parser.parseColon() || parser.parsePlus() ||
                   parser.parseInteger(paddings.emplace_back()));
  };
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair) ||
      fields.parseBraces() || parser.parseGreater())
    return {};
  bool isLinear = fields.has("offset") || fields.has("block");
  FailureOr<LinearLayout> layout = isLinear ? fields.getLinear({Index::Offset, Index::Block}) : getPlainFields(fields);
  if (failed(layout) || fields.finish())
    return {};
  return parser.getChecked<PaddedSharedEncodingAttr>(parser.getContext(), ArrayRef(intervals), ArrayRef(paddings),
                                                     *layout);
}

void PaddedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(llvm::zip(getIntervals(), getPaddings()), printer,
                        [&](auto pair) { printer << std::get<0>(pair) << ":+" << std::get<1>(pair); });
  printer << "] {";
  const LinearLayout &layout = getLinearComponent();
  SmallVector<unsigned> shape(layout.getSizes());
  if (layout == getPlainSharedLayout(shape, getOrder())) {
    ttg::print(printer, "order", getOrder());
    ttg::print(printer, ", shape", shape);
  } else {
    layout.print(printer.getStream());
  }
  printer << "}>";
}

Attribute SharedLinearEncodingAttr::parse(AsmParser &parser, Type) {
  LayoutFields fields(parser);
  unsigned alignment = 0;
  if (parser.parseLess() || fields.parseBraces())
    return {};
  if (fields.has("alignment")) {
    fields.emitError() << "alignment must be specified outside of the linear layout braces";
    return {};
  }
  if (parser.parseComma() || parser.parseKeyword("alignment") || parser.parseEqual() ||
      parser.parseInteger(alignment) || parser.parseGreater())
    return {};
  FailureOr<LinearLayout> layout = fields.getLinear({Index::Offset, Index::Block}, Index::Block);
  if (failed(layout) || fields.finish())
    return {};
  return parser.getChecked<SharedLinearEncodingAttr>(parser.getContext(), *layout, alignment);
}

void SharedLinearEncodingAttr::print(AsmPrinter &printer) const {
  const LinearLayout &layout = getLinearLayout();
  bool hasBlocks = !layout.getBases(Index::Block).empty();
  printer << "<{";
  (hasBlocks ? layout : layout.sublayout(Index::Offset)).print(printer.getStream());
  printer << "}, alignment = " << getLayoutAlignment() << ">";
}

} // namespace ttkit::ttg
