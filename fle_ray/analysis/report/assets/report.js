
"use strict";
// Everything shown comes from the blobs below <main>: base64 of raw deflate of JSON. Text of a run is only ever put on
// the page as text nodes; the only markup taken from a blob is a map, and of that only known elements.

const problems = []; // what went wrong on this page, for tests
addEventListener("error", (event) => problems.push(String(event.message)));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
window.reportProblems = problems;

// ---- data

const kept = new Map();
function blob(name, most = 80) {
  if (!kept.has(name)) {
    kept.set(name, decode(name));
    if (kept.size > most) kept.delete(kept.keys().next().value);
  }
  return kept.get(name);
}
async function decode(name) {
  const bytes = Uint8Array.from(atob(document.getElementById(name).textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}
let overview = null, paragraphs = [];
const wording = (content) => (typeof content === "string" ? content : content.map((k) => paragraphs[k]).join("\n\n"));

// ---- building the page

function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  fill(element, properties, children);
  return element;
}
function s(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "style") Object.assign(element.style, value);
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child)))));
}
function number(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  return size >= 1000 ? value.toLocaleString("en-US", { maximumFractionDigits: 0 }) : String(+value.toPrecision(digits));
}
const percent = (value) => (value === null || value === undefined ? "–" : `${(100 * value).toFixed(0)} %`);
const seconds = (ticks) => (ticks === null || ticks === undefined ? "–" : `${number(ticks / 60)} s`);
const dollars = (value) => (value === null || value === undefined ? "–" : `$${number(value)}`);
const arm = (row) => (row.model ? `${row.agent} / ${row.model}` : row.agent);

function table(columns, rows, { link = null, name = "" } = {}) {
  const head = h("tr", null, columns.map((c) => h("th", { class: c.text ? "" : "num" }, c.title)));
  const body = rows.map((row) => h("tr", link ? { class: "link", onclick: () => { location.hash = link(row); } } : null,
    columns.map((c) => h("td", { class: c.text ? "" : "num" }, c.show(row)))));
  return h("div", { class: "scroll" }, h("table", { id: name || null }, h("thead", null, head), h("tbody", null, body)));
}
const column = (title, show, text = false) => ({ title, show: typeof show === "string" ? (row) => number(row[show]) : show, text });
const words = (title, key) => ({ title, text: true, show: (row) => row[key] ?? "–" });

function interval(estimate, low, high, from = 0, to = 1) {
  if (estimate === null || low === null || high === null) return h("span", { class: "soft" }, "–");
  const at = (value) => 4 + 112 * (Math.max(from, Math.min(to, value)) - from) / (to - from);
  return s("svg", { class: "interval", width: 120, height: 14, role: "img", "aria-label": `${low} to ${high}` },
    s("line", { x1: 4, x2: 116, y1: 7, y2: 7, stroke: "#ddd8ce" }),
    from < 0 ? s("line", { x1: at(0), x2: at(0), y1: 1, y2: 13, stroke: "#a49d90" }) : "",
    s("line", { x1: at(low), x2: at(high), y1: 7, y2: 7, stroke: "#2f6fb0", "stroke-width": 3 }),
    s("circle", { cx: at(estimate), cy: 7, r: 4, fill: "#2f6fb0" }));
}

// ---- a list that holds thousands of rows and draws those in sight

const ROW = 28;
function virtualList(rows, draw) {
  const spacer = h("div", { style: { height: `${rows.length * ROW}px` } });
  const list = h("div", { class: "list", tabindex: 0 }, spacer);
  function show() {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const last = Math.min(rows.length, first + Math.ceil((list.clientHeight || 600) / ROW) + 10);
    spacer.replaceChildren(...rows.slice(first, last).map((row, k) => {
      const element = draw(row);
      element.style.top = `${(first + k) * ROW}px`;
      return element;
    }));
  }
  list.addEventListener("scroll", () => requestAnimationFrame(show));
  new ResizeObserver(show).observe(list);
  show();
  return list;
}

// ---- overview

const REASONS = { steps: "out of steps", budget: "out of budget", failure: "failure" };
function badge(episode) {
  if (episode.state === "unstarted") return h("span", { class: "badge idle" }, "not started");
  if (episode.state === "in_progress") return h("span", { class: "badge warn" }, "in progress");
  if (episode.state === "owed") return h("span", { class: "badge warn" }, `owed: ${episode.status}`);
  if (episode.success === true) return h("span", { class: "badge good" }, "success");
  if (episode.success === false) return h("span", { class: "badge bad" }, REASONS[episode.reason] || episode.reason || "no success");
  return h("span", { class: "badge idle" }, episode.reason || "ended");
}
function tile(value, label, kind = "") {
  return h("div", { class: `tile ${kind}` }, h("b", null, value), h("span", null, label));
}

