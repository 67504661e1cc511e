#ifndef TTKIT_PROTON_RECORD_OPS
#define TTKIT_PROTON_RECORD_OPS

include "proton/proton_dialect.td"

def Proton_RecordOp : Proton_Op<"record", [MemoryEffects<[MemRead<Proton_Clock>, MemWrite<Proton_Clock>]>]> {
  let summary = "The beginning or the end of a region that is timed";
  let description = [{
    `start` begins the region `name`, `end` ends the one that was begun last under this name.  Records
    keep their order; loads and stores around them may move.  A record changes no result: the interpreters do
    nothing for it.

    Constraints:
    - (C1) `name` is not empty.

    Example:
    ```mlir
    tt.func @region(%p: !tt.ptr<f32>) -> f32 {
      proton.record start "load"
      %0 = tt.load %p : !tt.ptr<f32>
      proton.record end "load"
      tt.return %0 : f32
    }
    ```
  }];
  let arguments = (ins UnitAttr:$isStart, StrAttr:$name);
  let assemblyFormat = "(`start` $isStart^):(`end`)? $name attr-dict";
  let hasVerifier = 1;
}

#endif // TTKIT_PROTON_RECORD_OPS
