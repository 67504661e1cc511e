"""One entrance for the variants of a kernel: C that takes the most specialized one whose hints the arguments meet.

Variants that differ in hints alone form an algorithm; those that differ in constants or options are algorithms of
their own, which the caller chooses by number.  Names and types are those of `triton.tools.link`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ttkit.aot.c_source import CParameter, c_parameters, declaration, guarded
from ttkit.aot.variant import Variant, identifier

_DIRECTIVE = re.compile(r"^// tt-linker: (\w+):([^:\n]*):(.+)\n// ttkit-parameters:(.*)", re.MULTILINE)
_NAME = re.compile(r"(\w+)_([0-9a-f]{8})_(\w+)")
_HINTS = {"c": 1, "d": 16}


class LinkerError(ValueError):
    """Headers that can't be linked: which, and why."""


@dataclass(frozen=True)
class Linked:
    """A variant as the dispatcher knows it.

    parameters: all that callers pass.
    hints: 1, 16 or None for each of them.
    """

    name: str
    base: str
    algorithm: str
    parameters: tuple[CParameter, ...]
    hints: tuple[int | None, ...]

    @classmethod
    def of(cls, variant: Variant) -> Linked:
        """A variant that was just compiled."""
        parameters = c_parameters(variant.signature.parameters, with_ones=True)
        hints = tuple(None if one.of is None else one.of.hint for one in parameters)
        return cls(variant.name, variant.base, variant.algorithm, tuple(parameters), hints)

    @property
    def count(self) -> int:
        """Number of its hints."""
        return sum(hint is not None for hint in self.hints)

    @property
    def passed(self) -> list[CParameter]:
        """The parameters of its own function."""
        return [one for one, hint in zip(self.parameters, self.hints) if hint != 1]


def read_header(text: str, path: str) -> list[Linked]:
    """The variants of a header that `ttkit.tools.compile` wrote.

    Raises:
        LinkerError: it is no such header, or what it says of a kernel can't be read.
    """
    found = []
    for name, signature, algorithm, numbers in _DIRECTIVE.findall(text):
        parts = _NAME.fullmatch(name)
        words = [item.split() for item in signature.split(",") if item.strip()]
        indices = numbers.split()
        if parts is None or any(len(pair) != 2 for pair in words) or len(indices) != len(words):
            raise LinkerError(f"{path}: what it says of {name} can't be read: {signature}")
        by_item = {number: _HINTS.get(letter) for number, letter in _items(parts[3])}
        hints = tuple(by_item.get(index) for index in indices)
        found.append(Linked(name, parts[1], identifier(algorithm), tuple(CParameter(*pair) for pair in words), hints))
    if not found:
        raise LinkerError(f"{path}: no header of a kernel that ttkit.tools.compile wrote")
    return found


def _items(suffix: str) -> Iterator[tuple[str, str]]:
    """The number of each item of a signature with the letter of its hint, of a name such as 0d12c3."""
    number = 0
    while suffix.startswith(str(number)):
        suffix = suffix[len(str(number)) :]
        letter = suffix[:1] if suffix[:1] in _HINTS else ""
        yield str(number), letter
        suffix, number = suffix[len(letter) :], number + 1


