// The living map on the screen: units, doors and heat over the map, the panel beside it, the charts
// below it, and what the pointer does to units.

import {
  HISTORY,
  PURPOSES,
  STATE,
  addDoor,
  changeStepping,
  crowd,
  cutGlow,
  doorAt,
  order,
  place,
  placeOfUnit,
  progress,
  removeAll,
  startCrowd,
  suitable,
  tick,
  toggleDoor,
  unitAt,
  unitsIn,
} from "./crowd.js";
import { byId, count, digits, duration, fill, h, icon, size } from "./dom.js";
import { along } from "./palette.js";
import { effect } from "./signals.js";
import { colours, invalidate, painters } from "./stage.js";
import { state } from "./state.js";

/** @typedef {import("./overlay.js").Pen} Pen */
/** @typedef {import("./camera.js").Box} Box */

/** A rectangle that is being drawn, in cells. @type {{x0: number, y0: number, x1: number, y1: number} | null} */
let band = null;

/** @returns {{x: number, y: number, width: number, height: number}} whole cells of the rectangle */
function cellsOf(/** @type {NonNullable<typeof band>} */ { x0, y0, x1, y1 }) {
  const map = state.map.peek();
  const clamp = (/** @type {number} */ value, /** @type {number} */ most) => Math.min(Math.max(Math.floor(value), 0), most - 1);
  const [left, top] = [clamp(Math.min(x0, x1), map.width), clamp(Math.min(y0, y1), map.height)];
  const [right, bottom] = [clamp(Math.max(x0, x1), map.width), clamp(Math.max(y0, y1), map.height)];
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The pointer with a tool for units. Places are in cells. */
export const unitTools = {
  /** @param {[number, number]} at */
  down(at) {
    band = { x0: at[0], y0: at[1], x1: at[0], y1: at[1] };
    if (state.tool.peek() === "place") placeHere(at);
    invalidate();
  },

  /** @param {[number, number]} at */
  move(at) {
    if (band === null) return;
    const far = Math.hypot(at[0] - band.x1, at[1] - band.y1);
    if (state.tool.peek() === "place") {
      if (far < 2 * state.brush.peek() + 2) return;
      placeHere(at);
    }
    [band.x1, band.y1] = at;
    invalidate();
  },

  /** @param {number} scale pixels per cell @param {boolean} shift */
  up(scale, shift) {
    const drawn = band;
    band = null;
    invalidate();
    if (drawn === null || state.tool.peek() === "place") return;
    const [x, y] = [drawn.x1, drawn.y1];
    const clicked = Math.max(Math.abs(x - drawn.x0), Math.abs(y - drawn.y0)) * scale < 5;
    const door = doorAt(Math.floor(x), Math.floor(y));
    if (clicked && door >= 0) void toggleDoor(door);
    else if (state.tool.peek() === "door") void addDoor(cellsOf(drawn));
    else if (!clicked) {
      const [x0, x1] = [Math.min(drawn.x0, x), Math.max(drawn.x0, x)];
      const [y0, y1] = [Math.min(drawn.y0, y), Math.max(drawn.y0, y)];
      crowd.selection.set(unitsIn(x0, y0, x1, y1));
    } else {
      const unit = unitAt(x, y, Math.max(0.7, 7 / scale));
      if (unit >= 0) crowd.selection.set(new Set([unit]));
      else if (state.map.peek().isFree(Math.floor(x), Math.floor(y)))
        void order({ goal: [Math.floor(x), Math.floor(y)], queue: shift });
    }
  },
};

/** Places a handful around a place. */
function placeHere(/** @type {[number, number]} */ [x, y]) {
  const reach = state.brush.peek() + 1;
  const area = cellsOf({ x0: x - reach, y0: y - reach, x1: x + reach, y1: y + reach });
  void place(Math.max(1, Math.round((area.width * area.height) / 3)), area);
}

/** The heat as a picture of one pixel per square. @type {HTMLCanvasElement | null} */
let heatPicture = null;
let heatOf = /** @type {unknown} */ (null);

function drawHeat(/** @type {Pen} */ pen) {
  const heat = crowd.heatMap;
  if (heat === null) return;
  heatPicture ??= document.createElement("canvas");
  if (heatOf !== heat) {
    heatOf = heat;
    heatPicture.width = heat.columns;
    heatPicture.height = heat.rows;
    const context = /** @type {CanvasRenderingContext2D} */ (heatPicture.getContext("2d"));
    const image = context.createImageData(heat.columns, heat.rows);
    heat.values.forEach((value, i) => {
      if (value === 0) return;
      image.data.set([...along(pen.palette.heat, 0.25 + (value / 255) * 0.75), Math.min(60 + value, 225)], 4 * i);
    });
    context.putImageData(image, 0, 0);
  }
  pen.context.imageSmoothingEnabled = true;
  const side = heat.side * pen.scale;
  pen.context.drawImage(heatPicture, pen.x(0), pen.y(0), heat.columns * side, heat.rows * side);
}

function drawDoors(/** @type {Pen} */ pen) {
  const { context, palette } = pen;
  for (const door of crowd.doors) {
    const [x, y, w, t] = [pen.x(door.x), pen.y(door.y), door.width * pen.scale, door.height * pen.scale];
    context.fillStyle = palette.goal;
    context.strokeStyle = palette.goal;
    context.globalAlpha = door.open ? 0.16 : 0.9;
    context.fillRect(x, y, w, t);
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.setLineDash(door.open ? [4, 3] : []);
    context.strokeRect(x + 1, y + 1, Math.max(w - 2, 1), Math.max(t - 2, 1));
    context.setLineDash([]);
  }
}

/** The ways of those who are selected, and where the last order leads. */
function drawWays(/** @type {Pen} */ pen) {
  let at = 0;
  for (const { unit, points } of crowd.watched) {
    if (points > 0 && crowd.states[unit] !== STATE.none) {
      const way = [...placeOfUnit(unit, progress()), ...crowd.ways.subarray(2 * at, 2 * (at + points))];
      pen.cased(way, pen.palette.routes[crowd.teams[unit] % pen.palette.routes.length], Math.max(1.4, pen.routeWidth() * 0.5), 0.8);
    }
    at += points;
  }
  const { target } = crowd;
  if (target === null) return;
  const age = (performance.now() - target.at) / 1500;
  if (age > 1) {
    crowd.target = null;
    return;
  }
  pen.context.globalAlpha = 1 - age;
  pen.goalMark(target.x, target.y);
  pen.context.globalAlpha = 1;
}

function drawUnits(/** @type {Pen} */ pen) {
  const { context, palette, sight, scale } = pen;
  const { states, teams, sizes } = crowd;
  const part = progress();
  const selected = crowd.selection.peek();
  const radius = Math.max(scale * 0.4, 1.4);
  /** Slots by team, so that each colour is one path. @type {number[][]} */
  const byTeam = palette.routes.map(() => []);
  /** @type {number[]} */
  const held = [];
  const where = new Float32Array(2 * states.length);
  for (let slot = 0; slot < states.length; slot++) {
    if (states[slot] === STATE.none) continue;
    const [x, y] = placeOfUnit(slot, part);
    if (x < sight.x0 - 2 || y < sight.y0 - 2 || x > sight.x1 + 3 || y > sight.y1 + 3) continue;
    where[2 * slot] = pen.x(x);
    where[2 * slot + 1] = pen.y(y);
    byTeam[teams[slot] % byTeam.length].push(slot);
    if (states[slot] === STATE.stuck) held.push(slot);
  }
  const shape = (/** @type {number} */ slot, /** @type {number} */ more) => {
    const [x, y] = [where[2 * slot], where[2 * slot + 1]];
    const r = (sizes[slot] > 1 ? scale * (sizes[slot] / 2 - 0.1) : radius) + more;
    if (sizes[slot] > 1) {
      context.roundRect(x - r, y - r, 2 * r, 2 * r, Math.min(r * 0.35, 8));
    } else if (r < 2.2) {
      context.rect(x - r, y - r, 2 * r, 2 * r);
    } else {
      context.moveTo(x + r, y);
      context.arc(x, y, r, 0, 2 * Math.PI);
    }
  };
  const all = (/** @type {Iterable<number>} */ slots, /** @type {number} */ more) => {
    context.beginPath();
    for (const slot of slots) shape(slot, more);
  };
  byTeam.forEach((slots, team) => {
    if (slots.length === 0) return;
    all(slots, 0);
    if (scale >= 5) {
      context.strokeStyle = palette.casing;
      context.lineWidth = Math.min(scale * 0.22, 3);
      context.stroke();
    }
    context.fillStyle = palette.routes[team];
    context.fill();
  });
  // Held up: an eye in the middle, so that it does not rest on colour.
  if (held.length > 0 && scale >= 4) {
    context.beginPath();
    for (const slot of held) {
      context.moveTo(where[2 * slot] + radius * 0.45, where[2 * slot + 1]);
      context.arc(where[2 * slot], where[2 * slot + 1], radius * 0.45, 0, 2 * Math.PI);
    }
    context.fillStyle = palette.casing;
    context.fill();
  }
  if (selected.size > 0) {
    all([...selected].filter((slot) => where[2 * slot] !== 0), Math.max(2, scale * 0.15));
    context.strokeStyle = palette.ink;
    context.lineWidth = 2;
    context.stroke();
  }
  // Ways that were cut a moment ago: a ring that fades.
  for (const slot of crowd.cuts.keys()) {
    const glow = cutGlow(slot);
    if (glow <= 0 || where[2 * slot] === 0) continue;
    context.globalAlpha = glow;
    context.beginPath();
    context.arc(where[2 * slot], where[2 * slot + 1], radius + 3 + (1 - glow) * 10, 0, 2 * Math.PI);
    context.strokeStyle = palette.current;
    context.lineWidth = 2.5;
    context.stroke();
    context.globalAlpha = 1;
  }
}

painters.push((pen) => {
  if (state.view.peek() !== "units") return;
  if (crowd.heat.peek()) drawHeat(pen);
  drawDoors(pen);
  drawWays(pen);
  drawUnits(pen);
  if (band === null || state.tool.peek() === "place") return;
  const { context, palette } = pen;
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.5;
  context.setLineDash([5, 4]);
  if (state.tool.peek() === "door") {
    const { x, y, width, height } = cellsOf(band);
    context.strokeRect(pen.x(x), pen.y(y), width * pen.scale, height * pen.scale);
  } else {
    const { x0, y0, x1, y1 } = band;
    context.strokeRect(pen.x(x0), pen.y(y0), (x1 - x0) * pen.scale, (y1 - y0) * pen.scale);
  }
  context.setLineDash([]);
});

/** A colour for each purpose of expansions. */
function purposeColours() {
  const { routes, closed } = colours();
  return [...routes, closed[2] ?? closed[0]];
}

/** @param {string} name @param {number} part 0 to 1 @param {string} value @param {string} colour */
function meter(name, part, value, colour) {
  return h(
    "div.meter",
    {},
    h("span", {}, name),
    h("i", {}, h("b", { style: `width:${Math.min(part, 1) * 100}%;background:${colour}` })),
    h("small", {}, value),
  );
}

/** How many are in each state, those of moving together. */
function statePanel() {
  const body = h("div");
  effect(() => {
    crowd.version.get();
    state.dark.get();
    const paint = colours();
    const counts = new Map();
    for (const now of crowd.states) {
      if (now === STATE.none) continue;
      const name = now >= 3 && now <= 5 ? "on the way" : crowd.stateNames[now];
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const rows = [...counts].sort((a, b) => b[1] - a[1]);
    fill(
      body,
      rows.map(([name, number]) =>
        meter(name, number / Math.max(crowd.living, 1), count(number), name === "held up" ? paint.current : "var(--bar)"),
      ),
      h("p.muted", { style: "margin-top:6px" }, told()),
    );
  });
  return h("section.crowd", { "aria-label": "Units" }, heading(), buttons(), body);
}

/** What has happened so far, in a line. */
function told() {
  const { events } = crowd;
  const words = [`${count(events.arrived ?? 0)} arrived`, `${count(events.path_changed ?? 0)} changed their way`];
  if (events.displaced) words.push(`${count(events.displaced)} pushed aside`);
  if (events.gave_up) words.push(`${count(events.gave_up)} gave up`);
  return words.join(" · ");
}

function heading() {
  const number = h("span");
  effect(() => {
    crowd.version.get();
    number.textContent = `${count(Math.max(crowd.living, 0))} units`;
  });
  return h("h2", {}, number);
}

function buttons() {
  const body = h("div");
  effect(() => {
    state.map.get();
    const many = suitable();
    const flip = (/** @type {import("./signals.js").Signal<boolean>} */ value) => () => value.update((on) => !on);
    const kind = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { "aria-label": "Kind of unit", onchange: () => crowd.size.set(kind.value === "2" ? 2 : 1) },
        h("option", { value: "1", selected: crowd.size.get() === 1 }, "walkers, one cell"),
        h("option", { value: "2", selected: crowd.size.get() === 2 }, "wagons, 2 × 2 cells"),
      )
    );
    const way = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { "aria-label": "How units step", onchange: () => changeStepping(way.value === "plane" ? "plane" : "cells") },
        h("option", { value: "cells", selected: crowd.stepping.get() === "cells" }, "from cell to cell"),
        h("option", { value: "plane", selected: crowd.stepping.get() === "plane" }, "at any angle, as discs"),
      )
    );
    fill(
      body,
      h(
        "div.row",
        {},
        h("button.button", { onclick: () => place(Math.max(1, Math.round(many / 8))) }, icon("units"), `+ ${count(Math.max(1, Math.round(many / 8)))}`),
        h("button.button", { onclick: () => place(many) }, `+ ${count(many)}`),
        h("button.button", { onclick: () => removeAll() }, "remove all"),
      ),
      h("label.field", {}, h("span", {}, "new ones"), kind),
      h("label.field", {}, h("span", {}, "they go"), way),
      h(
        "label.check",
        { title: "A unit that has arrived goes somewhere else" },
        h("input", { type: "checkbox", checked: crowd.wander.get(), onchange: flip(crowd.wander) }),
        "new ones walk about",
      ),
      h(
        "label.check",
        {},
        h("input", { type: "checkbox", checked: crowd.heat.get(), onchange: flip(crowd.heat) }),
        "congestion as heat",
        h("kbd", {}, "H"),
      ),
      h("div", { style: "height:10px" }),
    );
  });
  return body;
}

