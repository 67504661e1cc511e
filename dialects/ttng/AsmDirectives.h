// The custom<...> directives of ttng's assembly formats.

#ifndef TTKIT_TTNG_ASMDIRECTIVES_H
#define TTKIT_TTNG_ASMDIRECTIVES_H

#include "ttng/TTNG.h"

namespace ttkit::ttng {

/// `[%before]` or `[]` if the operation gives a token, else nothing.
mlir::ParseResult parseToken(mlir::OpAsmParser &parser,
                             std::optional<mlir::OpAsmParser::UnresolvedOperand> &before, mlir::Type &token);
void printToken(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value before, mlir::Type token);

/// `{N = 32 : i32}`, and `{offset = 32 : i32}`, as Triton 3.9 calls it.
mlir::ParseResult parseSubsliceAttributes(mlir::OpAsmParser &parser, mlir::NamedAttrList &attributes);
void printSubsliceAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DictionaryAttr attributes);

/// A word without quotes.
mlir::ParseResult parseKeyword(mlir::OpAsmParser &parser, mlir::StringAttr &word);
void printKeyword(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr word);

/// `, %barrier[%pred]` for each barrier.
mlir::ParseResult
parseBarriersAndPreds(mlir::OpAsmParser &parser,
                      llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &barriers,
                      llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &preds);
void printBarriersAndPreds(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange barriers,
                           mlir::OperandRange preds);

/// `, %pred` if there is one, and `descs %a, %b` if there are any.
mlir::ParseResult parsePredAndDescs(mlir::OpAsmParser &parser,
                                    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printPredAndDescs(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange operands);

/// The types of the second: that of the first is known.
mlir::ParseResult parsePredAndDescTypes(mlir::OpAsmParser &parser, llvm::SmallVectorImpl<mlir::Type> &types,
                                        llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands);
void printPredAndDescTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeRange types,
                           mlir::OperandRange operands);

/// `[%token] {redOp = ..} : memdesc -> tensor, tensor of what is computed of each row`.
mlir::ParseResult parseLoad(mlir::OpAsmParser &parser, std::optional<mlir::OpAsmParser::UnresolvedOperand> &before,
                            mlir::NamedAttrList &attributes, mlir::Type &source, mlir::Type &result,
                            llvm::SmallVectorImpl<mlir::Type> &rest);
void printLoad(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value before, mlir::DictionaryAttr attributes,
               mlir::Type source, mlir::Type result, mlir::TypeRange rest);

/// `[%x, %y]` of i32, then `offsets = [%i]` of i16, if there are any.
mlir::ParseResult
parseCoordinatesAndOffsets(mlir::OpAsmParser &parser,
                           llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &coordinates,
                           llvm::SmallVectorImpl<mlir::Type> &types);
void printCoordinatesAndOffsets(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange coordinates,
                                mlir::TypeRange types);

} // namespace ttkit::ttng

#endif // TTKIT_TTNG_ASMDIRECTIVES_H
