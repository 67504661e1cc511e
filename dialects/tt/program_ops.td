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

def TT_GridDependencyWaitOp
    : TT_Op<"grid_dependency_wait", [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>]> {
  let summary = "Wait until the kernels that this launch depends on have ended";
  let description = [{
    What these kernels wrote can be read after it.  It waits for nothing in a launch that is not a dependent one.  Triton
    3.9 makes it of `gdc_wait`.

    Example:
    ```mlir
    tt.func @after(%p: !tt.ptr<i32>) -> i32 {
      tt.grid_dependency_wait
      %0 = tt.load %p : !tt.ptr<i32>
      tt.return %0 : i32
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TT_GridDependencyLaunchDependentsOp
    : TT_Op<"grid_dependency_launch_dependents",
            [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>]> {
  let summary = "Let the next launch begin once all programs are here or have ended";
  let description = [{
    It concerns a dependent launch, which waits by `tt.grid_dependency_wait` before it reads what this one writes.  Triton
    3.9 makes it of `gdc_launch_dependents`.

    Example:
    ```mlir
    tt.func @before(%p: !tt.ptr<i32>, %v: i32) {
      tt.grid_dependency_launch_dependents
      tt.store %p, %v : !tt.ptr<i32>
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TTKIT_TT_PROGRAM_OPS