function showOverview() {
  const t = overview.totals;
  const tiles = h("div", { class: "tiles", id: "totals" },
    tile(`${number(t.played)} / ${number(t.planned)}`, "episodes played / planned"),
    tile(number(t.owed), "owed (no verdict yet)", t.owed ? "owed" : ""),
    tile(`${number(t.succeeded)} / ${number(t.judged)}`, "succeeded / with a quota"),
    tile(number(t.steps), "steps"), tile(number(t.errors), "steps with an error"), tile(number(t.calls), "tool calls"),
    tile(number(t.tokens), "tokens"), tile(dollars(t.cost_usd), "cost"), tile(`${number(t.wall_s)} s`, "working time"));
  const level = percent(overview.confidence);
  page(
    h("h2", null, "What was played"), tiles,
    overview.comparison ? [h("h2", null, "Comparison"), comparison(overview.comparison)] : null,
    h("h2", null, "Tasks and agents"),
    h("p", { class: "soft" }, "Successes of distinct episodes (equal programs and worlds count once). Click for the episodes."),
    grid(),
    h("h2", null, `Success, with ${level} Wilson intervals`), successTable(),
    h("h2", null, "Value over steps"), curves(),
    more("Pass@k", passTable()),
    more("Errors and recovery", table([words("task", "task"), column("agent", arm, true), words("kind", "error_kind"),
      words("type", "error_type"), column("steps", "steps"), column("of the agent's steps", (r) => percent(r.share)),
      column("recovered in the next step", (r) => percent(r.recovered))], overview.errors, { name: "errors" })),
    more("Tool use", table([words("task", "task"), column("agent", arm, true), words("tool", "tool"), column("calls", "calls"),
      column("refused", "refused"), column("share", (r) => percent(r.refused_share)),
      column("game time", (r) => seconds(r.ticks)), column("wall s", "wall_s")], overview.tools)),
    more("Milestones", table([words("task", "task"), column("agent", arm, true), words("kind", "kind"), words("item", "item"),
      column("episodes", "episodes"), column("median step", "median_step")], overview.milestones)),
    more("What success costs", table([column("agent", arm, true), column("episodes", "episodes"), column("succeeded", "succeeded"),
      column("tokens", "tokens"), column("per success", "tokens_per_success"), column("cost", (r) => dollars(r.cost_usd)),
      column("per success", (r) => dollars(r.cost_usd_per_success)), column("wall s", "wall_s"),
      column("per success", "wall_s_per_success")], overview.cost)),
    more("The runs", overview.runs.map(runFacts)));
}
function more(title, content) {
  return h("details", { class: "more" }, h("summary", null, title), content);
}
function passTable() {
  const sizes = Object.keys(overview.pass_at_k[0] || {}).filter((key) => key.startsWith("pass@"));
  return table([words("task", "task"), column("agent", arm, true), column("tries", "tries"),
    ...sizes.map((key) => column(key, (r) => percent(r[key])))], overview.pass_at_k);
}
function successTable() {
  return table([words("task", "task"), column("agent", arm, true), column("planned", "planned"), column("played", "played"),
    column("owed", (r) => (r.owed ? h("span", { class: "badge warn" }, r.owed) : "0")), column("distinct", "distinct"),
    column("succeeded", "succeeded"), column("success", (r) => percent(r.success)),
    column("interval", (r) => interval(r.success, r.low, r.high), true),
    column("", (r) => (r.low === null ? "" : `${percent(r.low)} – ${percent(r.high)}`), true),
    column("best / quota", (r) => (r.quota === null ? number(r.best) : `${number(r.best)} / ${number(r.quota)}`)),
    column("steps to success", (r) => number(r.steps_to_success))],
  overview.success, { name: "success", link: (r) => episodesLink(r.task, arm(r)) });
}
const episodesLink = (task, agent) => `#/episodes?task=${encodeURIComponent(task)}&agent=${encodeURIComponent(agent)}`;

function grid() {
  const tasks = [...new Set(overview.success.map((r) => r.task))].sort();
  const agents = [...new Set(overview.success.map(arm))].sort();
  const rows = new Map(overview.success.map((r) => [`${r.task}\n${arm(r)}`, r]));
  const body = tasks.map((task) => h("tr", null, h("td", null, task), agents.map((agent) => {
    const row = rows.get(`${task}\n${agent}`);
    if (!row) return h("td", { class: "soft num" }, "·");
    const mine = overview.episodes.map((e, k) => [e, k]).filter(([e]) => e.task === task && arm(e) === agent);
    const link = mine.length === 1 ? `#/episode/${mine[0][1]}` : episodesLink(task, agent);
    const kind = !row.played ? "open" : row.success === null ? "" : row.success === 1 ? "all" : row.success > 0 ? "some" : "none";
    return h("td", { class: "cell" }, h("a", { href: link, class: kind },
      h("b", null, !row.played ? "–" : row.success === null ? number(row.best) : `${row.succeeded} / ${row.distinct}`), " ",
      row.played && row.quota !== null ? h("small", null, `best ${number(row.best)}`) : null,
      row.owed ? [" ", h("span", { class: "badge warn" }, `${row.owed} owed`)] : null));
  })));
  return h("div", { class: "scroll" }, h("table", { class: "grid", id: "grid" },
    h("thead", null, h("tr", null, h("th", null, "task"), agents.map((a) => h("th", null, a)))), h("tbody", null, body)));
}

