"""lit's configuration: the commands and FileCheck of the installed ttkit, and the package beside this folder."""

from ttkit.lit_config import configure

configure(config, __file__)  # type: ignore  # lit defines config
