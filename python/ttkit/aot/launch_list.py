"""Lists of launches: what a program launches, as JSON, to be compiled elsewhere (`bundle_builder.py`).

    with ttkit.record_launches() as launches:      # or: ttkit export script.py -o launches.json
        main()
    launches.add(add, "*fp32:16, *fp32:16, i32, 1024", num_warps=8)     # a signature as for ttkit aot
    launches.add_call(add, x, y, 4096, BLOCK=1024)                      # arguments, or MockTensor(tl.float32)
    launches.save("launches.json")

The list has, for each variant: `function` (`module:name`, or `file.py:name`), `file` and `line`, `signature`,
`constants`, `attributes`, `options` and the `key` that bundles know it by.  Written by hand, `function`, a `signature`
as text and perhaps `options` are enough.  `files` has the text of each file that can't be imported by a module's name:
of the script, and of generated code.
"""

from __future__ import annotations

import json
import os
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from ttkit.aot.launch_values import from_json, path_from_text, path_text, to_json, to_tuples
from ttkit.aot.listed_modules import LaunchListError, ListedModules
from ttkit.aot.signature import Signature
from ttkit.compiler.backend import make_backend
from ttkit.frontend.source import ASTSource
from ttkit.installation import VERSION
from ttkit.json_shapes import load, natural
from ttkit.language.jit_function import JITFunction
from ttkit.options import CompileOptions
from ttkit.runtime.binder import create_binder
from ttkit.runtime.bundle_recording import recording
from ttkit.runtime.mock_tensors import MockTensor
from ttkit.runtime.specialization import signature_of
from ttkit.runtime.variants import chosen_options, key_of, title
from ttkit.target import GPUTarget
from ttkit.whole_files import read_file, write_files

FORMAT = 1
_LAUNCH = {
    "function": str, "file?": str, "line?": natural, "signature": (str, dict), "constants?": dict,
    "attributes?": {str: [list]}, "options?": dict, "key?": str,
}  # fmt: skip
_LIST = {"format": natural, "files?": {str: str}, "path?": [str], "left_out?": [str], "launches": [_LAUNCH]}
_ANY_GPU = 90  # whose defaults fill options, before those that follow from the GPU are left out


class Variant(NamedTuple):
    """A launch that is to be compiled.

    place: file and line of the kernel, as `serve.py:12`.
    options: that the launch sets, by name; those that follow from the GPU are added for each.
    """

    place: str
    source: Any
    options: dict[str, Any]

    @property
    def title(self) -> str:
        """The kernel with its types and the options that are set."""
        given = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{title(self.source)} {given}".rstrip()

    def options_for(self, capability: int) -> CompileOptions:
        """All options, for a GPU.

        Raises:
            ValueError, TypeError: an option is not possible, or not on this GPU.
        """
        return CompileOptions.for_capability(capability, **self.options)


