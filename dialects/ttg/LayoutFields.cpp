// Reading and printing the fields of layouts.

#include "ttg/LayoutFields.h"

using namespace mlir;

namespace ttkit::ttg {

ParseResult LayoutFields::parseBraces() {
  DictionaryAttr dictionary;
  if (parser.parseAttribute(dictionary))
    return failure();
  fields = NamedAttrList(dictionary);
  return success();
}

ParseResult LayoutFields::parse() {
  return failure(parser.parseLess() || failed(parseBraces()) || parser.parseGreater());
}

ParseResult LayoutFields::parseWithoutBraces(ArrayRef<StringRef> words) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
    StringRef key, word;
    Attribute value;
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (succeeded(parser.parseOptionalKeyword(&word, words)))
      value = parser.getBuilder().getStringAttr(word);
    else if (parser.parseAttribute(value))
      return failure();
    if (has(key))
      return emitError() << "duplicate key: " << key;
    fields.append(key, value);
    return success();
  });
}

Attribute LayoutFields::take(StringRef key) { return fields.erase(key); }

ParseResult LayoutFields::require(StringRef key) {
  if (has(key))
    return success();
  return emitError() << "missing key: " << key;
}

ParseResult LayoutFields::toUnsigned(Attribute value, StringRef key, unsigned &result) {
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer)
    return emitError() << "expected an integer type in " << key << ", found " << value;
  const APInt &bits = integer.getValue();
  if ((!integer.getType().isUnsignedInteger() && bits.isNegative()) || bits.getActiveBits() > 32)
    return emitError() << "expected an unsigned integer value in " << key << ", found " << value;
  result = static_cast<unsigned>(bits.getZExtValue());
  return success();
}

ParseResult LayoutFields::get(StringRef key, unsigned &value) {
  Attribute field = take(key);
  return field ? toUnsigned(field, key, value) : success();
}

ParseResult LayoutFields::get(StringRef key, StringRef &word) {
  Attribute field = take(key);
  if (!field)
    return success();
  auto text = dyn_cast<StringAttr>(field);
  if (!text)
    return emitError() << "expected a word in " << key << ", found " << field;
  word = text.getValue();
  return success();
}

ParseResult LayoutFields::get(StringRef key, bool &value) {
  Attribute field = take(key);
  if (!field)
    return success();
  auto boolean = dyn_cast<BoolAttr>(field);
  if (!boolean)
    return emitError() << "expected a bool type in " << key << ", found " << field;
  value = boolean.getValue();
  return success();
}

ParseResult LayoutFields::get(StringRef key, SmallVector<unsigned> &values) {
  Attribute field = take(key);
  if (!field)
    return success();
  auto array = dyn_cast<ArrayAttr>(field);
  if (!array)
    return emitError() << "expected an array for " << key << ", found " << field;
  values.clear();
  for (Attribute element : array)
    if (toUnsigned(element, key, values.emplace_back()))
      return failure();
  return success();
}

ParseResult LayoutFields::get(StringRef key, DistributedEncoding &value) {
  Attribute field = take(key);
  value = dyn_cast_or_null<DistributedEncoding>(field);
  if (!value)
    return emitError() << "expected a distributed encoding trait for " << key << ", found " << field;
  return success();
}

/// Appends the bases in `[[1, 0], [2, 0]]`; `rank` is that of the first vector met.
ParseResult LayoutFields::toVectors(Attribute value, StringRef key, std::optional<unsigned> &rank,
                                    LinearLayout::Bases &bases) {
  auto vectors = dyn_cast<ArrayAttr>(value);
  if (!vectors)
    return emitError() << "Expected array of arrays for basis of '" << key << "', found " << value;
  if (vectors.size() > 31)
    return emitError() << "'" << key << "' has " << vectors.size() << " bases; there is room for 31";
  for (Attribute element : vectors) {
    auto vector = dyn_cast<ArrayAttr>(element);
    if (!vector)
      return emitError() << "Expected array of integers in basis for '" << key << "', found " << element;
    if (!rank)
      rank = vector.size();
    if (vector.size() != *rank)
      return emitError() << "'" << key << "' entry length does not match rank " << *rank << ", found " << element;
    LinearLayout::Basis &basis = bases.emplace_back();
    for (Attribute coordinate : vector) {
      unsigned number = 0;
      if (toUnsigned(coordinate, key, number))
        return failure();
      if (number > (1u << 30))
        return emitError() << "Expected integer in basis for '" << key << "' of at most 2^30, found " << number;
      basis.push_back(number);
    }
  }
  return success();
}

FailureOr<LinearLayout> LayoutFields::getLinear(ArrayRef<Index> indices, std::optional<Index> optional) {
  SmallVector<std::pair<Index, LinearLayout::Bases>> bases;
  std::optional<unsigned> rank;
  for (Index index : indices) {
    StringRef key = getName(index);
    bases.push_back({index, {}});
    Attribute field = take(key);
    if (!field && index == optional)
      continue;
    if (!field)
      return emitError() << "Expected basis of '" << key << "' not found", failure();
    if (toVectors(field, key, rank, bases.back().second))
      return failure();
  }
  if (rank.value_or(0) == 0)
    return emitError() << "Empty Layout not supported", failure();
  int64_t elements = 1;
  LinearLayout layout = LinearLayout::fromBases(*rank, bases);
  for (int64_t size : layout.getSizes())
    if ((elements *= size) > (int64_t{1} << 31))
      return emitError() << "a linear layout of more than 2^31 elements", failure();
  return layout;
}

