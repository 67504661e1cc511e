// Operations of the llvm dialect that MLIR verifies and LLVM's constructors refuse, by ending the process.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace mlir;

namespace {

using Problem = std::optional<std::string>;

/// The largest tensor has 2^20 elements, and a warp 32 threads.
constexpr int64_t mostElements = 1 << 15;

/// The instruction of a cast.
std::optional<llvm::Instruction::CastOps> castOf(StringRef name) {
  using Casts = std::optional<llvm::Instruction::CastOps>;
  return llvm::StringSwitch<Casts>(name)
      .Case("llvm.trunc", llvm::Instruction::Trunc)
      .Case("llvm.zext", llvm::Instruction::ZExt)
      .Case("llvm.sext", llvm::Instruction::SExt)
      .Case("llvm.fptrunc", llvm::Instruction::FPTrunc)
      .Case("llvm.fpext", llvm::Instruction::FPExt)
      .Case("llvm.fptoui", llvm::Instruction::FPToUI)
      .Case("llvm.fptosi", llvm::Instruction::FPToSI)
      .Case("llvm.uitofp", llvm::Instruction::UIToFP)
      .Case("llvm.sitofp", llvm::Instruction::SIToFP)
      .Case("llvm.ptrtoint", llvm::Instruction::PtrToInt)
      .Case("llvm.inttoptr", llvm::Instruction::IntToPtr)
      .Case("llvm.bitcast", llvm::Instruction::BitCast)
      .Case("llvm.addrspacecast", llvm::Instruction::AddrSpaceCast)
      .Default(std::nullopt);
}

std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// What a module asks of LLVM's classes, one operation after the other.
class Checker {
public:
  explicit Checker() : translator(context) {}

  Problem problemOf(Operation *op) {
    if (Problem problem = problemOfSize(op))
      return problem;
    if (auto cast = castOf(op->getName().getStringRef()))
      return problemOfCast(op, *cast);
    if (op->getName().getStringRef() == "llvm.shufflevector")
      return problemOfShuffle(op);
    if (op->getName().getStringRef() == "llvm.select")
      return problemOfSelect(op);
    if (op->getName().getStringRef() == "llvm.extractelement")
      return problemOfIndex(op->getOperand(0), op->getOperand(1));
    if (op->getName().getStringRef() == "llvm.insertelement")
      return problemOfIndex(op->getOperand(0), op->getOperand(2));
    return std::nullopt;
  }

private:
  /// LLVM takes vectors apart, in a time that grows with the square of their elements.
  static Problem problemOfSize(Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto vector = dyn_cast<VectorType>(type); vector && vector.getNumElements() > mostElements)
        return ("gives " + Twine(vector.getNumElements()) + " elements; a thread has " + Twine(mostElements) + " at most").str();
    return std::nullopt;
  }

  /// Modules have few pairs of types and many casts.
  Problem problemOfCast(Operation *op, llvm::Instruction::CastOps cast) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    if (from == to) // the builder drops it
      return std::nullopt;
    auto [known, isNew] = casts.try_emplace({{from, to}, cast}, false);
    if (isNew)
      known->second =
          llvm::CastInst::castIsValid(cast, translator.translateType(from), translator.translateType(to));
    if (known->second)
      return std::nullopt;
    return "can't cast " + textOf(from) + " to " + textOf(to);
  }

  static Problem problemOfShuffle(Operation *op) {
    auto type = cast<VectorType>(op->getOperand(0).getType());
    int64_t count = 2 * type.getNumElements();
    for (int32_t element : op->getAttrOfType<DenseI32ArrayAttr>("mask").asArrayRef())
      if (element < -1 || element >= count)
        return ("picks element " + Twine(element) + " of " + Twine(count)).str();
    return std::nullopt;
  }

  /// LLVM's scalarizer looks for the element that a constant index names.
  static Problem problemOfIndex(Value vector, Value index) {
    Operation *made = index.getDefiningOp();
    if (!made || made->getName().getStringRef() != "llvm.mlir.constant")
      return std::nullopt;
    auto type = cast<VectorType>(vector.getType());
    auto number = made->getAttrOfType<IntegerAttr>("value");
    if (!number || type.isScalable() || number.getValue().ult(type.getNumElements()))
      return std::nullopt;
    return ("names element " + llvm::toString(number.getValue(), 10, false) + " of " + Twine(type.getNumElements())).str();
  }

  static Problem problemOfSelect(Operation *op) {
    Type type = op->getOperand(1).getType();
    auto condition = dyn_cast<VectorType>(op->getOperand(0).getType());
    if (!condition)
      return std::nullopt;
    auto chosen = dyn_cast<VectorType>(type);
    if (chosen && chosen.getShape() == condition.getShape() && chosen.getScalableDims() == condition.getScalableDims())
      return std::nullopt;
    return "chooses " + textOf(type) + " by " + textOf(condition);
  }

  llvm::LLVMContext context;
  LLVM::TypeToLLVMIRTranslator translator;
  llvm::DenseMap<std::pair<std::pair<Type, Type>, unsigned>, bool> casts;
};

/// Whether LLVM can represent an alignment; zero says nothing.
bool isAlignment(const APInt &bytes) {
  return bytes.isZero() || (bytes.isStrictlyPositive() && bytes.isPowerOf2() && bytes.logBase2() <= 32);
}

/// Looks at alignments: of an access or a global, and of arguments.
Problem wrongAlignment(Operation *op) {
  if (auto given = op->getAttrOfType<IntegerAttr>("alignment"); given && !isAlignment(given.getValue()))
    return "has an alignment of " + llvm::toString(given.getValue(), 10, true) + ", not a power of two up to 2^32";
  for (StringRef name : {"arg_attrs", "res_attrs"}) {
    auto all = op->getAttrOfType<ArrayAttr>(name);
    for (Attribute each : all ? all.getValue() : ArrayRef<Attribute>())
      for (StringRef key : {"llvm.align", "llvm.alignstack"}) {
        auto given = dyn_cast_or_null<IntegerAttr>(cast<DictionaryAttr>(each).get(key));
        if (given && !isAlignment(given.getValue()))
          return "has an argument aligned to " + llvm::toString(given.getValue(), 10, true) +
                 " bytes, not a power of two up to 2^32";
      }
  }
  return std::nullopt;
}

} // namespace

MlirOperation ttkitFindUntranslatable(MlirOperation root, MlirStringCallback tell, void *userData) {
  Operation *found = nullptr;
  Checker checker;
  unwrap(root)->walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "llvm")
      return WalkResult::advance();
    Problem problem = checker.problemOf(op);
    if (!problem)
      problem = wrongAlignment(op);
    if (!problem)
      return WalkResult::advance();
    found = op;
    std::string text = (op->getName().getStringRef() + " " + *problem).str();
    tell(mlirStringRefCreate(text.data(), text.size()), userData);
    return WalkResult::interrupt();
  });
  return wrap(found);
}
