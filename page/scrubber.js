// The dock: play, step, speed, and a bar over the whole search with the length of the open list and
// the best f behind it.

import { byId, count, fill, h, icon } from "./dom.js";
import { hits } from "./breakpoints.js";
import { seek, speedName, step, togglePlay } from "./player.js";
import { effect } from "./signals.js";
import { colours } from "./stage.js";
import { focused, state } from "./state.js";
import { lowerBound } from "./trace.js";

/** @typedef {import("./trace.js").Trace} Trace */

const UNITS = /** @type {const} */ ({
  event: "event",
  expansion: "expansion",
  layer: "f-layer",
  round: "round",
  move: "move",
});

/** The unit of a step that a trace knows. @returns {import("./trace.js").Unit} */
export function unit() {
  const wanted = state.unit.get();
  const trace = focused()?.replay.trace;
  return !trace || wanted === "event" || trace.lists[wanted].length > 0 ? wanted : "event";
}

/** The unit of big steps: rounds and moves where there are any, else f-layers. @returns {import("./trace.js").Unit} */
export function bigUnit() {
  const lists = focused()?.replay.trace?.lists;
  if (!lists) return "layer";
  return lists.move.length > 0 ? "move" : lists.round.length > 0 ? "round" : "layer";
}

const canvas = /** @type {HTMLCanvasElement} */ (h("canvas"));
const bar = h(
  "div",
  {
    id: "scrubber",
    role: "slider",
    tabIndex: 0,
    "aria-label": "Position in the search",
    "aria-valuemin": 0,
  },
  canvas,
);
const line = h("div.event");

/** @type {{trace: Trace, width: number, open: Float64Array, f: Float64Array} | null} */
let curves = null;

/** The curves, one value per pixel. */
function curvesOf(/** @type {Trace} */ trace, /** @type {number} */ width) {
  if (curves?.trace === trace && curves.width === width) return curves;
  const open = new Float64Array(width),
    f = new Float64Array(width);
  let most = 1;
  for (let x = 0; x < width; x++) {
    const from = Math.floor((x * trace.count) / width),
      to = Math.max(from + 1, Math.floor(((x + 1) * trace.count) / width));
    const stride = Math.max(1, Math.floor((to - from) / 64));
    for (let i = from; i < Math.min(to, trace.count); i += stride) open[x] = Math.max(open[x], trace.open[i]);
    most = Math.max(most, open[x]);
  }
  const layers = trace.lists.layer;
  const first = layers.length > 0 ? trace.f[layers[0] - 1] : 0;
  const last = layers.length > 0 ? trace.f[layers[layers.length - 1] - 1] : 1;
  for (let x = 0; x < width; x++) {
    const at = lowerBound(layers, Math.floor(((x + 1) * trace.count) / width) + 1);
    const value = at > 0 ? trace.f[layers[at - 1] - 1] : first;
    f[x] = last > first ? (value - first) / (last - first) : 0;
    open[x] /= most;
  }
  curves = { trace, width, open, f };
  return curves;
}

function draw() {
  const trace = focused()?.replay.trace ?? null;
  const cursor = state.cursor.get();
  for (const value of [state.style, state.dark, state.playing]) value.get();
  focused()?.planned.get();
  const stops = hits();
  const ratio = devicePixelRatio || 1;
  const width = bar.clientWidth,
    height = bar.clientHeight;
  if (width === 0) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(ratio, ratio);
  const paint = colours();
  context.fillStyle = paint.paper;
  context.fillRect(0, 0, width, height);
  bar.setAttribute("aria-valuemax", String(trace?.count ?? 0));
  bar.setAttribute("aria-valuenow", String(cursor));
  if (trace === null || trace.count === 0) return;
  const at = (cursor / trace.count) * width;
  const { open, f } = curvesOf(trace, Math.round(width));
  const gradient = context.createLinearGradient(0, 0, width, 0);
  paint.closed.forEach((colour, i) => gradient.addColorStop(i / (paint.closed.length - 1), colour));
  const base = height - 7;
  const area = (
    /** @type {string | CanvasGradient} */ fillStyle,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => {
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, height);
    context.clip();
    context.beginPath();
    context.moveTo(0, base);
    for (let x = 0; x < open.length; x++) context.lineTo(x, base - 1 - open[x] * (base - 5));
    context.lineTo(width, base);
    context.fillStyle = fillStyle;
    context.fill();
    context.restore();
  };
  area(paint.seam, at, width);
  area(gradient, 0, at);
  context.fillStyle = gradient;
  context.fillRect(0, base, at, 7);
  context.fillStyle = paint.seam;
  context.fillRect(at, base, width - at, 7);
  // The best f, from the first to the last.
  context.beginPath();
  for (let x = 0; x < f.length; x++) context.lineTo(x, base - 2 - f[x] * (base - 6));
  context.strokeStyle = paint.ink;
  context.globalAlpha = 0.35;
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
  const ticks = (/** @type {ArrayLike<number>} */ list, /** @type {string} */ colour, /** @type {number} */ size) => {
    if (list.length === 0 || list.length > width) return;
    context.fillStyle = colour;
    for (let i = 0; i < list.length; i++)
      context.fillRect(Math.round((list[i] / trace.count) * width), height - size, 1, size);
  };
  if (trace.lists.layer.length < width / 3) ticks(trace.lists.layer, paint.ink, 4);
  ticks(trace.lists.round, paint.goal, 12);
  if (trace.lists.move.length < width / 3) ticks(trace.lists.move, paint.start, 7);
  ticks(stops, paint.current, 18);
  if (trace.dropped > 0) {
    context.fillStyle = paint.ink;
    context.font = "11px system-ui";
    context.textAlign = "right";
    context.fillText(`${count(trace.dropped)} more events were not recorded`, width - 8, 13);
  }
  context.fillStyle = paint.current;
  context.fillRect(Math.min(Math.round(at) - 1, width - 2), 0, 2, height);
}