/// The layout that the three older fields describe: each dimension, in CTAOrder, is split into CTASplitNum parts, and
/// CTAsPerCGA / CTASplitNum CTAs hold each part.
FailureOr<LinearLayout> LayoutFields::getSplitCGA(unsigned rank) {
  SmallVector<unsigned> ctas(rank, 1), split, order(llvm::reverse(llvm::seq<unsigned>(rank)));
  bool hasSplit = has("CTASplitNum");
  if (get("CTAsPerCGA", ctas) || get("CTASplitNum", split) || get("CTAOrder", order))
    return failure();
  if (!hasSplit)
    split = ctas;
  if (ctas.size() != rank || split.size() != rank || order.size() != rank)
    return emitError() << "CTAsPerCGA, CTASplitNum and CTAOrder must have the layout's rank, " << rank, failure();
  LinearLayout cga(rank, Index::Block);
  unsigned number = 1;
  for (auto [position, dim] : llvm::enumerate(order)) {
    if (dim >= rank || llvm::is_contained(ArrayRef(order).take_front(position), dim))
      return emitError() << "CTAOrder must be a permutation of 0..(rank-1)", failure();
    bool inRange = ctas[dim] <= 1024 && isPowerOfTwo(ctas[dim]) && isPowerOfTwo(split[dim]) && split[dim] <= ctas[dim];
    if (!inRange)
      return emitError()
                 << "CTAsPerCGA and CTASplitNum must be powers of two, and the former multiples of the latter; found "
                 << ctas[dim] << " and " << split[dim],
             failure();
    if ((number *= ctas[dim]) > 1024)
      return emitError() << "CTAsPerCGA describes " << number << " CTAs or more; a cluster has at most 1024", failure();
    cga.append(Index::Block, dim, split[dim]).broadcast(Index::Block, ctas[dim] / split[dim]);
  }
  return cga;
}

FailureOr<LinearLayout> LayoutFields::getCGA(std::optional<unsigned> rank) {
  for (StringRef key : {"CTAsPerCGA", "CTASplitNum", "CTAOrder"})
    if (auto array = dyn_cast_or_null<ArrayAttr>(fields.get(key)))
      return getSplitCGA(rank.value_or(array.size()));
  Attribute field = take("CGALayout");
  if (!field)
    return getDefaultCGALayout(rank.value_or(2));
  if (!isa<ArrayAttr>(field))
    return emitError() << "expected array value for 'CGALayout', found " << field, failure();
  LinearLayout::Bases bases;
  if (toVectors(field, "CGALayout", rank, bases))
    return failure();
  if (bases.size() > 10)
    return emitError() << "'CGALayout' describes 2^" << bases.size() << " CTAs; a cluster has at most 2^10", failure();
  LinearLayout cga = LinearLayout::fromBases(rank.value_or(2), {{Index::Block, bases}});
  if (!cga.isSurjective())
    return emitError() << "'CGALayout' must reach every part of the tensor: it is not surjective", failure();
  return cga;
}

FailureOr<LinearLayout> LayoutFields::getRankedCGA() {
  unsigned rank = 0;
  if (get("rank", rank))
    return failure();
  if (rank > 16)
    return emitError() << "rank must be at most 16, found " << rank, failure();
  return getCGA(rank ? std::optional(rank) : std::nullopt);
}

ParseResult LayoutFields::finish() {
  if (fields.empty())
    return success();
  return emitError() << "unexpected key: " << fields.begin()->getName().strref();
}

ParseResult LayoutFields::rejectAllBut(ArrayRef<StringRef> keys) {
  ParseResult result = success();
  for (NamedAttribute field : fields)
    if (!llvm::is_contained(keys, field.getName().strref()))
      result = emitError() << "Unexpected attribute \"" << field.getName().strref() << "\" found";
  return result;
}

AsmPrinter &LayoutPrinter::startField(StringRef key) {
  printer << (isFirst ? "" : ", ") << key << " = ";
  isFirst = false;
  return printer;
}

void LayoutPrinter::printCGA(const LinearLayout &cga) {
  ArrayRef<LinearLayout::Basis> bases = cga.getBases(Index::Block);
  if (bases.empty())
    return;
  startField("CGALayout") << "[";
  llvm::interleaveComma(bases, printer,
                        [&](const LinearLayout::Basis &basis) { printer << "[" << ArrayRef(basis) << "]"; });
  printer << "]";
}

void LayoutPrinter::printRankedCGA(const LinearLayout &cga) {
  if (cga.getBases(Index::Block).empty() && cga.getRank() != 2)
    print("rank", cga.getRank());
  printCGA(cga);
}

} // namespace ttkit::ttg
