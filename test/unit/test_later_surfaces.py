"""Every public name that Triton 3.7.1, 3.8.0 and 3.9.0 have and 3.6.0 does not: ttkit has it, or says why not.

test/data/surfaces has the names, which test/oracle/record_surface.py wrote, by the installed packages.
"""

import inspect
import json
from importlib import import_module
from pathlib import Path

import pytest
from test_triton_surface import kind_of, misfits

from ttkit.compat.missing import DIFFERENT, reason_missing
from ttkit.compat.missing_later import LATER, later_reason

FOLDER = Path(__file__).parents[1] / "data" / "surfaces"
SURFACES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
MODULES = [(version, module) for version, surface in SURFACES.items() for module in surface]
# Where later versions renamed parameters: ttkit has the names of the first.  Gluon's take the later ones too, or in
# 3.9 are functions that only say what replaces them.
RENAMED = {"load_ragged", "store_ragged", "atomic_add_ragged", "to_ragged_indices"}
RENAMED |= {"PaddedSharedLayout", "TensorMemoryLayout", "expect"}
RENAMED |= {"async_copy_global_to_shared", "async_copy_global_to_shared_im2col", "async_copy_shared_to_global"}
# What differs from 3.6 for another reason, and whose parameters are of Triton's own implementation.
OWN = set(
    "CodeGenerator AsyncCompileMode FutureKernel BaseBackend PropagateNan TritonSemantic CUDAOptions mangle_fn "
    "serialize_specialization_data run_filecheck_test".split()
)
OF_TRITON_ALONE = ("triton.experimental.gluon.language.nvidia", "triton.profiler", "triton._")

pytestmark = pytest.mark.usefixtures("installed")


@pytest.mark.parametrize(("version", "module"), MODULES)
def test_names_are_there_or_have_a_reason(version, module):
    if reason_missing(module):
        return
    found, missing = import_module(module), []
    for name, row in SURFACES[version][module].items():
        if row is None or later_reason(module, name) or reason_missing(f"{module}.{name}"):
            continue
        if not hasattr(found, name):
            missing.append(name)
            continue
        value = getattr(found, name)
        for member, parameters in row[2].items():
            there = hasattr(value, member) or member in getattr(value, "__annotations__", ())
            if parameters != "removed" and not there and not later_reason(module, name, member):
                missing.append(f"{name}.{member}")
    assert missing == []


@pytest.mark.parametrize(("version", "module"), MODULES)
def test_parameters_are_taken(version, module):
    if reason_missing(module) or "profiler" in module:
        return
    found, wrong = import_module(module), {}
    for name, row in SURFACES[version][module].items():
        if row is None or row[1] is None or name in (*DIFFERENT, *RENAMED, *OWN) or not hasattr(found, name):
            continue
        value = getattr(found, name)
        if kind_of(value) != row[0]:
            wrong[name] = f"is a {kind_of(value)}, not a {row[0]}"
        elif what := misfits(row[1], value):
            wrong[name] = what
    assert wrong == {}


@pytest.mark.parametrize("version", SURFACES)
def test_what_was_removed_is_still_there(version):
    public = {module: names for module, names in SURFACES[version].items() if not module.startswith(OF_TRITON_ALONE)}
    for module, names in public.items():
        for name in [name for name, row in names.items() if row is None]:
            if not reason_missing(f"{module}.{name}"):
                assert hasattr(import_module(module), name), f"{module}.{name}"


def test_reasons_are_needed():
    """What a reason is given for is missing."""
    for name in LATER:
        module, _, own = name.rpartition(".")
        if any(module in surface for surface in SURFACES.values()):
            found = import_module(module)
            assert not hasattr(found, own) or inspect.ismodule(getattr(found, own)), f"{name} is there"
