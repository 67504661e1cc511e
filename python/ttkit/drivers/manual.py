"""Manual pages and completions for shells, made from the parsers of the commands.

ttkit completion bash > ~/.local/share/bash-completion/completions/ttkit
ttkit man ~/.local/share/man/man1          then: man ttkit-aot
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ttkit.drivers import compile, layout, proton, reduce, run, toolkit
from ttkit.drivers.opt_help import entries, short_help
from ttkit.installation import VERSION
from ttkit.profiler import viewer

PARSERS: dict[str, Callable[[], argparse.ArgumentParser]] = {
    "ttkit": toolkit.command_line,
    "tt-compile": compile.command_line,
    "tt-run": run.command_line,
    "tt-layout": layout.command_line,
    "tt-reduce": reduce.command_line,
    "proton": proton.command_line,
    "proton-viewer": viewer.command_line,
}


@dataclass(frozen=True)
class Option:
    """An option of a command: how it is spelled, what its value is called, what it does."""

    spellings: tuple[str, ...]
    value: str
    help: str


@dataclass(frozen=True)
class Command:
    """A command, or a command of a command: `words` are what is typed."""

    words: tuple[str, ...]
    description: str
    usage: str
    options: tuple[Option, ...]
    arguments: tuple[Option, ...]
    inner: tuple[str, ...]


def commands() -> list[Command]:
    """All commands, those inside others too."""
    found = [each for name, parser in PARSERS.items() for each in _commands((name,), parser(), "")]
    return [*found, _tt_opt()]


def _commands(words: tuple[str, ...], parser: argparse.ArgumentParser, help: str) -> Iterator[Command]:
    inner = next((action for action in parser._actions if isinstance(action, argparse._SubParsersAction)), None)
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS and action is not inner]
    options: list[Option] = []
    arguments: list[Option] = []
    for action in shown:
        value = "" if action.nargs == 0 else str(action.metavar or action.dest).strip()
        text = (action.help or "").replace("%(prog)s", words[0]).replace("%%", "%")
        option = Option(tuple(action.option_strings), value, text)
        (options if action.option_strings else arguments).append(option)
    names = tuple(inner.choices) if inner is not None else ()
    usage = re.sub(r"\s+", " ", parser.format_usage().removeprefix("usage: ")).strip()
    yield Command(words, parser.description or help, usage, tuple(options), tuple(arguments), names)
    if inner is not None:
        helps = {action.dest: action.help or "" for action in inner._choices_actions}
        for name, each in inner.choices.items():
            yield from _commands((*words, name), each, helps.get(name, ""))


def _tt_opt() -> Command:
    page = short_help([])
    options = []
    for name, lines in entries(page).items():
        text = re.sub(r"\s+", " ", lines[0]).strip()
        spelled, _, help = text.partition(" ")
        options.append(Option((f"--{name}",), spelled.partition("=")[2].removesuffix("]"), help))
    return Command(
        ("tt-opt",),
        page.partition("\n")[0].partition(": ")[2],
        "tt-opt [options] [input file]",
        tuple(options),
        (Option((), "input file", "IR; - for standard input"),),
        (),
    )


# --- completions --------


def bash() -> str:
    """A completion for bash: options and commands, else files."""
    parts = []
    every = commands()
    for program in dict.fromkeys(command.words[0] for command in every):
        mine = [command for command in every if command.words[0] == program]
        name = f"_{program.replace('-', '_')}_complete"
        cases = "".join(
            f"    {'|'.join(_shell_pattern(one.words[1:]))}) words='{' '.join(_all_words(one))}' ;;\n"
            for one in sorted(mine, key=lambda one: -len(one.words))
        )
        parts.append(
            f"{name}() {{\n"
            '  local words="" path="${COMP_WORDS[*]:1:COMP_CWORD-1} "\n'
            f'  case "$path" in\n{cases}  esac\n'
            '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))\n'
            f"}}\ncomplete -o default -o bashdefault -F {name} {program}\n"
        )
    return "\n".join(parts)


def _shell_pattern(words: tuple[str, ...]) -> list[str]:
    return [f"'{' '.join(words)} '*"] if words else ["*"]


def _all_words(command: Command) -> list[str]:
    return [*command.inner, *(one for option in command.options for one in option.spellings if one.startswith("--"))]


def zsh() -> str:
    """The same for zsh, which takes bash's."""
    return f"autoload -U +X bashcompinit && bashcompinit\n{bash()}"


def fish() -> str:
    """A completion for fish."""
    lines = []
    for command in commands():
        program, *path = command.words
        seen = " ; and ".join(f"__fish_seen_subcommand_from {word}" for word in path)
        condition = f" -n '{seen}'" if path else (" -n __fish_use_subcommand" if command.inner else "")
        lines += [f"complete -c {program}{condition} -f -a '{word}'" for word in command.inner]
        for option in command.options:
            long = [one.removeprefix("--") for one in option.spellings if one.startswith("--")]
            if long:
                text = option.help.replace("\\", "\\\\").replace("'", "\\'")
                lines.append(f"complete -c {program}{condition} -l '{long[0]}'{' -r' * bool(option.value)} -d '{text}'")
    return "\n".join([*lines, ""])


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}


def complete(options: argparse.Namespace) -> int:
    """Prints the completion for a shell."""
    sys.stdout.write(SHELLS[options.shell]())
    return 0


# --- manual pages --------


def manual_page(command: Command) -> str:
    """A manual page in roff."""
    name = "-".join(command.words)
    summary, _, rest = command.description.strip().partition("\n")
    lines = [
        f'.TH "{name.upper()}" 1 "" "ttkit {VERSION}"',
        ".SH NAME",
        f"{_roff(name)} \\- {_roff(summary.removeprefix(f'{name}: ').rstrip('.'))}",
        ".SH SYNOPSIS",
        _roff(command.usage),
    ]
    if rest.strip():
        lines += [".SH DESCRIPTION", ".nf", *map(_roff, rest.strip("\n").splitlines()), ".fi"]
    for title, items in (("ARGUMENTS", command.arguments), ("OPTIONS", command.options)):
        lines += [f".SH {title}"] if items else []
        for one in items:
            spelled = ", ".join(one.spellings) or one.value
            value = f" \\fI{_roff(one.value)}\\fR" if one.spellings and one.value else ""
            lines += [".TP", f"\\fB{_roff(spelled)}\\fR{value}", _roff(one.help)]
    if command.inner:
        lines += [".SH SEE ALSO", ", ".join(f"\\fB{_roff(f'{name}-{one}')}\\fR(1)" for one in command.inner)]
    return "\n".join([*lines, ""])


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped


def write_manual(options: argparse.Namespace) -> int:
    """Writes a page for each command into a folder."""
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = commands()
    for command in made:
        (folder / f"{'-'.join(command.words)}.1").write_text(manual_page(command))
    print(f"wrote {len(made)} pages to {folder}")
    return 0
