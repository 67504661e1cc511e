"""What prompts and notebooks show."""

import ttkit
from ttkit.analysis.ledger import Ledger
from ttkit.compiler.asm import AsmDict
from ttkit.display import MOST_LINES, diff_html, highlighted, ir_html
from ttkit.layout import encodings, to_linear_layout
from ttkit.pipelines.snapshots import Snapshot, Snapshots

TEXT = """tt.func @a(%x: tensor<4xf32>) {
  %0 = arith.addf %x, %x : tensor<4xf32> // <sum>
  tt.return
}
"""


@ttkit.jit
def kernel(x):
    pass


def test_modules_at_a_prompt() -> None:
    assert repr(ttkit.parse(TEXT)) == "<Module: function @a, 3 operations>"
    assert repr(ttkit.parse("")) == "<Module: 0 operations>"
    many = "\n".join(f"tt.func @f{number}() {{ tt.return }}" for number in range(6))
    assert repr(ttkit.parse(many)) == "<Module: functions @f0, @f1, @f2, @f3 and 2 more, 12 operations>"


def test_ir_is_highlighted_and_folds() -> None:
    page = ttkit.parse(TEXT)._repr_html_()
    assert page.count("<details") == page.count("</details>") == 2
    assert page.count("<div") == page.count("</div>")
    assert "<span class=o>arith.addf</span>" in page and "<span class=v>%arg0</span>" in page
    assert "arith.addf" in ttkit.parse(TEXT).body.operations[0]._repr_html_()
    assert highlighted('"a<b" // <c>') == "<span class=s>&quot;a&lt;b&quot;</span> <span class=c>// &lt;c&gt;</span>"


def test_long_ir_is_cut() -> None:
    assert "... 10 more lines" in ir_html("\n" * (MOST_LINES + 9) + "x")


def test_differences() -> None:
    page = diff_html(TEXT, TEXT.replace("addf", "mulf"))
    assert page.count("class=minus") == page.count("class=plus") == 1
    assert "no difference" in diff_html(TEXT, TEXT)


def test_snapshots_show_what_passes_changed() -> None:
    texts = [("(input)", TEXT), ("cse", TEXT), ("mine", TEXT.replace("addf", "mulf"))]
    page = Snapshots([Snapshot("k", "ttir", name, text) for name, text in texts])._repr_html_()
    assert "<summary>k: ttir, mine</summary>" in page and "ttir, cse" not in page


def test_ledgers_and_layouts() -> None:
    ledger = Ledger()
    ledger.add("(input)", ttkit.parse(TEXT).operation)
    assert "<th>conversions</th>" in ledger._repr_html_() and "<td>(input)</td>" in ledger._repr_html_()
    layout = to_linear_layout((16, 16), encodings.Blocked((1, 1), (4, 8), (2, 2), (1, 0)))
    assert layout._repr_svg_().startswith("<svg")


def test_operations_at_a_prompt() -> None:
    module = ttkit.parse("tt.func @a(%x: !tt.ptr<f32>) { %0 = tt.load %x : !tt.ptr<f32> tt.return }")
    function = module.body.operations[0]
    assert repr(function) == "<tt.func @a(%arg0: !tt.ptr<f32>) {...}>"
    load = function.regions[0].blocks[0].operations[0]
    assert repr(load) == repr(load.operation) == "<%0 = tt.load %arg0 : !tt.ptr<f32>>"
    load.operation.erase()
    assert repr(load) == "<LoadOp: the operation has been invalidated>"


def test_levels_and_long_lists_at_a_prompt() -> None:
    levels = AsmDict({"k.ttir": b"module {}", "k.cubin": b"", "k.json": b"{}"})
    assert repr(levels) == "<AsmDict: ttir, cubin>"
    one = Snapshot("k", "ttgir", "cse", "module {}")
    assert repr(Snapshots([one] * 9)) == f"[{one}, {one}, {one}, and 6 more]"
    assert repr(ttkit.autotune([ttkit.Config({})], key=[])(kernel)).endswith(":kernel), 1 configurations)")
