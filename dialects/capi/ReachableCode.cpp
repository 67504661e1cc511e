// Code that never runs, taken out for passes of MLIR that leave its operations without operands.

#include "capi/PythonPass.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace {

/// A branch of which only one edge is ever taken, and that edge.
struct Decided {
  BranchOpInterface branch;
  unsigned taken;
};

bool hasBranches(Operation *root) {
  return root
      ->walk([](Operation *op) {
        bool found = llvm::any_of(op->getRegions(), [](Region &region) { return llvm::hasNItemsOrMore(region, 2); });
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The edge that a branch always takes; none of a branch that never runs, or whose operands decide.
std::optional<unsigned> takenEdge(DataFlowSolver &solver, BranchOpInterface branch) {
  std::optional<unsigned> taken;
  for (auto [index, successor] : llvm::enumerate(branch->getSuccessors())) {
    auto *edge = solver.getLatticeAnchor<dataflow::CFGEdge>(branch->getBlock(), successor);
    auto *state = solver.lookupState<dataflow::Executable>(edge);
    if (!state || !state->isLive())
      continue;
    if (taken)
      return std::nullopt;
    taken = index;
  }
  return taken;
}

/// Replaces a branch by one without a condition; nothing for dialects other than cf and llvm.
void decide(RewriterBase &rewriter, const Decided &decided) {
  BranchOpInterface branch = decided.branch;
  StringRef dialect = branch->getName().getDialectNamespace();
  SuccessorOperands operands = branch.getSuccessorOperands(decided.taken);
  if ((dialect != "cf" && dialect != "llvm") || operands.getProducedOperandCount() || branch->getNumResults())
    return;
  rewriter.setInsertionPoint(branch);
  OperationState state(branch.getLoc(), (dialect + ".br").str());
  state.addOperands(operands.getForwardedOperands());
  state.addSuccessors(branch->getSuccessor(decided.taken));
  rewriter.create(state);
  rewriter.eraseOp(branch);
}

} // namespace

void keepReachableCode(Operation *root) {
  if (!hasBranches(root))
    return;
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  if (failed(solver.initializeAndRun(root)))
    return;
  SmallVector<Decided> decided;
  root->walk([&](BranchOpInterface branch) {
    if (branch->getNumSuccessors() < 2)
      return;
    if (std::optional<unsigned> taken = takenEdge(solver, branch))
      decided.push_back({branch, *taken});
  });
  IRRewriter rewriter(root->getContext());
  for (const Decided &each : decided)
    decide(rewriter, each);
  (void)eraseUnreachableBlocks(rewriter, root->getRegions());
}
