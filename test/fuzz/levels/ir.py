"""tt and ttg as text: read and written, through one pass, through whole pipelines."""

from __future__ import annotations

import random
import re
import zlib
from pathlib import Path

from mlir import ir
from mlir.passmanager import PassManager

import ttkit
from fuzz.damage import Material, make_input
from fuzz.ir_changes import mutate
from fuzz.level import ACCEPTED, REFUSED, Level, first_line, leak, refusal
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.llvm import LLVMError
from ttkit.compiler.module_metadata import CompileError
from ttkit.compiler.ptxas import PTXASError
from ttkit.compiler.sources import IRSource
from ttkit.options import CompileOptions
from ttkit.passes.infra import PassError
from ttkit.passes.registry import PASSES
from ttkit.target import GPUTarget

TEST_DIR = Path(__file__).parents[2]
SEED_BYTES = 6_000  # longer files are left out: most of the time would go into parsing what is not damaged
INPUTS_PER_CONTEXT = 400  # types and attributes live as long as their context, so it is replaced now and then
MLIR_PASSES = "canonicalize cse sccp inline symbol-dce loop-invariant-code-motion convert-scf-to-cf".split()
OF_PARTITIONS = """tritongpu-partition-scheduling nvws-insert-aref nvws-insert-tmem-aref nvws-assign-stage-phase
    nvws-lower-aref tritongpu-partition-loops nvws-lower-warp-group tritongpu-automatic-warp-specialization
    sccp cse""".split()
"""Passes for loops whose operations have partitions.  They exist in the course of automatic warp specialization alone;
others, canonicalize among them, neither keep nor know the attributes, and the verifier says so."""
TARGETS = (75, 80, 90, 100, 120)
COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)


def seed_texts() -> list[str]:
    """IR that inputs are made from, in an order that does not depend on the file system."""
    corpus = sorted((TEST_DIR / "data" / "ir").glob("*.tt*ir"))
    lit = sorted((TEST_DIR / "lit").rglob("*.mlir"))
    texts = [path.read_text() for path in corpus]
    texts += [section for path in lit for section in path.read_text().split("// -----") if section.strip()]
    return [COMMENT.sub("", text) for text in texts if len(text) <= SEED_BYTES]


def sound_forms(texts: list[str], generic: bool, largest: int = 2 * SEED_BYTES) -> list[str]:
    """The sound ones among `texts`; in generic form damage reaches verifiers that custom parsers shield."""
    forms = []
    with ttkit.Context():
        for text in texts:
            try:
                module = ttkit.parse(text)
            except ir.MLIRError:
                continue
            forms.append(
                module.operation.get_asm(print_generic_op_form=True, use_local_scope=True) if generic else text
            )
    return [form for form in forms if len(form) <= largest]


def tests_of_passes() -> dict[str, list[str]]:
    """Sound modules of the lit tests of each pass of ours."""
    found = {}
    for name, target in PASSES.items():
        path = TEST_DIR / "lit" / "passes" / f"{target.partition(':')[0].rpartition('.')[2]}.mlir"
        texts = path.read_text().split("// -----") if path.exists() else []
        found[name] = sound_forms([COMMENT.sub("", text) for text in texts], generic=False)
    return found


class IRLevel(Level):
    """Base class of levels whose inputs are modules."""

    suffix = ".mlir"

    def start(self) -> None:
        self.used = INPUTS_PER_CONTEXT

    def context(self) -> ir.Context:
        """A context that is replaced now and then."""
        if self.used >= INPUTS_PER_CONTEXT:
            self.kept, self.used = ttkit.Context(), 0
            self.kept.allow_unregistered_dialects = False
        self.used += 1
        return self.kept


