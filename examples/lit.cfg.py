"""Two lines that a folder of passes needs for `lit`; here the kernels are not tests."""

from ttkit.lit_config import configure

configure(config, __file__)  # type: ignore  # lit defines config
config.excludes.append("kernels")  # type: ignore
