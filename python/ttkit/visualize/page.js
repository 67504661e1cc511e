// The page of accesses: what `page.py` writes into `data`, as lists, pictures and a replay.

const $ = (id) => document.getElementById(id);
const decode = (runs) => {
  const found = [];
  for (let i = 0; i < (runs || []).length; i += 3)
    for (let n = 0; n < runs[i + 2]; n++) found.push(runs[i] + n * runs[i + 1]);
  return found;
};
let launch, events, owners, timer = null, drawings = [];

// --- What is shown
function chooseLaunch() {
  launch = data.launches[+$("launch").value];
  launch.programs = [...new Set(launch.events.map((event) => event[0]))].sort((a, b) => a - b);
  launch.last = launch.events.reduce((most, event) => Math.max(most, event[1]), 0);
  owners = launch.places.map((place) => place.owner ? decode(place.owner) : null);
  launch.warps = 1 + owners.reduce((most, owner) => owner ? owner.reduce((a, b) => Math.max(a, b >> 5), most) : most, 0);
  for (const event of launch.events) event.elements = decode(event[4]);
  $("program").max = launch.programs.length - 1;
  $("program").value = -1;
  $("tensors").innerHTML = "";
  drawings = launch.tensors.map(drawingOf);
  $("tensors").append(...drawings.map((drawing) => drawing.figure));
  launch.most = drawings.reduce((most, drawing) => [...sharersOf(drawing).values()].reduce((a, b) => Math.max(a, b.length), most), 1);
  chooseProgram();
}

// Its place in the grid, of as many dimensions as the grid has.
const nameOf = (program) => {
  const [x, y, z] = launch.grid, place = [program % x, Math.floor(program / x) % y, Math.floor(program / (x * y))];
  return z > 1 ? `(${place.join(", ")})` : y > 1 ? `(${place[0]}, ${place[1]})` : `${place[0]}`;
};
const chosen = () => +$("program").value < 0 ? null : launch.programs[+$("program").value];

function rowOf(event, n) {
  const place = launch.places[event[2]], tensor = launch.tensors[event[3]], row = document.createElement("div");
  const share = event[5] ? event[5][1] / Math.max(1, event[5][0]) : null;
  const fact = share !== null ? `<span class="fact" style="background:${scale(share)}" title="sectors needed / touched, bytes of a lane at once">${event[5][1]}/${event[5][0]} sectors, ${event[5][2]} B</span>`
    : place.conflicts ? `<span class="fact" style="background:${scale(1 / place.conflicts)}" title="wavefronts for each one needed">${place.conflicts}× banks</span>` : "";
  row.className = "event";
  row.dataset.n = n;
  row.innerHTML = `<div class="what">${fact}<span class="${place.kind}">${place.kind}</span> <b></b> <span></span></div><div class="code"></div>`;
  row.querySelector("b").textContent = tensor ? tensor.name : place.op;
  row.querySelector("b + span").textContent = place.where + (chosen() === null ? ` · ${nameOf(event[0])}` : "");
  row.querySelector(".code").textContent = row.title = place.text;
  return row;
}

function chooseProgram() {
  const program = chosen();
  events = launch.events.filter((event) => program === null || event[0] === program);
  $("which").textContent = program === null ? `all${launch.leftOut ? ` (${launch.leftOut} more ran)` : ""}` : nameOf(program);
  $("step").max = Math.max(0, events.length - 1);
  $("step").value = events.length - 1;
  $("events").replaceChildren(...events.map(rowOf));
  draw(true);
}

function draw(fresh) {
  const now = +$("step").value, all = chosen() === null, event = events[now];
  for (const drawing of drawings) Object.assign(drawing, { touched: new Map(), painted: [], outlines: [] });
  const show = (one, strong) => {
    const drawing = drawings[one[3]];
    drawing.painted.push([one, strong]);
    one.elements.forEach((element, n) => { if (element >= 0) drawing.touched.set(element, [one, n]); });
  };
  events.slice(0, now + 1).forEach((one, n) => { if (one[3] >= 0) show(one, all || n === now || now === events.length - 1); });
  $("said").textContent = "";
  if (event) {
    if (event[3] >= 0) drawings[event[3]].outlines.push([event, "#1f2933"]);
    if (launch.places[event[2]].kind === "multiplies") {
      const tiles = event[6].map((time) => events.find((other) => other[0] === event[0] && other[1] === time)).filter((one) => one && one[3] >= 0);
      for (const tile of tiles) { show(tile, true); drawings[tile[3]].outlines.push([tile, "#d55e00"]); }
      $("said").textContent = `the tiles that meet: ${tiles.map((tile) => launch.tensors[tile[3]].name).join(" × ") || "not known"}`;
    }
    document.querySelectorAll(".event.now").forEach((row) => row.classList.remove("now"));
    const row = $("events").children[now];
    if (row) { row.classList.add("now"); row.scrollIntoView({ block: "nearest" }); }
  }
  $("at").textContent = `${events.length ? now + 1 : 0} of ${events.length}`;
  legend();
  if (fresh === true) arrange(); // the legend takes room
  drawings.forEach(render);
}

