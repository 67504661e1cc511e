llvm.func @f(%p: !llvm.func<void ()>)