function drawLine() {
  const pane = focused();
  const trace = pane?.replay.trace ?? null;
  const cursor = state.cursor.get();
  pane?.planned.get();
  if (trace === null) return fill(line, pane?.error.get() ? "" : "no trace");
  bar.setAttribute("aria-valuetext", cursor === 0 ? "start" : trace.words(cursor - 1));
  const open = cursor > 0 ? trace.open[cursor - 1] : 0;
  fill(
    line,
    h("b", {}, cursor === 0 ? "start" : cursor === trace.count ? "finished" : trace.words(cursor - 1)),
    h("span", {}, `event ${count(cursor)} of ${count(trace.count)}`),
    h("span", {}, `expanded ${count(trace.done(cursor, "expansion"))} of ${count(trace.expansions)}`),
    trace.hasBlocks ? null : h("span", {}, `open ${count(open)}`),
  );
}

function scrub(/** @type {PointerEvent} */ event) {
  const frame = bar.getBoundingClientRect();
  const trace = focused()?.replay.trace;
  if (trace) seek(((event.clientX - frame.left) / frame.width) * trace.count);
}

export function startScrubber() {
  const button = (
    /** @type {import("./dom.js").IconName} */ name,
    /** @type {string} */ title,
    /** @type {() => void} */ onclick,
    extra = "",
  ) => h(`button.plain${extra}`, { title, "aria-label": title, onclick }, icon(name));
  const play = h("button.play", { onclick: togglePlay });
  const units = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      {
        "aria-label": "A step is",
        onchange: () => state.unit.set(/** @type {any} */ (units.value)),
      },
      ...Object.entries(UNITS).map(([value, name]) => h("option", { value }, `step: ${name}`)),
    )
  );
  const speed = h("output", { "aria-label": "Speed" });
  fill(
    byId("dock"),
    h(
      "div.transport",
      {},
      button("first", "To the start (Home)", () => seek(0)),
      button("back", "Step back (←)", () => step(unit(), -1)),
      play,
      button("forward", "Step (→)", () => step(unit(), 1)),
      button("last", "To the end (End)", () => seek(Infinity)),
    ),
    bar,
    h(
      "div.tempo",
      {},
      h("div", {}, units),
      h(
        "div",
        {},
        h("button", { title: "Slower ([)", "aria-label": "Slower", onclick: () => changeSpeed(-1) }, "−"),
        speed,
        h("button", { title: "Faster (])", "aria-label": "Faster", onclick: () => changeSpeed(1) }, "+"),
      ),
    ),
    line,
  );
  effect(() => {
    const on = state.playing.get();
    play.title = on ? "Pause (Space)" : "Play (Space)";
    play.setAttribute("aria-label", on ? "Pause" : "Play");
    fill(play, icon(on ? "pause" : "play"));
  });
  effect(() => {
    speed.textContent = `all ${speedName()}`;
  });
  effect(() => {
    focused()?.planned.get();
    units.value = unit();
    const lists = focused()?.replay.trace?.lists;
    for (const option of units.options) {
      const name = /** @type {import("./trace.js").Unit} */ (option.value);
      option.disabled = name !== "event" && lists !== undefined && lists[name].length === 0;
    }
  });
  effect(draw);
  effect(drawLine);
  new ResizeObserver(draw).observe(bar);
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    state.playing.set(false);
    scrub(event);
  });
  bar.addEventListener("pointermove", (event) => {
    if (bar.hasPointerCapture(event.pointerId)) scrub(event);
  });
}

/** @param {number} by doublings */
export function changeSpeed(by) {
  state.speed.update((speed) => Math.min(Math.max(speed + by, -8), 6));
}
