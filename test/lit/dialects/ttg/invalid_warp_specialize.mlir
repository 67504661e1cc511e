// RUN: tt-opt %s -split-input-file -verify-diagnostics

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c1_empty() {
    // expected-error @+1 {{expected to find only a `ttg.warp_specialize.partitions` op inside its second region}}
    "ttg.warp_specialize"() <{partitionNumWarps = array<i32>}> ({ ttg.warp_yield }, {
    ^bb0:
    }) : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c1_other() {
    // expected-error @+1 {{expected to find only a `ttg.warp_specialize.partitions` op inside its second region}}
    "ttg.warp_specialize"() <{partitionNumWarps = array<i32>}> ({ ttg.warp_yield }, {
      ttg.warp_yield
    }) : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c2_count() {
    // expected-error @+1 {{has 1 partitions but `partitionNumWarps` has 2 elements}}
    "ttg.warp_specialize"() <{partitionNumWarps = array<i32: 1, 2>}> ({ ttg.warp_yield }, {
      "ttg.warp_specialize.partitions"() ({ ttg.warp_return }) : () -> ()
    }) : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c2_three() {
    // expected-error @+1 {{partition #0 number of warps (3) must be a power of 2}}
    ttg.warp_specialize()
    default { ttg.warp_yield }
    partition0() num_warps(3) { ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c2_zero() {
    // expected-error @+1 {{partition #0 number of warps (0) must be a power of 2}}
    ttg.warp_specialize()
    default { ttg.warp_yield }
    partition0() num_warps(0) { ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c2_negative() {
    // expected-error @+1 {{partition #0 number of warps (-4) must be a power of 2}}
    ttg.warp_specialize()
    default { ttg.warp_yield }
    partition0() num_warps(-4) { ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c2_least() {
    // expected-error @+1 {{partition #0 number of warps (-2147483648) must be a power of 2}}
    ttg.warp_specialize()
    default { ttg.warp_yield }
    partition0() num_warps(-2147483648) { ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c2_missing(%x: i64) {
    // expected-error @+1 {{requires attribute 'partitionNumWarps'}}
    "ttg.warp_specialize"() ({
    ttg.warp_yield }, {
      "ttg.warp_specialize.partitions"() : () -> ()
    }) : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c3() {
    // expected-error @+1 {{has 2 warp group start IDs but expected 1}}
    ttg.warp_specialize() attributes {warpGroupStartIds = array<i32: 4, 8>}
    default { ttg.warp_yield }
    partition0() num_warps(4) { ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c4_count(%x: i32) {
    // expected-error @+1 {{partition region #0 has 0 arguments but expected 1}}
    ttg.warp_specialize(%x)
    default { ttg.warp_yield }
    partition0() num_warps(4) { ttg.warp_return } : (i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c4_type(%x: i32) {
    // expected-error @+1 {{partition region #0 argument #0 has type 'i64' but corresponding capture has type 'i32'}}
    ttg.warp_specialize(%x)
    default { ttg.warp_yield }
    partition0(%a: i64) num_warps(4) { ttg.warp_return } : (i32) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c5_default(%x: i32) {
    ttg.warp_specialize()
    default {
      // expected-error @+1 {{cannot be nested inside another `ttg.warp_specialize` op}}
      ttg.warp_specialize()
      default { ttg.warp_yield } : () -> ()
      ttg.warp_yield }
     : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_c5_partition(%x: i32) {
    ttg.warp_specialize()
    default { ttg.warp_yield }
    partition0() num_warps(4) {
      // expected-error @+1 {{cannot be nested inside another `ttg.warp_specialize` op}}
      ttg.warp_specialize()
      default { ttg.warp_yield } : () -> ()
      ttg.warp_return }
     : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 2 : i32} {
  tt.func @warp_specialize_c6(%x: i32) {
    // expected-error @+1 {{warp-specialized kernels requires num_warps to be a multiple of 4}}
    ttg.warp_specialize()
    default { ttg.warp_yield }
    partition0() num_warps(4) { ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_not_captured(%x: i32) {
    ttg.warp_specialize()
    default { ttg.warp_yield }
    // expected-error @+2 {{using value defined outside the region}}
    // expected-note @+1 {{required by region isolation constraints}}
    partition0() num_warps(4) { %0 = arith.addi %x, %x : i32
    ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_no_default(%x: i64) {
    // expected-error @+1 {{region #0 ('defaultRegion') failed to verify constraint: region with at least 1 blocks}}
    "ttg.warp_specialize"() <{partitionNumWarps = array<i32>}> ({
    }, {
      "ttg.warp_specialize.partitions"() : () -> ()
    }) : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_numbering(%x: i32, %p: i1) {
    ttg.warp_specialize()
    // expected-error @+1 {{expected ':'}}
    default { ttg.warp_yield }
    partition1() num_warps(8) {
    ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_partitions_c1(%x: i64) {
    // expected-error @+1 {{expects parent op 'ttg.warp_specialize'}}
    "ttg.warp_specialize.partitions"() : () -> ()
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_partitions_c2(%x: i64) {
    "ttg.warp_specialize"() <{partitionNumWarps = array<i32: 1>}> ({
    ttg.warp_yield }, {
      // expected-error @+1 {{region #0 ('partitionRegions') failed to verify constraint: region with at least 1 blocks}}
      "ttg.warp_specialize.partitions"() ({}) : () -> ()
    }) : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_yield_c1(%x: i32) {
    // expected-error @+1 {{expects parent op 'ttg.warp_specialize'}}
    ttg.warp_yield %x : i32
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_yield_c1_partition(%x: i64) {
    ttg.warp_specialize()
    default { ttg.warp_yield }
    // expected-error @+1 {{expects parent op 'ttg.warp_specialize'}}
    partition0() num_warps(4) { ttg.warp_yield } : () -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_yield_c2_count(%x: i32) {
    %0 = ttg.warp_specialize()
    // expected-error @+1 {{has 0 operands but parent op expected 1}}
    default { ttg.warp_yield }
    partition0() num_warps(4) { ttg.warp_return } : () -> i32
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_yield_c2_type(%x: i64) {
    %0 = ttg.warp_specialize()
    // expected-error @+1 {{operand #0 has type 'i64' but parent op expected 'i32'}}
    default { ttg.warp_yield %x : i64 }
    partition0() num_warps(4) { ttg.warp_return } : () -> i32
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_return_c1(%x: i64) {
    ttg.warp_specialize()
    // expected-error @+1 {{expects parent op 'ttg.warp_specialize.partitions'}}
    default { ttg.warp_return }
    partition0() num_warps(4) { ttg.warp_return } : () -> ()
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @warp_specialize_layout_of_other_warps(%x: i32, %p: i1) {
    ttg.warp_specialize()
    default { ttg.warp_yield }
    partition0() num_warps(8) {
      %c = arith.constant dense<1> : tensor<64x64xi32, #blocked>
      // expected-error-re @+1 {{Operand 0 (%{{[0-9a-z]+}} = "arith.constant"{{.+}}) has an invalid layout}}
      %d = ttg.convert_layout %c : tensor<64x64xi32, #blocked> -> tensor<64x64xi32, #blocked1>
    ttg.warp_return } : () -> ()
    tt.return
  }
}