@dataclass(frozen=True)
class Dispatcher:
    """The variants of one kernel.

    name: of the functions in C.
    algorithms: {name of its function: its variants, the most specialized first}.
    """

    name: str
    algorithms: dict[str, list[Linked]]

    @classmethod
    def link(cls, variants: Iterable[Linked], prefix: str = "") -> Dispatcher:
        """Puts variants under one name.

        Raises:
            LinkerError: there are none, they are of several kernels, or take different parameters.
        """
        variants = list(variants)
        bases = list(dict.fromkeys(one.base for one in variants))
        if len(bases) != 1:
            found = ", ".join(bases) or "none"
            raise LinkerError(f"the headers must be of one kernel, found {found}: link each kernel on its own")
        first = variants[0]
        groups: dict[str, list[Linked]] = {}
        for one in variants:
            if [each.type for each in one.parameters] != [each.type for each in first.parameters]:
                types = [", ".join(each.type for each in other.parameters) for other in (first, one)]
                raise LinkerError(f"{first.name} takes ({types[0]}), but {one.name} takes ({types[1]})")
            groups.setdefault(f"{prefix}{one.base}_{one.algorithm}", []).append(one)
        for group in groups.values():
            group.sort(key=lambda one: -one.count)
        return cls(prefix + bases[0], groups)

    @property
    def parameters(self) -> tuple[CParameter, ...]:
        """The parameters that all take, by the names that the first has for them."""
        return next(iter(self.algorithms.values()))[0].parameters

    def header(self, comment: str = "") -> str:
        """Declarations of all that callers may call."""
        lines = [comment] if comment else []
        for name in self.algorithms:
            lines += [
                f"{declaration(name, self.parameters)};",
                f"CUresult load_{name}(void);",
                f"CUresult unload_{name}(void);",
                "",
            ]
        lines += [
            f"int {self.name}_get_num_algos(void);",
            f"{declaration(f'{self.name}_default', self.parameters)};",
            f"{declaration(self.name, self.parameters, more='int algo_id')};",
            f"CUresult load_{self.name}(void);",
            f"CUresult unload_{self.name}(void);",
        ]
        return guarded(f"TT_{self.name}_LINKED_H".upper(), "\n".join(lines) + "\n")

    def declarations(self) -> str:
        """Declarations of the variants' own functions, where another file defines them."""
        return "".join(
            f"{declaration(one.name, one.passed)};\n"
            f"CUresult load_{one.name}(void);\nCUresult unload_{one.name}(void);\n"
            for group in self.algorithms.values()
            for one in group
        )

    def definitions(self) -> str:
        """The functions of the algorithms, and those that choose an algorithm by its number."""
        name, names = self.name, ", ".join(one.name for one in self.parameters)
        parts = [_algorithm(algorithm, group, self.parameters) for algorithm, group in self.algorithms.items()]
        table = "".join(f"  {algorithm},\n" for algorithm in self.algorithms)
        parts += [
            f"typedef CUresult (*{name}_func_t)({', '.join(['CUstream stream', *map(str, self.parameters)])});\n"
            f"{name}_func_t {name}_kernels[] = {{\n{table}}};\n",
            f"int {name}_get_num_algos(void) {{ return {len(self.algorithms)}; }}\n",
            f"{declaration(name, self.parameters, more='int algo_id')} {{\n"
            f"  if (algo_id < 0 || algo_id >= {len(self.algorithms)})\n    return CUDA_ERROR_INVALID_VALUE;\n"
            f"  return {name}_kernels[algo_id]({', '.join(['stream', *filter(None, [names])])});\n}}\n",
            f"{declaration(f'{name}_default', self.parameters)} {{\n"
            f"  return {name}({', '.join(['stream', *filter(None, [names]), '0'])});\n}}\n",
            *(
                _each(f"{verb}_{name}", [f"{verb}_{algorithm}" for algorithm in self.algorithms])
                for verb in ("load", "unload")
            ),
        ]
        return "\n".join(parts)


def _algorithm(name: str, group: Sequence[Linked], parameters: Sequence[CParameter]) -> str:
    """The function that takes the first of its variants whose hints the arguments meet."""
    lines = [f"{declaration(name, parameters)} {{"]
    for one in group:
        tests, call = [], ["stream"]
        for parameter, hint in zip(parameters, one.hints):
            if hint is not None:
                tests.append(f"{parameter.name} == 1" if hint == 1 else f"{parameter.name} % 16 == 0")
            if hint != 1:
                call.append(parameter.name)
        lines += [f"  if ({' && '.join(tests)})"] if tests else []
        lines.append(f"{'  ' if tests else ''}  return {one.name}({', '.join(call)});")
        if not tests:
            break
    else:
        lines.append("  return CUDA_ERROR_INVALID_VALUE;")
    loads = [_each(f"{verb}_{name}", [f"{verb}_{one.name}" for one in group]) for verb in ("load", "unload")]
    return "\n".join(["\n".join([*lines, "}\n"]), *loads])


def _each(name: str, called: Sequence[str]) -> str:
    """A function that calls all of others and gives the first error."""
    calls = "".join(f"  one = {function}();\n  code = code == CUDA_SUCCESS ? one : code;\n" for function in called)
    return f"CUresult {name}(void) {{\n  CUresult code = CUDA_SUCCESS, one;\n{calls}  return code;\n}}\n"
