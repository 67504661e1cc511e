// Inline assembly that LLVM would end the process on, when it is translated or emitted.

#include "capi/ttkit.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <optional>

using namespace mlir;

namespace {

/// Why `text` is no template of assembly with `operands` operands; nothing if it is one.  `$` begins what is replaced:
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
std::optional<std::string> malformedConstraints(StringRef constraints, unsigned results, unsigned arguments) {
  llvm::LLVMContext context;
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

/// How many values the result of llvm.inline_asm is made of.
unsigned resultsOf(Operation *op) {
  if (!op->getNumResults())
    return 0;
  auto parts = dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType());
  return parts ? parts.getBody().size() : 1;
}

void say(const Twine &message, MlirStringCallback tell, void *userData) {
  std::string text = message.str();
  tell(mlirStringRefCreate(text.data(), text.size()), userData);
}

} // namespace

MlirOperation ttkitFindBadAssembly(MlirOperation root, MlirStringCallback tell, void *userData) {
  Operation *found = nullptr;
  unwrap(root)->walk([&](Operation *op) {
    if (op->getName().getStringRef() != "llvm.inline_asm")
      return WalkResult::advance();
    auto text = op->getAttrOfType<StringAttr>("asm_string"), constraints = op->getAttrOfType<StringAttr>("constraints");
    if (!text || !constraints)
      return WalkResult::advance();
    auto problem = malformedConstraints(constraints.getValue(), resultsOf(op), op->getNumOperands());
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
      if (auto problem = malformedTemplate(text, operandsOf(assembly->getConstraintString())))
        return say("@" + function.getName() + ": inline assembly '" + text + "' " + *problem, tell, userData);
    }
}
