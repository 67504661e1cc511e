"""What ctypes believes of libttkit's C ABI is what the header says."""

import ctypes
import re
from pathlib import Path

import pytest

from ttkit import _signatures
from ttkit._signatures import SIGNATURES, Handle

ROOT = Path(__file__).parents[2]
HEADER = re.sub(r"//[^\n]*", "", (ROOT / "dialects" / "capi" / "ttkit.h").read_text())
PLAIN = {
    "void": None,
    "bool": ctypes.c_bool,
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "double": ctypes.c_double,
    "size_t": ctypes.c_size_t,
    "intptr_t": ctypes.c_ssize_t,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "TtkitPassEventKind": ctypes.c_int,
}
STRUCTURES = {
    "TtkitPassCallbacks": _signatures.PassCallbacks,
    "TtkitPassEvent": _signatures.PassEventFields,
    "TtkitPassObserver": _signatures.PassObserver,
    "TtkitHeldTypes": _signatures.HeldTypes,
}
FUNCTION_TYPES = {
    name: f"{result} (*)({parameters})"
    for result, name, parameters in re.findall(r"typedef ([\w ]+?)\s*\(\*(\w+)\)\(([^()]*)\);", HEADER)
} | {"MlirStringCallback": "void (*)(MlirStringRef text, void *data)"}
DECLARED = {
    name: (result.strip(), parameters)
    for result, name, parameters in re.findall(
        r"TTKIT_EXPORT\s+([\w\s*]+?)(ttkit\w+)\(((?:[^()]|\([^()]*\))*)\);", HEADER
    )
}


def split(parameters: str) -> list[str]:
    """Parameters, those of function types whole."""
    parts = re.findall(r"(?:[^,()]|\([^()]*\))+", " ".join(parameters.split()))
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def type_of(parameter: str) -> str:
    """A parameter without its name, of a function type without that of the function."""
    if "(*" in parameter:
        return re.sub(r"\(\*\w*\)", "(*)", parameter)
    return re.sub(r"(?<=[\s*])\w+$", "", parameter).replace("const", "").strip() if " " in parameter else parameter


def fits(text: str, given: object) -> bool:
    """Whether a type of ctypes is the one that C has."""
    text = FUNCTION_TYPES.get(text, text).replace("const ", "").strip()
    if "(*)" in text:
        result, _, parameters = text.partition("(*)")
        if not (isinstance(given, type) and issubclass(given, ctypes._CFuncPtr)):
            return False
        wanted = [type_of(part) for part in split(parameters.strip()[1:-1])]
        return (
            fits(result.strip(), given._restype_)
            and len(wanted) == len(given._argtypes_)
            and all(map(fits, wanted, given._argtypes_))
        )
    if text in PLAIN:
        return given is PLAIN[text]
    if text in STRUCTURES:
        return given is STRUCTURES[text]
    if text == "MlirStringRef":
        return given is _signatures.StringRef
    if text.startswith("Mlir") and not text.endswith("*"):
        return given in (Handle, ctypes.c_void_p)  # a structure of one pointer
    if text == "char *":
        return given is ctypes.c_char_p
    if text in ("char **", "char * *"):
        return given is ctypes.POINTER(ctypes.c_char_p)
    if text.endswith("*"):
        return given is ctypes.c_void_p or any(
            given is ctypes.POINTER(one) and fits(text[:-1].strip(), one)
            for one in (
                Handle,
                ctypes.c_void_p,
                _signatures.PassEventFields,
                _signatures.HeldTypes,
                *filter(None, PLAIN.values()),
            )
        )
    return False


def test_every_function_has_a_signature_and_the_other_way_round():
    assert len(DECLARED) > 60
    assert DECLARED.keys() == SIGNATURES.keys()


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_the_signature_is_that_of_the_header(name):
    result, parameters = DECLARED[name]
    given_result, given = SIGNATURES[name]
    wanted = [type_of(part) for part in split(parameters)]
    assert fits(result, given_result), (result, given_result)
    assert len(wanted) == len(given)
    for text, argument in zip(wanted, given):
        assert fits(text, argument), (text, argument)


@pytest.mark.parametrize("name", sorted(STRUCTURES))
def test_the_fields_of_structures_are_those_of_the_header(name):
    (body,) = re.findall(r"typedef struct \{([^{}]*)\} " + name + ";", HEADER)
    wanted = [type_of(line.strip()) for line in re.sub(r"/[^\n]*", "", body).split(";") if line.strip()]
    fields = STRUCTURES[name]._fields_
    assert len(wanted) == len(fields)
    for text, (_, kind) in zip(wanted, fields):
        assert fits(text, kind), (text, kind)


def test_nobody_else_says_what_a_function_takes():
    for folder in ("python", "passes"):
        for path in (ROOT / folder).rglob("*.py"):
            for line in path.read_text().splitlines():
                if "SIGNATURES[" in line:
                    continue
                assert not re.search(r"ttkit[A-Z]\w+\.(argtypes|restype)", line), path


def test_every_function_is_called():
    sources = [*(ROOT / "python").rglob("*.py"), *(ROOT / "passes").rglob("*.py"), *(ROOT / "test").rglob("*.py")]
    text = "".join(path.read_text() for path in sources if path.name != "_signatures.py")
    inferences = {name for name in SIGNATURES if re.fullmatch(r"ttkitInfer\w+Layout", name)}  # by their middle part
    assert not [name for name in SIGNATURES.keys() - inferences if name not in text]
