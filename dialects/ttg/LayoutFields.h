// Reading and printing `<{key = value, ...}>`, the text of most layouts.

#ifndef TTKIT_TTG_LAYOUTFIELDS_H
#define TTKIT_TTG_LAYOUTFIELDS_H

#include "ttg/TTG.h"

namespace ttkit::ttg {

/// The fields of a layout, in any order.  Each getter removes the field and reports what is wrong with it; at the end,
/// finish() rejects what is left.
class LayoutFields {
public:
  explicit LayoutFields(mlir::AsmParser &parser) : parser(parser), loc(parser.getCurrentLocation()) {}

  /// Parses `<{...}>`.
  mlir::ParseResult parse();
  /// Parses `{...}`.
  mlir::ParseResult parseBraces();
  /// Parses `<key = value, ...>`; values may be some `words`, too.
  mlir::ParseResult parseWithoutBraces(llvm::ArrayRef<llvm::StringRef> words = {});

  bool has(llvm::StringRef key) const { return bool(fields.get(key)); }
  // A field that is not there leaves the value as it is.
  mlir::ParseResult get(llvm::StringRef key, unsigned &value);
  mlir::ParseResult get(llvm::StringRef key, bool &value);
  mlir::ParseResult get(llvm::StringRef key, llvm::SmallVector<unsigned> &values);
  mlir::ParseResult get(llvm::StringRef key, DistributedEncoding &value);
  mlir::ParseResult get(llvm::StringRef key, llvm::StringRef &word);
  /// The field is an error if it is missing.
  mlir::ParseResult require(llvm::StringRef key);
  /// The layout with these fields, all of them needed unless `optional`.
  mlir::FailureOr<LinearLayout> getLinear(llvm::ArrayRef<Index> indices, std::optional<Index> optional = {});
  /// `CGALayout`, or what `CTAsPerCGA`, `CTASplitNum` and `CTAOrder` say, or that of a single CTA.  A rank that is not
  /// given is found from the field, or else is 2.
  mlir::FailureOr<LinearLayout> getCGA(std::optional<unsigned> rank);
  /// The same with the rank that the field `rank` says.
  mlir::FailureOr<LinearLayout> getRankedCGA();

  mlir::ParseResult finish();
  /// Reports each field that is left and has none of these keys.
  mlir::ParseResult rejectAllBut(llvm::ArrayRef<llvm::StringRef> keys);
  mlir::InFlightDiagnostic emitError() { return parser.emitError(loc); }

private:
  mlir::Attribute take(llvm::StringRef key);
  mlir::ParseResult toUnsigned(mlir::Attribute value, llvm::StringRef key, unsigned &result);
  mlir::ParseResult toVectors(mlir::Attribute value, llvm::StringRef key, std::optional<unsigned> &rank,
                              LinearLayout::Bases &bases);
  mlir::FailureOr<LinearLayout> getSplitCGA(unsigned rank);

  mlir::AsmParser &parser;
  llvm::SMLoc loc;
  mlir::NamedAttrList fields;
};

/// Prints `<{`, fields, and at its end `}>`, or these without braces.
class LayoutPrinter {
public:
  explicit LayoutPrinter(mlir::AsmPrinter &printer, bool hasBraces = true) : printer(printer), hasBraces(hasBraces) {
    printer << (hasBraces ? "<{" : "<");
  }
  ~LayoutPrinter() { printer << (hasBraces ? "}>" : ">"); }

  void print(llvm::StringRef key, unsigned value) { startField(key) << value; }
  void print(llvm::StringRef key, bool value) { startField(key) << (value ? "true" : "false"); }
  void print(llvm::StringRef key, mlir::Attribute value) { startField(key) << value; }
  void print(llvm::StringRef key, llvm::StringRef word) { startField(key) << word; }
  void print(llvm::StringRef key, llvm::ArrayRef<unsigned> values) { startField(key) << "[" << values << "]"; }
  void printLinear(const LinearLayout &layout) { layout.print(printer.getStream()); }
  /// Nothing for a cluster of one CTA.
  void printCGA(const LinearLayout &cga);
  /// With the field `rank` if there are no vectors that show it, and it is not 2.
  void printRankedCGA(const LinearLayout &cga);

private:
  mlir::AsmPrinter &startField(llvm::StringRef key);

  mlir::AsmPrinter &printer;
  bool hasBraces;
  bool isFirst = true;
};

/// The one `shared` layout of older versions (LegacySpelling.cpp).
mlir::Attribute parseLegacyShared(mlir::AsmParser &parser);

} // namespace ttkit::ttg

#endif // TTKIT_TTG_LAYOUTFIELDS_H