const COLOURS = ["#2f6fb0", "#d9772b", "#3f9f55", "#a04fc0", "#b59a1f", "#c8435f", "#2fa3a3", "#6b5f57"];
function colourOf(name) {
  const agents = [...new Set(overview.episodes.map(arm))].sort();
  return COLOURS[agents.indexOf(name) % COLOURS.length];
}
function curves() {
  const byTask = new Map();
  for (const curve of overview.curves) {
    const task = overview.episodes[curve.episode].task;
    if (!byTask.has(task)) byTask.set(task, []);
    byTask.get(task).push(curve);
  }
  const agents = [...new Set(overview.episodes.map(arm))].sort();
  return [h("div", { class: "key" }, agents.map((a) => h("span", null, h("i", { style: { background: colourOf(a) } }), a)),
    h("span", null, "dashed: the quota")),
  h("div", { class: "curves" }, [...byTask].sort().map(([task, found]) => h("figure", null, curve(found), h("figcaption", null, task))))];
}
function curve(found) {
  const width = 260, height = 110, left = 34, bottom = 16;
  const quota = overview.episodes[found[0].episode].quota;
  const top = Math.max(quota || 0, ...found.map((c) => c.points[c.points.length - 1][1]), 1e-9) * 1.08;
  const last = Math.max(1, ...found.map((c) => c.points[c.points.length - 1][0]));
  const x = (step) => left + (width - left - 6) * step / last, y = (value) => 4 + (height - bottom - 4) * (1 - Math.max(0, value) / top);
  const drawing = s("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img", "aria-label": "best value after each step" },
    s("line", { x1: left, x2: width - 6, y1: y(0), y2: y(0), stroke: "#c9c4ba" }),
    ...[[0, "0"], [top / 1.08, number(top / 1.08)]].map(([v, text]) => label(left - 4, y(v) + 4, text, "end")),
    label(left, height - 3, "step 0", "start"), label(width - 6, height - 3, String(last), "end"));
  if (quota) drawing.append(s("line", { x1: left, x2: width - 6, y1: y(quota), y2: y(quota), stroke: "#24211d", "stroke-dasharray": "4 3" }));
  for (const { episode, points } of found.slice(0, 60)) {
    let path = `M${x(points[0][0]).toFixed(1)} ${y(points[0][1]).toFixed(1)}`;
    for (const [step, best] of points.slice(1)) path += `H${x(step).toFixed(1)}V${y(best).toFixed(1)}`;
    drawing.append(s("path", { d: path, fill: "none", stroke: colourOf(arm(overview.episodes[episode])), "stroke-width": 1.6, opacity: 0.75 }));
    const [step, best] = points[points.length - 1];
    drawing.append(s("circle", { cx: x(step), cy: y(best), r: 2.2, fill: colourOf(arm(overview.episodes[episode])) }));
  }
  return drawing;
}
function label(x, y, text, anchor) {
  const element = s("text", { x, y, "font-size": 9, fill: "#6d675e", "text-anchor": anchor });
  element.textContent = text;
  return element;
}
function comparison(c) {
  return h("div", { id: "comparison" }, h("p", { class: "verdict" }, c.verdict),
    table([words("measure", "name"), column(`${c.arm_a} minus ${c.arm_b}`, (r) => number(r.of[0])),
      column("interval", (r) => interval(...r.of, -1, 1), true),
      column("", (r) => (r.of[1] === null ? "" : `${number(r.of[1])} to ${number(r.of[2])}`), true)],
    [{ name: "success rate", of: c.success }, { name: "share of the quota reached", of: c.quota }]),
    h("p", { class: "soft" }, `${c.pairs} pairs (task, seed, trial); only ${c.arm_a}: ${c.only_a}; only ${c.arm_b}: ${c.only_b}. `
      + "Intervals: bootstrap over tasks."),
    h("details", null, h("summary", null, "Every pair"), table([words("task", "task"), column("seed", "seed"), column("trial", "trial"),
      column(`success ${c.arm_a}`, "success_a"), column(`success ${c.arm_b}`, "success_b"),
      column(`quota ${c.arm_a}`, (r) => percent(r.quota_a)), column(`quota ${c.arm_b}`, (r) => percent(r.quota_b))], c.table)));
}
function runFacts(run) {
  const git = run.git ? `commit ${String(run.git.commit).slice(0, 12)}${run.git.dirty_count ? `, ${run.git.dirty_count} changed files` : ""}` : "–";
  const fact = (name, value) => (value ? h("tr", null, h("th", null, name), h("td", null, value)) : null);
  return h("div", null, h("h3", null, run.run_id), run.description ? h("p", null, run.description) : null, h("table", null, h("tbody", null,
    fact("experiment", run.name), fact("status", run.status), fact("began", run.created_at), fact("ended", run.ended_at),
    fact("engine", run.engine && `${run.engine.name} ${run.engine.version ?? ""}`), fact("seeds", run.seeds && run.seeds.join(", ")),
    fact("machine", run.host && `${run.host.platform}, Python ${run.host.python}, ${run.host.cpus} CPUs`),
    fact("isolation", run.interpreter && JSON.stringify(run.interpreter.isolation)),
    fact("packages", run.packages && Object.entries(run.packages).map(([k, v]) => `${k} ${v}`).join(", ")), fact("code", git),
    fact("command", run.command && h("code", null, Array.isArray(run.command) ? run.command.join(" ") : String(run.command))),
    fact("to resume", run.resume_command && h("code", null, run.resume_command)),
    fact("not supported", run.not_supported && run.not_supported.map((n) => n.task).join(", ")))));
}

// ---- the list of episodes

