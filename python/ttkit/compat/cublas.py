"""cuBLASLt through ctypes, by Triton's class for it: `triton._C.libtriton.nvidia.cublas.CublasLt`."""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import weakref
from collections.abc import Iterator, Sequence
from ctypes import POINTER, byref, c_float, c_int, c_int64, c_size_t, c_uint64, c_void_p
from importlib.machinery import PathFinder
from typing import Any

from ttkit.cuda_toolkit import toolkit_folders
from ttkit.runtime.launches import stream_handle

_NAMES = ("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so")

# cudaDataType_t, by the names of torch's dtypes
_R_16F, _R_32F, _R_8F_E4M3 = 2, 0, 28
_TYPES = {"float8_e4m3fn": _R_8F_E4M3, "float16": _R_16F, "float32": _R_32F, "bfloat16": 14}
# cublasComputeType_t, cublasOperation_t
_COMPUTE_32F, _COMPUTE_32F_FAST_TF32 = 68, 77
_NORMAL, _TRANSPOSED = 0, 1
# cublasLtMatmulDescAttributes_t, cublasLtMatmulPreferenceAttributes_t
_TRANSPOSE_A, _TRANSPOSE_B, _FAST_ACCUMULATION = 3, 4, 25
_MAX_WORKSPACE = 1


class _Choice(ctypes.Structure):
    """cublasLtMatmulHeuristicResult_t, which begins with the algorithm."""

    _fields_ = [
        ("algorithm", c_uint64 * 8),
        ("workspace", c_size_t),
        ("state", c_int),
        ("waves", c_float),
        ("reserved", c_int * 4),
    ]


_SIGNATURES: dict[str, list[Any]] = {
    "cublasLtCreate": [POINTER(c_void_p)],
    "cublasLtDestroy": [c_void_p],
    "cublasLtMatmulDescCreate": [POINTER(c_void_p), c_int, c_int],
    "cublasLtMatmulDescDestroy": [c_void_p],
    "cublasLtMatmulDescSetAttribute": [c_void_p, c_int, c_void_p, c_size_t],
    "cublasLtMatrixLayoutCreate": [POINTER(c_void_p), c_int, c_uint64, c_uint64, c_int64],
    "cublasLtMatrixLayoutDestroy": [c_void_p],
    "cublasLtMatmulPreferenceCreate": [POINTER(c_void_p)],
    "cublasLtMatmulPreferenceDestroy": [c_void_p],
    "cublasLtMatmulPreferenceSetAttribute": [c_void_p, c_int, c_void_p, c_size_t],
    "cublasLtMatmulAlgoGetHeuristic": [*[c_void_p] * 7, c_int, POINTER(_Choice), POINTER(c_int)],
    "cublasLtMatmul": [c_void_p, c_void_p, *[c_void_p] * 11, c_void_p, c_size_t, c_void_p],
}


class CublasError(RuntimeError):
    """cuBLAS is missing, refuses, or can't multiply these tensors."""


def candidates() -> Iterator[str]:
    """Files that may be libcublasLt, the first choice first: NVIDIA's wheels, the CUDA toolkit's, the system's."""
    for toolkit in toolkit_folders():
        for inside in ("lib", "lib64"):
            yield from sorted(glob.glob(os.path.join(toolkit, inside, "libcublasLt.so*")), key=len)[:1]
    found = PathFinder.find_spec("nvidia")
    for place in (found.submodule_search_locations or ()) if found is not None else ():
        yield from sorted(glob.glob(os.path.join(place, "cublas", "lib", "libcublasLt.so*")), key=len)[:1]
    yield from _NAMES


@functools.cache
def library() -> Any:
    """libcublasLt: the one that this process has loaded, such as torch's, else the first of `candidates`.

    Raises:
        CublasError: there is none.
    """
    # A second one beside torch's would take memory of the GPU for its kernels too.
    loaded = [(name, os.RTLD_NOLOAD | os.RTLD_LAZY) for name in _NAMES] if hasattr(os, "RTLD_NOLOAD") else []
    tried = []
    for path, mode in [*loaded, *((path, ctypes.DEFAULT_MODE) for path in candidates())]:
        try:
            lib = ctypes.CDLL(path, mode=mode)
        except OSError as error:
            tried.append(str(error))
            continue
        for function, arguments in _SIGNATURES.items():
            found = getattr(lib, function)
            found.restype, found.argtypes = c_int, arguments
        return lib
    raise CublasError(
        "Could not find `libcublasLt.so`: install torch or the wheel nvidia-cublas, or set CUDA_HOME or "
        f"LD_LIBRARY_PATH ({tried[-1]})"
    )


def _call(name: str, *arguments: Any) -> None:
    if status := getattr(library(), name)(*arguments):
        raise CublasError(f"cuBLAS Error: {status}, of {name}")


class _Object:
    """A handle of cuBLASLt, which `with` destroys at its end.

    kind: "MatmulDesc", "MatrixLayout" and so on, as in `cublasLt<kind>Create`.
    """

    def __init__(self, kind: str, *arguments: Any) -> None:
        self.kind, self.handle = kind, c_void_p()
        self._end = getattr(library(), f"cublasLt{kind}Destroy")
        _call(f"cublasLt{kind}Create", byref(self.handle), *arguments)

    def set(self, attribute: int, value: Any) -> None:
        """Sets an attribute to a value of ctypes."""
        _call(f"cublasLt{self.kind}SetAttribute", self.handle, attribute, byref(value), ctypes.sizeof(value))

    def destroy(self) -> None:
        """Gives it back.  An error would hide the one that ended the block."""
        self._end(self.handle)

    def __enter__(self) -> _Object:
        return self

    def __exit__(self, *_: object) -> None:
        self.destroy()