class Parse(IRLevel):
    """Damaged text: parsed, printed, parsed back, canonicalized with CSE, printed and parsed back again."""

    name = "parse"
    share = 2.0

    def prepare(self) -> None:
        seeds = seed_texts()
        self.material = Material.gather(seeds + sound_forms(seeds, generic=True))

    def make(self, rng: random.Random) -> str:
        return make_input(rng, self.material)

    def check(self, text: str) -> str:
        with self.context():
            try:
                module = ttkit.parse(text)
            except ValueError:
                return REFUSED  # it is the name of a file
            except ir.MLIRError as error:
                return REFUSED if error.error_diagnostics else "rejected without a diagnostic"
            if reason := reparse_problem(module, "as read"):
                return reason
            try:
                PassManager.parse("any(canonicalize,cse)").run(module.operation)
            except ir.MLIRError as error:
                return f"canonicalize,cse failed: {first_line(error)}"
            return reparse_problem(module, "after canonicalize,cse") or ACCEPTED


def reparse_problem(module: ir.Module, when: str) -> str:
    """Why the text of a module, in one form or the other, is not what it was printed from."""
    for generic in (False, True):
        form = "generic" if generic else "pretty"
        text = module.operation.get_asm(print_generic_op_form=generic)
        try:
            again = ttkit.parse(text)
        except ir.MLIRError as error:
            return f"print {when} ({form}) does not parse: {first_line(error)}"
        if again.operation.get_asm(print_generic_op_form=generic) != text:
            return f"print {when} ({form}) changes when parsed and printed again"
    return ""


class Passes(IRLevel):
    """Modules changed, or damaged, in a few places, through one pass: a third of them from the pass's own tests."""

    name = "pass"
    share = 3.0
    of_pass: dict[str, list[str]] = {}

    def prepare(self) -> None:
        self.of_pass = tests_of_passes()
        self.seeds = sound_forms(seed_texts(), generic=False)
        self.material = Material.gather(self.seeds)
        self.passes = [*MLIR_PASSES, *PASSES]

    def make(self, rng: random.Random) -> str:
        damage = self.material if rng.random() < 0.4 else None
        pipeline = self.pipeline(rng)
        own = self.of_pass.get(pipeline)
        text = mutate(rng, rng.choice(own if own and rng.random() < 0.3 else self.seeds), damage)
        if "ttg.partition" in text and not pipeline[0].isdigit() and pipeline not in OF_PARTITIONS:
            pipeline = rng.choice(OF_PARTITIONS)
        return f"// passes: {pipeline}\n{text}"

    def pipeline(self, rng: random.Random) -> str:
        return rng.choice(self.passes)

    def check(self, text: str) -> str:
        pipeline = text.partition("\n")[0].removeprefix("// passes: ")
        with self.context():
            try:
                module = ttkit.parse(text)
            except ir.MLIRError:
                return REFUSED  # the level `parse` looks at how
            try:
                ttkit.run_passes(module, pipeline)
            except PassError as error:
                return refusal(error, (PassError,))
            except ir.MLIRError as error:
                return made_invalid(pipeline, error)
        return ACCEPTED

    def splits(self, text: str) -> list[list[str]]:
        return super().splits(text)[:1]  # smaller pieces leave little that parses


def made_invalid(pipeline: str, error: ir.MLIRError) -> str:
    """REFUSED where a pass said what it can't take; else what it made was not valid."""
    said = first_line(error)
    if not error.error_diagnostics:
        return f"{pipeline.split('{')[0]} failed without a diagnostic"
    if re.match(r"'[\w.]+' op |operand #|.*does not dominate|.*verif", said):
        return f"{pipeline.split('{')[0]} makes invalid IR: {said.partition('#ttg')[0]}"
    return REFUSED