const EPISODE_COLUMNS = [
  ["task", (e) => e.task, "minmax(10rem,2.2fr)"], ["agent", arm, "minmax(6rem,1fr)"], ["seed", (e) => e.seed, "3.2rem"],
  ["trial", (e) => e.trial, "3.2rem"], ["outcome", (e) => outcomeOf(e), "minmax(8rem,1.2fr)"], ["value", (e) => e.value, "4.5rem"],
  ["quota", (e) => e.quota, "4rem"], ["steps", (e) => e.steps, "4rem"], ["errors", (e) => e.errors, "4rem"],
  ["game time", (e) => e.ticks, "6rem"], ["tokens", (e) => e.total_tokens, "6rem"], ["cost", (e) => e.cost_usd, "5rem"],
  ["wall s", (e) => e.wall_s, "5rem"], ["episode", (e) => e.episode_id, "minmax(6rem,1fr)"],
];
const WIDTHS = EPISODE_COLUMNS.map((c) => c[2]).join(" ");
function outcomeOf(e) {
  if (e.state !== "complete") return e.state === "owed" ? `owed: ${e.status}` : e.state.replace("_", " ");
  return e.success === true ? "success" : e.success === false ? "no success" : "no quota";
}
function showEpisodes(query) {
  const wanted = { task: query.get("task") || "", agent: query.get("agent") || "", outcome: query.get("outcome") || "", q: query.get("q") || "" };
  let sort = [0, 1];
  const holder = h("div"), count = h("span", { class: "soft", id: "count" });
  const choices = (key, values) => h("select", { "aria-label": key, id: `filter-${key}`, onchange: (event) => { wanted[key] = event.target.value; show(); } },
    h("option", { value: "" }, `every ${key}`), [...new Set(values)].sort().map((v) => h("option", { value: v, selected: v === wanted[key] }, v)));
  function show() {
    const needle = wanted.q.toLowerCase();
    const rows = overview.episodes.map((e, k) => ({ ...e, k })).filter((e) => (!wanted.task || e.task === wanted.task)
      && (!wanted.agent || arm(e) === wanted.agent) && (!wanted.outcome || outcomeOf(e) === wanted.outcome)
      && (!needle || `${e.task} ${arm(e)} ${e.episode_id} ${e.run_id} ${e.reason} ${e.error_message ?? ""}`.toLowerCase().includes(needle)));
    const [by, way] = sort, key = EPISODE_COLUMNS[by][1];
    rows.sort((a, b) => way * order(key(a), key(b)) || a.k - b.k);
    count.textContent = `${number(rows.length)} of ${number(overview.episodes.length)} episodes`;
    const head = h("div", { class: "list-head", style: { gridTemplateColumns: WIDTHS } }, EPISODE_COLUMNS.map(([title], k) => h("button",
      { onclick: () => { sort = [k, sort[0] === k ? -sort[1] : 1]; show(); } }, title + (k === by ? (way > 0 ? " ▲" : " ▼") : ""))));
    holder.replaceChildren(head, virtualList(rows, (e) => h("div", { class: "row", style: { gridTemplateColumns: WIDTHS },
      onclick: () => { location.hash = `#/episode/${e.k}`; } },
    h("span", null, e.task), h("span", null, arm(e)), h("span", null, e.seed), h("span", null, e.trial), badge(e), h("span", null, number(e.value)),
    h("span", null, number(e.quota)), h("span", null, number(e.steps)), h("span", null, number(e.errors)), h("span", null, seconds(e.ticks)),
    h("span", null, number(e.total_tokens)), h("span", null, dollars(e.cost_usd)), h("span", null, number(e.wall_s)), h("span", { class: "soft" }, e.episode_id))));
  }
  page(h("div", { class: "filters" }, choices("task", overview.episodes.map((e) => e.task)), choices("agent", overview.episodes.map(arm)),
    choices("outcome", overview.episodes.map(outcomeOf)),
    h("input", { type: "search", placeholder: "task, id, error …", value: wanted.q, oninput: (event) => { wanted.q = event.target.value; show(); } }), count), holder);
  show();
}
function order(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return a < b ? -1 : 1;
}

// ---- an episode

const OUTCOMES = {
  success: ["#2f9e4f", "reaches the quota"], progress: ["#8ccf96", "raises the best value"], fine: ["#9aa7b4", "no error"],
  error: ["#cf4136", "error"], limit: ["#e08a2b", "stopped at a limit"], none: ["#9a5fc0", "no program"], rejected: ["#d9d0e6", "rejected try"],
};
const LIMITS = new Set(["timeout", "tick_limit", "call_limit", "memory", "output_limit", "cpu_limit"]);
function outcomes(steps) {
  let best = -Infinity, won = false;
  return steps.map((step) => {
    const before = best;
    if (step.accepted !== false && step.value !== null) best = Math.max(best, step.value);
    if (step.accepted === false) return "rejected";
    if (step.error_kind === "no_program") return "none";
    if (LIMITS.has(step.error_kind)) return "limit";
    if (step.error_kind !== null) return "error";
    if (step.success && !won) { won = true; return "success"; }
    return best > before && best > 0 ? "progress" : "fine";
  });
}