/** Time and budget of the last ticks. */
function budgetPanel() {
  const body = h("div");
  effect(() => {
    crowd.version.get();
    state.dark.get();
    const { ticks, budget } = crowd;
    if (ticks.length === 0) return fill(body, h("p.muted", {}, "no tick yet"));
    const times = ticks.map(({ time }) => time).sort((a, b) => a - b);
    const paint = purposeColours();
    const recent = ticks.slice(-30);
    fill(
      body,
      h(
        "dl.facts",
        { style: "margin-top:0" },
        h("dt", {}, "time, median"),
        h("dd", {}, duration(times[times.length >> 1])),
        h("dt", {}, "longest"),
        h("dd", {}, duration(times[times.length - 1])),
        h("dt", {}, "searches that wait"),
        h("dd", {}, count(ticks[ticks.length - 1].queued)),
        h("dt", {}, "memory"),
        h("dd", {}, size(crowd.memory)),
      ),
      h("p.muted", { style: "margin:8px 0 4px" }, "share of the budget, last second"),
      PURPOSES.map((name, i) => {
        const part = recent.reduce((sum, { spent }) => sum + spent[i], 0) / recent.length / Math.max(budget[i], 1);
        return meter(name, part, `${digits(part * 100)} %`, paint[i]);
      }),
    );
  });
  return h("section.crowd", { "aria-label": "Ticks" }, h("h2", {}, "Each tick"), body);
}

