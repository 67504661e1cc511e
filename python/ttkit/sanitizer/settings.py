"""The value of TTKIT_SANITIZE: sanitizers and options, `asan,tsan,level=ttgir,sample=64`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ttkit.sanitizer.findings import ALWAYS, CHECKS

LEVELS = ("source", "ttir", "ttgir", "llvm")


@dataclass(frozen=True)
class Settings:
    """Settings of a run.

    checks: the sanitizers, of `CHECKS`.
    level: the IR that runs: as the front end writes it, or after passes.
    sample: the most programs of a launch that run; None for all.
    bounds: "view", the elements of the tensor that is passed; or "allocation", all that it is a view of.
    prove: whether to prove bounds for all sizes, by what the first launch of each kernel suggests.
    device: "cpu", the interpreter; or "cuda", the GPU that is there, which finds what is out of bounds.
    report: a folder to write findings to, for the process that started this one.
    """

    checks: frozenset[str] = frozenset(CHECKS)
    level: str = "source"
    sample: int | None = None
    bounds: str = "view"
    device: str = "cpu"
    prove: bool = False
    report: str = ""

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of findings to look for."""
        return frozenset([*ALWAYS, *(kind for check in self.checks for kind in CHECKS[check])])

    @property
    def watches_arrays(self) -> bool:
        """Whether it matters which arrays came without contents."""
        return "uninitialized" in self.kinds and self.device == "cpu"

    @classmethod
    def parse(cls, text: str) -> Settings:
        """Settings from text.

        Raises:
            ValueError: there is no such sanitizer or option.
        """
        checks: set[str] = set()
        made = cls()
        for word in filter(None, text.split(",")):
            name, equals, value = word.partition("=")
            if equals:
                made = made.with_option(name, value)
            elif name in ("all", "1"):
                checks |= CHECKS.keys()
            elif name == "prove":
                made = replace(made, prove=True)
            elif name in CHECKS:
                checks.add(name)
            else:
                raise ValueError(f"TTKIT_SANITIZE knows {', '.join(CHECKS)}, all; found '{word}'")
        return replace(made, checks=frozenset(checks or CHECKS))

    def with_option(self, name: str, value: str) -> Settings:
        """These settings with another option.

        Raises:
            ValueError: there is none such, or it has no such value.
        """
        choices = {"level": LEVELS, "bounds": ("view", "allocation"), "device": ("cpu", "cuda")}
        if name in choices and value not in choices[name]:
            raise ValueError(f"{name} is one of {', '.join(choices[name])}; found '{value}'")
        if name == "sample":
            if not value.isdigit() or not int(value):
                raise ValueError(f"sample is a number of programs, found '{value}'")
            return replace(self, sample=int(value))
        if name not in (*choices, "report"):
            raise ValueError(f"TTKIT_SANITIZE has no option '{name}': level, sample, bounds, device")
        return replace(self, **{name: value})  # type: ignore[arg-type]

    def text(self) -> str:
        """The text that `parse` reads."""
        parts = [*sorted(self.checks), f"level={self.level}", f"bounds={self.bounds}", f"device={self.device}"]
        parts += [f"sample={self.sample}"] if self.sample else []
        parts += ["prove"] if self.prove else []
        return ",".join([*parts, *([f"report={self.report}"] if self.report else [])])
