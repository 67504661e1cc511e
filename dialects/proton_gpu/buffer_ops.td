#ifndef TTKIT_PROTON_GPU_BUFFER_OPS
#define TTKIT_PROTON_GPU_BUFFER_OPS

include "proton/proton_dialect.td"
include "proton_gpu/proton_gpu_dialect.td"

defvar ReadsClock = MemoryEffects<[MemRead<Proton_Clock>, MemWrite<Proton_Clock>]>;

class ProtonGPU_CtxOp<string mnemonic> : ProtonGPU_Op<mnemonic, [ReadsClock]> {
  let arguments = (ins ProtonGPU_SegmentType:$segment, TT_Ptr:$scratchPtr);
  let assemblyFormat = "$segment `,` $scratchPtr attr-dict `:` qualified(type($segment)) `,` qualified(type($scratchPtr))";
}

def ProtonGPU_GlobalScratchAllocOp : ProtonGPU_Op<"global_scratch_alloc"> {
  let summary = "The part of the profile scratch memory that is of this program";
  let description = [{
    `nbytes` from `offset` on, aligned to `alignment` bytes.  `allocate-proton-global-scratch-buffer` chooses the offset.

    Example:
    ```mlir
    tt.func @scratch() {
      %0 = proton_gpu.global_scratch_alloc {alignment = 128 : i32, nbytes = 1152 : i32} : !tt.ptr<i32>
      tt.return
    }
    ```
  }];
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment, OptionalAttr<I32Attr>:$offset);
  let results = (outs TT_Ptr:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def ProtonGPU_InitializeOp : ProtonGPU_Op<"initialize", [ReadsClock]> {
  let summary = "Write the head of a program's scratch memory: its number, its multiprocessor, the time";
  let description = [{
    Example:
    ```mlir
    tt.func @begin(%scratch: !tt.ptr<i32>) {
      proton_gpu.initialize %scratch : !tt.ptr<i32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Ptr:$scratchPtr);
  let assemblyFormat = "$scratchPtr attr-dict `:` qualified(type($scratchPtr))";
}

def ProtonGPU_SegmentAllocOp : ProtonGPU_Op<"segment_alloc", [ReadsClock]> {
  let summary = "A segment in a buffer, empty";
  let description = [{
    Constraints:
    - (C1) `buffer` is in shared memory or a pointer, as the memory space of `segment` says.

    Example:
    ```mlir
    tt.func @segment(%p: !tt.ptr<i32>) {
      %0 = proton_gpu.segment_alloc %p : !tt.ptr<i32> -> <1024, #proton_gpu.global_memory, warp>
      tt.return
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[TTG_MemDescType, TT_Ptr]>:$buffer);
  let results = (outs ProtonGPU_SegmentType:$segment);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` type($segment)";
  let hasVerifier = 1;
}

def ProtonGPU_ReadCounterOp : ProtonGPU_Op<"read_counter", [ReadsClock]> {
  let summary = "The clock of this multiprocessor";
  let description = [{
    In cycles: the low 32 bits, or all 64.

    Example:
    ```mlir
    tt.func @clock() {
      %0 = proton_gpu.read_counter : i32
      tt.return
    }
    ```
  }];
  let arguments = (ins DefaultValuedAttr<ProtonGPU_MetricTypeAttr, "::ttkit::proton_gpu::MetricType::CYCLE">:$metric);
  let results = (outs AnyTypeOf<[I32, I64]>:$counter);
  let assemblyFormat = "attr-dict `:` type($counter)";
}

def ProtonGPU_CircularStoreOp : ProtonGPU_Op<"circular_store", [ReadsClock]> {
  let summary = "Write an entry into this warp's part of a segment";
  let description = [{
    Where it is full the oldest entry goes.  Warps that are not timed write none.

    Constraints:
    - (C1) `scopeId` is 0 to 255.

    Example:
    ```mlir
    tt.func @store(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, %clock: i32) {
      proton_gpu.circular_store start %s, %clock {scopeId = 0 : i32} : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, i32
      tt.return
    }
    ```
  }];
  let arguments = (ins ProtonGPU_SegmentType:$segment, AnyTypeOf<[I32, I64]>:$counter, UnitAttr:$isStart,
                       I32Attr:$scopeId);
  let assemblyFormat = [{
    (`start` $isStart^):(`end`)? $segment `,` $counter attr-dict `:` qualified(type($segment)) `,` type($counter)
  }];
  let hasVerifier = 1;
}

def ProtonGPU_FinalizeOp : ProtonGPU_Op<"finalize", [ReadsClock]> {
  let summary = "Write the segment, and how much each warp wrote, to the scratch memory";
  let description = [{
    Each warp writes its own part: warps that are specialized end each with one of theirs.

    Example:
    ```mlir
    tt.func @finish(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, %scratch: !tt.ptr<i32>) {
      proton_gpu.finalize %s, %scratch : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, !tt.ptr<i32>
      tt.return
    }
    ```
  }];
  let arguments = (ins ProtonGPU_SegmentType:$segment, TT_Ptr:$scratchPtr);
  let assemblyFormat = "$segment `,` $scratchPtr attr-dict `:` qualified(type($segment)) `,` qualified(type($scratchPtr))";
}

def ProtonGPU_InitCtxOp : ProtonGPU_Op<"init_ctx", [ReadsClock]> {
  let summary = "Say in the scratch memory that no warp has written anything";
  let description = [{
    Before warps are specialized, who tell each other by it how far they are.

    Example:
    ```mlir
    tt.func @init(%scratch: !tt.ptr<i32>) {
      proton_gpu.init_ctx %scratch : !tt.ptr<i32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Ptr:$scratchPtr);
  let assemblyFormat = "$scratchPtr attr-dict `:` qualified(type($scratchPtr))";
}

def ProtonGPU_SaveCtxOp : ProtonGPU_CtxOp<"save_ctx"> {
  let summary = "Write to the scratch memory how much this warp has written";
  let description = [{
    Example:
    ```mlir
    tt.func @save(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, %scratch: !tt.ptr<i32>) {
      proton_gpu.save_ctx %s, %scratch : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, !tt.ptr<i32>
      tt.return
    }
    ```
  }];
}

def ProtonGPU_RestoreCtxOp : ProtonGPU_CtxOp<"restore_ctx"> {
  let summary = "Go on where this warp's last `save_ctx` left its part of the segment";
  let description = [{
    Example:
    ```mlir
    tt.func @restore(%s: !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, %scratch: !tt.ptr<i32>) {
      proton_gpu.restore_ctx %s, %scratch : !proton_gpu.segment<1024, #proton_gpu.global_memory, warp>, !tt.ptr<i32>
      tt.return
    }
    ```
  }];
}

#endif // TTKIT_PROTON_GPU_BUFFER_OPS