function timeline(steps, kinds, quota, current, pick) {
  const context = document.createElement("canvas").getContext("2d");
  const canvas = context.canvas, high = 100, graph = 66;
  const spacer = h("div", { class: "spacer" });
  const box = h("div", { class: "timeline", id: "timeline", title: "click a step" }, canvas, spacer);
  const top = Math.max(quota || 0, ...steps.map((step) => step.value || 0), 1e-9) * 1.1;
  let wide = 0, cell = 0;
  function draw() {
    wide = box.clientWidth || 800;
    cell = Math.max(6, Math.min(34, wide / steps.length));
    spacer.style.width = `${cell * steps.length}px`;
    const sharp = window.devicePixelRatio || 1;
    canvas.width = wide * sharp; canvas.height = high * sharp;
    canvas.style.width = `${wide}px`; canvas.style.height = `${high}px`;
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    const shift = box.scrollLeft, first = Math.max(0, Math.floor(shift / cell) - 1), last = Math.min(steps.length, Math.ceil((shift + wide) / cell) + 1);
    const y = (value) => 6 + (graph - 10) * (1 - Math.max(0, value) / top);
    context.clearRect(0, 0, wide, high);
    if (quota) {
      context.setLineDash([4, 3]); context.strokeStyle = "#6d675e"; context.beginPath();
      context.moveTo(0, y(quota)); context.lineTo(wide, y(quota)); context.stroke(); context.setLineDash([]);
      context.fillStyle = "#6d675e"; context.font = "10px sans-serif";
      const played = steps.length * cell - shift;  // the label stands beside the line of values where there is room
      context.fillText(`quota ${number(quota)}`, played + 70 < wide ? Math.max(4, played + 6) : 4, y(quota) - 3);
    }
    context.strokeStyle = "#2f6fb0"; context.lineWidth = 1.6; context.beginPath();
    let begun = false;
    for (let k = first; k < last; k++) {
      if (steps[k].value === null) continue;
      const x = k * cell - shift;
      if (begun) context.lineTo(x, y(steps[k].value)); else context.moveTo(x, y(steps[k].value));
      context.lineTo(x + cell, y(steps[k].value));
      begun = true;
    }
    context.stroke();
    for (let k = first; k < last; k++) {
      const x = k * cell - shift, here = k === current();
      context.fillStyle = OUTCOMES[kinds[k]][0];
      context.fillRect(x + 0.5, graph + 4, Math.max(1, cell - 1.5), 22);
      if (here) { context.strokeStyle = "#111"; context.lineWidth = 2; context.strokeRect(x + 0.5, graph + 3, Math.max(2, cell - 1.5), 24); }
      if (cell >= 18) {
        context.fillStyle = kinds[k] === "rejected" ? "#333" : "#fff"; context.font = "10px sans-serif"; context.textAlign = "center";
        context.fillText(String(steps[k].step), x + cell / 2, graph + 19); context.textAlign = "start";
      }
    }
  }
  const at = (event) => Math.floor((event.clientX - box.getBoundingClientRect().left + box.scrollLeft) / cell);
  box.addEventListener("click", (event) => { const k = at(event); if (k >= 0 && k < steps.length) pick(k); });
  box.addEventListener("mousemove", (event) => {
    const step = steps[at(event)];
    box.title = step ? `step ${step.step}: ${OUTCOMES[kinds[at(event)]][1]}${step.error_type ? ` (${step.error_type})` : ""}, value ${number(step.value)}` : "";
  });
  box.addEventListener("scroll", () => requestAnimationFrame(draw));
  new ResizeObserver(draw).observe(box);
  return { box, draw, reveal(k) {
    if (k * cell < box.scrollLeft || (k + 1) * cell > box.scrollLeft + wide) box.scrollLeft = k * cell - wide / 2;
    draw();
  } };
}

let shown = null; // the episode on the page: {k, choose}
async function showEpisode(k, wanted) {
  const entry = overview.episodes[k];
  if (!entry) return page(h("p", null, "There is no such episode."));
  if (shown && shown.k === k && document.getElementById("timeline")) return shown.choose(wanted);
  const detail = await blob(`episode-${k}`);
  const { steps } = detail, kinds = outcomes(steps);
  const place = h("div", { id: "step" });
  let current = 0;
  const view = { box: null }; // the part of the map that is looked at, kept from step to step
  const line = steps.length ? timeline(steps, kinds, entry.quota, () => current, (j) => { location.hash = `#/episode/${k}/${steps[j].step}`; }) : null;
  function choose(number_) {
    let j = steps.findIndex((step) => String(step.step) === number_);
    if (j < 0) j = Math.max(0, kinds.indexOf("error") >= 0 && number_ === "error" ? kinds.indexOf("error") : steps.length - 1);
    current = j;
    line.reveal(j);
    place.replaceChildren(...stepView(k, entry, detail, kinds, j, view));
  }
  shown = { k, choose: steps.length ? choose : () => {}, steps, current: () => current };
  const fact = (name, value) => h("span", null, h("span", { class: "soft" }, `${name} `), h("b", null, value));
  page(h("div", { class: "stepbar" }, h("h2", null, entry.task), h("span", null, arm(entry)), badge(entry)),
    h("div", { class: "facts" }, fact("seed", number(entry.seed)), fact("trial", number(entry.trial)), fact("value", number(entry.value)),
      fact("quota", number(entry.quota)), fact("steps", number(entry.steps)), fact("with an error", number(entry.errors)),
      fact("game time", seconds(entry.ticks)), fact("working time", `${number(entry.wall_s)} s`), fact("tokens", number(entry.total_tokens)),
      fact("cost", dollars(entry.cost_usd)), fact("run", entry.run_id), fact("episode", entry.episode_id)),
    entry.error_message ? h("div", { class: "error" }, `${entry.error_kind}: ${entry.error_message}`,
      detail.error_traceback ? h("details", null, h("summary", null, "traceback"), h("pre", null, detail.error_traceback)) : null) : null,
    line ? [line.box, h("div", { class: "key" }, Object.entries(OUTCOMES).map(([, [colour, text]]) =>
      h("span", null, h("i", { style: { background: colour } }), text)), h("span", null, "line: value · keys ← → move"))] : h("p", null, "No steps were played."),
    place);
  if (line) choose(wanted);
}