/** What the last edit did, and who is selected. */
function selectionPanel() {
  const body = h("div");
  effect(() => {
    crowd.version.get();
    const edit = crowd.effect.get();
    const selected = crowd.selection.get();
    const one = selected.size === 1 ? crowd.watched[0] : null;
    const button = (/** @type {string} */ text, /** @type {Record<string, any>} */ what) =>
      h("button.button", { onclick: () => order(what) }, text);
    fill(
      body,
      edit
        ? h(
            "p.cut",
            { "data-cut": edit.cut },
            h("b", {}, edit.cut === 1 ? "1 way cut" : `${count(edit.cut)} ways cut`),
            ` of ${count(edit.looked_at)} looked at, in ${duration(edit.time)}`,
            edit.displaced > 0 ? `; ${count(edit.displaced)} pushed aside` : "",
          )
        : h("p.muted", {}, "Draw a wall across their way: the last edit is told here."),
      h("p.muted", { style: "margin:8px 0 6px" }, selected.size === 0 ? "Nobody is selected: orders are for all." : `${count(selected.size)} selected`),
      one
        ? h(
            "dl.facts",
            { style: "margin:0 0 8px" },
            h("dt", {}, "state"),
            h("dd", {}, one.state),
            h("dt", {}, "to go"),
            h("dd", {}, one.left === null ? "–" : `${digits(one.left)} cells`),
          )
        : null,
      h("div.row", {}, button("walk about", { order: "wander" }), button("stop", { order: "stop" }), button("hold", { order: "hold" })),
    );
  });
  return h("section.crowd", { "aria-label": "Edits and orders" }, h("h2", {}, "Edits and orders"), body);
}

