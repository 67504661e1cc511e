// The custom<...> directives of ttg's assembly formats.

#ifndef TTKIT_TTG_ASMDIRECTIVES_H
#define TTKIT_TTG_ASMDIRECTIVES_H

#include "ttg/TTG.h"

namespace ttkit::ttg {

/// `0, 32, ...`, at least one.
mlir::ParseResult parseOffsets(mlir::OpAsmParser &parser, mlir::DenseI32ArrayAttr &offsets);
void printOffsets(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DenseI32ArrayAttr offsets);

/// `local|global_write`, `none` or `all`.
mlir::ParseResult parseAddrSpace(mlir::OpAsmParser &parser, AddrSpaceAttr &spaces);
void printAddrSpace(mlir::OpAsmPrinter &printer, mlir::Operation *op, AddrSpaceAttr spaces);

} // namespace ttkit::ttg

#endif // TTKIT_TTG_ASMDIRECTIVES_H
