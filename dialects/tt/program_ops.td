#ifndef TTKIT_TT_PROGRAM_OPS
#define TTKIT_TT_PROGRAM_OPS

include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_GetProgramIdOp : TT_Op<"get_program_id", [Pure]> {
  let summary = "Index of this program along one axis of the grid";
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}

#endif // TTKIT_TT_PROGRAM_OPS
