"""The C of one variant: its code, the facts of its launch, and a function with the kernel's parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ttkit.aot.signature import CONSTANT, Parameter
from ttkit.aot.variant import Image, Variant, identifier
from ttkit.runtime.arguments import packing
from ttkit.runtime.parameters import DESCRIPTOR
from ttkit.runtime.tensor_maps import HOST_TYPE

# Names of the functions' own parameters, and the words of C, C11 and C++.
_RESERVED = frozenset(
    """
    stream algo_id algorithm self alignas alignof and and_eq asm auto bitand bitor bool break case catch char class
    compl concept const const_cast constexpr continue decltype default delete do double dynamic_cast else enum explicit
    export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
    operator or or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof
    static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename
    union unsigned using virtual void volatile wchar_t while xor xor_eq linux unix
    """.split()
)
_INCLUDES = "".join(f"#include <{name}.h>\n" for name in ("pthread", "stddef", "stdint", "string", "cuda"))


class CParameter(NamedTuple):
    """A parameter of a C function.

    of: the kernel's parameter, or None for the shape and strides of a tensor descriptor.
    """

    type: str
    name: str
    of: Parameter | None = None

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


def c_name(name: str) -> str:
    """A parameter's name in C, where it may be a keyword or have letters that C does not take."""
    plain = identifier(name)
    return f"{plain}_" if plain in _RESERVED or plain.startswith("tt_") else plain


def c_parameters(parameters: Iterable[Parameter], *, with_ones: bool = False) -> list[CParameter]:
    """The parameters of a variant's function.

    Args:
        with_ones: also those that are known to be 1, as the function has them that chooses between variants.
    """
    found = []
    for one in parameters:
        name = c_name(one.name)
        if descriptor := DESCRIPTOR.match(one.kind):
            numbers = range(_rank(descriptor))
            found.append(CParameter("CUdeviceptr", name, one))
            found += [CParameter("int64_t", f"{name}_{what}_{n}") for what in ("shape", "stride") for n in numbers]
        elif one.is_passed or (with_ones and one.hint == 1):
            found.append(CParameter(packing(one.kind).c, name, one))
    return found


def declaration(name: str, parameters: Sequence[CParameter], *, more: str = "") -> str:
    """The head of a function that launches: `CUresult name(CUstream stream, ...)`."""
    return f"CUresult {name}({', '.join(['CUstream stream', *map(str, parameters), *([more] if more else [])])})"


def header(variant: Variant) -> str:
    """The C header of a variant."""
    name = variant.name
    full = ", ".join(map(str, c_parameters(variant.signature.parameters, with_ones=True)))
    return guarded(
        f"TT_{name}_H".upper(),
        f"CUresult unload_{name}(void);\n"
        f"CUresult load_{name}(void);\n"
        f"// tt-linker: {name}:{full}:{variant.algorithm}\n"
        f"// ttkit-parameters: {kept_numbers(variant)}\n"
        f"{declaration(name, c_parameters(variant.signature.parameters))};\n",
    )


def kept_numbers(variant: Variant) -> str:
    """The number of the item that each parameter in C stands for; `-` for a shape or stride of a tensor descriptor."""
    numbers = {one.name: n for n, one in enumerate(variant.signature.parameters)}
    parameters = c_parameters(variant.signature.parameters, with_ones=True)
    return " ".join("-" if one.of is None else str(numbers[one.of.name]) for one in parameters)


def guarded(guard: str, declarations: str) -> str:
    """A header of declarations, for C and C++."""
    return (
        f"#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n#include <cuda.h>\n\n{_of_c(declarations)}\n#endif\n"
    )


def _of_c(text: str) -> str:
    """Text that compiles as C++ too, with the names of C."""
    return f'#ifdef __cplusplus\nextern "C" {{\n#endif\n\n{text}\n#ifdef __cplusplus\n}}\n#endif\n'


def c_file(*parts: str) -> str:
    """A C file of definitions."""
    return f"{_INCLUDES}\n{_of_c(chr(10).join(parts))}"


@cache
def launch_support() -> str:
    """The C that all variants share."""
    return (Path(__file__).parent / "launch.c").read_text(encoding="utf-8")


def definitions(variant: Variant) -> str:
    """The C of a variant, which `launch_support` goes before."""
    name = variant.name
    forms = list(dict.fromkeys(str(image.descriptors) for image in variant.images))
    images = "".join(f"    {{{_image(image, forms)}}},\n" for image in variant.images)
    return (
        f"/* {_described(variant)} */\n"
        f"const unsigned char {name}_cubin[{len(variant.code)}] TT_ALIGNED(16) = {{\n{_bytes(variant.code)}}};\n\n"
        f"static const tt_image {name}_images[] = {{\n{images}}};\n"
        f'static tt_kernel {name}_kernel = {{"{variant.symbol}", {name}_cubin, {name}_images, {len(variant.images)},\n'
        f"                              PTHREAD_MUTEX_INITIALIZER, NULL, NULL, {{NULL}}}};\n\n"
        f"CUresult load_{name}(void) {{ return tt_load(&{name}_kernel); }}\n"
        f"CUresult unload_{name}(void) {{ return tt_unload(&{name}_kernel); }}\n\n{_launcher(variant, forms)}"
    )


def _described(variant: Variant) -> str:
    facts = [*variant.signature.constants.items(), *variant.options.items()]
    return ", ".join(f"{name}={value}" for name, value in facts).replace("*/", "* /")


