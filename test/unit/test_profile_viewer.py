"""proton-viewer: trees of a profile by metrics, filters and depths; the expected ones are what Triton 3.6 shows."""

import json

import pytest

from ttkit.profiler import viewer


def node(name, metrics, *children):
    return {"frame": {"name": name, "type": "function"}, "metrics": metrics, "children": list(children)}


def kernel(name, time, count, moved):
    return node(name, {"time (ns)": time, "count": count, "bytes": moved, "device_id": "0", "device_type": "CUDA"})


ROOT = node(
    "ROOT",
    {"time (ns)": 0, "count": 0, "bytes": 0},
    node("a", {"time (ns)": 0, "bytes": 5}, kernel("k1", 1000, 2, 5000), kernel("k2", 3000, 1, 100)),
    node("b", {"cpu_time (ns)": 500}, node("c", {}, kernel("k1", 7000, 3, 800))),
    kernel("k3", 100, 1, 0),
)


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "made.hatchet"
    made.write_text(json.dumps([ROOT, {}]))
    return str(made)


def shown(path, capsys, *words):
    viewer.main([*words, path])
    return capsys.readouterr().out.rstrip("\n").split("\n")


def test_times_and_counts(path, capsys):
    assert shown(path, capsys, "-m", "time/us,count") == [
        "11.100 7.000 ROOT",
        "├─ 4.000 3.000 a",
        "│  ├─ 1.000 2.000 k1",
        "│  └─ 3.000 1.000 k2",
        "├─ 7.000 3.000 b",
        "│  └─ 7.000 3.000 c",
        "│     └─ 7.000 3.000 k1",
        "└─ 0.100 1.000 k3",
    ]


def test_filters_sum_metrics_of_the_file_again(path, capsys):
    assert shown(path, capsys, "-m", "bytes", "-i", "a")[0] == "5105.000 ROOT"
    assert shown(path, capsys, "-m", "bytes", "-e", "k1") == [
        "105.000 ROOT",
        "├─ 105.000 a",
        "│  └─ 100.000 k2",
        "├─ nan b",
        "│  └─ nan c",
        "└─ 0.000 k3",
    ]
    # By the count in the whole file, then summed again.
    assert shown(path, capsys, "-m", "count", "-t", "2") == [
        "5.000 ROOT",
        "├─ 2.000 a",
        "│  └─ 2.000 k1",
        "└─ 3.000 b",
        "   └─ 3.000 c",
        "      └─ 3.000 k1",
    ]
    assert shown(path, capsys, "-m", "time/us", "-e", "k1")[0] == "11.100 ROOT"  # derived before


def test_depth_and_order(path, capsys):
    lines = shown(path, capsys, "-m", "count", "-d", "2", "--print-sorted")
    assert lines[:4] == ["7.000 ROOT", "├─ 3.000 a", "├─ 3.000 b", "└─ 1.000 k3"]
    assert lines[5] == "Sorted kernels by metric count (inc)" and lines[6].split()[-1] == "3.0"


def test_hatchet_reads_the_file(path, capsys):
    hatchet = pytest.importorskip("hatchet")
    with open(path) as file:
        frames = hatchet.GraphFrame.from_literal(json.load(file)[:1])
    frames.update_inclusive_columns()
    sums = frames.dataframe[["name", "count (inc)", "time (ns) (inc)"]].values.tolist()
    lines = [line.lstrip("├─└│ ").split() for line in shown(path, capsys, "-m", "count,time/ns")]
    assert sorted((name, count, time) for name, count, time in sums) == sorted(
        (name, float(count), float(time)) for count, time, name in lines
    )
