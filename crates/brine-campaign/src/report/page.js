"use strict";
// Draws the plots from the data in the page. What is chosen stands in the address after the
// hash, so that a link shows the same comparison.

const { configs, questions } = JSON.parse(document.getElementById("data").textContent);
const tip = document.getElementById("tip");
const SVG = "http://www.w3.org/2000/svg";
// Shorter times are drawn as this one; clocks do not tell them apart.
const SHORTEST = 1e-5;

function element(parent, tag, attributes, text) {
  const child = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) child.setAttribute(name, value);
  if (text !== undefined) child.textContent = text;
  return parent.appendChild(child);
}

// A logarithmic scale from [low, high] to [from, to], with its decades.
function logScale(low, high, from, to) {
  const a = Math.log10(low), b = Math.log10(high);
  const scale = (v) => from + ((Math.log10(v) - a) / (b - a)) * (to - from);
  scale.inverse = (p) => 10 ** (a + ((p - from) / (to - from)) * (b - a));
  scale.ticks = [];
  const step = Math.max(1, Math.ceil((b - a) / Math.max(2, Math.abs(to - from) / 56)));
  for (let e = Math.ceil(a - 1e-9); e <= b + 1e-9; e += step) scale.ticks.push(10 ** e);
  return scale;
}

function seconds(t) {
  if (t < 1e-3) return `${+(t * 1e6).toPrecision(3)} µs`;
  if (t < 1) return `${+(t * 1e3).toPrecision(3)} ms`;
  return `${+t.toPrecision(3)} s`;
}

function mebibytes(m) {
  return m < 1024 ? `${+m.toPrecision(3)} MiB` : `${+(m / 1024).toPrecision(3)} GiB`;
}

const METRICS = {
  time: { of: (cell) => Math.max(cell.time, SHORTEST), text: seconds, better: "faster" },
  memory: { of: (cell) => cell.memory, text: mebibytes, better: "smaller" },
};

const solved = (cell) => cell && cell.verdict !== "unknown" && !cell.wrong;

// The decades around all values; at least one.
function extent(values) {
  const low = Math.min(...values), high = Math.max(...values);
  const from = low / 1.3, to = high * 1.3;
  return from * 10 > to ? [from / Math.sqrt(10), to * Math.sqrt(10)] : [from, to];
}

function sheet(id, width, height, label) {
  const box = document.getElementById(id);
  box.replaceChildren();
  const size = { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label };
  return element(box, "svg", size);
}

