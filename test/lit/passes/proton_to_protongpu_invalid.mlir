// RUN: tt-opt %s --split-input-file --verify-diagnostics --convert-proton-to-protongpu

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @crossed() {
    proton.record start "a"
    // expected-error @below {{The scope name 'b' is not properly closed (missing start record)}}
    proton.record end "b"
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @open() {
    // expected-error @below {{The scope name 'a' is not properly closed (missing end record)}}
    proton.record start "a"
    tt.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @kernel() {
    proton.record start "a"
    tt.call @called() : () -> ()
    proton.record end "a"
    tt.return
  }
  tt.func private @called() attributes {noinline = true} {
    // expected-error @below {{a region in another function than the kernel can't be timed: let it be inlined}}
    proton.record start "b"
    proton.record end "b"
    tt.return
  }
}
