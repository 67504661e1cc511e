llvm.func @f(%a: vector<17179869184xi32>) {
  %0 = llvm.icmp "sge" %a, %a : vector<17179869184xi32>
  llvm.return
}
