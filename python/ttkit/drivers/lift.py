"""ttkit lift: writes a kernel after a pass as source in Gluon, and checks that it compiles to the same IR."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import ttkit
from ttkit import lift
from ttkit.drivers.common_arguments import IR_FILES
from ttkit.drivers.ir_of_scripts import Step, ir_after_passes
from ttkit.drivers.scripts import script_of
from ttkit.drivers.user_errors import UserError, check_output, ir_text_of
from ttkit.module_attributes import NUM_WARPS
from ttkit.passes.infra.steps import pass_name
from ttkit.passes.stages import parse_options, stage_passes
from ttkit.suggestions import suggestion

_END = "ttgir"


def run(options: argparse.Namespace) -> int:
    """Writes the source; gives the exit code: 1 if it does not compile to the same IR, else that of the script.

    Raises:
        UserError: no such file, pass or kernel; IR without layouts; an operation that Gluon can't say.
    """
    script, arguments = script_of(options.script, may_be_ir=True)
    if options.output:
        check_output(options.output)
    is_ir = script.endswith(IR_FILES)
    steps, code = ([], 0) if is_ir else ir_after_passes(script, arguments, options.kernel)
    if code and not steps:
        print(f"error: the script ended with exit code {code} before it compiled a kernel", file=sys.stderr)
        return code
    kernel, text = _of_file(script, options) if is_ir else _chosen(steps, options)
    title = f"{kernel} after {options.at or _END}."
    try:
        with ttkit.Context():
            found = lift.lifted(ttkit.parse(text), title)
    except ValueError as error:
        raise UserError(str(error)) from None
    if options.output:
        Path(options.output).write_text(found.text)
        print(f"wrote {options.output}", file=sys.stderr)
    else:
        print(found.text, end="")
    return code if options.no_check else _checked(text, found) or code


def _checked(text: str, found: lift.Lifted) -> int:
    try:
        difference = lift.check(text, found)
    except ttkit.CompilationError as error:
        print(f"error: the source is not valid Gluon; a layout there may follow from no rule\n{error}", file=sys.stderr)
        return 1
    if difference:
        print(f"error: the source compiles to other IR:\n{difference}", file=sys.stderr)
    return int(bool(difference))


def _chosen(found: list[Step], options: argparse.Namespace) -> tuple[str, str]:
    """The name and the IR of the kernel, after the pass that was asked for."""
    kernels = list(dict.fromkeys(step.kernel for step in found))
    if len(kernels) != 1:
        names = ", ".join(kernels) or "none"
        if options.kernel is not None:
            raise UserError(f"the script compiled no kernel {options.kernel}")
        raise UserError(f"expected one kernel, the script compiled {names}; choose one with --kernel NAME")
    found = _of_variant(found, options)
    title = f"{kernels[0]} ({found[0].constants})" if found[0].constants else kernels[0]
    steps = [step for step in found if options.at in (None, _END, step.name)]
    if options.at in (None, _END):
        return title, steps[-1].text
    if not steps:
        ran = list(dict.fromkeys(step.name for step in found))
        near = suggestion(options.at, ran) or f"; these did: {', '.join(ran)}"
        raise UserError(f"no pass {options.at} ran in the stage ttgir{near}")
    number = options.occurrence - 1 if options.occurrence > 0 else options.occurrence
    if not -len(steps) <= number < len(steps):
        raise UserError(f"{options.at} ran {len(steps)} times, there is no run {options.occurrence}")
    return title, steps[number].text


def _of_variant(found: list[Step], options: argparse.Namespace) -> list[Step]:
    """The steps of the variant that was asked for, or of the last; says which that is if there are several."""
    variants = {step.variant: step for step in found}
    kernel, number = found[0].kernel, options.variant or max(variants)
    if number not in variants:
        raise UserError(f"{kernel} was compiled {len(variants)} times, there is no variant {number}")
    if len(variants) > 1 and options.variant is None:
        others = ", ".join(str(one) for one in variants if one != number)
        constants = f" ({variants[number].constants})" if variants[number].constants else ""
        said = f"{kernel} was compiled {len(variants)} times; this is variant {number}{constants}"
        print(f"{said}; choose another by --variant {others}", file=sys.stderr)
    return [step for step in found if step.variant == number]


def _of_file(path: str, options: argparse.Namespace) -> tuple[str, str]:
    """The same of a file; tt goes through the stage ttgir up to the pass."""
    with ttkit.Context():
        module = ttkit.parse(ir_text_of(path))
        if NUM_WARPS not in module.operation.attributes:
            stage = parse_options(
                f"capability={options.capability} num-stages={options.num_stages} num-warps={options.num_warps}"
            )
            passes = stage_passes("ttkit-ttgir", stage)
            if options.at not in (None, _END):
                places = [number for number, text in enumerate(passes) if pass_name(text) == options.at]
                if not places:
                    near = suggestion(options.at, list(map(pass_name, passes)))
                    raise UserError(f"the stage ttgir has no pass {options.at}{near}")
                number = options.occurrence - 1 if options.occurrence > 0 else options.occurrence
                if not -len(places) <= number < len(places):
                    raise UserError(f"{options.at} runs {len(places)} times, there is no run {options.occurrence}")
                passes = passes[: places[number] + 1]
            ttkit.run_passes(module, ",".join(passes))
        return Path(path).stem, module.operation.get_asm(enable_debug_info=True)
