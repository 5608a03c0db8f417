// The middle of the page: the map, once per pane, and what is drawn over it. Draws only when
// something has changed, at most once per frame.

import { Camera } from "./camera.js";
import { byId, count, fill, h, pictureOf } from "./dom.js";
import { MapCanvas } from "./map_canvas.js";
import { MapGl } from "./map_gl.js";
import { Pen, drawChain, drawLayers, drawMarks, drawNumbers, drawParents, drawWalk } from "./overlay.js";
import { palette } from "./palette.js";
import { effect } from "./signals.js";
import { KIND } from "./trace.js";
import { focused, label, placeOf, rowOf, state } from "./state.js";
import { marked } from "./breakpoints.js";

/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("./state.js").Pane} Pane */

export const camera = new Camera();

const element = byId("stage");
let mapCanvas = /** @type {HTMLCanvasElement} */ (byId("map"));
const overlay = /** @type {HTMLCanvasElement} */ (byId("overlay"));
const context = /** @type {CanvasRenderingContext2D} */ (overlay.getContext("2d"));
const labels = byId("labels");

/** What else is drawn over the map, by other parts of the page. @type {((pen: Pen, pane: Pane) => void)[]} */
export const painters = [];

let asked = false;
/** Milliseconds that the last frames took to draw. */
export const frameTimes = { list: /** @type {number[]} */ ([]), searched: /** @type {number[]} */ ([]) };

/** @returns {MapGl | MapCanvas} */
function makeRenderer() {
  const wish = new URLSearchParams(location.search).get("draw");
  if (wish !== "canvas") {
    try {
      return new MapGl(mapCanvas, wish === "webgl");
    } catch {
      // The canvas belongs to WebGL now, even if that failed.
      const fresh = /** @type {HTMLCanvasElement} */ (mapCanvas.cloneNode());
      mapCanvas.replaceWith(fresh);
      mapCanvas = fresh;
    }
  }
  return new MapCanvas(mapCanvas);
}

let renderer = makeRenderer();
mapCanvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
mapCanvas.addEventListener("webglcontextrestored", () => {
  renderer = makeRenderer();
  renderer.setPalette(colours());
  renderer.setMap(state.map.peek());
  invalidate();
});

/** Which of the two ways of drawing is in use. */
export function rendererName() {
  return renderer instanceof MapGl ? "WebGL2" : "Canvas";
}

/** The colours in use. */
export function colours() {
  return palette(state.style.peek(), state.dark.peek());
}

/** The panes with their places on the stage. @returns {{pane: Pane, box: Box}[]} */
export function boxes() {
  const width = element.clientWidth,
    height = element.clientHeight;
  const together = state.panes.peek().length > 1 && (state.difference.peek() || state.overlaid.peek());
  const alone = state.view.peek() === "units" || together;
  const panes = alone ? [focused()] : state.panes.peek();
  const columns = panes.length === 1 ? 1 : panes.length === 2 ? (width > height ? 2 : 1) : 2;
  const rows = Math.ceil(panes.length / columns);
  return panes.map((pane, i) => {
    const row = Math.floor(i / columns),
      column = i % columns;
    const across =
      row === rows - 1 && panes.length % columns !== 0 && rows > 1 ? panes.length - row * columns : columns;
    const x = Math.round((column * width) / across),
      y = Math.round((row * height) / rows);
    return {
      pane,
      box: {
        x,
        y,
        width: Math.round(((column + 1) * width) / across) - x,
        height: Math.round(((row + 1) * height) / rows) - y,
      },
    };
  });
}

/** The pane at a place of the stage. @param {number} px @param {number} py */
export function paneAt(px, py) {
  const all = boxes();
  return (
    all.find(({ box }) => px >= box.x && py >= box.y && px < box.x + box.width && py < box.y + box.height) ?? all[0]
  );
}

/** Shows the whole map. */
export function fit() {
  const map = state.map.peek();
  const all = boxes();
  // Several panes have labels at the top.
  const top = state.panes.peek().length > 1 ? 36 : 0;
  const { box } = all[0];
  camera.fit(map.width, map.height, { ...box, height: Math.max(box.height - top, 50) });
  camera.y -= top / 2 / camera.scale;
  invalidate();
}

