#ifndef TTKIT_TT_DIALECT
#define TTKIT_TT_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::ttkit::tt";
  let summary = "Tile programs: tensors of values and pointers, without layouts";
  let description = [{
    A kernel is a `tt.func`.  Many *programs* run it at once, told apart by `tt.get_program_id`; each works on tensors
    of static shape whose element count is a power of two.  Memory is reached through tensors of pointers, through block
    pointers (`!tt.ptr<tensor<...>>`) or through tensor descriptors (`!tt.tensordesc<...>`).

    Arithmetic is `arith` and `math`; control flow is `scf` or `cf`.  A tensor type may carry a layout as its encoding
    (dialect `ttg`); the tt operations then say how the layout of a result follows from those of the operands.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::ub::UBDialect"
  ];
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

// Every tt operation checks that its tensors have a legal size and layout.
// With AttrSizedOperandSegments: the groups of operands, by number, that are one value each.
class RequiredSegments<string groups> : ParamNativeOpTrait<"RequiredSegments", groups>, StructuralOpTrait {
  let cppNamespace = "::ttkit::tt";
}

def TensorSizeTrait : NativeOpTrait<"TensorSizeTrait"> { let cppNamespace = "::ttkit::tt"; }
def VerifyTensorLayoutsTrait : NativeOpTrait<"VerifyTensorLayoutsTrait"> { let cppNamespace = "::ttkit::tt"; }
def SameOperandsAndResultEncoding : NativeOpTrait<"SameOperandsAndResultEncoding"> { let cppNamespace = "::ttkit::tt"; }
def SameOperandsEncoding : NativeOpTrait<"SameOperandsEncoding"> { let cppNamespace = "::ttkit::tt"; }
// For loads and stores a block pointer counts as the tensor that it points to.
def SameLoadStoreOperandsShape : NativeOpTrait<"SameLoadStoreOperandsShape"> { let cppNamespace = "::ttkit::tt"; }
def SameLoadStoreOperandsAndResultShape
    : NativeOpTrait<"SameLoadStoreOperandsAndResultShape"> { let cppNamespace = "::ttkit::tt"; }
def SameLoadStoreOperandsEncoding : NativeOpTrait<"SameLoadStoreOperandsEncoding"> { let cppNamespace = "::ttkit::tt"; }
def SameLoadStoreOperandsAndResultEncoding
    : NativeOpTrait<"SameLoadStoreOperandsAndResultEncoding"> { let cppNamespace = "::ttkit::tt"; }

// Memory that kernels share with the host, as a side-effect resource.
def GlobalMemory : Resource<"::ttkit::tt::GlobalMemory">;

// Operations are mostly built in Python.  C++ gets one general builder: the default ones are a third of all that is
// generated.
class GeneralBuilder {
  bit skipDefaultBuilders = 1;
  list<OpBuilder> builders = [OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::mlir::ValueRange":$operands), [{
    $_state.addOperands(operands);
    $_state.addTypes(resultTypes);
  }]>];
}

// For the operations that C++ builds in other ways too.
class DefaultBuilders {
  bit skipDefaultBuilders = 0;
  list<OpBuilder> builders = [];
}

class TT_Op<string mnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, mnemonic, !listconcat(traits, [TensorSizeTrait, VerifyTensorLayoutsTrait])>, GeneralBuilder;

#endif // TTKIT_TT_DIALECT
