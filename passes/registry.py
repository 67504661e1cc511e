"""Every pass written in Python, by the name that pipelines use.  Sorted; one row a pass.

Nothing here imports a pass: its file is read when a pipeline first names it.  Other packages add passes through entry
points (`ttkit.entry_points`).
"""

PASSES = {
    "allocate-proton-global-scratch-buffer": (
        "ttkit.passes.allocate_proton_global_scratch_buffer:AllocateProtonGlobalScratchBuffer"
    ),
    "allocate-proton-shared-memory": "ttkit.passes.allocate_proton_shared_memory:AllocateProtonSharedMemory",
    "allocate-shared-memory": "ttkit.passes.allocate_shared_memory:AllocateSharedMemory",
    "allocate-shared-memory-nv": "ttkit.passes.allocate_shared_memory_nv:AllocateSharedMemoryNv",
    "convert-nv-gpu-to-llvm": "ttkit.passes.convert_nv_gpu_to_llvm:ConvertNVGPUToLLVM",
    "convert-proton-to-protongpu": "ttkit.passes.proton_to_protongpu:ProtonToProtonGPU",
    "convert-triton-gpu-to-llvm": "ttkit.passes.convert_triton_gpu_to_llvm:ConvertTritonGPUToLLVM",
    "convert-triton-to-tritongpu": "ttkit.passes.convert_triton_to_tritongpu:ConvertTritonToTritonGPU",
    "convert-warp-specialize-to-llvm": "ttkit.passes.convert_warp_specialize_to_llvm:ConvertWarpSpecializeToLLVM",
    "enable-line-info": "ttkit.passes.enable_line_info:EnableLineInfo",
    "extract-variable-info": "ttkit.passes.extract_variable_info:ExtractVariableInfo",
    "gluon-canonicalize": "ttkit.passes.gluon_canonicalize:GluonCanonicalize",
    "gluon-infer-coalesced-encodings": "ttkit.passes.gluon_infer_coalesced_encodings:GluonInferCoalescedEncodings",
    "gluon-inline": "ttkit.passes.gluon_inline:GluonInline",
    "gluon-resolve-auto-encodings": "ttkit.passes.gluon_resolve_auto_encodings:GluonResolveAutoEncodings",
    "gluon-slimplify-control-flow": "ttkit.passes.gluon_simplify_control_flow:GluonSimplifyControlFlow",
    "nvgpu-test-taskid-propagate": "ttkit.passes.task_propagation:TaskPropagation",
    "nvgpu-test-ws-code-partition": "ttkit.passes.code_partition:CodePartition",
    "nvgpu-test-ws-data-partition": "ttkit.passes.data_partition:DataPartition",
    "nvgpu-test-ws-task-partition": "ttkit.passes.task_partition:TaskPartition",
    "nvgpu-warp-specialization": "ttkit.passes.warp_specialization:WarpSpecialization",
    "nvws-assign-stage-phase": "ttkit.passes.assign_stage_phase:AssignStagePhase",
    "nvws-insert-aref": "ttkit.passes.insert_aref:InsertAref",
    "nvws-insert-tmem-aref": "ttkit.passes.insert_tmem_aref:InsertTmemAref",
    "nvws-lower-aref": "ttkit.passes.lower_aref:LowerAref",
    "nvws-lower-warp-group": "ttkit.passes.nvws_lower_warp_group:NVWSLowerWarpGroup",
    "proton-schedule-buffer-store": "ttkit.passes.schedule_buffer_store:ScheduleBufferStore",
    "relayout-tritongpu": "ttkit.passes.relayout_tritongpu:RelayoutTritonGPU",
    "set-minimum-shared-memory": "ttkit.passes.set_minimum_shared_memory:SetMinimumSharedMemory",
    "test-print-alias": "ttkit.passes.test_print_alias:TestPrintAlias",
    "test-print-alignment": "ttkit.passes.test_print_alignment:TestPrintAlignment",
    "test-print-allocation": "ttkit.passes.test_print_allocation:TestPrintAllocation",
    "test-print-membar": "ttkit.passes.test_print_membar:TestPrintMembar",
    "test-print-nesting": "ttkit.passes.test_print_nesting:TestPrintNesting",
    "triton-combine": "ttkit.passes.combine:CombineOps",
    "triton-licm": "ttkit.passes.licm:LoopInvariantCodeMotion",
    "triton-loop-aware-cse": "ttkit.passes.loop_aware_cse:LoopAwareCSE",
    "triton-loop-unroll": "ttkit.passes.loop_unroll:LoopUnroll",
    "triton-nvidia-check-matmul-two-cta": "ttkit.passes.check_matmul_two_cta:CheckMatmulTwoCTA",
    "triton-nvidia-gpu-assign-cga-layouts": "ttkit.passes.assign_cga_layouts:AssignCGALayouts",
    "triton-nvidia-gpu-fence-insertion": "ttkit.passes.fence_insertion:FenceInsertion",
    "triton-nvidia-gpu-lower-clc": "ttkit.passes.lower_clc:LowerCLC",
    "triton-nvidia-gpu-optimize-cta-locality": "ttkit.passes.optimize_cta_locality:OptimizeCTALocality",
    "triton-nvidia-gpu-plan-cta": "ttkit.passes.plan_cta:PlanCTA",
    "triton-nvidia-gpu-proxy-fence-insertion": "ttkit.passes.proxy_fence_insertion:ProxyFenceInsertion",
    "triton-nvidia-gpu-remove-tmem-tokens": "ttkit.passes.remove_tmem_tokens:RemoveTMEMTokens",
    "triton-nvidia-gpu-to-clc": "ttkit.passes.to_clc:ToCLC",
    "triton-nvidia-interleave-tmem": "ttkit.passes.interleave_tmem:InterleaveTMem",
    "triton-nvidia-mma-lowering": "ttkit.passes.mma_lowering:MMALowering",
    "triton-nvidia-optimize-descriptor-encoding": "ttkit.passes.optimize_descriptor_encoding:DescriptorEncoding",
    "triton-nvidia-optimize-tmem-layouts": "ttkit.passes.optimize_tmem_layouts:OptimizeTMemLayouts",
    "triton-nvidia-tma-lowering": "ttkit.passes.tma_lowering:TMALowering",
    "triton-nvidia-tmem-load-reduce": "ttkit.passes.tmem_load_reduce:TMEMLoadReduce",
    "triton-reorder-broadcast": "ttkit.passes.reorder_broadcast:ReorderBroadcast",
    "triton-rewrite-tensor-descriptor-to-pointer": (
        "ttkit.passes.rewrite_tensor_descriptor_to_pointer:RewriteTensorDescriptorToPointer"
    ),
    "triton-rewrite-tensor-pointer": "ttkit.passes.rewrite_tensor_pointer:RewriteTensorPointer",
    "triton-tensor-memory-allocation": "ttkit.passes.tensor_memory_allocation:TensorMemoryAllocation",
    "triton-test-loop-peeling": "ttkit.passes.loop_peeling:LoopPeeling",
    "tritongpu-F32DotTC": "ttkit.passes.f32_dot_tc:F32DotTC",
    "tritongpu-accelerate-matmul": "ttkit.passes.accelerate_matmul:AccelerateMatmul",
    "tritongpu-allocate-warp-groups": "ttkit.passes.allocate_warp_groups:AllocateWarpGroups",
    "tritongpu-assign-latencies": "ttkit.passes.assign_latencies:AssignLatencies",
    "tritongpu-automatic-warp-specialization": (
        "ttkit.passes.automatic_warp_specialization:AutomaticWarpSpecialization"
    ),
    "tritongpu-coalesce": "ttkit.passes.coalesce:Coalesce",
    "tritongpu-coalesce-async-copy": "ttkit.passes.coalesce_async_copy:CoalesceAsyncCopy",
    "tritongpu-combine-tensor-select-and-if": "ttkit.passes.combine_tensor_select_and_if:CombineTensorSelectAndIf",
    "tritongpu-fuse-nested-loops": "ttkit.passes.fuse_nested_loops:FuseNestedLoops",
    "tritongpu-global-scratch-memory-allocation": (
        "ttkit.passes.allocate_global_scratch_memory:AllocateGlobalScratchMemory"
    ),
    "tritongpu-hoist-tmem-alloc": "ttkit.passes.hoist_tmem_alloc:HoistTMEMAlloc",
    "tritongpu-normalize-ws-while-loops": "ttkit.passes.normalize_ws_while_loops:NormalizeWSWhileLoops",
    "tritongpu-optimize-accumulator-init": "ttkit.passes.optimize_accumulator_init:OptimizeAccumulatorInit",
    "tritongpu-optimize-dot-operands": "ttkit.passes.optimize_dot_operands:OptimizeDotOperands",
    "tritongpu-optimize-partition-warps": "ttkit.passes.optimize_partition_warps:OptimizePartitionWarps",
    "tritongpu-optimize-thread-locality": "ttkit.passes.optimize_thread_locality:OptimizeThreadLocality",
    "tritongpu-partition-loops": "ttkit.passes.partition_loops:PartitionLoops",
    "tritongpu-partition-scheduling": "ttkit.passes.partition_scheduling:PartitionScheduling",
    "tritongpu-pipeline": "ttkit.passes.software_pipeline:Pipeline",
    "tritongpu-prefetch": "ttkit.passes.prefetch:Prefetch",
    "tritongpu-promote-lhs-to-tmem": "ttkit.passes.promote_lhs_to_tmem:PromoteLHSToTMem",
    "tritongpu-reduce-data-duplication": "ttkit.passes.reduce_data_duplication:ReduceDataDuplication",
    "tritongpu-remove-layout-conversions": "ttkit.passes.remove_layout_conversions:RemoveLayoutConversions",
    "tritongpu-reorder-instructions": "ttkit.passes.reorder_instructions:ReorderInstructions",
    "tritongpu-schedule-loops": "ttkit.passes.schedule_loops:ScheduleLoops",
    "tritongpu-test-pipeline-lower-loop": "ttkit.passes.test_pipeline_lower_loop:TestPipelineLowerLoop",
    "ttkit-advance-addresses-late": "ttkit.passes.advance_addresses_late:AdvanceAddressesLate",
    "ttkit-carry-base-pointers": "ttkit.passes.carry_base_pointers:CarryBasePointers",
    "ttkit-choose-warp-groups": "ttkit.passes.choose_warp_groups:ChooseWarpGroups",
    "ttkit-cluster-barrier-insertion": "ttkit.passes.cluster_barrier_insertion:ClusterBarrierInsertion",
    "ttkit-cluster-barriers-of-groups": "ttkit.passes.cluster_barriers_of_groups:ClusterBarriersOfGroups",
    "ttkit-compare-bits": "ttkit.passes.compare_bits:CompareBits",
    "ttkit-convert-once": "ttkit.passes.convert_once:ConvertOnce",
    "ttkit-copy-early": "ttkit.passes.copy_early:CopyEarly",
    "ttkit-decompose-dot-scaled": "ttkit.passes.decompose_dot_scaled:DecomposeDotScaled",
    "ttkit-divide-large-products": "ttkit.passes.divide_large_products:DivideLargeProducts",
    "ttkit-divide-long-blocks": "ttkit.passes.divide_long_blocks:DivideLongBlocks",
    "ttkit-end-barriers-late": "ttkit.passes.end_barriers_late:EndBarriersLate",
    "ttkit-hoist-mbarriers": "ttkit.passes.hoist_mbarriers:HoistMbarriers",
    "ttkit-instrument-memory": "ttkit.passes.instrument_memory:InstrumentMemory",
    "ttkit-leave-early": "ttkit.passes.leave_early:LeaveEarly",
    "ttkit-load-early": "ttkit.passes.load_early:LoadEarly",
    "ttkit-locate-inlined-code": "ttkit.passes.locate_inlined_code:LocateInlinedCode",
    "ttkit-narrow-products": "ttkit.passes.narrow_products:NarrowProducts",
    "ttkit-order-products": "ttkit.passes.order_products:OrderProducts",
    "ttkit-overlap-products": "ttkit.passes.overlap_products:OverlapProducts",
    "ttkit-ping-pong": "ttkit.passes.ping_pong:PingPong",
    "ttkit-place-dot-operands": "ttkit.passes.place_dot_operands:PlaceDotOperands",
    "ttkit-prefetch-loads": "ttkit.passes.prefetch_loads:PrefetchLoads",
    "ttkit-release-late": "ttkit.passes.release_late:ReleaseLate",
    "ttkit-reuse-carried-layouts": "ttkit.passes.reuse_carried_layouts:ReuseCarriedLayouts",
    "ttkit-run-longest-first": "ttkit.passes.run_longest_first:RunLongestFirst",
    "ttkit-run-persistently": "ttkit.passes.run_persistently:RunPersistently",
    "ttkit-scale-maxima": "ttkit.passes.scale_maxima:ScaleMaxima",
    "ttkit-split-masked-loops": "ttkit.passes.split_masked_loops:SplitMaskedLoops",
    "ttkit-spread-transposed-loads": "ttkit.passes.spread_transposed_loads:SpreadTransposedLoads",
    "ttkit-start-copies-early": "ttkit.passes.start_copies_early:StartCopiesEarly",
    "ttkit-start-next-product": "ttkit.passes.start_next_product:StartNextProduct",
    "ttkit-start-products-early": "ttkit.passes.start_products_early:StartProductsEarly",
    "ttkit-sum-within-threads": "ttkit.passes.sum_within_threads:SumWithinThreads",
    "ttkit-swap-dot-operands": "ttkit.passes.swap_dot_operands:SwapDotOperands",
    "ttkit-synchronize-once": "ttkit.passes.synchronize_once:SynchronizeOnce",
}