function legend() {
  const mode = $("mode").value, item = (colour, text) => `<span><i style="background:${colour}"></i>${text}</span>`;
  const counted = (count) => [...Array(count).keys()];
  let items;
  if (mode === "coalescing") items = [0.125, 0.25, 0.5, 1].map((share) => item(scale(share), `${100 * share} % of the sectors needed`));
  else if (mode === "warp") items = counted(launch.warps).map((n) => item(hue(n), `warp ${n}`));
  else if (mode === "lane") items = counted(32).map((n) => item(laneColour(n), `${n ? "" : "lane "}${n}`));
  else if (mode === "time") items = [item(late(0), "first"), item(late(launch.last), "last")];
  else if (mode === "sharing") items = counted(launch.most).map((n) => item(many(n + 1), `${n + 1} program${n ? "s" : ""}`));
  else items = launch.programs.map((program, n) => item(hue(n), `${n ? "" : "program "}${nameOf(program)}`));
  const striped = mode === "program" && chosen() === null && launch.most > 1;
  $("legend").innerHTML = items.join("") + (striped ? "<span>stripes: several programs touch it</span>" : "");
}

function point(drawing, move) {
  const { tensor, view, touched, geometry } = drawing;
  const element = elementAt(geometry, Math.floor((move.offsetY - TOP) / view.cell + view.y), Math.floor((move.offsetX - LEFT) / view.cell + view.x));
  if (element < 0 || move.offsetX < LEFT || move.offsetY < TOP) { $("tip").style.display = "none"; return; }
  let text = `${tensor.name}[${indexOf(tensor.shape, element).join(", ")}]`;
  if (touched.has(element)) {
    const [event, n] = touched.get(element), place = launch.places[event[2]], owner = owners[event[2]];
    text += `\n${place.kind} at ${place.where} by program ${nameOf(event[0])}, step ${event[1]}`;
    if (owner) text += `\nwarp ${owner[n] >> 5}, lane ${owner[n] & 31}`;
  }
  const sharers = sharersOf(drawing).get(element) || [];
  if (sharers.length > 1) text += `\n${sharers.length} programs touch it: ${sharers.slice(0, 6).map(nameOf).join(" ")}${sharers.length > 6 ? " ..." : ""}`;
  $("tip").textContent = text;
  $("tip").style.display = "block";
  const { offsetWidth: width, offsetHeight: height } = $("tip");
  $("tip").style.left = `${Math.max(0, Math.min(move.clientX + 12, innerWidth - width - 4))}px`;
  $("tip").style.top = `${Math.max(0, Math.min(move.clientY + 12, innerHeight - height - 4))}px`;
}

// --- Controls
const go = (by) => { $("step").value = +$("step").value + by; draw(); };
$("launch").replaceChildren(...data.launches.map((each, n) => new Option(`${each.kernel} ${each.grid.join(" × ")}`, n)));
$("launch").onchange = chooseLaunch;
$("program").oninput = chooseProgram;
$("mode").onchange = () => draw(true);
$("step").oninput = draw;
$("back").onclick = () => go(-1);
$("forth").onclick = () => go(1);
$("play").onclick = () => {
  if (timer) { clearInterval(timer); timer = null; $("play").textContent = "▶ play"; return; }
  if (+$("step").value >= events.length - 1) $("step").value = 0;
  $("play").textContent = "■ stop";
  timer = setInterval(() => { if (+$("step").value >= events.length - 1) $("play").click(); else go(1); }, 350);
};
$("events").onclick = (click) => {
  const row = click.target.closest(".event");
  if (row) { $("step").value = row.dataset.n; draw(); }
};
window.onresize = () => { if (launch) { arrange(); drawings.forEach(render); } };
const asked = new URLSearchParams(location.hash.slice(1));
if (data.launches.length) {
  if (asked.has("launch")) $("launch").value = asked.get("launch");
  if (asked.has("mode")) $("mode").value = asked.get("mode");
  chooseLaunch();
  if (asked.has("program")) { $("program").value = launch.programs.indexOf(+asked.get("program")); chooseProgram(); }
  if (asked.has("step")) { $("step").value = asked.get("step"); draw(); }
}
document.documentElement.dataset.ready = "1";
