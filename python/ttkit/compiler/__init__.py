"""From ttg to code for a GPU: LLVM IR, PTX, cubin."""