def _bytes(code: bytes) -> str:
    return "".join(f"  {','.join(map(str, code[at : at + 40]))},\n" for at in range(0, len(code), 40))


def _image(image: Image, forms: Sequence[str]) -> str:
    form = forms.index(str(image.descriptors))
    numbers = (image.capability, image.is_exact, form, image.threads, image.shared, image.num_ctas, image.scratch)
    return ", ".join(str(int(number)) for number in (*numbers, image.is_dependent, image.is_cooperative))


def _launcher(variant: Variant, forms: Sequence[str]) -> str:
    """The function that launches the kernel."""
    name = variant.name
    lines = [f"{declaration(name, c_parameters(variant.signature.parameters))} {{"]
    lines += [f"  {line}" for line in _grid_constants(variant)]
    lines += [
        "  CUdeviceptr tt_scratch = 0, tt_profile = 0;",
        "  const tt_image *tt_used = NULL;",
        f"  const int64_t tt_grid[3] = {{{', '.join(f'(int64_t)({one})' for one in variant.grid)}}};",
        f"  CUresult tt_code = tt_ready(&{name}_kernel, stream, &tt_used);",
        "  if (tt_code != CUDA_SUCCESS)",
        "    return tt_code;",
    ]
    by_form = {str(image.descriptors): image.descriptors for image in variant.images}
    for number, form in enumerate(forms):
        body = [
            *_arguments(variant, by_form[form]),
            f"return tt_launch(&{name}_kernel, tt_used, stream, tt_grid, tt_arguments, &tt_scratch);",
        ]
        is_last = number == len(forms) - 1
        lines += [
            f"  {'' if is_last else f'if (tt_used->form == {number}) '}{{",
            *(f"    {line}" for line in body),
            "  }",
        ]
    return "\n".join([*lines, "}\n"])


def _grid_constants(variant: Variant) -> list[str]:
    """The constants that the grid names."""
    words = set(re.findall(r"[A-Za-z_]\w*", " ".join(variant.grid), re.ASCII))
    found = []
    for name, value in ((c_name(name), value) for name, value in variant.signature.constants.items()):
        if name in words and isinstance(value, (int, float)):
            kind = "double" if isinstance(value, float) else "int64_t"
            found.append(f"const {kind} {name} = {int(value) if isinstance(value, bool) else value!r};")
    return found


def _arguments(variant: Variant, descriptors: Sequence[Any]) -> list[str]:
    """Locals that hold the arguments as the kernel takes them, and the array of their addresses."""
    lines: list[str] = []
    addresses: list[str] = []
    remaining = iter(descriptors)
    for one in variant.signature.parameters:
        if descriptor := DESCRIPTOR.match(one.kind):
            _add_descriptor(c_name(one.name), _rank(descriptor), next(remaining, None), lines, addresses)
        elif one.is_passed and one.kind != CONSTANT:
            addresses.append(_add_value(one, lines))
    given = ", ".join(f"&{name}" for name in (*addresses, "tt_scratch", "tt_profile"))
    return [*lines, f"void *tt_arguments[] = {{{given}}};"]


def _add_value(parameter: Parameter, lines: list[str]) -> str:
    """The variable with a scalar or pointer, converted from the type that C functions take it in."""
    name = c_name(parameter.name)
    converted = {
        "fp32": ("float", f"(float){name}"),
        "f32": ("float", f"(float){name}"),
        "fp16": ("uint16_t", f"tt_fp16({name})"),
        "bf16": ("uint16_t", f"tt_bf16({name})"),
        "i1": ("uint8_t", f"{name} != 0"),
        "u1": ("uint8_t", f"{name} != 0"),
    }.get(parameter.kind)
    if converted is None:
        return name
    lines.append(f"{converted[0]} tt_{name} = {converted[1]};")
    return f"tt_{name}"


def _add_descriptor(name: str, rank: int, meta: Any, lines: list[str], addresses: list[str]) -> None:
    """A descriptor: a tensor map, or a pointer with shape and strides; then shape and strides once more."""
    shape = [f"{name}_shape_{n}" for n in range(rank)]
    strides = [f"{name}_stride_{n}" for n in range(rank)]
    if meta is None:
        lines.append(f"uint8_t tt_{name}_padding = 0;")
        addresses += [name, *shape, *strides, f"tt_{name}_padding"]
    else:
        block = ", ".join(map(str, meta["block_size"]))
        facts = (meta["swizzle"], HOST_TYPE[meta["elem_type"]], meta["elem_size"], int(meta["fp4_padded"]), rank)
        lines += [
            f"static const tt_tensor_map tt_{name}_plan = {{{', '.join(map(str, facts))}, {{{block}}}}};",
            f"const int64_t tt_{name}_shape[] = {{{', '.join(shape)}}};",
            f"const int64_t tt_{name}_strides[] = {{{', '.join(strides)}}};",
            f"CUtensorMap tt_{name};",
            f"tt_code = tt_encode(&tt_{name}, &tt_{name}_plan, {name}, tt_{name}_shape, tt_{name}_strides);",
            "if (tt_code != CUDA_SUCCESS)",
            "  return tt_code;",
        ]
        addresses.append(f"tt_{name}")
    lines.append("int32_t " + ", ".join(f"tt_{size} = (int32_t){size}" for size in shape) + ";")
    addresses += [*(f"tt_{size}" for size in shape), *strides]


def _rank(descriptor: re.Match[str]) -> int:
    return descriptor["block"].count(",") + 1