class Pipelines(Passes):
    """The same modules, with one kernel each, from their level to PTX; a quarter of them on to a cubin."""

    name = "pipeline"
    share = 3.0
    seconds = 30.0

    def prepare(self) -> None:
        super().prepare()
        self.seeds = [text for seed in self.seeds for text in kernels_of(seed)]

    def pipeline(self, rng: random.Random) -> str:
        return f"{rng.choice(TARGETS)} {rng.choice((1, 4, 4, 8))} {rng.choice((1, 1, 1, 2))}"

    def check(self, text: str) -> str:
        numbers = text.partition("\n")[0].removeprefix("// passes: ").split()
        capability, warps, ctas = (int(number) for number in numbers)
        level = "ttgir" if "ttg.num-warps" in text else "ttir"
        try:
            source = IRSource(f"k.{level}", capability, text)
            given = {"num_warps": warps, "num_ctas": ctas if capability >= 90 else 1, **source.parse_options()}
            given["num_ctas"] = given["num_ctas"] if capability >= 90 else 1
            options = CompileOptions.for_capability(capability, **given)
            until = "ptx" if zlib.crc32(text.encode(errors="replace")) % 4 else "cubin"
            Compilation(source, GPUTarget("cuda", capability, 32), options, until=until).run()
        except PTXASError as error:
            return REFUSED if "asm" in text or OF_THE_INPUT.search(str(error)) else f"wrong PTX: {error}"
        except ValueError as error:
            if "options" not in locals():
                return REFUSED  # options that the module asks for: the level `options` looks at how
            return leak(error)
        except OF_COMPILING as error:
            outcome = refusal(error, OF_COMPILING)
            is_verified = isinstance(error, ir.MLIRError) and outcome == REFUSED and "source" in locals()
            return made_invalid("the pipeline", error) if is_verified else outcome
        return ACCEPTED


OF_COMPILING = (CompileError, LLVMError, PTXASError, PassError, ir.MLIRError)


OF_THE_INPUT = re.compile(
    r"Unresolved extern|too much (shared|local|global|parameter)|[Mm]axnreg|out of registers|Insufficient registers"
)
"""What ptxas says of kernels that are right, but can't be assembled."""


def kernels_of(text: str) -> list[str]:
    """The module with one of its public functions each, called by a kernel where it returns something."""
    with ttkit.Context():
        names = [name_of(op) for op in ttkit.parse(text).body.operations if is_kernel(op)]
        found = []
        for name in names:
            module = ttkit.parse(text)
            for op in list(module.body.operations):
                if is_kernel(op) and name_of(op) != name:
                    op.operation.erase()
                elif is_kernel(op) and op.attributes["function_type"].value.results:
                    add_caller(module, op)
            found.append(str(module))
    return found or [text]


def add_caller(module: ir.Module, function: ir.OpView) -> None:
    """Makes a function private, and a kernel that calls it: kernels return nothing."""
    kind = function.attributes["function_type"].value
    function.attributes["sym_visibility"] = ir.StringAttr.get("private")
    with module.context, function.location:
        caller = ir.Operation.create("tt.func", attributes=caller_attributes(kind.inputs), regions=1)
        block = caller.regions[0].blocks.append(*kind.inputs)
        with ir.InsertionPoint(block):
            callee = ir.FlatSymbolRefAttr.get(name_of(function))
            ir.Operation.create("tt.call", kind.results, list(block.arguments), {"callee": callee})
            ir.Operation.create("tt.return")
    module.body.append(caller)


def caller_attributes(inputs: list[ir.Type]) -> dict[str, ir.Attribute]:
    """Attributes of a function that calls the kernel with values of these types."""
    return {
        "sym_name": ir.StringAttr.get("kernel_that_calls"),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(inputs, [])),
    }


def name_of(function: ir.OpView) -> str:
    """The symbol name of a function."""
    return ir.StringAttr(function.attributes["sym_name"]).value


def is_kernel(op: ir.OpView) -> bool:
    """Whether an operation is a public function with a body."""
    private = "sym_visibility" in op.attributes and '"private"' in str(op.attributes["sym_visibility"])
    return op.operation.name == "tt.func" and not private and len(op.regions[0].blocks) > 0