function stepView(k, entry, detail, kinds, j, view) {
  const { steps } = detail, step = steps[j];
  const go = (n) => () => { location.hash = `#/episode/${k}/${steps[n].step}`; };
  const nextError = kinds.findIndex((kind, n) => n > j && ["error", "limit", "none"].includes(kind));
  const spent = (name, value) => h("span", null, h("span", { class: "soft" }, `${name} `), h("b", null, value));
  const before = steps.slice(0, j).reverse().find((other) => other.agent_idx === step.agent_idx && other.accepted !== false);
  return [
    h("div", { class: "stepbar" }, h("h2", { id: "step-title" }, `Step ${step.step}`), h("span", { class: "soft" }, `of ${steps.length}`),
      h("span", { class: "badge", style: { background: OUTCOMES[kinds[j]][0], color: kinds[j] === "rejected" ? "#333" : "#fff" } }, OUTCOMES[kinds[j]][1]),
      h("button", { disabled: j === 0, onclick: go(Math.max(0, j - 1)), id: "previous" }, "← previous"),
      h("button", { disabled: j === steps.length - 1, onclick: go(Math.min(steps.length - 1, j + 1)), id: "next" }, "next →"),
      h("button", { disabled: nextError < 0, onclick: nextError < 0 ? null : go(nextError) }, "next error"),
      entry.agents > 1 || step.agent_idx ? h("span", null, `agent ${step.agent_idx}`) : null, step.try ? h("span", null, `try ${step.try}`) : null),
    h("div", { class: "columns" },
      h("div", null, h("h3", null, "Program"), program(step), failure(step), h("h3", null, "Output"), h("pre", { id: "output" }, step.output || "(none)"),
        calls(detail.calls[step.program_id]), conversation(detail.messages.filter((m) => m.agent_idx === step.agent_idx), step)),
      h("div", null, h("h3", null, `Map after the step (${seconds(step.tick_after)})`), mapBox(step, view),
        h("h3", null, "Made and used in this step"), flows(step), h("h3", null, "Inventory"), inventory(step, before),
        h("h3", null, "Figures"), h("div", { class: "facts" }, spent("reward", number(step.reward)), spent("value", number(step.value)),
          spent("score", number(step.score)), spent("by machines", number(step.automated_score)),
          spent("program", seconds(step.tick_after - step.tick_before - step.judge_ticks)), spent("judging", seconds(step.judge_ticks)),
          spent("agent", `${number(step.act_wall_s)} s wall`), spent("running", `${number(step.run_wall_s)} s wall`),
          spent("prompt", `${number(step.prompt_tokens)} tokens`), spent("reply", `${number(step.completion_tokens)} tokens`),
          spent("cost", dollars(step.cost_usd)), step.waited_s ? spent("waited", `${number(step.waited_s)} s`) : null)))];
}
function failure(step) {
  if (step.error_kind === null) return null;
  const where = step.error_line ? ` (line ${step.error_line})` : "";
  return h("div", { class: "error", id: "failure" }, `${step.error_kind}: ${step.error_type ? `${step.error_type}: ` : ""}${step.error_message ?? ""}${where}`);
}

// ---- a program in colour