/** Draws in the next frame. */
export function invalidate() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(draw);
}

/** Draws now; also for saving a picture. */
export function draw() {
  asked = false;
  const map = state.map.peek();
  const view = state.view.peek();
  if (map.name === "" || view === "terrain") return;
  const began = performance.now();
  const changed = state.panes.peek().some(({ replay }) => replay.isDirty());
  const ratio = window.devicePixelRatio || 1;
  for (const canvas of [mapCanvas, overlay]) {
    const width = Math.round(element.clientWidth * ratio),
      height = Math.round(element.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
  }
  renderer.setMap(map);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, element.clientWidth, element.clientHeight);
  const all = state.panes.peek();
  const difference = state.difference.peek() && all.length > 1 && view === "search";
  const heat = state.shade.peek() !== "order";
  boxes().forEach(({ pane, box }) => {
    const other = difference ? all[(all.indexOf(pane) + 1) % all.length] : null;
    const replay = view === "search" && pane.replay.trace ? pane.replay : null;
    renderer.draw(box, camera, replay, other?.replay ?? null, { heat, lines: true });
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    const pen = new Pen(context, box, camera, colours(), map);
    if (view === "search") drawOver(pen, pane, other);
    for (const painter of painters) painter(pen, pane);
    context.restore();
  });
  const took = performance.now() - began;
  // Apart those in which a search has changed.
  for (const list of changed ? [frameTimes.list, frameTimes.searched] : [frameTimes.list]) {
    list.push(took);
    if (list.length > 60) list.shift();
  }
}

/** @param {Pen} pen @param {Pane} pane @param {Pane | null} other */
function drawOver(pen, pane, other) {
  const { palette: paint } = pen;
  const number = state.panes.peek().indexOf(pane);
  const colour = paint.routes[number % paint.routes.length];
  const { replay } = pane;
  const planned = pane.planned.peek();
  const trace = replay.trace;
  const finished = trace === null || replay.cursor >= trace.count;
  if (state.structure.peek()) drawLayers(pen, pane.layers.peek(), state.hover.peek(), state.edited.peek());
  if (other === null) {
    // While something is dragged the last of them will do.
    if (state.marks.peek()) drawMarks(pen, replay, state.dragging.peek() ? 800 : undefined);
    if (state.parents.peek()) drawParents(pen, replay);
    if (state.numbers.peek()) drawNumbers(pen, replay);
  }
  if (finished && planned) {
    if (other?.planned.peek()) {
      const theirs = paint.routes[state.panes.peek().indexOf(other) % paint.routes.length];
      pen.cased(/** @type {any} */ (other.planned.peek()).points, theirs, pen.routeWidth() * 1.5);
    }
    if (state.overlaid.peek() && other === null) drawOtherPaths(pen, pane);
    if (planned.points.length > 2) pen.cased(planned.points, colour);
  } else if (trace) {
    const current = trace.current(replay.cursor);
    drawWalk(pen, replay, colour, placeOf("start"));
    if (current >= 0 && (trace.kind[current] & 127) === KIND.block) {
      const [x, y, w, hgt] = trace.block(current);
      for (const [width, stroke] of /** @type {[number, string][]} */ ([
        [5, paint.casing],
        [2.4, paint.current],
      ])) {
        pen.context.strokeStyle = stroke;
        pen.context.lineWidth = width;
        pen.context.strokeRect(pen.x(x), pen.y(y), w * pen.scale, hgt * pen.scale);
      }
    } else if (current >= 0 && trace.counts[KIND.moved] === 0) {
      drawChain(pen, replay, current, colour);
      const [x, y] = trace.position(trace.at[current]);
      pen.ring(x, y, paint.current);
    }
  }
  const hover = state.pointer.peek();
  if (hover && !state.dragging.peek() && trace && pen.scale >= 4) {
    const event = replay.eventAt(hover[0], hover[1]);
    if (event >= 0 && !finished) drawChain(pen, replay, event, paint.ink, 0.55);
  }
  const mark = marked.peek();
  if (mark) {
    pen.context.strokeStyle = paint.ink;
    pen.context.lineWidth = 2;
    pen.context.setLineDash([3, 3]);
    pen.context.strokeRect(pen.x(mark[0]), pen.y(mark[1]), pen.scale, pen.scale);
    pen.context.setLineDash([]);
  }
  pen.goalMark(...placeOf("goal"));
  pen.startMark(...placeOf("start"));
}

