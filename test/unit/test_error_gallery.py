"""The page of errors has each with its error; what a kernel that runs as Python says of its own."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "docs"))
import language_pages

ROOT = language_pages.ROOT
running = language_pages.load(ROOT / "test" / "data" / "language" / "running_errors.py")


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    path = tmp_path_factory.mktemp("running") / "running_kernels.py"
    path.write_text(running.source())
    return language_pages.load(path)


@pytest.mark.parametrize("index", range(len(running.ERRORS)), ids=[text for text, _ in running.ERRORS])
def test_running_error(index, kernels):
    statement, part = running.ERRORS[index]
    text = str(language_pages.run_error(getattr(kernels, f"kernel_{index}"), running))
    assert part in text
    assert "running_kernels.py:" in text
    assert statement in text or "called from" in text
    if sys.version_info >= (3, 11):
        assert "^^^" in text


def test_page_shows_every_error():
    page = language_pages.errors_page()
    compiled = language_pages.load(ROOT / "test" / "data" / "language" / "compile_errors.py")
    assert page.count("\n#### `") == len(compiled.ERRORS) + len(running.ERRORS)
    for section in ("Names and Python", "Matrix products", "Memory", "Promises"):
        assert f"\n### {section}\n" in page
    assert "NotPowerOfTwo" in page
    assert "(ttkit/language/standard.py:" in page
    assert str(ROOT) not in page and "/tmp/" not in page
