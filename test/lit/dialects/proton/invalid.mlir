// RUN: tt-opt --split-input-file --verify-diagnostics %s

tt.func @record_c1() {
  // expected-error @below {{times a region without a name}}
  proton.record start ""
  tt.return
}

// -----

tt.func @neither_start_nor_end_nor_name() {
  // expected-error @below {{expected attribute value}}
  proton.record start
  tt.return
}
