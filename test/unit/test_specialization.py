"""What calls of kernels are specialized for: compared with Triton 3.6, and between Python and the native launcher."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import specialization_cases as cases

import ttkit
import ttkit.language as tl
from ttkit.runtime import native
from ttkit.runtime.binder import create_binder
from ttkit.runtime.launch_key import comparable
from ttkit.runtime.specialization import signature_of, specialize
from ttkit.runtime.tensor_descriptor import TensorDescriptor

# Made by test/oracle/record_specialization.py.
RECORDED = json.loads((Path(__file__).parents[1] / "data" / "specialization.json").read_text())


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("cases") / "specialized_kernels.py"
    path.write_text(cases.source_of(RECORDED))
    spec = importlib.util.spec_from_file_location("specialized_kernels", path)
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(jit=ttkit.jit, tl=tl, options=[case["options"] for case in RECORDED])
    sys.modules["specialized_kernels"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["specialized_kernels"]


@pytest.fixture(scope="module")
def scope(kernels):
    return cases.environment(tl, ttkit.jit, TensorDescriptor, kernels.helper)


def test_as_triton(kernels, scope):
    different = []
    for index, case in enumerate(RECORDED):
        function = getattr(kernels, f"kernel{index}")
        arguments = [eval(text, scope) for text in case["arguments"]]
        binder = create_binder(function.signature, function.params)
        bound, specialization, _ = binder(*arguments)
        found = cases.described(*signature_of(function.arg_names, list(bound.values()), specialization))
        expected = {name: case[name] for name in found}
        if json.loads(json.dumps(found)) != expected:
            different.append((case["parameters"], case["options"], case["arguments"], found, expected))
    assert not different, "\n".join(map(str, different[:5]))


@pytest.mark.skipif(native.extension() is None, reason="the launcher was not built")
def test_native_keys_are_those_of_python(kernels, scope, gpu):
    """Calls of one native key have one key in Python; and mostly the other way round, where types are as annotated."""
    gpu.lib.fake_set_context(0xC000)
    native.connect_driver(str(gpu.path))
    calls_read = python_keys = native_keys = 0
    for index, case in enumerate(RECORDED):
        function = getattr(kernels, f"kernel{index}")
        asked = []
        dispatcher = native.create_dispatcher(function, lambda grid, args, kwargs, key, asked=asked: asked.append(key))
        binder = create_binder(function.signature, function.params)
        of_native = {}
        for arguments in variations([eval(text, scope) for text in case["arguments"]], scope):
            dispatcher.launch((1,), tuple(arguments), {"num_warps": 4})
            if asked[-1] is not None:
                of_native.setdefault(asked[-1], set()).add(repr(comparable(binder(*arguments)[1])))
                calls_read += 1
        assert all(len(found) == 1 for found in of_native.values()), case
        native_keys += len(of_native)
        python_keys += len(set.union(*of_native.values()))
    assert calls_read > 8000 and python_keys <= native_keys < 1.7 * python_keys  # numbers of NumPy: a key for each type


def variations(arguments, scope):
    """The arguments, and with each of them replaced by others."""
    yield arguments
    others = [eval(text, scope) for text in "1 16 32 True 2.5 None 0 T('torch.int8',16) (1,16) (16,1)".split()]
    others += [np.int64(1), np.int32(32), np.uint64(2**63), np.float32(2.5), np.bool_(True), *map(OnDevice, (16, 17))]
    for place in range(len(arguments)):
        for value in others:
            yield [*arguments[:place], value, *arguments[place + 1 :]]


class OnDevice:
    """An array that is no tensor: it tells its address by the protocol of CuPy and Numba."""

    def __init__(self, address):
        self.__cuda_array_interface__ = {"data": (address, False), "typestr": "<f4", "shape": (1,), "version": 3}


def test_numbers_of_numpy():
    assert specialize(np.int64(16)) == ("i32", "D") and specialize(np.int32(1)) == ("constexpr", 1)
    assert specialize(np.float32(2)) == specialize(np.float64(2)) == ("fp32", None)
    assert specialize(np.bool_(True)) == ("u1", None)


def test_what_cannot_be_passed():
    for value in ("text", [1, 2], {1}, b"x", 1j, len):
        with pytest.raises(TypeError, match="failed to specialize argument of type: "):
            specialize(value)
    for value in (2**64, -(2**63) - 1):
        with pytest.raises(OverflowError, match="too large to represent"):
            specialize(value)
    with pytest.raises(TypeError, match=r"dtype torch.complex64 can't be passed, .* a view"):
        specialize(cases.Tensor("torch.complex64", 0))


def test_keys_by_the_names_of_triton():
    """Functions are their code; keys are kept under what is cheaper to compare."""
    from ttkit.runtime.launch_key import compute_cache_key

    @ttkit.jit
    def called(x):
        return x + 1

    known = {}
    first = compute_cache_key(known, [("constexpr", called), ("i32", "D")], {"num_warps": 4})
    assert called.cache_key in first and list(known.values()) == [first]
    assert compute_cache_key(known, [("constexpr", called), ("i32", "D")], {"num_warps": 4}) is first
    assert compute_cache_key(known, [("constexpr", called), ("i32", "D")], {"num_warps": 8}) != first
    source = called.src
    called._unsafe_update_src(source.replace("+ 1", "+ 2"))
    changed = compute_cache_key(known, [("constexpr", called), ("i32", "D")], {"num_warps": 4})
    called._unsafe_update_src(source)
    assert changed != first and len(known) == 3
