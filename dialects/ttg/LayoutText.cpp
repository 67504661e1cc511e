// The text of layouts.  What their parameters say of it (layout_fields.td) is generated.

#include "ttg/LayoutFields.h"

using namespace mlir;

namespace ttkit::ttg {

#include "ttg/LayoutText.cpp.inc"

//===--------------------------------------------------------------------------------------------------------------===//
// Layouts whose text is more than `<{field = value, ...}>`
//===--------------------------------------------------------------------------------------------------------------===//

/// The layout of a tensor of `shape` whose elements lie in `order`, for one CTA.
static LinearLayout getPlainSharedLayout(ArrayRef<unsigned> shape, ArrayRef<unsigned> order) {
  return LinearLayout(shape.size(), {Index::Offset, Index::Block}).append(Index::Offset, shape, order);
}

/// Parses the braces of padded_shared in its short form.
static FailureOr<LinearLayout> getPlainFields(LayoutFields &fields) {
  SmallVector<unsigned> order, shape;
  if (fields.get("order", order) || fields.get("shape", shape) || fields.rejectAllBut({}))
    return failure();
  if (order.empty() && shape.empty())
    return fields.emitError() << "linearComponent must have [offset, block] as input dims; found neither these nor "
                                 "order and shape",
           failure();
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
  if (intervals.empty()) {
    fields.emitError() << "expected integer value: found no pair of an interval and a padding, such as 32:+4";
    return {};
  }
  bool isLinear = fields.has("offset") || fields.has("block");
  ParseResult known = isLinear ? fields.rejectAllBut({"offset", "block"}) : ParseResult(success());
  FailureOr<LinearLayout> layout = isLinear ? fields.getLinear({Index::Offset, Index::Block}) : getPlainFields(fields);
  if (failed(layout) || known)
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
    printer << "order = [" << ArrayRef(getOrder()) << "], shape = [" << ArrayRef(shape) << "]";
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
  printer << "}, alignment = " << getAlignment() << ">";
}

} // namespace ttkit::ttg
