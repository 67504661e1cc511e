// seed: 227683924903
// passes: inline,ttkit-locate-inlined-code,triton-rewrite-tensor-pointer,canonicalize,triton-combine,triton-reorder-broadcast,cse,symbol-dce,triton-loop-unroll; ttkit-decompose-dot-scaled{leave-regular=true tcgen05-warps=0},convert-triton-to-tritongpu{target=cuda:100 num-warps=4 num-ctas=2},tritongpu-coalesce,tritongpu-F32DotTC{emu-tf32=true},triton-nvidia-gpu-plan-cta,tritongpu-remove-layout-conversions,tritongpu-optimize-thread-locality,tritongpu-accelerate-matmul,ttkit-spread-transposed-loads,tritongpu-remove-layout-conversions,tritongpu-optimize-dot-operands{hoist-layout-conversion=true},triton-nvidia-optimize-descriptor-encoding,triton-loop-aware-cse,tritongpu-fuse-nested-loops,canonicalize,triton-licm,tritongpu-optimize-accumulator-init,tritongpu-hoist-tmem-alloc{hoist-out-of-if=false},tritongpu-promote-lhs-to-tmem,tritongpu-assign-latencies{num-stages=3},tritongpu-schedule-loops,tritongpu-automatic-warp-specialization{num-stages=3},tritongpu-pipeline{num-stages=3},tritongpu-optimize-partition-warps,tritongpu-combine-tensor-select-and-if,tritongpu-hoist-tmem-alloc{hoist-out-of-if=true},triton-nvidia-gpu-remove-tmem-tokens,canonicalize,triton-loop-aware-cse,tritongpu-prefetch,tritongpu-optimize-dot-operands{hoist-layout-conversion=true},tritongpu-coalesce-async-copy,tritongpu-fuse-nested-loops
  module {
  tt.func public @random(%in_i8: !tt.ptr<i8>, %in_i16: !tt.ptr<i16>, %in_i32: !tt.ptr<i32>, %in_i64: !tt.ptr<i64>, %in_f16: !tt.ptr<f16>, %in_bf16: !tt.ptr<bf16>, %in_f32: !tt.ptr<f32>, %in_f64: !tt.ptr<f64>, %out_i8: !tt.ptr<i8>, %out_i16: !tt.ptr<i16>, %out_i32: !tt.ptr<i32>, %out_i64: !tt.ptr<i64>, %out_f16: !tt.ptr<f16>, %out_bf16: !tt.ptr<bf16>, %out_f32: !tt.ptr<f32>, %out_f64: !tt.ptr<f64>, %n: i32, %s: f32) {
  %1 = tt.get_program_id x : i32
  %2 = arith.constant 8192 : i32
  %3 = arith.muli %1, %2 : i32
  %4 = arith.constant 0 : i32
  %5 = arith.addi %3, %4 : i32
  %6 = tt.addptr %in_i16, %5 : !tt.ptr<i16>, i32
  %7 = arith.constant 3 : i32
  %8 = arith.constant 1 : i64
  %9 = tt.make_tensor_descriptor %6, [%7], [%8] : <i16>, <tensor<128xi16>>
  %10 = arith.constant true
  %11 = scf.if %10 -> (!tt.tensordesc<tensor<128xi16>>) {
    %12 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %13 = arith.constant dense<3402> : tensor<8xi32>
    %14 = arith.addi %12, %13 : tensor<8xi32>
    %15 = tt.addptr %in_i16, %3 : !tt.ptr<i16>, i32
    %16 = tt.splat %15 : !tt.ptr<i16> -> tensor<8x!tt.ptr<i16>>
    %17 = tt.addptr %16, %14 : tensor<8x!tt.ptr<i16>>, tensor<8xi32>
    %18 = tt.load %17 cacheModifier = cg : tensor<8x!tt.ptr<i16>>
    %19 = "tt.scan"(%18) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%20: i16, %21: i16):
      %22 = arith.ori %20, %21 : i16
      tt.scan.return %22 : i16
    }) : (tensor<8xi16>) -> tensor<8xi16>
    %23 = arith.addf %s, %s : f32
    %24 = arith.constant 3 : i32
    %25 = arith.constant 15 : i32
    %26 = arith.andi %24, %25 : i32
    %27 = arith.constant 4 : i32
    %28 = arith.subi %26, %27 : i32
    %29 = tt.descriptor_load %9[%28] : !tt.tensordesc<tensor<128xi16>> -> tensor<128xi16>
    %30 = tt.make_range {start = 0 : i32, end = 8192 : i32} : tensor<8192xi32>
    %31 = tt.reshape %30 : tensor<8192xi32> -> tensor<64x128xi32>
    %32 = arith.constant dense<0> : tensor<64x128xi32>
    %33 = arith.addi %31, %32 : tensor<64x128xi32>
    %34 = tt.addptr %in_f16, %3 : !tt.ptr<f16>, i32
    %35 = tt.splat %34 : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>>
    %36 = tt.addptr %35, %33 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
    %37 = tt.load %36 : tensor<64x128x!tt.ptr<f16>>
    %38 = tt.trans %37 {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
    %39 = tt.fp_to_fp %38, rounding = rtne : tensor<128x64xf16> -> tensor<128x64xf8E4M3FN>
    %40 = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %41 = tt.reshape %40 : tensor<256xi32> -> tensor<128x2xi32>
    %42 = arith.constant dense<4939> : tensor<128x2xi32>
    %43 = arith.addi %41, %42 : tensor<128x2xi32>
    %44 = tt.addptr %in_i8, %3 : !tt.ptr<i8>, i32
    %45 = tt.splat %44 : !tt.ptr<i8> -> tensor<128x2x!tt.ptr<i8>>
    %46 = tt.addptr %45, %43 : tensor<128x2x!tt.ptr<i8>>, tensor<128x2xi32>
    %47 = tt.load %46 : tensor<128x2x!tt.ptr<i8>>
    %48 = arith.constant dense<3> : tensor<128x2xi8>
    %49 = arith.andi %47, %48 : tensor<128x2xi8>
    %50 = arith.constant dense<126> : tensor<128x2xi8>
    %51 = arith.addi %49, %50 : tensor<128x2xi8>
    %52 = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %53 = tt.reshape %52 : tensor<1024xi32> -> tensor<32x32xi32>
    %54 = arith.constant dense<2058> : tensor<32x32xi32>
    %55 = arith.addi %53, %54 : tensor<32x32xi32>
    %56 = tt.addptr %in_i8, %3 : !tt.ptr<i8>, i32
    %57 = tt.splat %56 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>>
    %58 = tt.addptr %57, %55 : tensor<32x32x!tt.ptr<i8>>, tensor<32x32xi32>
    %59 = tt.load %58 : tensor<32x32x!tt.ptr<i8>>
    %60 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %61 = tt.reshape %60 : tensor<64xi32> -> tensor<32x2xi32>
    %62 = arith.constant dense<1514> : tensor<32x2xi32>
    %63 = arith.addi %61, %62 : tensor<32x2xi32>
    %64 = tt.addptr %in_i8, %3 : !tt.ptr<i8>, i32
    %65 = tt.splat %64 : !tt.ptr<i8> -> tensor<32x2x!tt.ptr<i8>>
    %66 = tt.addptr %65, %63 : tensor<32x2x!tt.ptr<i8>>, tensor<32x2xi32>
    %67 = tt.load %66 : tensor<32x2x!tt.ptr<i8>>
    %68 = arith.constant dense<3> : tensor<32x2xi8>
    %69 = arith.andi %67, %68 : tensor<32x2xi8>
    %70 = arith.constant dense<126> : tensor<32x2xi8>
    %71 = arith.addi %69, %70 : tensor<32x2xi8>
    %72 = arith.constant dense<0.0> : tensor<128x32xf32>
    %73 = tt.dot_scaled %39 scale %51, %59 scale %71, %72 lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<128x64xf8E4M3FN>, tensor<128x2xi8> * tensor<32x32xi8>, tensor<32x2xi8> -> tensor<128x32xf32>
    %74 = arith.constant dense<0> : tensor<128x32xi32>
    %75 = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    %76 = tt.reshape %75 : tensor<4096xi32> -> tensor<128x32xi32>
    %77 = arith.addi %76, %74 : tensor<128x32xi32>
    %78 = tt.addptr %out_f32, %3 : !tt.ptr<f32>, i32
    %79 = tt.splat %78 : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
    %80 = tt.addptr %79, %77 : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
    %81 = tt.splat %10 : i1 -> tensor<128x32xi1>
    tt.store %80, %73, %81 : tensor<128x32x!tt.ptr<f32>>
    scf.yield %9 : !tt.tensordesc<tensor<128xi16>>
  } else {
    %82 = arith.uitofp %1 : i32 to bf16
    %83 = arith.constant 0 : i32
    %84 = arith.addi %3, %83 : i32
    %85 = tt.addptr %in_f32, %84 : !tt.ptr<f32>, i32
    %86 = arith.constant 16 : i32
    %87 = arith.constant 11 : i32
    %88 = arith.constant 12 : i64
    %89 = arith.constant 1 : i64
    %90 = tt.make_tensor_descriptor %85, [%86, %87], [%88, %89] {padding = 2 : i32} : <f32>, <tensor<1x16xf32>>
    %91 = arith.constant 4096 : i32
    %92 = arith.addi %3, %91 : i32
    %93 = tt.addptr %out_f32, %92 : !tt.ptr<f32>, i32
    %94 = arith.constant 5 : i32
    %95 = arith.constant 11 : i32
    %96 = arith.constant 12 : i64
    %97 = arith.constant 1 : i32
    %98 = arith.extsi %97 : i32 to i64
    %99 = tt.make_tensor_descriptor %93, [%94, %95], [%96, %98] {padding = 2 : i32} : <f32>, <tensor<1x16xf32>>
    %100 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %101 = arith.constant dense<703> : tensor<8xi32>
    %102 = arith.addi %100, %101 : tensor<8xi32>
    %103 = tt.addptr %in_i32, %3 : !tt.ptr<i32>, i32
    %104 = tt.splat %103 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %105 = tt.addptr %104, %102 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %106 = tt.load %105 : tensor<8x!tt.ptr<i32>>
    %107 = arith.constant dense<7> : tensor<8xi32>
    %108 = arith.andi %106, %107 : tensor<8xi32>
    %109 = arith.constant 15 : i32
    %110 = arith.andi %1, %109 : i32
    %111 = arith.constant 4 : i32
    %112 = arith.subi %110, %111 : i32
    %113 = tt.descriptor_gather %90[%108, %112] : (!tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32) -> tensor<8x16xf32>
    %114 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %115 = arith.constant 8 : i32
    tt.descriptor_scatter %99[%114, %115], %113 : !tt.tensordesc<tensor<1x16xf32>>, tensor<8xi32>, i32, tensor<8x16xf32>
    %116 = arith.constant dense<0> : tensor<8xi32>
    %117 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %118 = arith.addi %117, %116 : tensor<8xi32>
    %119 = tt.addptr %out_i32, %3 : !tt.ptr<i32>, i32
    %120 = tt.splat %119 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %121 = tt.addptr %120, %118 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %122 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %123 = arith.constant dense<6999> : tensor<8xi32>
    %124 = arith.addi %122, %123 : tensor<8xi32>
    %125 = tt.addptr %in_i8, %3 : !tt.ptr<i8>, i32
    %126 = tt.splat %125 : !tt.ptr<i8> -> tensor<8x!tt.ptr<i8>>
    %127 = tt.addptr %126, %124 : tensor<8x!tt.ptr<i8>>, tensor<8xi32>
    %128 = tt.load %127 : tensor<8x!tt.ptr<i8>>
    %129 = arith.constant dense<1> : tensor<8xi8>
    %130 = arith.cmpi ne, %128, %129 : tensor<8xi8>
    tt.store %121, %107, %130 : tensor<8x!tt.ptr<i32>>
    %131 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %132 = tt.reshape %131 : tensor<16xi32> -> tensor<1x16xi32>
    %133 = arith.constant dense<7441> : tensor<1x16xi32>
    %134 = arith.addi %132, %133 : tensor<1x16xi32>
    %135 = tt.addptr %in_f32, %3 : !tt.ptr<f32>, i32
    %136 = tt.splat %135 : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
    %137 = tt.addptr %136, %134 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
    %138 = tt.load %137 : tensor<1x16x!tt.ptr<f32>>
    %139 = arith.constant -3 : i32
    %140 = arith.constant 15 : i32
    %141 = arith.andi %84, %140 : i32
    %142 = arith.constant 4 : i32
    %143 = arith.subi %141, %142 : i32
    tt.descriptor_store %99[%139, %143], %138 : !tt.tensordesc<tensor<1x16xf32>>, tensor<1x16xf32>
    %144 = arith.constant 0 : i32
    %145 = arith.constant 4625 : i32
    %146 = arith.addi %144, %145 : i32
    %147 = tt.addptr %in_i32, %3 : !tt.ptr<i32>, i32
    %149 = tt.addptr %147, %146 : !tt.ptr<i32>, i32
    %150 = tt.load %149 : !tt.ptr<i32>
    %151 = arith.constant 31 : i32
    %152 = arith.andi %150, %151 : i32
    %153 = arith.shrui %91, %152 : i32
    scf.yield %9 : !tt.tensordesc<tensor<128xi16>>
  }
  %154 = arith.constant -2 : i32
  %155 = tt.descriptor_load %11[%154] : !tt.tensordesc<tensor<128xi16>> -> tensor<128xi16>
  %156 = tt.splat %154 : i32 -> tensor<128xi32>
  %157 = tt.splat %1 : i32 -> tensor<128xi32>
  %158 = arith.addi %156, %157 : tensor<128xi32>
  %159 = arith.constant 16 : i32
  %160 = arith.addi %3, %159 : i32
  %161 = tt.addptr %out_i32, %160 : !tt.ptr<i32>, i32
  %162 = arith.constant 1 : i32
  %163 = arith.constant 8 : i32
  %164 = arith.constant 8 : i32
  %165 = arith.constant 64 : i64
  %166 = arith.constant 8 : i64
  %167 = arith.constant 1 : i32
  %168 = arith.extsi %167 : i32 to i64
  %169 = tt.make_tensor_descriptor %161, [%162, %163, %164], [%165, %166, %168] : <i32>, <tensor<2x4x8xsi32>>
  %170 = arith.select %10, %169, %169 : !tt.tensordesc<tensor<2x4x8xsi32>>
  %171 = arith.constant 1216 : i32
  %172 = arith.addi %3, %171 : i32
  %173 = tt.addptr %in_bf16, %172 : !tt.ptr<bf16>, i32
  %174 = arith.constant 11 : i32
  %175 = arith.constant 8 : i32
  %176 = arith.constant 8 : i32
  %177 = arith.extsi %176 : i32 to i64
  %178 = arith.constant 1 : i32
  %179 = arith.extsi %178 : i32 to i64
  %180 = tt.make_tensor_descriptor %173, [%174, %175], [%177, %179] {padding = 2 : i32} : <bf16>, <tensor<1x16xbf16>>
  %181 = arith.constant 0 : i32
  %182 = arith.addi %3, %181 : i32
  %183 = tt.addptr %out_bf16, %182 : !tt.ptr<bf16>, i32
  %184 = arith.constant 4 : i32
  %185 = arith.constant 8 : i32
  %186 = arith.constant 8 : i32
  %187 = arith.extsi %186 : i32 to i64
  %188 = arith.constant 1 : i64
  %189 = tt.make_tensor_descriptor %183, [%184, %185], [%187, %188] {padding = 2 : i32} : <bf16>, <tensor<1x16xbf16>>
  %190 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %191 = arith.constant dense<3498> : tensor<8xi32>
  %192 = arith.addi %190, %191 : tensor<8xi32>
  %193 = tt.addptr %in_i32, %3 : !tt.ptr<i32>, i32
  %194 = tt.splat %193 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
  %195 = tt.addptr %194, %192 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
  %196 = tt.load %195 : tensor<8x!tt.ptr<i32>>
  %197 = arith.constant dense<7> : tensor<8xi32>
  %198 = arith.andi %196, %197 : tensor<8xi32>
  %199 = arith.constant 2 : i32
  %200 = tt.descriptor_gather %180[%198, %199] : (!tt.tensordesc<tensor<1x16xbf16>>, tensor<8xi32>, i32) -> tensor<8x16xbf16>
  %201 = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %202 = arith.constant 15 : i32
  %203 = arith.andi %4, %202 : i32
  %204 = arith.constant 4 : i32
  %205 = arith.subi %203, %204 : i32
  tt.descriptor_scatter %189[%201, %205], %200 : !tt.tensordesc<tensor<1x16xbf16>>, tensor<8xi32>, i32, tensor<8x16xbf16>
  %206 = arith.constant 80 : i32
  %207 = arith.addi %3, %206 : i32
  %208 = tt.addptr %out_i32, %207 : !tt.ptr<i32>, i32
  %209 = arith.constant 16 : i32
  %210 = arith.constant 1 : i32
  %211 = arith.extsi %210 : i32 to i64
  %212 = tt.make_tensor_descriptor %208, [%209], [%211] : <i32>, <tensor<16xui32>>
  %213 = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %214 = arith.constant dense<6956> : tensor<16xi32>
  %215 = arith.addi %213, %214 : tensor<16xi32>
  %216 = tt.addptr %in_i32, %3 : !tt.ptr<i32>, i32
  %217 = tt.splat %216 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
  %218 = tt.addptr %217, %215 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
  %219 = tt.load %218 : tensor<16x!tt.ptr<i32>>
  %220 = arith.constant 8 : i32
  tt.descriptor_reduce xor, %212[%220], %219 : !tt.tensordesc<tensor<16xui32>>, tensor<16xi32>
  %221 = arith.constant 144 : i32
  %222 = arith.constant 0 : i32
  %223 = arith.addi %222, %221 : i32
  %224 = tt.addptr %out_i32, %3 : !tt.ptr<i32>, i32
  %226 = tt.addptr %224, %223 : !tt.ptr<i32>, i32
  tt.store %226, %n : !tt.ptr<i32>
  %227 = arith.constant dense<0> : tensor<128xi32>
  %228 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %229 = arith.addi %228, %227 : tensor<128xi32>
  %230 = tt.addptr %out_i16, %3 : !tt.ptr<i16>, i32
  %231 = tt.splat %230 : !tt.ptr<i16> -> tensor<128x!tt.ptr<i16>>
  %232 = tt.addptr %231, %229 : tensor<128x!tt.ptr<i16>>, tensor<128xi32>
  tt.store %232, %155 : tensor<128x!tt.ptr<i16>>
  %233 = arith.constant dense<145> : tensor<128xi32>
  %234 = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
  %235 = arith.addi %234, %233 : tensor<128xi32>
  %236 = tt.addptr %out_i32, %3 : !tt.ptr<i32>, i32
  %237 = tt.splat %236 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
  %238 = tt.addptr %237, %235 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
  tt.store %238, %158 : tensor<128x!tt.ptr<i32>>
  tt.return
  }
}
