"""Every pass written in Python, by the name that pipelines use.  Sorted; one row a pass.

Nothing here imports a pass: its file is read when a pipeline first names it.  Other packages add passes through the
entry-point group `ttkit.passes`, with entries of the same form: `my-pass = "my_package.my_module:MyPass"`.
"""

PASSES = {
    "convert-triton-to-tritongpu": "ttkit.passes.convert_triton_to_tritongpu:ConvertTritonToTritonGPU",
    "test-print-alignment": "ttkit.passes.test_print_alignment:TestPrintAlignment",
    "triton-combine": "ttkit.passes.combine:CombineOps",
    "triton-licm": "ttkit.passes.licm:LoopInvariantCodeMotion",
    "triton-loop-aware-cse": "ttkit.passes.loop_aware_cse:LoopAwareCSE",
    "triton-loop-unroll": "ttkit.passes.loop_unroll:LoopUnroll",
    "triton-reorder-broadcast": "ttkit.passes.reorder_broadcast:ReorderBroadcast",
    "tritongpu-combine-tensor-select-and-if": "ttkit.passes.combine_tensor_select_and_if:CombineTensorSelectAndIf",
}

ENTRY_POINT_GROUP = "ttkit.passes"