const showTip = (event, lines) => {
  tip.replaceChildren();
  lines.forEach((line, i) => {
    const part = document.createElement(i === 0 ? "b" : "div");
    part.textContent = line;
    tip.append(part);
  });
  tip.hidden = false;
  const gap = 14, { width, height } = tip.getBoundingClientRect();
  const left = Math.min(event.clientX + gap, innerWidth - width - 8);
  const above = event.clientY - height - gap;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${above > 8 ? above : event.clientY + gap}px`;
};
const hideTip = () => { tip.hidden = true; };

// The pointer in the coordinates of the drawing.
function pointer(svg, event) {
  const box = svg.getBoundingClientRect();
  const scale = svg.viewBox.baseVal.width / box.width;
  return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
}

function axes(svg, frame, x, y, format) {
  const { left, right, top, bottom } = frame;
  for (const t of x.ticks) {
    element(svg, "line", { class: "grid", x1: x(t), x2: x(t), y1: top, y2: bottom });
    element(svg, "text", { x: x(t), y: bottom + 18, "text-anchor": "middle" }, format.x(t));
  }
  for (const t of y.ticks) {
    element(svg, "line", { class: "grid", x1: left, x2: right, y1: y(t), y2: y(t) });
    element(svg, "text", { x: left - 8, y: y(t) + 4, "text-anchor": "end" }, format.y(t));
  }
  element(svg, "path", { class: "axis", d: `M${left},${top}V${bottom}H${right}` });
}

// The questions that both configurations were asked and at least one solved.
function pairs(state) {
  const { of } = METRICS[state.metric];
  const found = [];
  for (const q of questions) {
    const [a, b] = [q.cells[state.x], q.cells[state.y]];
    if (!a || !b || !(solved(a) || solved(b))) continue;
    if ([a, b].some((cell) => solved(cell) && of(cell) === null)) continue;
    const verdict = solved(a) ? a.verdict : b.verdict;
    const kind = a.wrong || b.wrong ? "w" : verdict === "holds" ? "h" : "v";
    found.push({ q, a, b, kind, va: solved(a) ? of(a) : null, vb: solved(b) ? of(b) : null });
  }
  return found;
}

function scatter(state) {
  const { text } = METRICS[state.metric];
  const width = Math.max(280, document.getElementById("scatter").clientWidth);
  const height = Math.min(width, 560);
  const svg = sheet("scatter", width, height, `${configs[state.x]} against ${configs[state.y]}`);
  const points = pairs(state);
  const values = points.flatMap((p) => [p.va, p.vb]).filter((v) => v !== null);
  if (values.length === 0) {
    element(svg, "text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "nothing to compare");
    return;
  }
  const [low, high] = extent(values);
  const band = points.some((p) => p.va === null || p.vb === null) ? 26 : 0;
  const frame = { left: 78, right: width - 10 - band, top: 10 + band, bottom: height - 46 };
  const x = logScale(low, high, frame.left, frame.right);
  const y = logScale(low, high, frame.bottom, frame.top);
  if (band) {
    const { left, right, top, bottom } = frame;
    element(svg, "rect", { class: "band", x: left, y: top - band, width: right + band - left, height: band });
    element(svg, "rect", { class: "band", x: right, y: top, width: band, height: bottom - top });
    element(svg, "text", { x: left - 8, y: top - band / 2 + 4, "text-anchor": "end" }, "unsolved");
    element(svg, "text", { x: width - 2, y: height - 8, "text-anchor": "end" }, "unsolved");
  }
  axes(svg, frame, x, y, { x: text, y: text });
  element(svg, "line", { class: "guide", x1: x(low), y1: y(low), x2: x(high), y2: y(high) });
  const middle = (frame.left + frame.right) / 2;
  element(svg, "text", { x: middle, y: height - 8, "text-anchor": "middle" }, `${configs[state.x]} →`);
  const side = `translate(12,${(frame.top + frame.bottom) / 2}) rotate(-90)`;
  element(svg, "text", { transform: side, "text-anchor": "middle" }, `${configs[state.y]} →`);
  for (const p of points) {
    p.px = p.va === null ? frame.right + band / 2 : x(p.va);
    p.py = p.vb === null ? frame.top - band / 2 : y(p.vb);
    // Circles hold, diamonds are violated: colour is not all there is.
    const shape = p.kind === "h" ? "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0" : "m-5,0l5,-5l5,5l-5,5z";
    element(svg, "path", { class: `point ${p.kind}`, d: `M${p.px},${p.py}${shape}` });
  }
  hover(svg, points, state);
}

// The nearest point tells its name.
function hover(svg, points, state) {
  const { of, text } = METRICS[state.metric];
  const ring = element(svg, "circle", { class: "ring", r: 8, visibility: "hidden" });
  const says = (i, cell) => {
    const value = cell.verdict === "unknown" ? cell.reason : `${cell.verdict}, ${text(of(cell))}`;
    return `${configs[i]}: ${value}${cell.wrong ? " (wrong)" : ""}`;
  };
  svg.addEventListener("pointermove", (event) => {
    const [px, py] = pointer(svg, event);
    const distance = (p) => Math.hypot(p.px - px, p.py - py);
    const near = points.reduce((best, p) => (distance(p) < distance(best) ? p : best));
    if (distance(near) > 24) return leave();
    ring.setAttribute("cx", near.px);
    ring.setAttribute("cy", near.py);
    ring.setAttribute("visibility", "visible");
    const { model, property } = near.q;
    const name = property.startsWith(model) ? property : `${model}: ${property}`;
    showTip(event, [name, says(state.x, near.a), says(state.y, near.b)]);
  });
  const leave = () => {
    ring.setAttribute("visibility", "hidden");
    hideTip();
  };
  svg.addEventListener("pointerleave", leave);
}

// The comparison in words.
function compare(state) {
  const { better } = METRICS[state.metric];
  const points = pairs(state);
  const both = points.filter((p) => p.va !== null && p.vb !== null);
  const count = (test) => both.filter(test).length;
  const ratio = both.reduce((sum, p) => sum + Math.log(p.vb / p.va), 0) / Math.max(1, both.length);
  const [a, b] = [configs[state.x], configs[state.y]];
  const factor = Math.exp(Math.abs(ratio)).toPrecision(3);
  const words = [
    `Both solved ${both.length}: “${a}” is ${better} on ${count((p) => p.va < p.vb)}, ` +
      `“${b}” on ${count((p) => p.vb < p.va)}.`,
    both.length ? `In the geometric mean, “${ratio > 0 ? a : b}” is ${better} by a factor of ${factor}.` : "",
    `Only “${a}” solved ${points.filter((p) => p.vb === null).length}, ` +
      `only “${b}” ${points.filter((p) => p.va === null).length}.`,
  ];
  document.getElementById("compare").textContent = words.join(" ");
}

const dash = (i) => (i < 8 ? "" : i < 16 ? "6 3" : "2 3");

function survival() {
  const box = document.getElementById("survival");
  const width = Math.max(280, box.clientWidth), height = Math.min(width, 560);
  const svg = sheet("survival", width, height, "properties solved within a time");
  const curves = configs.map((_, i) =>
    questions.map((q) => q.cells[i]).filter(solved).map(METRICS.time.of).sort((s, t) => s - t));
  const most = Math.max(1, ...curves.map((c) => c.length));
  const all = curves.flat();
  if (all.length === 0) return;
  const [low, high] = extent(all);
  const frame = { left: 56, right: width - 12, top: 12, bottom: height - 46 };
  const x = logScale(low, high, frame.left, frame.right);
  const y = (n) => frame.bottom - (n / (most * 1.04)) * (frame.bottom - frame.top);
  const step = [1, 2, 5].flatMap((m) => [0, 1, 2, 3, 4, 5].map((e) => m * 10 ** e))
    .sort((s, t) => s - t).find((s) => most / s <= 8) || most;
  y.ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  axes(svg, frame, x, y, { x: seconds, y: String });
  element(svg, "text", { x: (frame.left + frame.right) / 2, y: height - 8, "text-anchor": "middle" }, "time →");
  curves.forEach((times, i) => {
    let d = `M${frame.left},${y(0)}`;
    times.forEach((t, n) => { d += `H${x(t).toFixed(1)}V${y(n + 1).toFixed(1)}`; });
    const style = `stroke:var(--c${i % 8})`;
    element(svg, "path", { class: "curve", d: `${d}H${frame.right}`, style, "stroke-dasharray": dash(i) });
  });
  const line = element(svg, "line", { class: "guide", y1: frame.top, y2: frame.bottom, visibility: "hidden" });
  svg.addEventListener("pointermove", (event) => {
    const px = Math.min(frame.right, Math.max(frame.left, pointer(svg, event)[0]));
    const t = x.inverse(px);
    line.setAttribute("x1", px);
    line.setAttribute("x2", px);
    line.setAttribute("visibility", "visible");
    const count = (times) => times.filter((s) => s <= t).length;
    showTip(event, [`within ${seconds(t)}`, ...configs.map((c, i) => `${c}: ${count(curves[i])}`)]);
  });
  svg.addEventListener("pointerleave", () => {
    line.setAttribute("visibility", "hidden");
    hideTip();
  });
}

function legend() {
  const box = document.getElementById("legend");
  configs.forEach((config, i) => {
    const item = document.createElement("span");
    const svg = element(item, "svg", { viewBox: "0 0 22 6" });
    element(svg, "path", { class: "curve", d: "M0,3H22", style: `stroke:var(--c${i % 8})`, "stroke-dasharray": dash(i) });
    item.append(config);
    box.append(item);
  });
}

function chosen() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const index = (name, fallback) => {
    const i = configs.indexOf(wanted.get(name));
    return i < 0 ? Math.min(fallback, configs.length - 1) : i;
  };
  const metric = wanted.get("metric") in METRICS ? wanted.get("metric") : "time";
  return { x: index("x", 0), y: index("y", 1), metric };
}

const state = chosen();

function draw() {
  scatter(state);
  compare(state);
  survival();
}

for (const name of ["x", "y", "metric"]) {
  const select = document.getElementById(name);
  if (name !== "metric") configs.forEach((config, i) => select.add(new Option(config, i)));
  select.value = state[name];
  select.addEventListener("change", () => {
    state[name] = name === "metric" ? select.value : Number(select.value);
    const link = { x: configs[state.x], y: configs[state.y], metric: state.metric };
    history.replaceState(null, "", `#${new URLSearchParams(link)}`);
    draw();
  });
}
document.getElementById("pair").hidden = configs.length < 2;
legend();
draw();
addEventListener("resize", draw);
document.body.dataset.drawn = "yes";
