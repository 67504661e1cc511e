// parse signature: SIGABRT: Assertion `succeeded( ConcreteT::verifyInvariants(getDefaultDiagnosticEmitFn(ctx), args...))' failed. in mlir::LLVM::LLVMFunctionType::get < mlir::OperationState, called by MLIR
llvm.func @f(%p: !llvm.func<void ()>)
