"""Kernels on a GPU: `kernel[grid](...)` of jitted functions, and cubins that are loaded and launched.

    kernel = CompiledKernel.from_file("k.cubin")            # with k.json beside it, as tt-compile writes them
    kernel[(64,)](x, y, out, 65536)                         # pointers: torch, CuPy, JAX, DLPack, DeviceArray, int
    kernel.synchronize()                                    # errors of the kernel, by its name

All through libcuda, which comes with NVIDIA's driver: no other package is needed.  The names below load on first use.
"""

from ttkit.lazy_names import lazy_names

_HOMES = {
    "ArgumentError": "ttkit.runtime.pointers",
    "AsyncCompileMode": "ttkit.runtime.async_compile",
    "CompiledKernel": "ttkit.runtime.compiled_kernel",
    "Device": "ttkit.cuda.device",
    "DeviceArray": "ttkit.cuda.device",
    "DriverError": "ttkit.cuda.libcuda",
    "DriverMissing": "ttkit.cuda.libcuda",
    "FutureKernel": "ttkit.runtime.async_compile",
    "JITFunction": "ttkit.language.jit_function",
    "KernelFault": "ttkit.cuda.libcuda",
    "KernelInterface": "ttkit.language.jit_function",
    "MockTensor": "ttkit.runtime.mock_tensors",
    "OutOfResources": "ttkit.cuda.libcuda",
    "TensorDescriptor": "ttkit.runtime.tensor_descriptor",
    "TensorWrapper": "ttkit.runtime.mock_tensors",
    "WrongArchitecture": "ttkit.cuda.libcuda",
    "driver": "ttkit.runtime.driver",
    "reinterpret": "ttkit.runtime.mock_tensors",
    "set_allocator": "ttkit.runtime.global_scratch",
    "set_interpret_mode": "ttkit.language.interpret_mode",
    "synchronize": "ttkit.cuda.device",
}

__all__ = sorted(_HOMES)


__getattr__ = lazy_names(__name__, _HOMES)