const TOKEN = /(#[^\n]*)|((?:[rRbBuUfF]{0,2})(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))|(\b\d[\w.]*)|(@?[A-Za-z_]\w*)/g;
const KEYWORDS = new Set(("False None True and as assert async await break class continue def del elif else except finally for from global if "
  + "import in is lambda nonlocal not or pass raise return try while with yield match case").split(" "));
const GAME = new Set(("Prototype Resource Direction Position BuildingBox RecipeName Technology EntityStatus Inventory").split(" "));
function program(step) {
  const pre = h("pre", { class: "program", id: "program" });
  if (step.code === null || step.code === "") return h("pre", { id: "program", class: "soft" }, "(no program)");
  let line = null, count = 0;
  const newLine = () => {
    count += 1;
    line = h("span", { class: `line${count === step.error_line ? " failed" : ""}`, "data-line": count });
    pre.append(line);
  };
  newLine();
  const put = (text, kind) => text.split("\n").forEach((piece, n) => {
    if (n) newLine();
    if (piece) line.append(kind ? h("span", { class: kind }, piece) : document.createTextNode(piece));
  });
  let end = 0;
  for (const found of step.code.matchAll(TOKEN)) {
    put(step.code.slice(end, found.index), "");
    end = found.index + found[0].length;
    const [, comment, string, numeral, name] = found;
    const called = name && /^\s*\(/.test(step.code.slice(end, end + 3));
    put(found[0], comment ? "c" : string ? "s" : numeral ? "n" : KEYWORDS.has(name) ? "k" : GAME.has(name) ? "d" : called ? "b" : "");
  }
  put(step.code.slice(end), "");
  return pre;
}

// ---- map

const MAP_ELEMENTS = new Set(["svg", "g", "path", "circle", "text", "rect", "title"]);
const MAP_ATTRIBUTES = new Set(("xmlns width height viewBox font-family text-anchor stroke-linejoin role fill stroke stroke-width "
  + "stroke-dasharray opacity d cx cy r x y font-size font-weight").split(" "));
function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (!MAP_ELEMENTS.has(element.localName)) throw new Error(`a map holds <${element.localName}>`);
    for (const { name } of element.attributes) if (!MAP_ATTRIBUTES.has(name)) throw new Error(`a map holds the attribute ${name}`);
  }
  return document.importNode(root, true);
}
function mapBox(step, view) {
  const box = h("div", { class: "map", id: "map" });
  if (step.map === null || step.map === undefined) {
    box.append(h("div", { class: "hint" }, step.map_problem ? `This state cannot be drawn: ${step.map_problem}`
      : step.world_state ? "This state was not drawn (--maps)." : "No state was kept of this step. dataset.states=all keeps every one."));
    return box;
  }
  blob(`map-${step.map}`).then((text) => {
    const svg = picture(text), [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    for (const title of svg.querySelectorAll(":scope > title")) title.remove();
    svg.removeAttribute("width"); svg.removeAttribute("height");
    svg.style.height = `${Math.max(340, Math.min(680, box.clientWidth * height / width))}px`;
    view.box = view.box || [0, 0, width, height];
    const show = () => svg.setAttribute("viewBox", view.box.join(" "));
    const zoom = (factor, fx = 0.5, fy = 0.5) => {
      const [x, y, w, t] = view.box, nw = Math.min(width * 1.5, Math.max(60, w * factor)), nt = t * nw / w;
      view.box = [x + (w - nw) * fx, y + (t - nt) * fy, nw, nt]; show();
    };
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const place = svg.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, (event.clientX - place.left) / place.width, (event.clientY - place.top) / place.height);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      const [x, y, w, t] = view.box, place = svg.getBoundingClientRect(), from = [event.clientX, event.clientY];
      const scale = Math.max(w / place.width, t / place.height);
      const move = (e) => { view.box = [x - (e.clientX - from[0]) * scale, y - (e.clientY - from[1]) * scale, w, t]; show(); };
      const up = () => { removeEventListener("pointermove", move); removeEventListener("pointerup", up); };
      addEventListener("pointermove", move); addEventListener("pointerup", up);
    });
    show();
    box.replaceChildren(svg, h("div", { class: "tools" }, h("button", { onclick: () => zoom(0.7), title: "closer" }, "+"),
      h("button", { onclick: () => zoom(1.4), title: "further" }, "−"),
      h("button", { onclick: () => { view.box = [0, 0, width, height]; show(); }, title: "whole picture" }, "⤢")));
  });
  return box;
}

// ---- what changed

const FLUIDS = new Set(("water steam crude-oil heavy-oil light-oil petroleum-gas lubricant sulfuric-acid").split(" "));
function flows(step) {
  const names = [...new Set([...Object.keys(step.produced), ...Object.keys(step.consumed)])].sort();
  if (!names.length) return h("p", { class: "soft" }, "Nothing.");
  const most = { true: 1e-9, false: 1e-9 }; // fluids flow by the thousand: they have a scale of their own
  for (const amounts of [step.produced, step.consumed]) {
    for (const [name, amount] of Object.entries(amounts)) most[FLUIDS.has(name)] = Math.max(most[FLUIDS.has(name)], amount);
  }
  const width = (name, amount) => ({ width: `${100 * amount / most[FLUIDS.has(name)]}%` });
  const rows = [];
  for (const name of names) {
    const made = step.produced[name] || 0, used = step.consumed[name] || 0;
    const hand = (step.harvested[name] || 0) + (step.crafted[name] || 0);
    if (made) rows.push(h("span", null, name), h("div", { class: "bar", style: width(name, made) }), h("span", { class: "num" }, `+${number(made)}${hand ? ` (${number(hand)} by hand)` : ""}`));
    if (used) rows.push(h("span", { class: "soft" }, made ? "" : name), h("div", { class: "bar minus", style: width(name, used) }), h("span", { class: "num" }, `−${number(used)}`));
  }
  return h("div", { class: "bars", id: "flows" }, rows);
}
function inventory(step, before) {
  const now = step.inventory, held = Object.entries(now).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const carried = h("details", null, h("summary", { class: "soft" }, `carries ${held.length} kinds of things`), h("p", null, held.map(([n, c]) => `${n} ${number(c)}`).join(" · ") || "nothing"));
  if (!before) return h("div", { id: "inventory" }, carried);
  const changes = [...new Set([...Object.keys(now), ...Object.keys(before.inventory)])].sort()
    .map((name) => [name, (now[name] || 0) - (before.inventory[name] || 0)]).filter(([, change]) => change);
  return h("div", { id: "inventory" }, changes.length ? h("p", null, changes.map(([name, change]) => h("span", { class: `badge ${change > 0 ? "good" : "warn"}`, style: { marginRight: ".4rem" } },
    `${change > 0 ? "+" : "−"}${number(Math.abs(change))} ${name}`))) : h("p", { class: "soft" }, "Unchanged."), carried);
}

// ---- calls and conversation

