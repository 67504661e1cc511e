// The custom<...> directives of tt's assembly formats.

#ifndef TTKIT_TT_ASMDIRECTIVES_H
#define TTKIT_TT_ASMDIRECTIVES_H

#include "tt/TT.h"

namespace ttkit::tt {

/// `source -> result` as operations of one operand write their types; also the older `(source) -> result`.
mlir::ParseResult parseViewTypes(mlir::OpAsmParser &parser, mlir::Type &source, mlir::Type &result);
void printViewTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type source, mlir::Type result);

} // namespace ttkit::tt

#endif // TTKIT_TT_ASMDIRECTIVES_H