/** The paths of the other panes, where all are on one map; wider, so that they show beside this one's. */
function drawOtherPaths(/** @type {Pen} */ pen, /** @type {Pane} */ pane) {
  state.panes.peek().forEach((other, i) => {
    const points = other.planned.peek()?.points;
    const { routes } = pen.palette;
    if (other !== pane && points && points.length > 2)
      pen.cased(points, routes[i % routes.length], pen.routeWidth() * (2.6 - 0.4 * i), 0.9);
  });
}

/** The whole stage as one picture. @returns {Promise<Blob | null>} */
export function picture() {
  draw();
  return pictureOf(mapCanvas, overlay);
}

/** Forgets what was kept for a pane that is gone. @param {Pane} pane */
export function forgetPane(pane) {
  renderer.forget(pane.replay);
}

/** Starts drawing. */
export function startStage() {
  new ResizeObserver(() => {
    if (camera.fitted) fit();
    invalidate();
  }).observe(element);
  effect(() => {
    renderer.setPalette(palette(state.style.get(), state.dark.get()));
    invalidate();
  });
  effect(() => {
    for (const value of [
      state.map,
      state.start,
      state.goal,
      state.cursor,
      state.hover,
      state.pointer,
      state.marks,
      state.parents,
      state.numbers,
      state.structure,
      state.difference,
      state.overlaid,
      state.focus,
      state.view,
      state.brush,
      state.tool,
      state.dragging,
      state.edited,
      state.corners,
      state.rule,
      marked,
    ])
      value.get();
    for (const pane of state.panes.get()) {
      pane.planned.get();
      pane.layers.get();
    }
    invalidate();
  });
  effect(drawLabels);
}

/** The names of the panes and their results, where there are several. */
function drawLabels() {
  const panes = state.panes.get();
  const difference = state.difference.get() && panes.length > 1;
  state.cursor.get();
  const paint = palette(state.style.get(), state.dark.get());
  const view = state.view.get();
  if (panes.length < 2 || view === "units") return fill(labels);
  // In three dimensions all paths are in one picture, and the names stand below each other.
  const places =
    view === "search" && (difference || !state.overlaid.get())
      ? boxes()
      : panes.map((pane, i) => ({
          pane,
          box: { x: 0, y: 36 * i, width: Math.min(480, element.clientWidth), height: 36 },
        }));
  fill(
    labels,
    ...places.map(({ pane, box }) => {
      const number = panes.indexOf(pane);
      const planned = pane.planned.get();
      const trace = pane.replay.trace;
      const row = rowOf(pane);
      const next = panes[(number + 1) % panes.length];
      const title = difference ? `${label(pane.choice.get())} − ${label(next.choice.get())}` : label(pane.choice.get());
      const detail =
        pane.error.get() !== ""
          ? pane.error.get()
          : planned === null
            ? "…"
            : difference
              ? "orange: only the first · blue: only the second · grey: both"
              : `${planned.answer.path ? planned.answer.path.cost.toFixed(2) : planned.answer.status} · ` +
                (trace?.expansions ? `${count(trace.done(pane.replay.cursor, "expansion"))} of ` : "") +
                `${count(planned.answer.stats.expanded ?? 0)} expanded`;
      return h(
        `button.pane-label${number === state.focus.get() ? ".focus" : ""}`,
        {
          style: `left:${box.x}px;top:${box.y}px;max-width:${box.width - 16}px`,
          title: row?.summary ?? "",
          onclick: () => state.focus.set(number),
        },
        h("i", { style: `background:${paint.routes[number % paint.routes.length]}` }),
        h("b", {}, title),
        h("span", {}, detail),
      );
    }),
  );
}
