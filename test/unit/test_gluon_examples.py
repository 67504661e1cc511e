"""The examples of Gluon's names on the page of the reference: each name has one, and it runs."""

import doctest
import inspect
import linecache
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "docs"))
import gluon_pages

NAMES = {
    f"{module.removeprefix('ttkit.language.')}.{name}": value
    for module in gluon_pages.MODULES
    for name, value in gluon_pages.public(module).items()
    if not gluon_pages.is_of_tiles(value)
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_example(name):
    text = inspect.getdoc(NAMES[name]) or ""
    assert ">>> " in text, f"{name} has no example"
    names = {"__name__": "examples"}
    exec(gluon_pages.SETUP, names)
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    for number, example in enumerate(test.examples):  # where kernels find their source
        file = f"<doctest {name}[{number}]>"
        linecache.cache[file] = (len(example.source), None, example.source.splitlines(keepends=True), file)
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    try:
        runner.run(test, out=report.append, clear_globs=False)
    finally:
        names["session"].__exit__()
    assert not runner.failures, "".join(report)


def test_every_name_is_on_the_page():
    page = gluon_pages.gluon_page()
    for module in gluon_pages.MODULES:
        for name in gluon_pages.public(module):
            assert f"### `{name}" in page or f"`{name}`" in page, name