class CublasLt:
    """Products of matrices by cuBLASLt, on the stream that is current.

    workspace: a tensor on the GPU that the products may use.

    Raises:
        CublasError: there is no libcublasLt, or no GPU.
    """

    def __init__(self, workspace: Any) -> None:
        self._workspace = workspace  # alive as long as this
        self._bytes = int(workspace.numel()) * int(workspace.element_size())
        self._library = _Object("")
        weakref.finalize(self, self._library.destroy).atexit = False  # then the GPU's context may be gone
        self._preference = _Object("MatmulPreference")
        weakref.finalize(self, self._preference.destroy).atexit = False
        self._preference.set(_MAX_WORKSPACE, c_size_t(self._bytes))

    def matmul(self, A: Any, B: Any, C: Any) -> None:
        """C = A @ B.T, of types float8_e4m3fn, float16, bfloat16 or float32; the last in TF32.

        Args:
            A, B, C: contiguous tensors of shapes [M, K], [N, K] and [M, N], of one type.

        Raises:
            CublasError: types or shapes don't fit, or cuBLASLt has no algorithm for them.
        """
        kind = _check(A, B, C)
        self._multiply(A, B, None, C, kind, 1.0, 0.0)

    def gemm(self, A: Any, B: Any, C: Any, D: Any, alpha: float, beta: float) -> None:
        """D = alpha * A @ B.T + beta * C; as `matmul`, with C of type float16.

        Args:
            A, B, C, D: contiguous tensors of shapes [M, K], [N, K], [M, N] and [M, N]; all but C of one type.

        Raises:
            CublasError: types or shapes don't fit, or cuBLASLt has no algorithm for them.
        """
        kind = _check(A, B, D)
        if str(C.dtype) != "torch.float16":
            raise CublasError(f"C dtype must be float16, got {C.dtype}")
        if tuple(C.shape) != tuple(D.shape):
            raise CublasError(f"C and D shapes must match: C is {list(C.shape)}, D is {list(D.shape)}")
        self._multiply(A, B, C, D, kind, float(alpha), float(beta))

    def _multiply(self, A: Any, B: Any, C: Any, D: Any, kind: int, alpha: float, beta: float) -> None:
        """cuBLAS's matrices are column-major: theirs is the transposed product, B @ A.T read as rows of M."""
        (m, k), n = A.shape, B.shape[0]
        compute = _COMPUTE_32F_FAST_TF32 if kind == _R_32F else _COMPUTE_32F
        addend = _R_16F if C is not None or kind == _R_8F_E4M3 else kind  # float8 has no addend of its own type
        with (
            _Object("MatmulDesc", compute, _R_32F) as product,
            _Object("MatrixLayout", kind, k, n, k) as left,
            _Object("MatrixLayout", kind, k, m, k) as right,
            _Object("MatrixLayout", addend, n, m, n) as added,
            _Object("MatrixLayout", kind, n, m, n) as result,
        ):
            product.set(_TRANSPOSE_A, c_int(_TRANSPOSED))
            product.set(_TRANSPOSE_B, c_int(_NORMAL))
            if kind == _R_8F_E4M3:
                product.set(_FAST_ACCUMULATION, ctypes.c_int8(1))
            layouts = [each.handle for each in (left, right, added, result)]
            choice, count = _Choice(), c_int()
            fixed = (self._library.handle, product.handle)
            wanted = (self._preference.handle, 1, byref(choice), byref(count))
            _call("cublasLtMatmulAlgoGetHeuristic", *fixed, *layouts, *wanted)
            if not count.value:
                raise CublasError("No valid algorithm found by cublasLtMatmulAlgoGetHeuristic")
            pointers = [None if each is None else each.data_ptr() for each in (B, A, C, D)]
            operands = [part for pair in zip(pointers, layouts) for part in pair]
            scales = [byref(c_float(alpha)), byref(c_float(beta))]
            memory = (self._workspace.data_ptr(), self._bytes, stream_handle(None))
            arguments = (scales[0], *operands[:4], scales[1], *operands[4:], byref(choice), *memory)
            _call("cublasLtMatmul", *fixed, *arguments)


def _check(A: Any, B: Any, D: Any) -> int:
    """The type of a product's operands and result, as cuBLAS counts types."""
    names = {str(each.dtype) for each in (A, B, D)}
    if len(names) > 1:
        raise CublasError(f"Data types do not match. They are {A.dtype}, {B.dtype} and {D.dtype}.")
    kind = _TYPES.get(names.pop().rpartition(".")[2])
    if kind is None:
        raise CublasError(f"Unsupported data type. It is {A.dtype}; use one of {', '.join(_TYPES)}.")
    if any(len(each.shape) != 2 for each in (A, B, D)):
        raise CublasError("Only 2D matrices are supported.")
    _same(A, "A", 1, B, "B", 1)
    _same(A, "A", 0, D, "C", 0)
    _same(B, "B", 0, D, "C", 1)
    return kind


def _same(left: Any, name: str, axis: int, right: Any, other: str, other_axis: int) -> None:
    shapes: list[Sequence[int]] = [list(left.shape), list(right.shape)]
    if shapes[0][axis] != shapes[1][other_axis]:
        raise CublasError(
            f"Matrix dimensions do not match. {name} is {shapes[0]}, {other} is {shapes[1]}. Expected "
            f"{name}.shape[{axis}] == {other}.shape[{other_axis}]."
            + (" Note that B needs to be transposed." if "B" in (name, other) else "")
        )
