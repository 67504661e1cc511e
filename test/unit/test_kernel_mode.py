"""Kernels that run as Python do what the interpreter does with the operations that they compile to."""

import mmap
import sys
from pathlib import Path
from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest
from sweeps import every

import ttkit
import ttkit.language as tl
from ttkit.interpreter.errors import InterpreterError, OutOfBounds
from ttkit.interpreter.python_mode.kernel import InterpretedFunction, KernelError
from ttkit.language.errors import LanguageError

sys.path.append(str(Path(__file__).parents[1]))
import kernel_modes

CASES, prepared = kernel_modes.load_cases()


@pytest.mark.parametrize("name", every(4, CASES))
def test_same_as_compiled(name):
    case = CASES[name]
    if name in kernel_modes.EXCLUDED:
        pytest.skip(kernel_modes.EXCLUDED[name])
    archs = [arch for arch in case.archs if isinstance(arch, int)]
    if not archs:
        pytest.skip("for AMD GPUs only")
    differing, _ = kernel_modes.differences(case, prepared, archs[0])
    assert not differing


@ttkit.jit
def doubled(x):
    return x * 2


@ttkit.jit(interpret=True)
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < n
    total = tl.load(x + index, mask=inside) + tl.load(y + index, mask=inside)
    if tl.program_id(0) == 1:
        print("second program", n, tl.max(total, 0))
    tl.store(out + index, doubled(total), mask=inside)


@ttkit.jit(interpret=True)
def beyond_the_end(x, n):
    index = tl.arange(0, 16)
    tl.store(x + index + n, tl.load(x + index))


@ttkit.jit(interpret=True)
def not_true_once(x, n):
    tl.static_assert(n is not None, "no n")
    if tl.load(x + tl.arange(0, 16)) > 0:
        tl.store(x, 1.0)