function calls(found) {
  if (!found) return null;
  return h("details", { class: "more" }, h("summary", null, `Tool calls (${found.shown.length + found.left_out})`), table([
    column("line", (r) => number(r[5])), column("tool", (r) => r[0], true), column("arguments", (r) => h("code", null, r[1]), true),
    column("refused because", (r) => r[2] ?? "", true), column("game time", (r) => seconds(r[3])), column("µs", (r) => number(r[4]))], found.shown),
  found.left_out ? h("p", { class: "soft" }, `${found.left_out} more calls are in the dataset.`) : null);
}
function conversation(messages, step) {
  if (!messages.length) return null;
  const near = messages.findIndex((m) => m.program_id === step.program_id || m.step === step.step);
  const first = near < 0 ? 0 : Math.max(0, near - 1);
  const last = near < 0 ? 1 : messages.reduce((found, m, k) => (m.program_id === step.program_id || m.step === step.step ? k : found), near) + 1;
  const chat = h("div", { class: "chat", id: "conversation" }, messages.slice(first, last).map(message));
  const whole = h("button", { onclick: () => { whole.remove(); addAll(chat, messages, 0); } }, `show all ${messages.length} messages`);
  return h("details", { class: "more", open: step.total_tokens !== null }, h("summary", null, "Prompts and replies"),
    messages.length > last - first ? h("p", null, whole) : null, chat);
}
function addAll(chat, messages, from) { // a hundred at a time, so that the page stays quick
  if (from === 0) chat.replaceChildren();
  chat.append(...messages.slice(from, from + 100).map(message));
  if (from + 100 < messages.length) requestAnimationFrame(() => addAll(chat, messages, from + 100));
}
function message(m) {
  const text = wording(m.content), title = `${m.role}${m.step !== null ? `, step ${m.step}` : ""}${m.tokens ? `, ${number(m.tokens)} tokens` : ""}`;
  if (text.length > 3000 || m.role === "system") return h("details", { class: `message ${m.role}` }, h("summary", null, `${title}, ${number(text.length)} characters`), h("pre", null, text));
  return h("div", { class: `message ${m.role}` }, h("div", { class: "soft" }, title), h("pre", null, text));
}

// ---- search through programs, outputs and errors

const MOST_HITS = 500;
let searching = 0;
async function showSearch(text) {
  const run = ++searching, needle = text.toLowerCase();
  const state = h("p", { class: "soft", id: "search-state" }), hits = h("div", { id: "hits" });
  page(h("h2", null, `Search for “${text}” in programs, outputs and errors`), state, hits);
  if (!needle) return;
  let count = 0;
  for (let k = 0; k < overview.episodes.length; k++) {
    const detail = await decode(`episode-${k}`), entry = overview.episodes[k];
    if (run !== searching) return;
    for (const step of detail.steps) {
      for (const [what, where] of [["program", step.code], ["output", step.output], ["error", step.error_message]]) {
        const at = where ? where.toLowerCase().indexOf(needle) : -1;
        if (at < 0 || ++count > MOST_HITS) continue;
        const from = Math.max(0, at - 60);
        hits.append(h("div", { class: "hit" }, h("a", { href: `#/episode/${k}/${step.step}` }, `${entry.task} · ${arm(entry)} · seed ${entry.seed} · step ${step.step}`),
          ` ${what}: `, h("code", null, from ? "…" : "", where.slice(from, at), h("mark", null, where.slice(at, at + needle.length)), where.slice(at + needle.length, at + needle.length + 80))));
      }
    }
    state.textContent = `${number(count)} places in ${k + 1} of ${overview.episodes.length} episodes${count > MOST_HITS ? `; the first ${MOST_HITS} are shown` : ""}`;
  }
  state.dataset.done = "yes";
}

// ---- pages

function page(...content) {
  const main = document.getElementById("page");
  main.replaceChildren();
  fill(main, null, content);
}
function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [where, first, second] = path.split("/");
  for (const link of document.querySelectorAll("header nav a")) link.className = link.dataset.page === (where || "overview") ? "here" : "";
  if (where !== "episode") { shown = null; scrollTo(0, 0); }
  searching++;
  if (where === "episodes") return showEpisodes(new URLSearchParams(query));
  if (where === "episode") return showEpisode(Number(first), second);
  if (where === "search") return showSearch(new URLSearchParams(query).get("q") || "");
  return showOverview();
}
addEventListener("keydown", (event) => {
  if (!shown || !shown.steps || event.target.closest("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
  const j = shown.current() + (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : NaN);
  if (shown.steps[j]) { event.preventDefault(); location.hash = `#/episode/${shown.k}/${shown.steps[j].step}`; }
});
async function start() {
  const began = performance.now();
  [overview, paragraphs] = await Promise.all([decode("overview"), decode("texts")]);
  const search = h("input", { type: "search", placeholder: "search programs, outputs, errors", "aria-label": "search", onkeydown: (event) => {
    if (event.key === "Enter") location.hash = `#/search?q=${encodeURIComponent(event.target.value)}`;
  } });
  fill(document.getElementById("top"), null, [h("h1", null, overview.title), h("nav", null,
    h("a", { href: "#/", "data-page": "overview" }, "Overview"), h("a", { href: "#/episodes", "data-page": "episodes" }, `Episodes (${overview.episodes.length})`)), search]);
  addEventListener("hashchange", route);
  await route();
  document.body.dataset.readyMs = String(Math.round(performance.now() - began));
}
start();
