// Functions: tt.func, tt.call, tt.return.

#ifndef TTKIT_TT_FUNCTION_OPS
#define TTKIT_TT_FUNCTION_OPS

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "tt/tt_types.td"

def TT_FuncOp : TT_Op<"func", [
    AffineScope, AutomaticAllocationScope, CallableOpInterface, FunctionOpInterface, IsolatedFromAbove,
    OpAsmOpInterface, HasParent<"::mlir::ModuleOp"> /*func_c1*/]> {
  let skipDefaultBuilders = 0;
  let summary = "A kernel, or a function that kernels call";
  let description = [{
    A named body of one or more basic blocks (an SSACFG region), which sees nothing from outside but its arguments.  A
    public function is a kernel that the host can launch; without a body it is a declaration.  A declaration that states
    no visibility is read as `private`, since nothing else would be legal.

    Attributes that other parts of the compiler read: on arguments `tt.divisibility`, `tt.contiguity`, `tt.constancy`
    (facts about the value), `tt.pointee_type`, `tt.pointer_range`, `tt.nv_tma_desc`; on the function `noinline = true`,
    which keeps the inliner off.

    Constraints:
    - (C1) The parent is a module.
    - (C2) The arguments of the entry block are those of `function_type`.
    - (C3) Attributes of arguments and results have a dialect prefix.
    - (C4) A declaration is not `public`.

    Example:
    ```mlir
    // A kernel.
    tt.func public @copy(%src: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dst: !tt.ptr<f32>)
        attributes {noinline = false} {
      %0 = tt.load %src : !tt.ptr<f32>
      tt.store %dst, %0 : !tt.ptr<f32>
      tt.return
    }
    // A declaration.
    tt.func private @scribble(i32, i64, memref<128xf32>) -> f64
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,  // func_c2
                       OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,  // func_c3
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                                 CArg<"::llvm::ArrayRef<::mlir::NamedAttribute>", "{}">:$attrs,
                                 CArg<"::llvm::ArrayRef<::mlir::DictionaryAttr>", "{}">:$argAttrs)>];
  let extraClassDeclaration = [{
    // CallableOpInterface: a declaration has nothing to look into.
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }

    // FunctionOpInterface.
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }

    // SymbolOpInterface.
    bool isDeclaration() { return isExternal(); }  // func_c4: what Symbol's verifier asks
  }];
  let hasCustomAssemblyFormat = 1;
}

def TT_CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let skipDefaultBuilders = 0;
  let summary = "Direct call of a tt.func";
  let description = [{
    `results = callee(operands)`.  The callee is looked up in the enclosing module.

    Constraints:
    - (C1) `callee` names a `tt.func` of the same symbol table.
    - (C2) Operands have the number and types of the callee's arguments.
    - (C3) Results have the number and types of the callee's results.

    Example:
    ```mlir
    tt.func private @add(f32, f32) -> f32
    tt.func @twice(%x: f32) -> f32 {
      %0 = tt.call @add(%x, %x) : (f32, f32) -> f32
      tt.return %0 : f32
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyType>:$operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let builders = [OpBuilder<(ins "FuncOp":$callee, CArg<"::mlir::ValueRange", "{}">:$operands)>];
  let extraClassDeclaration = [{
    ::mlir::FunctionType getCalleeType() {
      return ::mlir::FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
    }

    // CallOpInterface.
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return static_cast<::mlir::SymbolRefAttr>(getCalleeAttr());
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      // Not setCalleeAttr: a nested reference is for the verifier to reject.
      (*this)->setAttr(getCalleeAttrName(), ::llvm::cast<::mlir::SymbolRefAttr>(callee));
    }
  }];
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
}

def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp"> /*return_c1*/, ReturnLike, Terminator]> {
  let skipDefaultBuilders = 0;
  let summary = "End of a function, with its results";
  let description = [{
    Leaves the enclosing `tt.func`; `srcs` become the results of the call.

    Constraints:
    - (C1) The parent is a `tt.func`, so a return cannot stand inside `scf.if` or a loop.
    - (C2) `srcs` has the number and types of the function's results.

    Example:
    ```mlir
    tt.func @swap(%a: i32, %b: f32) -> (f32, i32) {
      tt.return %b, %a : f32, i32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$srcs);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}

#endif // TTKIT_TT_FUNCTION_OPS
