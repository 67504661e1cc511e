"""Names of hints for the order of instructions."""

from ttkit.language.gluon.amd.refused import refused

__all__ = ["sched_barrier"]

sched_barrier = refused("hint.sched_barrier")
