// RUN: tt-opt %s -split-input-file -verify-diagnostics

#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_shared_store_c1(%x: tensor<256xi32, #two>, %to: !ttg.memdesc<256xi32, #shared, #smem, mutable>, %bar: !ttg.memdesc<4xi64, #shared, #smem, mutable>) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.async_shared_store %x, %to, %bar : tensor<256xi32, #two> -> !ttg.memdesc<256xi32, #shared, #smem, mutable>, !ttg.memdesc<4xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_shared_store_c2(%x: tensor<256xi32, #two>, %to: !ttg.memdesc<256xi32, #shared, #smem>, %bar: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
    // expected-error @+1 {{Cannot store into immutable memory}}
    ttng.async_shared_store %x, %to, %bar : tensor<256xi32, #two> -> !ttg.memdesc<256xi32, #shared, #smem>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#two = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_shared_store_c3(%x: tensor<256xi32, #two>, %to: !ttg.memdesc<128xi32, #shared, #smem, mutable>, %bar: !ttg.memdesc<2xi64, #shared, #smem, mutable>) {
    // expected-error @+1 {{}}
    ttng.async_shared_store %x, %to, %bar : tensor<256xi32, #two> -> !ttg.memdesc<128xi32, #shared, #smem, mutable>, !ttg.memdesc<2xi64, #shared, #smem, mutable>
    tt.return
  }
}
