#ifndef TTKIT_NVWS_DIALECT
#define TTKIT_NVWS_DIALECT

include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "nvws/nvws_enums.td"
include "tt/tt_enums.td"
include "ttg/ttg_types.td"

def NVWS_Dialect : Dialect {
  let name = "nvws";
  let cppNamespace = "::ttkit::nvws";
  let summary = "Warps that hand buffers to each other, before that is barriers and phases";
  let description = [{
    Where warps are specialized, one group fills buffers and another uses them.  An *asynchronous reference*, aref, is
    such a ring of buffers: `put.enter` waits until the next one is empty and gives it, `put.exit` says that it is
    full; `get.enter` waits until it is full, `get.exit` says that it is empty again.  A token orders the same by
    numbers of buffers and phases.  Triton's passes lower both to mbarriers; the operations are here to be read,
    verified, folded and printed.
  }];
  let dependentDialects = ["::ttkit::tt::TTDialect", "::ttkit::ttg::TTGDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

class NVWS_TypeDef<string name, string typeMnemonic> : TypeDef<NVWS_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def NVWS_ArefType : NVWS_TypeDef<"Aref", "aref"> {
  let summary = "Asynchronous Reference";
  let description = [{
    A ring of buffers: the types are those of the whole allocations, whose first dimension counts the buffers.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @ring(%a: !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>) {
      tt.return
    }
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$baseType);
  let assemblyFormat = "`<` `[` $baseType `]` `>`";
}

def NVWS_TokenType : NVWS_TypeDef<"Token", "token"> {
  let description = "The state of one buffer that producers and consumers share.";
}

def NVWS_AsyncOpAttr : EnumAttr<NVWS_Dialect, NVWS_AsyncOp, "async_op"> {
  let summary = "async op";
  let assemblyFormat = "`<` $value `>`";
}

def NVWS_Tokens : TensorOf<[NVWS_TokenType]>;

class NVWS_Op<string mnemonic, list<Trait> traits = []> : Op<NVWS_Dialect, mnemonic, traits>, GeneralBuilder;

#endif // TTKIT_NVWS_DIALECT
