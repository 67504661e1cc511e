#ifndef TTKIT_GLUON_DIALECT
#define TTKIT_GLUON_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tt/tt_types.td"

def Gluon_Dialect : Dialect {
  let name = "gluon";
  let cppNamespace = "::ttkit::gluon";
  let summary = "Layouts that are still to be found";
  let description = [{
    Gluon, Triton's language with layouts, may leave the layout of a tensor open: the compiler finds the one that its
    uses ask for.  The passes `gluon-infer-coalesced-encodings` and `gluon-resolve-auto-encodings` do.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::ttkit::tt::TTDialect"];
  let extraClassDeclaration = "void registerAttributes();";
}

def Gluon_AutoEncoding : AttrDef<Gluon_Dialect, "AutoEncoding"> {
  let mnemonic = "auto_encoding";
  let summary = "The layout that operands, users or `gluon.set_auto_layout` ask for";
}

def Gluon_CoalescedEncoding : AttrDef<Gluon_Dialect, "CoalescedEncoding"> {
  let mnemonic = "coalesced_encoding";
  let summary = "The layout in which the threads of a warp access neighbouring addresses";
}

class Gluon_Op<string mnemonic, list<Trait> traits = []> : Op<Gluon_Dialect, mnemonic, traits>, GeneralBuilder;

#endif // TTKIT_GLUON_DIALECT
