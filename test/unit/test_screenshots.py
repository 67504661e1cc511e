"""Screenshots of every kind of page: what is drawn is there, whole, and inside the window."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import warm_commands
from PIL import Image
from trace_browser import CHROMIUM, needs_chromium

ROOT = Path(__file__).parents[2]
SCRIPT = """
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def product(a, b, c, N, K: tl.constexpr, TILE: tl.constexpr):
    rows, columns = tl.program_id(0) * TILE + tl.arange(0, TILE), tl.program_id(1) * TILE + tl.arange(0, TILE)
    acc = tl.zeros((TILE, TILE), tl.float32)
    for k in range(0, K, 32):
        ks = k + tl.arange(0, 32)
        left, right = tl.load(a + rows[:, None] * K + ks[None, :]), tl.load(b + ks[:, None] * N + columns[None, :])
        acc = tl.dot(left, right, acc)
    tl.store(c + rows[:, None] * N + columns[None, :], acc.to(tl.float16))

a, c = np.ones((128, 128), np.float16), np.zeros((128, 128), np.float16)
product[(2, 2)](a, a, c, 128, 128, 64)
"""
COMMANDS = {
    "trace": "ttkit trace -o trace.html product.py",
    "accesses": "ttkit show-access -o accesses.html product.py",
    "profile": "ttkit profile -o profile.html product.py",
    "schedule": "ttkit schedule product.py -o schedule.svg",
    "layout": f"tt-layout {ROOT}/test/lit/driver/Inputs/layouts.ttgir --value %left -o layout.html",
}
WIDTH, HEIGHT = 1280, 900
WHITE = (255, 255, 255)


@pytest.fixture(scope="module")
def shot(tmp_path_factory: pytest.TempPathFactory):
    """Gives the screenshot of a kind of page: uint8 [height, width, 3]."""
    folder = tmp_path_factory.mktemp("screenshots")
    (folder / "product.py").write_text(SCRIPT)

    def of(kind: str) -> np.ndarray:
        name, *arguments = COMMANDS[kind].split()
        done = warm_commands.run([Path(sys.executable).with_name(name), *arguments], cwd=folder)
        assert done.returncode == 0, done.stderr
        (page,) = folder.glob(f"{kind}.*[lg]")
        picture = folder / f"{kind}.png"
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={WIDTH},{HEIGHT}"]
        command += [f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=15000", f"--screenshot={picture}"]
        subprocess.run([*command, page.as_uri()], check=True, capture_output=True, timeout=120)
        return np.asarray(Image.open(picture).convert("RGB"))

    return of


def counts(picture: np.ndarray) -> dict[tuple[int, ...], int]:
    """How many pixels have each colour."""
    found, times = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    return {tuple(map(int, colour)): int(count) for colour, count in zip(found, times)}


def hexadecimal(text: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(text))


@needs_chromium
def test_accesses(shot):
    """Each of the four programs has a quarter of all that is drawn, so that no picture is cut."""
    found = counts(shot("accesses"))
    areas = [found[hexadecimal(colour)] for colour in ("0072b2", "e69f00", "009e73", "cc79a7")]
    assert min(areas) > 40_000
    assert max(areas) / min(areas) < 1.02


@needs_chromium
def test_trace(shot):
    """The list of passes, and the lines that a pass removed and added, side by side."""
    picture = shot("trace").astype(int)
    red = (picture[..., 0] > picture[..., 1] + 12) & (picture[..., 0] > 220)
    green = (picture[..., 1] > picture[..., 0] + 12) & (picture[..., 1] > 200)
    middle = WIDTH * 62 // 100
    assert red[:, :middle].sum() > 10_000 > red[:, middle:].sum()
    assert green[:, middle:].sum() > 10_000 > green[:, :middle].sum()


@needs_chromium
def test_profile(shot):
    """Nothing is behind the end of the window, nor in a part that scrolls."""
    picture = shot("profile")
    assert len(counts(picture)) > 20
    assert (picture[:, -40:] == WHITE).all()
    assert (picture != WHITE).any(axis=(1, 2)).sum() > 100


@needs_chromium
def test_schedule(shot):
    """Loads, products, and what is in flight, in the colours of the legend."""
    found = counts(shot("schedule"))
    for colour in ("9ecae1", "fdae6b", "deebf7"):
        assert found[hexadecimal(colour)] > 2_000, colour


@needs_chromium
def test_layout(shot):
    """Every thread has a colour."""
    common = [colour for colour, count in counts(shot("layout")).items() if count > 300]
    assert len(common) > 24
