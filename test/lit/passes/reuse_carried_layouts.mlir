// RUN: tt-opt %s --split-input-file --ttkit-reuse-carried-layouts | FileCheck %s
// RUN: tt-opt %s --split-input-file --ttkit-reuse-carried-layouts --prove-passes=all -o %t

#used = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second loop starts from the pointers of the first one, in another layout than that of its loads.
  // CHECK-LABEL: @two_loops
  // CHECK: %[[FIRST:.*]] = scf.for {{.*}} -> (tensor<512x!tt.ptr<f32>, #[[USED:.*]]>)
  // CHECK: tt.load {{.*}} #[[USED]]>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
  // CHECK: tt.load {{.*}} #[[USED]]>
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @two_loops(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #used>
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #used>
    %first = tt.addptr %base, %range : tensor<512x!tt.ptr<f32>, #used>, tensor<512xi32, #used>
    %range_o = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #other>
    %base_o = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #other>
    %first_o = tt.addptr %base_o, %range_o : tensor<512x!tt.ptr<f32>, #other>, tensor<512xi32, #other>
    %out_base = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #used>
    %out = tt.addptr %out_base, %range : tensor<512x!tt.ptr<f32>, #used>, tensor<512xi32, #used>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p_o = %first_o, %p = %first) -> (tensor<512x!tt.ptr<f32>, #other>, tensor<512x!tt.ptr<f32>, #used>) : i32 {
      %v = tt.load %p : tensor<512x!tt.ptr<f32>, #used>
      tt.store %out, %v : tensor<512x!tt.ptr<f32>, #used>
      %step_o = tt.splat %n : i32 -> tensor<512xi32, #other>
      %next_o = tt.addptr %p_o, %step_o : tensor<512x!tt.ptr<f32>, #other>, tensor<512xi32, #other>
      %step = tt.splat %n : i32 -> tensor<512xi32, #used>
      %next = tt.addptr %p, %step : tensor<512x!tt.ptr<f32>, #used>, tensor<512xi32, #used>
      scf.yield %next_o, %next : tensor<512x!tt.ptr<f32>, #other>, tensor<512x!tt.ptr<f32>, #used>
    }
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%p_o = %r#0) -> (tensor<512x!tt.ptr<f32>, #other>) : i32 {
      %p = ttg.convert_layout %p_o : tensor<512x!tt.ptr<f32>, #other> -> tensor<512x!tt.ptr<f32>, #used>
      %v = tt.load %p : tensor<512x!tt.ptr<f32>, #used>
      tt.store %out, %v : tensor<512x!tt.ptr<f32>, #used>
      %step_o = tt.splat %n : i32 -> tensor<512xi32, #other>
      %next_o = tt.addptr %p_o, %step_o : tensor<512x!tt.ptr<f32>, #other>, tensor<512xi32, #other>
      scf.yield %next_o : tensor<512x!tt.ptr<f32>, #other>
    }
    tt.return
  }
}

// -----

