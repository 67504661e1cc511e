// Functions and calls: assembly, symbol and signature checks.

#include "tt/function_ops.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;

namespace ttkit::tt {

//===--------------------------------------------------------------------------------------------------------------===//
// FuncOp
//===--------------------------------------------------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   ArrayRef<NamedAttribute> attrs, ArrayRef<DictionaryAttr> argAttrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
  if (!argAttrs.empty())
    call_interface_impl::addArgAndResultAttrs(builder, state, argAttrs, /*resultAttrs=*/{},
                                              getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildFunctionType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                              function_interface_impl::VariadicFlag,
                              std::string &) { return builder.getFunctionType(inputs, results); };
  if (function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                               getFunctionTypeAttrName(result.name), buildFunctionType,
                                               getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name)))
    return failure();
  // `tt.func @f()`, as Triton's documents write declarations: without a visibility it can only be private.
  StringAttr visibility = getSymVisibilityAttrName(result.name);
  if (result.regions.front()->empty() && !result.attributes.get(visibility))
    result.addAttribute(visibility, parser.getBuilder().getStringAttr("private"));
  return success();
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

//===--------------------------------------------------------------------------------------------------------------===//
// CallOp
//===--------------------------------------------------------------------------------------------------------------===//

void CallOp::build(OpBuilder &builder, OperationState &state, FuncOp callee, ValueRange operands) {
  build(builder, state, callee.getFunctionType().getResults(), callee.getSymName(), operands, /*arg_attrs=*/{},
        /*res_attrs=*/{});
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto callee = symbolTable.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr()); // call_c1
  if (!callee)
    return emitOpError() << "'" << getCallee() << "' does not reference a valid function";

  FunctionType type = callee.getFunctionType();
  if (type.getNumInputs() != getNumOperands()) // call_c2
    return emitOpError("incorrect number of operands for callee @")
           << getCallee() << ": expected " << type.getNumInputs() << ", but provided " << getNumOperands();
  for (auto [index, expected, operand] : llvm::enumerate(type.getInputs(), getOperandTypes()))
    if (expected != operand)
      return emitOpError("operand type mismatch: expected operand type ")
             << expected << ", but provided " << operand << " for operand number " << index;

  if (type.getNumResults() != getNumResults()) // call_c3
    return emitOpError("incorrect number of results for callee @")
           << getCallee() << ": expected " << type.getNumResults() << ", but provided " << getNumResults();
  for (auto [index, expected, result] : llvm::enumerate(type.getResults(), getResultTypes()))
    if (expected != result)
      return emitOpError("result type mismatch at index ")
             << index << ": the callee gives " << expected << ", the call " << result;
  return success();
}

//===--------------------------------------------------------------------------------------------------------------===//
// ReturnOp
//===--------------------------------------------------------------------------------------------------------------===//

LogicalResult ReturnOp::verify() { // return_c2
  auto function = cast<FuncOp>((*this)->getParentOp());
  ArrayRef<Type> results = function.getResultTypes();
  if (getNumOperands() != results.size())
    return emitOpError("has ") << getNumOperands() << " operands, but enclosing function (@" << function.getSymName()
                               << ") returns " << results.size();
  for (auto [index, operand, result] : llvm::enumerate(getOperandTypes(), results))
    if (operand != result)
      return emitOpError("type of return operand ")
             << index << " (" << operand << ") doesn't match function result type (" << result << ") in function @"
             << function.getSymName();
  return success();
}

} // namespace ttkit::tt
