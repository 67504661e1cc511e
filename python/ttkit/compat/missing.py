"""Names of Triton that ttkit does not have, or has under another name, and why.

MISSING: {name or module of Triton: why ttkit has no such thing}, for the text of errors; what is inside has the same
    reason.
DIFFERENT: {class, or class.member: why it is not as Triton's}; the rest takes what Triton's takes.
"""

from __future__ import annotations

from ttkit.compat.missing_later import LATER

# What only Triton's own modules use of each other: ttkit does the same elsewhere, and otherwise.
_INTERNALS = {
    "triton._filecheck": "filecheck_path triton_dir",
    "triton.backends.driver": "Benchmarker",
    "triton.backends.nvidia.driver": """
        FLOAT_PACK_FUNCTION FLOAT_STORAGE_TYPE PyCUtensorMap TMA_DTYPE_DEVICE_TO_HOST dirname make_launcher
        make_tensordesc_arg wrap_handle_tensordesc
    """,
    "triton.compiler.code_generator": """
        ASTFunction ContainsReturnChecker enter_sub_region flatten_values_to_ir mangle_ty unflatten_ir_values
    """,
    "triton.compiler.compiler": """
        CompileTimer arg_type_pattern prototype_pattern ptx_arg_type_pattern ptx_prototype_pattern
    """,
    "triton.language.core": "builtin_max builtin_min check_bit_width get_primitive_bitwidth",
    "triton.language.extra.cuda.utils": """
        convert_custom_float8 convert_float16_to_fp8e4b15 convert_fp8e4b15_to_float16
    """,
    "triton.language.semantic": "T TensorTy driver",
    "triton.language.target_info": "driver",
    "triton.runtime.interpreter": """
        ASTTransformer BlockPointerHandle ExtraFunctions FunctionRewriter GridExecutor InterpreterBuilder
        InterpreterOptions KernelInterface ReduceOps ReduceScanOpInterface ScanOps TensorDescHandle TensorDescriptor
        TritonSemantic interpreter_semantic
    """,
    "triton.runtime.jit": """
        DependenciesFinder
    """,
    "triton.tools.link": """
        HeaderParser KernelLinkerMeta gen_signature gen_signature_with_full_args make_algo_decls
        make_default_algo_kernel make_func_pointers make_get_num_algos_decl make_get_num_algos_def make_global_decl
        make_kernel_hints_dispatcher make_kernel_load_def make_kernel_meta_const_dispatcher
    """,
    "triton.tools.disasm": "BRA_RE FLINE_RE FNAME_RE SLINE_RE parseCtrl path_to_cuobjdump processSassLines",
}
_NO_C = "it compiles no C at run time"
MISSING = {
    "triton.language.extra.hip": "it compiles for NVIDIA's GPUs",
    "triton.tools.build_extern": "its libdevice comes ready-made",
    "triton.tools.experimental_descriptor": "Triton removed it; use triton.tools.tensor_descriptor",
    "triton.instruments": "it has no sanitizer passes",
    "triton.ops": "Triton removed it",
    "triton.compiler.make_launcher": _NO_C,
    "triton.language.extra.libdevice.fast_tanhf": "CUDA's libdevice has none; use tanh",
    **{
        f"{module}.{name}": "a part of Triton's own implementation"
        for module, names in _INTERNALS.items()
        for name in names.split()
    },
    "triton.compiler.code_generator.gluon_ir": "operations are recorded before MLIR sees them: there is no builder",
}

_BUILDER = "operations are recorded before MLIR sees them: there is no builder of Triton's"
_KEYWORDS = "options are given by keyword"
DIFFERENT = {
    "AsmDict.fromkeys": "levels come from a compilation",
    "BoundJITMethod": "made by attribute access alone",
    "CUDAOptions": _KEYWORDS,
    "CodeGenerator": _BUILDER,
    "CudaDriver.assemble_tensormap_to_arg": "descriptors are arguments like others",
    "InterpretedFunction.rewrite": "kernels are not rewritten to be interpreted",
    "InterpretedFunction.rewritten_fn": "kernels are not rewritten to be interpreted",
    "JITFunction.repr": "the parameter has another name",
    "KernelParam.name": "an attribute of each parameter",
    "PropagateNan.name": "members have it",
    "PropagateNan.value": "members have it",
    **{
        f"TritonSemantic.{name}": "what checks operands is inside of the functions"
        for name in "atom_red_typechecking_impl binary_op_sanitize_overflow_impl binary_op_type_checking_impl "
        "bitwise_op_type_checking_impl check_ptr_type_impl lang verify_scaled_shape".split()
    },
    **{f"TritonSemantic.{name}": _BUILDER for name in "associative_scan map_elementwise reduction".split()},
    "TensorHandle": "values of the interpreter are its own",
    "block_type.to_ir": _BUILDER,
    "cumprod": "it has Triton 3.9's dtype",
    **{
        f"env_{kind}": "knobs take a text of help too"
        for kind in "base bool class int opt_str str str_callable_default".split()
    },
    "dtype.to_ir": _BUILDER,
    "pointer_type.to_ir": _BUILDER,
    "slice_type.to_ir": _BUILDER,
    "tuple_type.to_ir": _BUILDER,
}


def reason_missing(name: str) -> str | None:
    """Why ttkit has nothing of this name; None if that is not known."""
    while name:
        if name in MISSING:
            return MISSING[name]
        if name in LATER:
            return LATER[name]
        name = name.rpartition(".")[0]
    return None