#used = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The copies advance by different steps.
  // CHECK-LABEL: @other_steps
  // CHECK: scf.for {{.*}} -> (tensor<512xi32, #[[OTHER:.*]]>, tensor<512xi32, #[[USED:.*]]>)
  // CHECK: tt.store {{.*}} #[[OTHER]]>
  tt.func @other_steps(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #used>
    %range_o = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #other>
    %base = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #used>
    %base_o = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #other>
    %out = tt.addptr %base, %range : tensor<512x!tt.ptr<i32>, #used>, tensor<512xi32, #used>
    %out_o = tt.addptr %base_o, %range_o : tensor<512x!tt.ptr<i32>, #other>, tensor<512xi32, #other>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v_o = %range_o, %v = %range) -> (tensor<512xi32, #other>, tensor<512xi32, #used>) : i32 {
      tt.store %out, %v : tensor<512x!tt.ptr<i32>, #used>
      %step_o = tt.splat %m : i32 -> tensor<512xi32, #other>
      %next_o = arith.addi %v_o, %step_o : tensor<512xi32, #other>
      %step = tt.splat %n : i32 -> tensor<512xi32, #used>
      %next = arith.addi %v, %step : tensor<512xi32, #used>
      scf.yield %next_o, %next : tensor<512xi32, #other>, tensor<512xi32, #used>
    }
    tt.store %out_o, %r#0 : tensor<512x!tt.ptr<i32>, #other>
    tt.return
  }

  // Both copies start from splats, are added up in different orders, and are used in the loop.
  // CHECK-LABEL: @both_in_use
  // CHECK: scf.for {{.*}} -> (tensor<512xi32, #[[OTHER:.*]]>, tensor<512xi32, #[[USED:.*]]>)
  // CHECK: tt.store {{.*}} #[[OTHER]]>
  tt.func @both_in_use(%x: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #used>
    %range_o = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #other>
    %base = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #used>
    %base_o = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #other>
    %out = tt.addptr %base, %range : tensor<512x!tt.ptr<i32>, #used>, tensor<512xi32, #used>
    %out_o = tt.addptr %base_o, %range_o : tensor<512x!tt.ptr<i32>, #other>, tensor<512xi32, #other>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v_o = %range_o, %v = %range) -> (tensor<512xi32, #other>, tensor<512xi32, #used>) : i32 {
      tt.store %out_o, %v_o : tensor<512x!tt.ptr<i32>, #other>
      tt.store %out, %v : tensor<512x!tt.ptr<i32>, #used>
      %step_o = tt.splat %n : i32 -> tensor<512xi32, #other>
      %next_o = arith.addi %v_o, %step_o : tensor<512xi32, #other>
      %step = tt.splat %n : i32 -> tensor<512xi32, #used>
      %next = arith.addi %v, %step : tensor<512xi32, #used>
      scf.yield %next_o, %next : tensor<512xi32, #other>, tensor<512xi32, #used>
    }
    tt.store %out_o, %r#0 : tensor<512x!tt.ptr<i32>, #other>
    tt.return
  }

  // What is kept for its result alone is converted once, after the loop.
  // CHECK-LABEL: @converted_after
  // CHECK: %[[LOOP:.*]] = scf.for {{.*}} -> (tensor<512xi32, #[[USED:.*]]>)
  // CHECK: }
  // CHECK: %[[RESULT:.*]] = ttg.convert_layout %[[LOOP]]
  // CHECK: tt.store %{{.*}}, %[[RESULT]]
  tt.func @converted_after(%x: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zeros = arith.constant dense<3> : tensor<512xi32, #used>
    %zeros_o = arith.constant dense<3> : tensor<512xi32, #other>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #used>
    %range_o = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #other>
    %base = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #used>
    %base_o = tt.splat %x : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #other>
    %out = tt.addptr %base, %range : tensor<512x!tt.ptr<i32>, #used>, tensor<512xi32, #used>
    %out_o = tt.addptr %base_o, %range_o : tensor<512x!tt.ptr<i32>, #other>, tensor<512xi32, #other>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v_o = %zeros_o, %v = %zeros) -> (tensor<512xi32, #other>, tensor<512xi32, #used>) : i32 {
      %loaded = tt.load %out : tensor<512x!tt.ptr<i32>, #used>
      %sum = arith.addi %loaded, %v : tensor<512xi32, #used>
      tt.store %out, %sum : tensor<512x!tt.ptr<i32>, #used>
      %step_o = tt.splat %i : i32 -> tensor<512xi32, #other>
      %next_o = arith.addi %v_o, %step_o : tensor<512xi32, #other>
      %step = tt.splat %i : i32 -> tensor<512xi32, #used>
      %next = arith.addi %v, %step : tensor<512xi32, #used>
      scf.yield %next_o, %next : tensor<512xi32, #other>, tensor<512xi32, #used>
    }
    tt.store %out_o, %r#0 : tensor<512x!tt.ptr<i32>, #other>
    tt.return
  }
}
