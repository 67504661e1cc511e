llvm.func @kernel() {
  %0 = llvm.mlir.poison : vector<65536xi32>
  llvm.return
}
