"""Pages about the kernel language: its functions from their docstrings, and the errors that ttkit finds in kernels."""

import ast
import importlib
import importlib.util
import inspect
import re
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# The order of a reader who writes a first kernel.
FAMILIES = (
    "program types constexpr core view joining promotion memory arith type_conversion math reduce standard "
    "standard_reductions newer dot atomic ordered iterators block_pointer descriptor tuples aggregate random hints "
    "debug extern extra.cuda.special_registers extra.cuda.launch_control extra.cuda.libdevice target_info"
).split()
CLASSES = (
    "constexpr",
    "dtype",
    "pointer_type",
    "block_type",
    "range",
    "static_range",
    "condition",
    "tensor_descriptor",
)


def language_page() -> str:
    """Every public function of `ttkit.language`, by family."""
    parts = [
        "# The kernel language",
        "`import ttkit.language as tl`. `constexpr`: known while compiling.",
        "The examples are typed at Python's prompt, where `interactive()` makes the functions of the language run at "
        "once, on the CPU; `test/unit/test_language_examples.py` runs them:",
        "```python\nimport numpy as np\nimport ttkit\nimport ttkit.language as tl\n"
        "from ttkit.interpreter.python_mode.session import interactive\n\n"
        "session = interactive(grid=4, program=2, debug=True).__enter__()\n"
        "pointer = session.value  # of an array\n```",
    ]
    for family in FAMILIES:
        module = importlib.import_module(f"ttkit.language.{family}")
        intro = inspect.cleandoc(module.__doc__ or "").split("\n\nOps:")[0].split("\n\nOp:")[0]
        parts += [f"## {family}", docstring_markdown(intro)]
        if family.endswith("libdevice"):  # a line for each of some 190
            rows = [f"| `{name}` | {value.__doc__.partition(': ')[2]} |" for name, value in members(module)]
            parts.append("\n".join(["| function | types, and the name for each |", "| --- | --- |", *rows]))
        else:
            parts += [entry(name, value) for name, value in members(module)]
    return "\n\n".join(parts) + "\n"


def members(module: ModuleType) -> list[tuple[str, Any]]:
    """What a kernel may use of a module, in the order of its file."""
    from ttkit.language.jit_function import JITCallable

    found = []
    for name, value in vars(module).items():
        usable = getattr(value, "__triton_builtin__", False) or isinstance(value, JITCallable)
        is_class = inspect.isclass(value) and name in CLASSES
        if (usable or is_class) and not name.startswith("_") and value.__module__ == module.__name__:
            found.append((name, value))
    return found


def entry(name: str, value: Any) -> str:
    """The signature, without annotations, and the docstring."""
    signature = inspect.signature(getattr(value, "fn", value))
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name not in ("_semantic", "_generator", "self")
    ]
    text = str(signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))
    # Values as one writes them.
    text = re.sub(r"<(\w+\.\w+): \d+>|constexpr\[(\d+)\]", r"\1\2", text)
    text = re.sub(r"constexpr\[(\w+)\]", r"'\1'", text)
    return f"### `{name}{text}`\n\n{docstring_markdown(inspect.getdoc(value) or '')}".rstrip()


