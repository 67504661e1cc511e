"""The C ABI of libttkit as ctypes sees it, which dialects/python/signatures.py makes of the header."""

import ctypes
import importlib.util
import re
from pathlib import Path

import pytest

from ttkit import _signatures
from ttkit._signatures import SIGNATURES, Handle

ROOT = Path(__file__).parents[2]
HEADER = ROOT / "dialects" / "capi" / "ttkit.h"
SPEC = importlib.util.spec_from_file_location("signatures", ROOT / "dialects" / "python" / "signatures.py")
signatures = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(signatures)
OPERATIONS, SIZE = ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t
MADE = {
    "ttkitReportCrashes": (None, []),
    "ttkitPassCount": (None, [ctypes.c_void_p, SIZE, ctypes.c_uint64]),
    "ttkitCollect": (SIZE, [Handle, ctypes.POINTER(ctypes.c_char_p), SIZE, OPERATIONS, SIZE]),
    "ttkitSlices": (SIZE, [Handle, OPERATIONS, SIZE, ctypes.POINTER(SIZE), ctypes.POINTER(ctypes.c_bool)]),
    "ttkitObservePasses": (None, [Handle, _signatures.PassObserver]),
    "ttkitFindBadAssembly": (ctypes.c_void_p, [Handle, _signatures.StringCallback, ctypes.c_void_p]),
    "ttkitMemDescTypeGetShape": (ctypes.POINTER(ctypes.c_int64), [ctypes.c_void_p]),
}


def test_every_function_has_a_signature():
    declared = re.findall(r"\b(ttkit\w+)\(", re.sub(r"//[^\n]*", "", HEADER.read_text()))
    assert len(declared) > 60 and declared == list(SIGNATURES)


@pytest.mark.parametrize("name", MADE)
def test_functions(name):
    assert SIGNATURES[name] == MADE[name]


def test_structures_and_callbacks():
    assert _signatures.PassEvent._fields_[3:5] == [("pass_name", ctypes.c_char_p), ("class_name", ctypes.c_char_p)]
    assert _signatures.PassObserver._fields_[1] == ("tell", _signatures.PassEventCallback)
    assert _signatures.RunCallback._restype_ is ctypes.c_bool
    assert _signatures.RunCallback._argtypes_ == (ctypes.c_char_p, ctypes.c_void_p, Handle, ctypes.c_void_p)


def test_an_unknown_type_ends_the_build():
    with pytest.raises(ValueError, match="the type MlirModule is not in TYPES"):
        signatures.Header("TTKIT_EXPORT void ttkitRun(MlirModule module);").functions()


def test_nobody_else_says_what_a_function_takes():
    for folder in ("python", "passes"):
        for path in (ROOT / folder).rglob("*.py"):
            for line in path.read_text().splitlines():
                if "SIGNATURES[" in line:
                    continue
                assert not re.search(r"ttkit[A-Z]\w+\.(argtypes|restype)", line), path


def test_every_function_is_called():
    sources = [*(ROOT / "python").rglob("*.py"), *(ROOT / "passes").rglob("*.py"), *(ROOT / "test").rglob("*.py")]
    text = "".join(path.read_text() for path in sources)
    inferences = {name for name in SIGNATURES if re.fullmatch(r"ttkitInfer\w+Layout", name)}  # by their middle part
    assert not [name for name in SIGNATURES.keys() - inferences if name not in text]
