// Assembly that a thread runs once, on all that it holds.

#ifndef TTKIT_TTG_ASSEMBLY_OPS
#define TTKIT_TTG_ASSEMBLY_OPS

include "ttg/ttg_types.td"

def TTG_InlineAsmOp : TTG_Op<"inline_asm", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Inline assembly that each thread runs once, on all its elements";
  let description = [{
    The operands of the assembly, described by `constraints` as in LLVM's inline assembly, are the registers of each
    result, then those of each of `args`: all elements of a tensor that the thread holds, in the order of the layout's
    registers; one scalar; or the address, an i32, at which a buffer in shared memory begins.  If `pure`, the assembly
    only computes its results; else it may read and write memory.

    Constraints:
    - (C1) Tensors have layouts.
    - (C2) Where one of `args` is a buffer, the assembly is not `pure`.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @add(%x: tensor<256xf32, #blocked>, %y: f32) -> tensor<256xf32, #blocked> {
        %0 = ttg.inline_asm "add.f32 $0, $2, $4; add.f32 $1, $3, $4;" {constraints = "=&f,=&f,f,f,f", pure = true} %x, %y
            : (tensor<256xf32, #blocked>, f32) -> tensor<256xf32, #blocked>
        tt.return %0 : tensor<256xf32, #blocked>
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
                       Variadic<AnyTypeOf<[TT_Type, TTG_MemDescType]>>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^)? `:` functional-type($args, $result)";
  let hasVerifier = 1;
}

#endif // TTKIT_TTG_ASSEMBLY_OPS
