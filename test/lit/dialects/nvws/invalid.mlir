// RUN: tt-opt --split-input-file --verify-diagnostics %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @aref_create_c1(%x: !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>) {
  // expected-error @below {{failed to verify that input types match Aref output type}}
  %0 = "nvws.aref.create"(%x) : (!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>) -> !nvws.aref<[i32]>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
tt.func @aref_create_c2(%x: !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>) {
  // expected-error @below {{Aref buffer is used elsewhere, Aref cannot guarantee async safety}}
  %0 = nvws.aref.create %x : !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>
  ttg.local_dealloc %x : !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!two = !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
!three = !ttg.memdesc<3x64x16xf16, #shared, #smem, mutable>
tt.func @aref_create_c3(%x: !two, %y: !three) {
  // expected-error @below {{Leading dims of sliced aref inputs don't match.}}
  %0 = nvws.aref.create %x, %y : !nvws.aref<[!two, !three]>
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
!buffer = !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
tt.func @aref_put_enter_c1_count(%a: !nvws.aref<[!ring, !ring]>) {
  // expected-error @below {{Aref has different number of arguments than enter}}
  %0, %t = nvws.aref.put.enter %a : !nvws.aref<[!ring, !ring]> -> !buffer, !ttg.async.token
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
!other = !ttg.memdesc<64x16xf32, #shared, #smem, mutable>
tt.func @aref_put_enter_c1_elements(%a: !nvws.aref<[!ring]>) {
  // expected-error @below {{Ranks don't match}}
  %0, %t = nvws.aref.put.enter %a : !nvws.aref<[!ring]> -> !other, !ttg.async.token
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
!other = !ttg.memdesc<32x16xf16, #shared, #smem, mutable>
tt.func @aref_put_enter_c1_shape(%a: !nvws.aref<[!ring]>) {
  // expected-error @below {{Dimensions don't match}}
  %0, %t = nvws.aref.put.enter %a : !nvws.aref<[!ring]> -> !other, !ttg.async.token
  tt.return
}

// -----

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>
tt.func @aref_get_enter_c1(%a: !nvws.aref<[!ring]>) {
  // expected-error @below {{Ranks don't match}}
  %0, %t = nvws.aref.get.enter %a : !nvws.aref<[!ring]> -> !ring, !ttg.async.token
  tt.return
}

// -----

tt.func @warp_group_c1(%x: i32) {
  // expected-error @below {{Must supply numWarps for each Warp Group.}}
  "nvws.warp_group"() <{numWarps = array<i32: 4>}> ({
    "nvws.warp_group.return"() : () -> ()
  }, {
    "nvws.warp_group.return"() : () -> ()
  }) : () -> ()
  tt.return
}

// -----

tt.func @warp_group_c2(%x: i32) {
  // expected-error @below {{the first region should be terminated by nvws.warp_group.yield op.}}
  %0 = "nvws.warp_group"() <{numWarps = array<i32: 4>}> ({
    "nvws.warp_group.return"() : () -> ()
  }) : () -> i32
  tt.return
}

// -----

tt.func @warp_group_c3(%x: i32) {
  // expected-error @below {{Mismatch in the number of results returned by nvws.warp_group op and the number of the operands of the corresponding nvws.warp_group.yield op in the first region.}}
  %0 = "nvws.warp_group"() <{numWarps = array<i32: 4>}> ({
    nvws.warp_group.yield %x, %x : i32, i32
  }) : () -> i32
  tt.return
}

// -----

tt.func @warp_group_yield_c1(%x: i32) {
  // expected-error @below {{'nvws.warp_group.yield' op expects parent op 'nvws.warp_group'}}
  nvws.warp_group.yield %x : i32
}

// -----

tt.func @warp_group_return_c1() {
  // expected-error @below {{'nvws.warp_group.return' op expects parent op 'nvws.warp_group'}}
  nvws.warp_group.return
}

// -----

// expected-error @below {{unknown  type `other` in dialect `nvws`}}
tt.func @no_such_type(%x: !nvws.other) {
  tt.return
}
