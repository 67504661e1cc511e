// RUN: tt-opt %s --split-input-file --convert-triton-to-tritongpu=target=foo -verify-diagnostics -o /dev/null

// expected-error @below {{pass 'convert-triton-to-tritongpu': target is 'foo'; write a GPU such as cuda:90 or hip:gfx942}}
module {
  tt.func @f() {
    tt.return
  }
}
