// Where a program is in the launch grid.

#ifndef TTKIT_TT_PROGRAM_OPS
#define TTKIT_TT_PROGRAM_OPS

include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "Index of this program along one axis of the grid";
  let description = [{
    `0 <= result < get_num_programs(axis)`; no two programs of a launch have the same three indices.

    Constraints:
    - (C1) `axis` is `x`, `y` or `z`.

    Example:
    ```mlir
    tt.func @example() -> i32 {
      %0 = tt.get_program_id x : i32
      tt.return %0 : i32
    }
    ```
  }];
  let arguments = (ins TT_ProgramDim:$axis);  // get_program_id_c1
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def TT_GetNumProgramsOp : TT_Op<"get_num_programs", [Pure]> {
  let summary = "Size of the launch grid along one axis";
  let description = [{
    How many programs the launch has along `axis`; the same in all of them.

    Constraints:
    - (C1) `axis` is `x`, `y` or `z`.

    Example:
    ```mlir
    tt.func @example() -> i32 {
      %0 = tt.get_num_programs y : i32
      tt.return %0 : i32
    }
    ```
  }];
  let arguments = (ins TT_ProgramDim:$axis);  // get_num_programs_c1
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

#endif // TTKIT_TT_PROGRAM_OPS