# Name of a stage, whose passes are in stages.py -> its text in --help.
PIPELINES = {
    "ttkit-ttir": "tt as the front end writes it, made ready for ttg (options: capability=90)",
    "ttkit-ttgir": "a layout for every tensor, few conversions (options: capability=90 num-warps=4 num-ctas=1)",
    "ttkit-gluon": "a layout for every tensor that a kernel in Gluon leaves open",
    "ttkit-llir": "the llvm and nvvm dialects: what one thread does (options: capability=90 ptx-version=87)",
}

# MLIR's passes that pipelines of kernels have use for; it doesn't list its own.
UPSTREAM = tuple(
    """
    canonicalize convert-scf-to-cf cse inline loop-invariant-code-motion print-ir reconcile-unrealized-casts
    remove-dead-values sccp strip-debuginfo symbol-dce topological-sort
    """.split()
)


def check_name(name: object) -> None:
    """Raises ValueError for a name that no pipeline could spell."""
    import re  # which tt-opt without passes in Python does not need

    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][\w.-]*", name, re.ASCII):
        likely = re.sub(r"[^\w.]+", "-", str(name), flags=re.ASCII).strip("-").lower()
        such = f", such as '{likely}'" if re.match("[a-z_]", likely) else ""
        raise ValueError(f"a pass can't be named {name!r}: a name has letters, digits, '-', '_' and '.'{such}")


def pass_names(text: str) -> list[str]:
    """The names of the passes in a pipeline's text, without their options."""
    import re  # which tt-opt starts without

    return re.findall(r"[A-Za-z_][\w.-]*", re.sub(r"\{[^{}]*\}", "", text))