const chart = /** @type {HTMLCanvasElement} */ (h("canvas", { role: "img", "aria-label": "Time and expansions of the last ticks" }));

/** Bars of the last ticks: above time, below expansions by purpose as a part of the whole budget. */
function drawChart() {
  crowd.version.get();
  for (const value of [state.style, state.dark, state.view]) value.get();
  const ratio = devicePixelRatio || 1;
  const [width, height] = [chart.clientWidth, chart.clientHeight];
  if (width === 0 || height === 0) return;
  chart.width = Math.round(width * ratio);
  chart.height = Math.round(height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (chart.getContext("2d"));
  context.scale(ratio, ratio);
  const paint = colours();
  context.fillStyle = paint.paper;
  context.fillRect(0, 0, width, height);
  const { ticks } = crowd;
  const step = width / HISTORY;
  const half = height / 2;
  // One slow tick must not flatten all others: the highest few are cut off.
  const high = (/** @type {number[]} */ list) => 1.25 * (list.sort((a, b) => a - b)[Math.floor(list.length * 0.97)] ?? 0);
  const tallest = Math.max(high(ticks.map(({ time }) => time)), 200);
  const whole = crowd.budget.reduce((sum, part) => sum + part, 0);
  const most = Math.max(high(ticks.map(({ spent }) => spent.reduce((sum, part) => sum + part, 0))), whole / 50);
  const colour = purposeColours();
  ticks.forEach(({ time, spent }, i) => {
    const x = width - (ticks.length - i) * step;
    const tall = Math.min(time / tallest, 1) * (half - 6);
    context.fillStyle = paint.closed[paint.closed.length - 2];
    context.fillRect(x, half - tall, Math.max(step - 0.6, 0.6), tall);
    let y = height;
    spent.forEach((part, purpose) => {
      const deep = Math.min((part / most) * (half - 6), Math.max(y - half - 6, 0));
      context.fillStyle = colour[purpose];
      context.fillRect(x, y - deep, Math.max(step - 0.6, 0.6), deep);
      y -= deep;
    });
  });
  context.fillStyle = paint.seam;
  context.fillRect(0, half, width, 1);
  context.fillStyle = paint.ink;
  context.globalAlpha = 0.75;
  context.font = "11px system-ui";
  context.fillText(`time of a tick, to ${duration(tallest)}`, 8, 13);
  context.fillText(`expansions, ${digits((most / Math.max(whole, 1)) * 100)} % of the budget`, 8, half + 14);
  context.globalAlpha = 1;
}

export function toggleRunning() {
  crowd.running.update((on) => !on);
}

/** @param {number} by doublings */
export function changePace(by) {
  crowd.speed.update((speed) => Math.min(Math.max(speed + by, -4), 4));
}

function startPulse() {
  const play = h("button.play", { onclick: toggleRunning });
  const speed = h("output", { "aria-label": "Speed" });
  fill(
    byId("pulse"),
    h(
      "div.transport",
      {},
      play,
      h("button.plain", { title: "One tick (→)", "aria-label": "One tick", onclick: () => stepTick() }, icon("forward")),
    ),
    h("div.chart", {}, chart),
    h(
      "div.tempo",
      {},
      h(
        "div",
        {},
        h("button", { title: "Slower ([)", "aria-label": "Slower", onclick: () => changePace(-1) }, "−"),
        speed,
        h("button", { title: "Faster (])", "aria-label": "Faster", onclick: () => changePace(1) }, "+"),
      ),
    ),
  );
  effect(() => {
    const on = crowd.running.get();
    play.title = on ? "Pause (Space)" : "Go on (Space)";
    play.setAttribute("aria-label", on ? "Pause" : "Go on");
    fill(play, icon(on ? "pause" : "play"));
  });
  effect(() => {
    speed.textContent = `× ${2 ** crowd.speed.get()}`;
  });
  effect(drawChart);
  new ResizeObserver(drawChart).observe(chart);
}

/** Lets one tick pass while the clock stands. */
export function stepTick() {
  crowd.running.set(false);
  void tick(1);
}

/** The parts of the panel for units. */
export function unitPanels() {
  return [statePanel(), selectionPanel(), budgetPanel()];
}

export function startUnits() {
  startCrowd();
  startPulse();
  effect(() => {
    document.documentElement.dataset.view = state.view.get();
  });
  effect(() => {
    for (const value of [crowd.version, crowd.selection, crowd.heat]) value.get();
    if (state.view.peek() === "units") invalidate();
  });
}
