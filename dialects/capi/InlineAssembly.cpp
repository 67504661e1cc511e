// Inline assembly that LLVM would end the process on, when it is translated or emitted.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <optional>

using namespace mlir;

namespace {

/// Why `text` is not a template of assembly with `operands` operands; nothing if it is one.  `$` begins what is replaced:
/// `$0`, `${0}`, `${0:modifier}`, `${:special}`; `$$` is a dollar, and `$(a$|b$)` has variants, which can't be nested.
std::optional<std::string> malformedTemplate(StringRef text, unsigned operands) {
  bool inVariants = false;
  while (true) {
    text = text.drop_until([](char c) { return c == '$'; });
    if (!text.consume_front("$"))
      return std::nullopt;
    if (text.consume_front("$"))
      continue;
    if (text.consume_front("(")) {
      if (std::exchange(inVariants, true))
        return "has variants, $(...$), inside of variants";
      continue;
    }
    if (text.consume_front("|"))
      continue;
    if (text.consume_front(")")) {
      inVariants = false;
      continue;
    }
    bool braces = text.consume_front("{");
    if (braces && text.consume_front(":")) {
      auto [name, rest] = text.split('}');
      if (name != "private" && name != "comment" && name != "uid")
        return ("has ${:" + name + "}, which is none of ${:private}, ${:comment}, ${:uid}").str();
      text = rest;
      continue;
    }
    unsigned number;
    if (text.consumeInteger(10, number))
      return "has a $ without the number of an operand after it; a dollar is written $$";
    if (number >= operands)
      return ("names operand $" + Twine(number) + ", and there are " + Twine(operands)).str();
    if (!braces)
      continue;
    if (text.consume_front(":"))
      text = text.drop_front(text.empty() ? 0 : 1);
    if (!text.consume_front("}"))
      return "has a ${ that is not closed after the operand's number and a modifier of one letter";
  }
}

unsigned operandsOf(StringRef constraints) {
  auto all = llvm::InlineAsm::ParseConstraints(constraints);
  return llvm::count_if(all, [](const llvm::InlineAsm::ConstraintInfo &info) {
    return info.Type == llvm::InlineAsm::isOutput || info.Type == llvm::InlineAsm::isInput;
  });
}

/// Why `constraints` don't suit so many results and arguments; types don't matter to that.
std::optional<std::string> malformedConstraints(llvm::LLVMContext &context, StringRef constraints, unsigned results,
                                                unsigned arguments) {
  // LLVM reads past the end of a text that is shorter than it expects; NVPTX has no such constraints.
  if (constraints.find_first_of("^@") != StringRef::npos)
    return ("has constraints '" + constraints + "', and there are none of several letters").str();
  llvm::Type *word = llvm::Type::getInt32Ty(context), *result = llvm::Type::getVoidTy(context);
  if (results == 1)
    result = word;
  else if (results)
    result = llvm::StructType::get(context, SmallVector<llvm::Type *>(results, word));
  auto *type = llvm::FunctionType::get(result, SmallVector<llvm::Type *>(arguments, word), /*isVarArg=*/false);
  if (llvm::Error error = llvm::InlineAsm::verify(type, constraints))
    return ("has constraints '" + constraints + "' for " + Twine(results) + " results and " + Twine(arguments) +
            " operands: " + llvm::toString(std::move(error)))
        .str();
  return std::nullopt;
}

/// A type as code generation sees it: `count` elements of `bits` bits each; 0 of a scalar.
struct Shape {
  enum Kind { Integer, Float, Pointer, Other } kind = Other;
  unsigned bits = 0, count = 0;
  unsigned size() const { return bits * std::max(count, 1u); }
  bool operator==(const Shape &o) const { return kind == o.kind && bits == o.bits && count == o.count; }
};

Shape shapeOf(Type type) {
  Shape shape;
  if (auto vector = dyn_cast<VectorType>(type)) {
    shape = shapeOf(vector.getElementType());
    shape.count = vector.getNumElements();
  } else if (auto integer = dyn_cast<IntegerType>(type)) {
    shape = {Shape::Integer, integer.getWidth()};
  } else if (auto number = dyn_cast<FloatType>(type)) {
    shape = {Shape::Float, number.getWidth()};
  } else if (isa<LLVM::LLVMPointerType>(type)) {
    shape = {Shape::Pointer, 64};
  }
  return shape;
}

Shape shapeOf(llvm::Type *type) {
  Shape shape;
  if (auto *vector = dyn_cast<llvm::FixedVectorType>(type)) {
    shape = shapeOf(vector->getElementType());
    shape.count = vector->getNumElements();
  } else if (type->isIntegerTy()) {
    shape = {Shape::Integer, type->getIntegerBitWidth()};
  } else if (type->isFloatingPointTy()) {
    shape = {Shape::Float, unsigned(type->getPrimitiveSizeInBits())};
  } else if (type->isPointerTy()) {
    shape = {Shape::Pointer, 64};
  }
  return shape;
}

/// Bits of the registers that a constraint names; 0 if it names none.
unsigned registerBits(StringRef code) {
  return llvm::StringSwitch<unsigned>(code)
      .Case("b", 1)
      .Cases({"c", "h"}, 16)
      .Cases({"r", "f"}, 32)
      .Cases({"l", "d"}, 64)
      .Case("q", 128)
      .Default(0);
}

/// Whether LLVM can move a value to and from such registers; found by trying all.  It takes vectors of floats for one
/// integer, and vectors of integers apart in ways that only some registers suit.
bool suits(Shape shape, unsigned reg) {
  unsigned bits = shape.bits, count = shape.count;
  if (shape.kind == Shape::Other)
    return false;
  if (!count || shape.kind == Shape::Float) {
    unsigned size = shape.size();
    if (size <= 64)
      return reg != 128 && llvm::isPowerOf2_32(size) && !(reg == 64 && bits == 32 && count == 2);
    return size == 128 ? reg >= 64 : size == 256 && reg == 64;
  }
  if (shape.kind == Shape::Pointer)
    return false;
  if (bits == 1 && count == 1)
    return reg != 128;
  switch (reg) {
  case 1:
    return bits == 1 && count <= 4;
  case 16:
    return (bits == 8 && count <= 2) || (bits == 16 && count == 1);
  case 32:
    return (bits == 8 && count <= 4) || (bits == 16 && count <= 2) || (bits == 32 && count <= 4);
  case 64:
    return (bits == 8 && (count <= 4 || count == 8)) || (bits == 16 && (count <= 2 || count == 4)) ||
           (bits == 32 && count == 1) || (bits == 64 && count <= 4);
  default:
    return shape.size() == 128 && bits >= 16 && bits <= 64;
  }
}

/// Whether a value can begin in the register of a result of another type.
bool suitsTie(Shape result, Shape operand, unsigned reg) {
  auto whole = [](Shape s) { return !s.count && s.size() <= 64 && s.kind != Shape::Float; };
  if (result == operand || (whole(result) && whole(operand)))
    return true;
  if (reg == 16 && !result.count && !operand.count)
    return result.size() == 16 && operand.size() == 16;
  bool wide = (reg == 32 || reg == 64) && operand.size() <= reg;
  return wide && (whole(result) || result.size() == operand.size());
}

/// What a constraint names, in all its alternatives.
SmallVector<StringRef> codesOf(const llvm::InlineAsm::ConstraintInfo &info) {
  SmallVector<StringRef> codes(info.Codes.begin(), info.Codes.end());
  for (const auto &alternative : info.multipleAlternatives)
    codes.append(alternative.Codes.begin(), alternative.Codes.end());
  return codes;
}

/// Whether an operand that is given by its address can be used so.  Memory is; a result that is stored there from a
/// register has to suit that register; all else LLVM ends the process on.
bool suitsIndirectly(const llvm::InlineAsm::ConstraintInfo &info, Shape shape) {
  SmallVector<StringRef> codes = codesOf(info);
  if (!codes.empty() && llvm::all_equal(codes) && codes.front() == "m")
    return true;
  unsigned reg = info.Codes.size() == 1 ? registerBits(info.Codes.front()) : 0;
  return info.Type == llvm::InlineAsm::isOutput && reg && suits(shape, reg);
}

/// The first of the codes of a constraint by which a value can't be given; nothing if each will do.  Registers do, for
/// operands constants too, and alone the number of a result, or anything.  NVPTX has no registers with names, and of what
/// lies in memory no address, if the operand is not one.
std::optional<StringRef> unsuitableCode(ArrayRef<StringRef> codes, Shape shape, bool isOutput) {
  for (StringRef code : codes) {
    bool alone = codes.size() == 1 && ((code == "X" && !shape.count) || llvm::all_of(code, llvm::isDigit));
    bool fits = !isOutput && (alone || StringRef("nisEF").contains(code));
    if (unsigned reg = registerBits(code); reg ? !suits(shape, reg) : !fits)
      return code;
  }
  return codes.empty() ? std::optional<StringRef>("") : std::nullopt;
}

/// Why values don't suit the registers that `constraints` have for them; nothing if they do.  An argument that is the
/// address of an operand has the shape of that operand.
std::optional<std::string> unsuitable(StringRef constraints, ArrayRef<Shape> results, ArrayRef<Shape> arguments) {
  SmallVector<std::pair<Shape, unsigned>> operands; // of all outputs and inputs, and the registers
  auto say = [&](StringRef code, StringRef what, size_t number) {
    return ("has constraints '" + constraints + "', and no register of '" + code + "' takes the type of " + what + " " +
            Twine(number))
        .str();
  };
  size_t result = 0, argument = 0;
  for (const auto &info : llvm::InlineAsm::ParseConstraints(constraints)) {
    bool output = info.Type == llvm::InlineAsm::isOutput;
    if (!output && info.Type != llvm::InlineAsm::isInput)
      continue;
    bool direct = output && !info.isIndirect;
    size_t number = direct ? result++ : argument++;
    ArrayRef<Shape> values = direct ? results : arguments;
    if (number >= values.size())
      return std::nullopt; // others see to that
    Shape shape = values[number];
    StringRef code = info.Codes.empty() ? StringRef() : StringRef(info.Codes.front());
    StringRef what = direct ? "result" : "operand";
    if (info.isIndirect) {
      operands.push_back({shape, 0});
      if (!suitsIndirectly(info, shape))
        return say(("*" + code).str(), what, number);
      continue;
    }
    operands.push_back({shape, info.Codes.size() == 1 ? registerBits(code) : 0});
    if (auto wrong = unsuitableCode(codesOf(info), shape, output))
      return say(*wrong, what, number);
    unsigned tie;
    if (output || code.getAsInteger(10, tie) || tie >= operands.size() || !operands[tie].second)
      continue;
    if (!suitsTie(operands[tie].first, shape, operands[tie].second) || !suits(shape, operands[tie].second))
      return say(code, what, number);
  }
  return std::nullopt;
}

/// The values that the result of llvm.inline_asm is made of.
SmallVector<Shape> resultsOf(Operation *op) {
  if (!op->getNumResults())
    return {};
  Type type = op->getResult(0).getType();
  if (auto parts = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::map_to_vector(parts.getBody(), [](Type part) { return shapeOf(part); });
  return {shapeOf(type)};
}

SmallVector<Shape> resultsOf(llvm::Type *type) {
  if (type->isVoidTy())
    return {};
  if (auto *parts = dyn_cast<llvm::StructType>(type))
    return llvm::map_to_vector(parts->elements(), [](llvm::Type *part) { return shapeOf(part); });
  return {shapeOf(type)};
}

/// The arguments of llvm.inline_asm; operands given by address as the types that it states for them.
SmallVector<Shape> argumentsOf(Operation *op) {
  auto attributes = op->getAttrOfType<ArrayAttr>("operand_attrs");
  return llvm::map_to_vector(op->getOpOperands(), [&](OpOperand &operand) {
    unsigned number = operand.getOperandNumber();
    auto of = attributes && number < attributes.size() ? dyn_cast<DictionaryAttr>(attributes[number]) : nullptr;
    auto element = of ? of.getAs<TypeAttr>("elementtype") : nullptr;
    return shapeOf(element ? element.getValue() : operand.get().getType());
  });
}

SmallVector<Shape> argumentsOf(const llvm::CallBase *call) {
  return llvm::map_to_vector(call->args(), [&](const llvm::Use &use) {
    llvm::Type *element = call->getParamElementType(call->getArgOperandNo(&use));
    return shapeOf(element ? element : use->getType());
  });
}

void say(const Twine &message, MlirStringCallback tell, void *userData) {
  std::string text = message.str();
  tell(mlirStringRefCreate(text.data(), text.size()), userData);
}

} // namespace

MlirOperation ttkitFindBadAssembly(MlirOperation root, MlirStringCallback tell, void *userData) {
  Operation *found = nullptr;
  llvm::LLVMContext context;
  unwrap(root)->walk([&](Operation *op) {
    if (op->getName().getStringRef() != "llvm.inline_asm")
      return WalkResult::advance();
    auto text = op->getAttrOfType<StringAttr>("asm_string"), constraints = op->getAttrOfType<StringAttr>("constraints");
    if (!text || !constraints)
      return WalkResult::advance();
    auto results = resultsOf(op);
    auto problem = malformedConstraints(context, constraints.getValue(), results.size(), op->getNumOperands());
    if (!problem)
      problem = unsuitable(constraints.getValue(), results, argumentsOf(op));
    if (!problem)
      problem = malformedTemplate(text.getValue(), operandsOf(constraints.getValue()));
    if (!problem)
      return WalkResult::advance();
    found = op;
    say("inline assembly '" + text.getValue() + "' " + *problem, tell, userData);
    return WalkResult::interrupt();
  });
  return wrap(found);
}

void ttkitFindBadLLVMAssembly(void *module, MlirStringCallback tell, void *userData) {
  for (llvm::Function &function : *llvm::unwrap(static_cast<LLVMModuleRef>(module)))
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = dyn_cast<llvm::CallBase>(&instruction);
      auto *assembly = call ? dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (!assembly)
        continue;
      StringRef text = assembly->getAsmString();
      StringRef constraints = assembly->getConstraintString();
      auto problem = malformedTemplate(text, operandsOf(constraints));
      if (!problem)
        problem = unsuitable(constraints, resultsOf(call->getType()), argumentsOf(call));
      if (problem)
        return say("@" + function.getName() + ": inline assembly '" + text + "' " + *problem, tell, userData);
    }
}
