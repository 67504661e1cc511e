// What `ttkit explore` adds to the page: the IR before or after a pass, and the passes that follow, can be edited and run.
"use strict";
window.workbench = ({ kernel, stage, pass, make, editor, textOf }) => {
  const ask = async (what, given) => {
    const side = choice.value;
    const reply = await fetch(what, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ kernel, stage, pass, side, ...given }),
    });
    if (!reply.ok) throw new Error(`the server says ${reply.status}: does it still run?`);
    const found = await reply.json();
    if (found.error && found.kernel === undefined) throw new Error(found.error);
    return found;
  };
  const option = (value) => make("option", { value }, `${value} this pass`);
  const choice = make("select", { "aria-label": "which IR", onchange: () => fill() }, option("after"), option("before"));
  const check = make("input", { type: "checkbox" });
  const grid = make("input", { type: "text", size: 8, placeholder: "4,1,1", "aria-label": "grid" });
  const words = make("input", { type: "text", size: 24, placeholder: "n=100 x=zeros:f32:128", "aria-label": "arguments" });
  const ir = make("div", { class: "edited" }), passes = make("div", { class: "edited" });
  const said = make("pre", { id: "said", role: "status" });
  let code = null, pipeline = null, start = "";

  async function fill() {
    start = textOf(choice.value);
    const { pipeline: rest } = await ask("rest", {});
    for (const one of [code, pipeline]) one?.dom.remove();
    code = editor(ir, "IR to edit", start);
    pipeline = editor(passes, "passes to run", rest);
  }
  // What was not edited goes as the server has it, with its locations.
  const edited = () => code.state.doc.toString() === start ? null : code.state.doc.toString();
  async function working(work) {
    for (const one of buttons) one.disabled = true;
    said.textContent = "running";
    try { await work(); } catch (error) { said.textContent = String(error.message || error); }
    for (const one of buttons) one.disabled = false;
  }
  const run = () => working(async () => {
    const found = await ask("run", { text: edited(), pipeline: pipeline.state.doc.toString(), check: check.checked });
    location.hash = `#/${found.kernel}/passes`;
    location.reload();
  });
  const interpret = () => working(async () => {
    const { lines } = await ask("interpret", { text: edited(), grid: grid.value.trim(), arguments: words.value.trim() });
    said.textContent = lines.join("\n");
  });
  const buttons = [
    make("button", { type: "button", id: "run", onclick: run }, "run the rest"),
    make("button", { type: "button", id: "interpret", onclick: interpret }, "run on the interpreter"),
  ];
  const box = make("details", { id: "workbench", ontoggle: () => { if (box.open && !code) working(async () => { await fill(); said.textContent = ""; }); } },
    make("summary", {}, "edit from here"),
    make("div", { class: "tools" }, choice, buttons[0], make("label", {}, check, "check each pass"), buttons[1], make("label", {}, "grid ", grid), make("label", {}, "arguments ", words)),
    said, make("div", { class: "bench" }, ir, passes));
  return box;
};