def test_python_runs_inside(capsys):
    x, y, out = np.arange(100, dtype=np.float32), np.ones(100, np.float32), np.zeros(100, np.float32)
    vector_add[lambda meta: (-(-meta["n"] // meta["BLOCK"]),)](x, y, out, 100, BLOCK=64)
    assert (out == 2 * (x + 1)).all()
    assert capsys.readouterr().out == "second program int32[] 100 fp32[] 100.0\n"


def test_out_of_bounds_names_the_line():
    with pytest.raises(KernelError) as caught:
        beyond_the_end[(2,)](np.zeros(16, np.float32), 3)
    text = str(caught.value)
    assert "test_kernel_mode.py:" in text
    assert "in beyond_the_end, program (0, 0, 0)" in text
    assert "tl.store(x + index + n, tl.load(x + index))" in text
    assert "offset 64 of buffer 'x', which has 64 bytes" in text


@ttkit.jit(interpret=True)
def sum_of(items, out, N: tl.constexpr):
    index = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for k in tl.static_range(len(items)):
        total += tl.load(items[k] + index)
    tl.store(out + index, total)


def test_tuple_of_arrays():
    values, out = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    sum_of[(1,)]((values, values, values), out, 16)
    assert (out == 3 * values).all()


def test_a_tensor_is_neither_true_nor_false():
    with pytest.raises(TypeError, match="ambiguous"):
        not_true_once[(1,)](np.zeros(16, np.float32), 1)


def test_bfloat16():
    values = np.arange(64).astype(ml_dtypes.bfloat16)
    out = np.zeros(64, ml_dtypes.bfloat16)
    vector_add[(1,)](values, values, out, 64, BLOCK=64)
    assert (out == (values + values) * ml_dtypes.bfloat16(2)).all()


def test_unknown_arguments():
    with pytest.raises(TypeError, match="numbers, arrays"):
        vector_add[(1,)]([1], [2], [3], 4, BLOCK=16)
    with pytest.raises(TypeError, match="missing a required argument: 'BLOCK'"):
        vector_add[(1,)](np.zeros(4), np.zeros(4), np.zeros(4), 4)
    with pytest.raises(KeyError, match="Keyword argument SIZE was specified but unrecognised"):
        vector_add[(1,)](np.zeros(4), np.zeros(4), np.zeros(4), 4, BLOCK=16, SIZE=3)
    with pytest.raises(KeyError, match="num_wraps was specified but unrecognised; did you mean 'num_warps'"):
        vector_add[(1,)](np.zeros(4), np.zeros(4), np.zeros(4), 4, BLOCK=16, num_wraps=3)
    with pytest.raises(OverflowError, match="n: integers of a kernel have at most 64 bits, found"):
        vector_add[(1,)](np.zeros(4), np.zeros(4), np.zeros(4), 2**64, BLOCK=16)


def test_options_of_launches_are_those_of_compiled_kernels():
    out = np.zeros(4, np.float32)
    options = {
        "plan": "triton",
        "min_shared_mem": 1024,
        "sched4reg": True,
        "maxnreg": -1,
        "waves_per_eu": 2,
        "stream": 0,
    }
    vector_add[(1,)](np.ones(4, np.float32), np.ones(4, np.float32), out, 4, BLOCK=16, **options)
    assert out.any()


@pytest.mark.parametrize("grid", [(1.5,), (1, 1, 1, 2), {1}, "1", None])
def test_grids_that_are_refused(grid):
    """A grid of 1.5 programs ran one."""
    with pytest.raises(ValueError, match="a grid must have one to three sizes, found"):
        vector_add[grid](np.zeros(4), np.zeros(4), np.zeros(4), 4, BLOCK=16)


@ttkit.jit
def increment(x, N: tl.constexpr):
    index = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(x + index, tl.load(x + index) + 1)


def test_interpret_mode_for_kernels_decorated_before():
    from ttkit.runtime import set_interpret_mode

    values = np.zeros(64, np.float32)
    set_interpret_mode(True)
    try:
        increment[(4,)](values, 16)
    finally:
        set_interpret_mode(False)
    assert (values == 1).all()


def test_environment_variable(monkeypatch):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    kernel = ttkit.jit(increment.fn)
    assert isinstance(kernel, InterpretedFunction)
    values = np.zeros(64, np.float32)
    kernel.run(values, 16, grid=(4,), warmup=False)
    kernel.warmup(values, 16, grid=(4,))
    assert (values == 1).all()


# --- Arguments -------------------------------------------------------------------------------------------------------
@ttkit.jit(interpret=True)
def through_a_table(table, out, N: tl.constexpr):
    row = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    index = tl.arange(0, N)
    tl.store(out + tl.program_id(0) * N + index, tl.load(row + index))
    tl.store(row, 0.0)


def test_table_of_pointers():
    rows = [np.arange(16, dtype=np.float32) + 100 * k for k in range(3)]
    expected = np.concatenate(rows)
    table = np.array([row.ctypes.data for row in rows], np.int64)
    out = np.zeros(48, np.float32)
    through_a_table[(3,)](table, out, 16)
    assert (out == expected).all()
    assert [row[0] for row in rows] == [0, 0, 0]
    with pytest.raises(KernelError, match="address 0x10, which is in no known array"):
        through_a_table[(1,)](np.array([16]), out, 16)


@ttkit.jit(interpret=True)
def from_an_address(address, x, out):
    tl.store(out, tl.load(address.to(tl.pointer_type(tl.float32)) + 1) + tl.load(x))


def test_address_of_an_argument():
    x, out = np.frombuffer(mmap.mmap(-1, 16), np.float32), np.zeros(1, np.float32)
    x[:] = np.arange(4) + 5
    from_an_address[(1,)](x.ctypes.data, x, out)  # of mapped memory: more than 32 bits
    assert out[0] == 11


@ttkit.jit(interpret=True)
def second_row(x, out, stride_m, stride_n, N: tl.constexpr):
    index = tl.arange(0, N)
    tl.store(out + index, tl.load(x + 1 * stride_m + index * stride_n))


def test_views_reach_all_of_their_array():
    whole = np.arange(64, dtype=np.float32).reshape(8, 8)
    out = np.zeros(4, np.float32)
    for view in (whole[2:, 3:], whole.T[1:, :], np.asfortranarray(whole), whole[::2, ::2]):
        second_row[(1,)](view, out, *[step // 4 for step in view.strides], 4)
        assert (out == view[1, :4]).all()
    second_row[(1,)](whole[2:3], out, -8, 1, 4)  # the row before
    assert (out == whole[1, :4]).all()


def test_arrays_that_can_not_be_written():
    values = np.zeros(16, np.float32)
    values.flags.writeable = False
    with pytest.raises(KernelError, match="argument x, a read-only array"):
        increment_here[(1,)](values, 16)


@ttkit.jit(interpret=True)
def increment_here(x, N: tl.constexpr):
    index = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(x + index, tl.load(x + index) + 1)


class Exported:
    """An array of another package, that says where it lies by one attribute only."""

    def __init__(self, values, how):
        setattr(type(self), how, property(lambda self: getattr(values, how)))
        if how == "__dlpack__":
            type(self).__dlpack_device__ = lambda self: values.__dlpack_device__()


@pytest.mark.parametrize("how", ["__dlpack__", "__array_interface__"])
def test_arrays_of_other_packages(how):
    values = np.arange(16, dtype=np.float32)
    increment_here[(1,)](type("Array", (Exported,), {})(values, how), 16)
    assert (values == np.arange(16) + 1).all()


class Pair(NamedTuple):
    first: object
    second: object


@ttkit.jit(interpret=True)
def of_a_pair(pair, nested, out):
    tl.store(out, tl.load(pair.first) * pair.second + nested[0][1])


def test_named_and_nested_tuples():
    out = np.zeros(1, np.float32)
    of_a_pair[(1,)](Pair(np.full(1, 3, np.float32), 4), ((1, 2.5),), out)
    assert out[0] == 14.5


@ttkit.jit(interpret=True)
def annotated(out, a: tl.int8, b: "fp16", c: tl.uint32):  # noqa: F821
    tl.static_assert(a.dtype == tl.int8)
    tl.static_assert(b.dtype == tl.float16)
    tl.store(out, a.to(tl.float64))
    tl.store(out + 1, b.to(tl.float64))
    tl.store(out + 2, c.to(tl.float64))


def test_annotated_scalars():
    out = np.zeros(3)
    annotated[(1,)](out, 300, 0.1, -1)
    assert out.tolist() == [300 - 256, float(np.float16(0.1)), 2**32 - 1]


@ttkit.jit(interpret=True)
def copy_tiles(source, out, N: tl.constexpr):
    target = tl.make_tensor_descriptor(out, [source.shape[0], source.shape[1]], [source.strides[0], 1], [N, N])
    for row in range(0, source.shape[0], N):
        for column in range(0, source.shape[1], N):
            target.store([row, column], source.load([row, column]))


def test_tensor_descriptors_of_the_host_and_the_device():
    values = np.arange(40 * 48, dtype=np.float16).reshape(40, 48)
    out = np.zeros_like(values)
    copy_tiles[(1,)](kernel_modes.HostDescriptor(values, [40, 48], [48, 1], [16, 16]), out, 16)
    assert (out == values).all()


def test_bits_of_torch_tensors():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.float8_e4m3fn, torch.float8_e5m2):
        x, y = torch.randn(1000).to(dtype), torch.randn(1000).to(dtype)
        out = torch.zeros(1000).to(dtype)
        vector_add[(8,)](x, y, out, 1000, BLOCK=128)
        expected = ((x.float() + y.float()).to(dtype).float() * 2).to(dtype)
        assert torch.equal(out.float(), expected.float())


class OnTheGPU:
    """What torch's tensors on a GPU have, for a tensor that lies nowhere else than on the host."""

    dtype, shape = "torch.float32", (16,)

    class device:
        type = "cuda"

    def __init__(self, values):
        self.there = values.copy()

    def untyped_storage(self):
        return self

    def nbytes(self):
        return self.there.nbytes

    def stride(self):
        return (1,)

    def element_size(self):
        return 4

    def data_ptr(self):
        return 0x7F0000001000

    def cpu(self):
        copy = self.there.copy()

        class Copy:
            array = copy

            def data_ptr(self):
                return self.array.ctypes.data

        return Copy()

    def copy_(self, source):
        self.there[:] = source.array


def test_tensors_on_a_gpu_are_copied_and_copied_back():
    there = OnTheGPU(np.arange(16, dtype=np.float32))
    increment_here[(1,)](there, 16)
    assert (there.there == np.arange(16) + 1).all()


def test_objects_around_an_array_are_its_elements():
    class Weights:
        def __init__(self, array):
            self.held, self.dtype = array, "float32"

        def data_ptr(self):
            return self.held[4:].ctypes.data

    values = np.zeros(24, np.float32)
    increment_here[(1,)](Weights(values), 16)
    assert values.tolist() == [0] * 4 + [1] * 16 + [0] * 4


# --- Programs together -----------------------------------------------------------------------------------------------
@ttkit.jit(interpret=True)
def parting(out, n, N: tl.constexpr):
    pid = tl.program_id(0)
    index = tl.arange(0, N)
    total = tl.zeros((N,), tl.int32)
    for k in range(pid % 5):
        total += k.to(tl.int32) * index
    if pid > n and pid % 2 == 0:
        total += 1000
    tl.store(out + pid * N + index, total)


@pytest.mark.parametrize("programs", [1, 2, 37, 300])
def test_programs_that_part(programs, monkeypatch):
    from ttkit.interpreter.python_mode import kernel as kernel_mode

    together, alone = np.zeros(programs * 16, np.int32), np.zeros(programs * 16, np.int32)
    parting[(programs,)](together, 7, 16)
    monkeypatch.setattr(kernel_mode, "has_no_effects", lambda function: False)
    parting[(programs,)](alone, 7, 16)
    assert (together == alone).all()


@ttkit.jit(interpret=True)
def last_wins(out):
    pid = tl.program_id(0)
    if pid % 3 == 0:
        tl.store(out, pid)
    else:
        tl.store(out, -pid)


def test_the_last_program_wins():
    out = np.zeros(1, np.int32)
    last_wins[(100,)](out)
    assert out[0] == 99
    last_wins[(99,)](out)
    assert out[0] == -98


@ttkit.jit(interpret=True)
def takes_numbers(counter, out):
    number = tl.atomic_add(counter, 1)
    tl.store(out + tl.program_id(0), number)


def test_atomics_keep_the_order_of_programs():
    counter, out = np.zeros(1, np.int32), np.zeros(50, np.int32)
    takes_numbers[(50,)](counter, out)
    assert (out == np.arange(50)).all()


@ttkit.jit(interpret=True)
def prints(n):
    tl.device_print("program", tl.program_id(0))
    print("line of", tl.program_id(0))


def test_prints_in_order(capsys):
    prints[(3,)](1)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines] == ["0", "0", "1", "1", "2", "2"]


@ttkit.jit(interpret=True)
def fails_late(out, n, N: tl.constexpr):
    pid = tl.program_id(0)
    tl.store(out + pid * N + tl.arange(0, N), 1)


def test_programs_before_an_error_have_run():
    out = np.zeros(100 * 16 - 1, np.int32)
    with pytest.raises(InterpreterError, match=r"program \(99, 0, 0\)"):
        fails_late[(101,)](out, 1, 16)
    assert out[: 99 * 16].all() and not out[99 * 16 :].any()


# --- Python in kernels -----------------------------------------------------------------------------------------------
def made_with(factor):
    @ttkit.jit(interpret=True, debug=True)
    def kernel(x, out, n, N: tl.constexpr, FLAG: tl.constexpr = None):
        index = tl.arange(0, N)
        inside = index < n and not (index == 2)  # noqa: SIM201
        tl.static_assert(isinstance(N, tl.constexpr))
        if FLAG is None or tl.load(x + 10_000) > 0:
            tl.store(out + index, tl.load(x + index, mask=inside, other=-1.0) * factor)
        for k in range(2):
            tl.store(out + max(k, n), min(k.to(tl.float32), 0.5))
        assert inside or index >= 0, "never"

    return kernel


def test_logic_of_tensors():
    x, out = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    made_with(tl.constexpr(3))[(1,)](x, out, 6, 16)
    assert out.tolist() == [0, 3, -3, 9, 12, 15, 0.5, *[-3] * 9]
    with pytest.raises(KernelError, match=r"FLAG is None or tl\.load\(x \+ 10_000\)"):
        made_with(tl.constexpr(3))[(1,)](x, out, 6, 16, FLAG=1)


@ttkit.jit(interpret=True)
def asserts(x, N: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    tl.device_assert(value > 0, "values are positive")


def test_assertions_in_debug_mode(monkeypatch):
    asserts[(1,)](np.zeros(16, np.float32), 16)
    for options in ({"debug": True}, {}):
        if not options:
            monkeypatch.setenv("TRITON_DEBUG", "1")
        with pytest.raises(KernelError, match="values are positive"):
            asserts[(1,)](np.zeros(16, np.float32), 16, **options)


# --- Errors ----------------------------------------------------------------------------------------------------------
@ttkit.jit
def too_far(pointer, N: tl.constexpr):
    return tl.load(pointer + tl.arange(0, N))


@ttkit.jit(interpret=True)
def calls_too_far(x, out, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), too_far(x + 8, N))


def test_error_in_a_called_function():
    with pytest.raises(InterpreterError) as caught:
        calls_too_far[(1,)](np.zeros(16, np.float32), np.zeros(16, np.float32), 16)
    text = str(caught.value)
    lines = text.splitlines()
    assert "in too_far, program (0, 0, 0)" in lines[0]
    assert lines[1] == "    return tl.load(pointer + tl.arange(0, N))"
    if sys.version_info >= (3, 11):
        assert lines[2] == "           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    assert "in calls_too_far" in text.partition("called from")[2]
    assert "  element  [8]" in text
    assert "  pointer  x + 16 elements" in text
    assert "  array    x: float32[16], 64 bytes" in text
    assert isinstance(caught.value.__cause__, OutOfBounds)
    assert caught.value.coordinates == (8,)
    assert caught.traceback[-1].name == "too_far"  # where a debugger lands
    assert caught.traceback[-1].frame.f_locals["N"] == 16


@ttkit.jit(interpret=True)
def adds_what_does_not_fit(x):
    tl.store(x, tl.sum(tl.arange(0, 16) + tl.arange(0, 8), 0))


@ttkit.jit(interpret=True)
def divides_by_zero(x, n):
    value = tl.load(x)
    tl.store(x, value * (1 // int(n)))


def test_mistakes_name_the_line():
    with pytest.raises(KernelError, match="incompatible dimensions") as caught:
        adds_what_does_not_fit[(1,)](np.zeros(16, np.float32))
    assert "tl.arange(0, 16) + tl.arange(0, 8)" in str(caught.value)
    assert isinstance(caught.value.__cause__, LanguageError)


@ttkit.jit
def larger(a, b):
    return tl.maximum(a, b)  # f32 of two bf16


@ttkit.jit(interpret=True)
def scans_to_another_type(x):
    value = tl.load(x + tl.arange(0, 16)).to(tl.bfloat16)
    tl.store(x + tl.arange(0, 16), tl.associative_scan(value, 0, larger).to(tl.float32))


def test_what_the_verifier_refuses_names_the_line():
    with pytest.raises(KernelError, match="Expected argument 0 to have type 'bf16' but got 'f32'") as caught:
        scans_to_another_type[(1,)](np.zeros(16, np.float32))
    assert "tl.associative_scan(value, 0, larger)" in str(caught.value)


def test_exceptions_of_python_keep_their_traceback():
    with pytest.raises(ZeroDivisionError) as caught:
        divides_by_zero[(1,)](np.zeros(16, np.float32), 0)
    assert any(entry.name == "divides_by_zero" for entry in caught.traceback)
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__ == ["in program (0, 0, 0) of kernel divides_by_zero"]


@ttkit.jit(interpret=True)
def has_assembly(x):
    value = tl.inline_asm_elementwise("tanh.approx.f32x9 $0, $1;", "=r,r", [tl.load(x)], tl.float32, True, 1)
    tl.store(x, value)


def test_assembly_is_refused_with_its_text():
    with pytest.raises(KernelError, match=r"tanh\.approx\.f32x9"):
        has_assembly[(1,)](np.zeros(16, np.float32))


@ttkit.jit(interpret=True)
def masked_by_integers(x, out, n, N: tl.constexpr):
    index = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + index, tl.load(x + index, mask=index, other=7.0), mask=index)


def test_integers_as_masks_are_warned_of():
    x, out = np.arange(8, dtype=np.float32) + 1, np.zeros(8, np.float32)
    with pytest.warns(UserWarning, match="a mask of int32 is read as `mask != 0`"):
        masked_by_integers[(2,)](x, out, 8, 4)
    assert out.tolist() == [0, *range(2, 9)]


def test_arrays_with_the_cuda_array_interface(monkeypatch):
    import ctypes

    from ttkit.cuda import device, libcuda

    calls = []

    def call(name, target, source, size):
        calls.append(name)
        ctypes.memmove(target, source, size)

    monkeypatch.setattr(libcuda, "call", call)
    monkeypatch.setattr(device, "current_context", lambda: 1)
    monkeypatch.setattr(device, "synchronize", lambda: None)
    there = np.arange(16, dtype=ml_dtypes.bfloat16)

    class OnTheGPU:
        dtype = there.dtype
        __cuda_array_interface__ = {"shape": (16,), "typestr": "<V2", "data": (there.ctypes.data, False), "version": 3}

    increment_here[(1,)](OnTheGPU(), 16)
    assert (there.astype(np.float32) == np.arange(16) + 1).all()
    assert calls == ["cuMemcpyDtoH_v2", "cuMemcpyHtoD_v2"]


def test_source_that_was_replaced():
    kernel = InterpretedFunction(increment.fn)
    values = np.zeros(16, np.float32)
    kernel[(1,)](values, 16)
    kernel._unsafe_update_src(kernel.src.replace("+ 1)", "+ 5)"))
    kernel[(1,)](values, 16)
    assert (values == 6).all()


@ttkit.jit(interpret=True)
def exponentials(x, out, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(out + index, tl.load(x + index).exp())


@ttkit.jit(interpret=True)
def checked_exponentials(x, out, BLOCK: tl.constexpr):
    index = tl.arange(0, BLOCK)
    tl.store(out + index, tl.exp(tl.load(x + index)))


@pytest.mark.parametrize("type", [np.float16, ml_dtypes.bfloat16])
def test_only_methods_take_16_bits(type):
    x, out = np.linspace(-4, 4, 32).astype(type), np.zeros(32, type)
    exponentials[(1,)](x, out, 32)
    assert (out == np.exp(x.astype(np.float64)).astype(type)).all()
    with pytest.raises(KernelError, match=r"Expected dtype \['fp32', 'fp64'\]"):
        checked_exponentials[(1,)](x, out, 32)
