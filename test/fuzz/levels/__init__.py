"""Levels of the fuzzers, by name."""

from fuzz.level import Level
from fuzz.levels.arguments import Arguments
from fuzz.levels.assembly import Assembly
from fuzz.levels.code import LLVMCode, PTXCode
from fuzz.levels.commands import Commands
from fuzz.levels.cubins import Cubins
from fuzz.levels.editor import Editor
from fuzz.levels.explorer import Explorer
from fuzz.levels.files import Files
from fuzz.levels.ir import Parse, Passes, Pipelines
from fuzz.levels.kernels import Kernels
from fuzz.levels.launches import Launches
from fuzz.levels.loops import Loops
from fuzz.levels.newest import Newest
from fuzz.levels.programs import Programs
from fuzz.levels.records import Records
from fuzz.levels.settings import Environment, Options
from fuzz.levels.stored import Cache, Remote
from fuzz.levels.unknown import Unknown

LEVELS: dict[str, type[Level]] = {
    level.name: level
    for level in (
        Parse, Passes, Pipelines, LLVMCode, PTXCode, Kernels, Options, Environment, Cache, Remote, Launches, Commands,
        Programs, Loops, Newest, Records, Assembly, Unknown, Editor, Files, Arguments, Explorer, Cubins,
    )
}  # fmt: skip
