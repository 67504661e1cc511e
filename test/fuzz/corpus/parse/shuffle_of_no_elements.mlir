llvm.func @f(%a: vector<4xi32>) {
  %0 = llvm.shufflevector %a, %a [] : vector<4xi32>
  llvm.return
}