def docstring_markdown(text: str) -> str:
    """A docstring with its sections as Markdown: arguments and errors as lists, examples as sessions of Python."""
    parts = []
    for paragraph in paragraphs(text):
        title, _, body = paragraph.partition("\n")
        lines = textwrap.dedent(body).split("\n")
        if title == "Example:":
            parts.append("\n".join(["```pycon", *lines, "```"]))
        elif re.fullmatch("Args:|Attributes:|Raises(, .*)?:", title):
            parts.append("\n".join([title, "", *items(lines)]))
        elif title in ("Returns:", "Yields:"):
            parts.append("\n".join([title, "", *lines]))
        elif paragraph.startswith("    "):
            parts.append("\n".join(["```text", textwrap.dedent(paragraph), "```"]))
        elif body and all(re.match(r"[a-z_][\w, ]*: |    ", line) for line in paragraph.split("\n")):
            parts.append("\n".join(items(paragraph.split("\n"))))
        else:
            parts.append(paragraph)
    return "\n\n".join(parts)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring; code, which is indented, is one with its empty lines."""
    found: list[str] = []
    for paragraph in text.split("\n\n"):
        if found and paragraph.startswith("    ") and found[-1].startswith("    "):
            found[-1] += f"\n\n{paragraph}"
        else:
            found.append(paragraph)
    return found


def items(lines: list[str]) -> list[str]:
    """A list in Markdown, of lines that begin an item or, indented, go on with one."""
    return [f"- {line}" if line[:1].strip() else f"  {line.strip()}" for line in lines]


def errors_page() -> str:
    """The page of errors: the kernels of `compile_errors.py` and `running_errors.py`, with their messages."""
    parts = [
        "# Errors in kernels",
        "Each kernel below has an error, and its message follows. The first ones are found when the kernel is "
        "compiled, the others when it runs as Python on the CPU.",
        "## When a kernel is compiled",
        *gallery("compile_errors", compile_error),
        "## When a kernel runs as Python",
        *gallery("running_errors", run_error),
    ]
    return "\n\n".join(parts) + "\n"


def gallery(name: str, error_of: Callable[[Any, Any], Exception]) -> list[str]:
    """The entries of a file of kernels with errors.

    Args:
        error_of: the error of a kernel, of the data's module.
    """
    path = ROOT / "test" / "data" / "language" / f"{name}.py"
    import ttkit

    data: Any = load(path)
    parts = [inspect.cleandoc(data.__doc__).partition("\n\n")[2], f"```python{data.KERNEL}```"]
    with tempfile.TemporaryDirectory() as folder:
        kernels_file = Path(folder, "kernels.py")
        kernels_file.write_text(data.source())
        kernels = load(kernels_file)
        section = None
        for index, (title, statement) in enumerate(titles(path)):
            if title != section:
                section = title
                parts.append(f"### {title}")
            error = error_of(getattr(kernels, f"kernel_{index}"), data)
            # No folder of this machine: what is in ttkit is named from there on.
            text = str(error).replace(f"{folder}/", "").replace(f"{Path(ttkit.__file__).parent.parent}/", "")
            heading = statement.partition("\n")[0]
            parts.append(f"#### `{heading}`\n\n{type(innermost(error)).__name__}\n\n```\n{text}\n```")
    return parts


def titles(path: Path) -> list[tuple[str, str]]:
    """The comment above each wrong statement of a file, and the statement."""
    text = path.read_text()
    comments = {n: line.strip("# ") for n, line in enumerate(text.splitlines(), 1) if line.startswith("    # ")}
    found = []
    for node in ast.parse(text).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="ERRORS")], value=ast.List(elts=entries)):
                for entry in entries:
                    above = max(line for line in comments if line < entry.lineno)
                    found.append((comments[above], ast.literal_eval(entry)[0]))
    return found


def innermost(error: BaseException) -> BaseException:
    """The cause at the end of the chain: its class says what is wrong."""
    return error if error.__cause__ is None else innermost(error.__cause__)


def compile_error(kernel: Any, data: Any) -> Exception:
    """The error that ends the compilation of a wrong kernel."""
    import ttkit

    try:
        with ttkit.Context():
            ttkit.ASTSource(kernel, data.SIGNATURE, {"N": 16}).make_ir(ttkit.GPUTarget("cuda", 90, 32))
    except ttkit.CompilationError as error:
        return error
    raise AssertionError(f"{kernel.__name__} has no error")


def run_error(kernel: Any, data: Any) -> Exception:
    """The error that ends a wrong kernel as Python on the CPU."""
    import numpy as np

    from ttkit.interpreter.errors import InterpreterError

    try:
        kernel[(1,)](*data.arguments(np))
    except InterpreterError as error:
        return error
    raise AssertionError(f"{kernel.__name__} has no error")


def load(path: Path) -> ModuleType:
    """A module from a file, under the file's name, not in sys.modules."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
