// seed: 7
// passes: inline; ttkit-locate-inlined-code; triton-rewrite-tensor-pointer; triton-rewrite-tensor-descriptor-to-pointer; canonicalize; triton-combine; triton-reorder-broadcast; cse; symbol-dce; triton-loop-unroll; ttkit-decompose-dot-scaled{leave-regular=true tcgen05-warps=0}; convert-triton-to-tritongpu{target=cuda:80 num-warps=1 num-ctas=1}; tritongpu-coalesce; tritongpu-F32DotTC{emu-tf32=true}; triton-nvidia-gpu-plan-cta; tritongpu-remove-layout-conversions; tritongpu-optimize-thread-locality; tritongpu-accelerate-matmul; tritongpu-remove-layout-conversions; tritongpu-optimize-dot-operands{hoist-layout-conversion=true}; triton-loop-aware-cse; tritongpu-fuse-nested-loops; canonicalize; triton-licm; canonicalize; tritongpu-combine-tensor-select-and-if; nvgpu-warp-specialization{num-stages=3}; tritongpu-assign-latencies{num-stages=3}; tritongpu-schedule-loops; tritongpu-pipeline{num-stages=3}; canonicalize; triton-loop-aware-cse; tritongpu-prefetch; tritongpu-optimize-dot-operands{hoist-layout-conversion=true}; tritongpu-coalesce-async-copy; tritongpu-remove-layout-conversions; tritongpu-reduce-data-duplication; tritongpu-reorder-instructions; triton-loop-aware-cse; symbol-dce; triton-nvidia-gpu-fence-insertion{compute-capability=80}; sccp; cse; canonicalize; tritongpu-combine-tensor-select-and-if; tritongpu-allocate-warp-groups; convert-scf-to-cf; inline; ttkit-locate-inlined-code; ttkit-place-dot-operands; allocate-shared-memory-nv{compute-capability=80 ptx-version=87}; triton-tensor-memory-allocation; triton-nvidia-check-matmul-two-cta; tritongpu-global-scratch-memory-allocation; convert-proton-to-protongpu{max-shared-mem-size=166912}; allocate-proton-shared-memory; allocate-proton-global-scratch-buffer; triton-nvidia-gpu-proxy-fence-insertion{compute-capability=80}; convert-triton-gpu-to-llvm{compute-capability=80 ptx-version=87}; canonicalize; cse; symbol-dce; ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly}
module {
  tt.func public @random(%in_i8: !tt.ptr<i8>, %in_i16: !tt.ptr<i16>, %in_i32: !tt.ptr<i32>, %in_i64: !tt.ptr<i64>, %in_f16: !tt.ptr<f16>, %in_bf16: !tt.ptr<bf16>, %in_f32: !tt.ptr<f32>, %in_f64: !tt.ptr<f64>, %out_i8: !tt.ptr<i8>, %out_i16: !tt.ptr<i16>, %out_i32: !tt.ptr<i32>, %out_i64: !tt.ptr<i64>, %out_f16: !tt.ptr<f16>, %out_bf16: !tt.ptr<bf16>, %out_f32: !tt.ptr<f32>, %out_f64: !tt.ptr<f64>, %n: i32, %s: f32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %width = arith.constant dense<128> : tensor<128x1xi32>
    %most = arith.constant dense<2047> : tensor<128x128xi32>
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %columns = tt.expand_dims %r {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %start = arith.muli %rows, %width : tensor<128x1xi32>
    %a = tt.broadcast %start : tensor<128x1xi32> -> tensor<128x128xi32>
    %b = tt.broadcast %columns : tensor<1x128xi32> -> tensor<128x128xi32>
    %i = arith.addi %a, %b : tensor<128x128xi32>
    %place = arith.andi %i, %most : tensor<128x128xi32>
    %base = tt.splat %in_i32 : !tt.ptr<i32> -> tensor<128x128x!tt.ptr<i32>>
    %from = tt.addptr %base, %place : tensor<128x128x!tt.ptr<i32>>, tensor<128x128xi32>
    %x = tt.load %from : tensor<128x128x!tt.ptr<i32>>
    %y = scf.for %k = %c0 to %c2 step %c1 iter_args(%v = %x) -> (tensor<128x128xi32>) : i32 {
      %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<128x128xi32> -> tensor<128x128xi32>
      %u = arith.addi %t, %i : tensor<128x128xi32>
      scf.yield %u : tensor<128x128xi32>
    }
    %z = arith.trunci %y : tensor<128x128xi32> to tensor<128x128xi16>
    %w = arith.extsi %z : tensor<128x128xi16> to tensor<128x128xi32>
    %sum = "tt.reduce"(%w) <{axis = 1 : i32}> ({
    ^bb0(%p: i32, %q: i32):
      %m = arith.maxsi %p, %q : i32
      tt.reduce.return %m : i32
    }) : (tensor<128x128xi32>) -> tensor<128xi32>
    %out = tt.splat %out_i32 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %to = tt.addptr %out, %r : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    tt.store %to, %sum : tensor<128x!tt.ptr<i32>>
    tt.return
  }
}