class LaunchList:
    """A list of launches.

    launches: as JSON, see the file's head.
    files: {name: text} of files that can't be imported.
    path: folders that modules are imported from, besides those of installed packages.
    left_out: why a launch that was recorded is not in the list, a text each.
    folder: that its own files are in.
    """

    def __init__(self, folder: str = ".") -> None:
        self.launches: list[dict[str, Any]] = []
        self.files: dict[str, str] = {}
        self.path: list[str] = []
        self.left_out: list[str] = []
        self.folder = folder
        self._known: dict[str, JITFunction] = {}
        self._modules: ListedModules | None = None

    def __len__(self) -> int:
        return len(self.launches)

    # --- making one ---------------------------------------------------------------------------------------------------

    def add(self, kernel: Any, signature: str, **options: Any) -> None:
        """Adds a launch by its signature.

        Args:
            kernel: a jitted function, perhaps in an autotuner.
            signature: as `ttkit aot` takes it: `"*fp32:16, i32:1, i32, 1024"`.
            options: as at a launch, such as num_warps.

        Raises:
            LaunchListError: the function can't be found by a name.
            SignatureError: the signature does not fit.
        """
        function = _jitted(kernel)
        read = Signature.parse(signature, function)
        self._add(ASTSource(function, read.types, read.constants, read.attributes), _parsed(function, options))

    def add_call(self, kernel: Any, *arguments: Any, **keywords: Any) -> None:
        """Adds a launch by its arguments, which are specialized as at a launch; a `MockTensor`, or a dtype of torch,
        stands for an aligned tensor.

        Args:
            kernel: a jitted function, perhaps in an autotuner.
            arguments, keywords: arguments and options as for `kernel.warmup`, without a grid.

        Raises:
            LaunchListError: the function can't be found by a name.
            TypeError: the arguments don't fit.
        """
        function = _jitted(kernel)
        backend = make_backend(GPUTarget("cuda", _ANY_GPU, 32))
        bind = create_binder(function.signature, function.params, function.__name__, backend)
        bound, specialization, options = bind(*map(MockTensor.wrap_dtype, arguments), **keywords)
        CompileOptions.check_names(options)
        read = signature_of(function.arg_names, list(bound.values()), specialization)
        self._add(ASTSource(function, *read), _parsed(function, options))

    def record(self, source: Any, options: CompileOptions) -> None:
        """Adds a launch; what can't be written down goes to `left_out`."""
        try:
            self._add(source, options)
        except (LaunchListError, TypeError) as error:
            if str(error) not in self.left_out:
                self.left_out.append(str(error))

    def merge(self, other: LaunchList) -> None:
        """Adds the launches of another list that this one lacks.  Its files keep their names where these are free."""
        renamed = {name: self._keep(name, text) for name, text in other.files.items()}
        known = {launch.get("key") for launch in self.launches}
        for launch in other.launches:
            if launch.get("key") is None or launch["key"] not in known:
                self.launches.append(_with_files(launch, renamed))
        self.path += [path for path in other.path if path not in self.path]
        self.left_out += [text for text in other.left_out if text not in self.left_out]

    def _add(self, source: Any, options: CompileOptions) -> None:
        if not isinstance(source, ASTSource):
            raise LaunchListError(f"{source.name}: a kernel that is a file of IR has no function to list")
        key = key_of(source, options)
        if any(key == one.get("key") for one in self.launches):
            return
        names = source.fn.arg_names
        function, (file, line) = self._name(source.fn), source.fn.location
        try:
            constants = {path_text(path, names): self._to_json(value) for path, value in source.constants.items()}
            launch = {
                "function": function,
                "file": os.path.basename(file),
                "line": line,
                "signature": source.signature,
                "constants": constants,
                "attributes": {path_text(path, names): items for path, items in source.attrs.items() if items},
                "options": {name: to_json(value) for name, value in chosen_options(options).items()},
                "key": key,
            }
        except TypeError as error:
            raise LaunchListError(f"{os.path.basename(file)}:{line}: {title(source)}: {error}") from None
        if key_of(self._source(source.fn, launch), options) != key:
            raise LaunchListError(
                f"{os.path.basename(file)}:{line}: {title(source)}: its constants or types have no form in JSON"
            )
        self.launches.append(launch)

    def _to_json(self, value: Any) -> Any:
        return to_json(value, self._name)

    def _name(self, function: JITFunction) -> str:
        """The name by which the function is found elsewhere; its file is kept if no module has it."""
        file, line = function.location
        name = function.__qualname__
        if "<locals>" in name:
            raise LaunchListError(
                f"{os.path.basename(file)}:{line}: {function.__name__} is defined in a function, so it can't be found "
                "by its name: define it in a module, or use `ttkit export --out FOLDER`"
            )
        module = str(function.__module__)
        if _imports(module, file):
            found, root = f"{module}:{name}", _root(module, file)
            self.path += [root] if root not in self.path and root not in _installed() else []
        else:
            found = f"{self._keep(os.path.basename(file), Path(file).read_text(encoding='utf-8'))}:{name}"
        self._known[found] = function
        return found

    def _keep(self, wanted: str, text: str) -> str:
        """Keeps the text of a file; its name in the list."""
        name, number = wanted, 1
        while self.files.get(name, text) != text:
            number += 1
            name = f"{Path(wanted).stem}-{number}.py"
        self.files[name] = text
        return name

    # --- in files -----------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the list.

        Raises:
            OSError: it can't be written.
        """
        folder = os.path.dirname(os.path.abspath(path))
        contents = {**self.contents(), "path": [os.path.relpath(each, folder) for each in self.path]}
        write_files({path: json.dumps(contents, indent=1) + "\n"})

    def contents(self) -> dict[str, Any]:
        """The list as JSON, with absolute paths of folders."""
        return {
            "format": FORMAT,
            "ttkit": VERSION,
            "launches": self.launches,
            "path": self.path,
            "files": self.files,
            **({"left_out": self.left_out} if self.left_out else {}),
        }

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LaunchList:
        """Reads a list.

        Raises:
            LaunchListError: the file is not a list of launches.
            OSError: it can't be read.
        """
        try:
            found = load(read_file(path), _LIST)
            if found["format"] != FORMAT:
                raise ValueError(f"its format is {found['format']}, and this ttkit reads {FORMAT}")
        except ValueError as error:
            raise LaunchListError(f"{os.fspath(path)} is not a list of launches: {error}") from None
        return cls.of_contents(found, os.path.dirname(os.path.abspath(path)))

    @classmethod
    def of_contents(cls, found: dict[str, Any], folder: str, modules: ListedModules | None = None) -> LaunchList:
        """The list of `contents`.

        folder: that its own files are in, and to which its paths are relative.
        modules: its modules, where they are loaded already.
        """
        made = cls(folder)
        made.launches, made.files = found["launches"], found.get("files", {})
        made.path = [os.path.normpath(os.path.join(folder, each)) for each in found.get("path", [])]
        made.left_out = list(found.get("left_out", []))
        made._modules = modules
        return made

    # --- what is compiled ---------------------------------------------------------------------------------------------

    def variants(self) -> Iterator[Variant | LaunchListError]:
        """Each launch as it is compiled; the error of one whose function is gone or has changed.

        Modules of the list are imported, files are run up to their first launch.
        """
        self._modules = self._modules or ListedModules(self.files, [self.folder, *self.path])
        for launch in self.launches:
            try:
                yield self._variant(launch)
            except (ValueError, TypeError) as error:  # TypeError: of an option
                place = f"{launch['file']}:{launch.get('line', 1)}: " if "file" in launch else ""
                yield LaunchListError(f"{place}error: {launch['function']}: {error}")

    def _variant(self, launch: dict[str, Any]) -> Variant:
        options = {name: from_json(value) for name, value in launch.get("options", {}).items()}
        functions = list(self._functions(launch["function"]))
        key = launch.get("key")
        for function in functions:
            source = self._source(function, launch)
            if key is None:
                options = chosen_options(_parsed(function, options))
            elif key != key_of(source, CompileOptions.for_capability(_ANY_GPU, **options)):
                continue
            file, line = function.location
            return Variant(f"{launch.get('file', os.path.basename(file))}:{line}", source, options)
        raise LaunchListError("its source is not the one that was listed: list the launches again")

    def _functions(self, name: str) -> Iterable[JITFunction]:
        if name in self._known:
            return [self._known[name]]
        assert self._modules is not None
        return self._modules.functions(name)

    def _source(self, function: JITFunction, launch: dict[str, Any]) -> ASTSource:
        """The launch of a function.

        Raises:
            LaunchListError, SignatureError: it does not fit.
        """
        described = launch["signature"]
        if isinstance(described, str):
            read = Signature.parse(described, function)
            return ASTSource(function, read.types, read.constants, read.attributes)
        names = function.arg_names
        try:
            given = launch.get("constants", {})
            constants = {path_from_text(text, names): self._from_json(value) for text, value in given.items()}
            attributes = {path_from_text(text, names): of for text, of in launch.get("attributes", {}).items()}
            return ASTSource(
                function, {name: to_tuples(kind) for name, kind in described.items()}, constants, attributes
            )
        except (TypeError, KeyError, IndexError) as error:
            raise LaunchListError(f"it does not fit {function.__name__}({', '.join(names)}): {error}") from None

    def _from_json(self, value: Any) -> Any:
        return from_json(value, lambda name: next(iter(self._functions(name))))


def _jitted(kernel: Any) -> JITFunction:
    while not isinstance(kernel, JITFunction) and hasattr(kernel, "fn"):
        kernel = kernel.fn
    if not isinstance(kernel, JITFunction):
        raise LaunchListError(f"a kernel is a jitted function, found {kernel!r}")
    return kernel


def _parsed(function: JITFunction, options: dict[str, Any]) -> CompileOptions:
    """The options of a launch with those that the function itself has."""
    return CompileOptions.parse({"debug": bool(function.debug), **options}, _ANY_GPU)


def _with_files(value: Any, renamed: dict[str, str]) -> Any:
    """The JSON of a launch, with other names for files of functions."""
    if isinstance(value, dict):
        return {name: _with_files(item, renamed) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_files(item, renamed) for item in value]
    file, colon, name = value.partition(":") if isinstance(value, str) else ("", "", "")
    return f"{renamed[file]}:{name}" if colon and file in renamed else value


def _imports(module: str, file: str) -> bool:
    """Whether importing a module by its name gives the code of a file."""
    if module == "__main__":
        return False
    try:
        found = find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return False
    return found is not None and found.origin is not None and os.path.realpath(found.origin) == os.path.realpath(file)


def _root(module: str, file: str) -> str:
    """The folder that a module is imported from."""
    folder = os.path.dirname(os.path.realpath(file))
    packages = module.count(".") + (os.path.basename(file) == "__init__.py")
    for _ in range(packages):
        folder = os.path.dirname(folder)
    return folder


def _installed() -> set[str]:
    return {os.path.realpath(path) for path in sysconfig.get_paths().values()}


@contextmanager
def record_launches() -> Iterator[LaunchList]:
    """Within the block, each kernel that is compiled, or taken from the cache or a bundle, is noted; the list
    that this gives has them at its end."""
    made = LaunchList()
    with recording() as found:
        yield made
    for one in found.values():
        made.record(one.source, one.options)
