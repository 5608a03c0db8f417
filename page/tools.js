// The pointer on the stage: painting, dragging the ends, panning, zooming; mouse, pen and touch.

import { byId } from "./dom.js";
import { edit, moveEnd } from "./editing.js";
import { camera, invalidate, painters, paneAt } from "./stage.js";
import { endsAreCorners, placeOf, state } from "./state.js";
import { unitTools } from "./units_view.js";

/** @typedef {import("./state.js").Cell} Cell */
/** @typedef {"start" | "goal"} End */
/** @typedef {{kind: "pan"} | {kind: "units", shift: boolean} | {kind: "end", end: End} | {kind: "paint", free: boolean, tool: import("./state.js").Tool, last: Cell, first: boolean}} Drag */

const stage = byId("stage");
/** @type {Map<number, {x: number, y: number}>} */
const fingers = new Map();
/** @type {Drag | null} */
let drag = null;
let spaceHeld = false;

/** The end under a place of the screen. @returns {End | null} */
function endAt(/** @type {number} */ px, /** @type {number} */ py, reach = 0) {
  if (state.view.peek() === "units") return null;
  const { box } = paneAt(px, py);
  const near = (/** @type {End} */ end) => {
    const [sx, sy] = camera.toScreen(box, ...placeOf(end));
    return Math.hypot(sx - px, sy - py) <= Math.max(10 + reach, Math.min(camera.scale * 0.6, 18));
  };
  return near("goal") ? "goal" : near("start") ? "start" : null;
}

/** @param {import("./state.js").Tool} tool */
function isForUnits(tool) {
  return tool === "order" || tool === "place" || tool === "door";
}

/** @returns {Cell} */
function cellAt(/** @type {number} */ px, /** @type {number} */ py) {
  const [x, y] = camera.toMap(paneAt(px, py).box, px, py);
  return [Math.floor(x), Math.floor(y)];
}

/** @returns {[number, number]} */
function local(/** @type {PointerEvent | WheelEvent} */ event) {
  const frame = stage.getBoundingClientRect();
  return [event.clientX - frame.left, event.clientY - frame.top];
}

function down(/** @type {PointerEvent} */ event) {
  if (event.target instanceof Element && event.target.closest("button, a, input, select")) return;
  const [px, py] = local(event);
  fingers.set(event.pointerId, { x: px, y: py });
  stage.setPointerCapture(event.pointerId);
  stage.focus({ preventScroll: true });
  if (fingers.size === 2) {
    finish();
    drag = { kind: "pan" };
    return;
  }
  const { pane } = paneAt(px, py);
  const number = state.panes.peek().indexOf(pane);
  if (number >= 0 && !state.difference.peek()) state.focus.set(number);
  const map = state.map.peek();
  const cell = cellAt(px, py);
  const end = endAt(px, py, event.pointerType === "touch" ? 10 : 0);
  const tool = state.tool.peek();
  if (event.button === 1 || event.button === 2 || spaceHeld || (tool === "hand" && end === null)) {
    drag = { kind: "pan" };
  } else if (end !== null) {
    drag = { kind: "end", end };
    state.dragging.set(true);
  } else if (!map.contains(...cell)) {
    drag = { kind: "pan" };
  } else if (isForUnits(tool)) {
    drag = { kind: "units", shift: event.shiftKey };
    unitTools.down(camera.toMap(paneAt(px, py).box, px, py));
  } else if (tool === "ends") {
    // Shift sets the start, a plain click the goal.
    drag = { kind: "end", end: event.shiftKey ? "start" : "goal" };
    state.dragging.set(true);
    moveEnd(drag.end, cell);
  } else {
    // The first cell decides whether walls are drawn or erased.
    const free = tool === "wall" ? !map.isFree(...cell) : true;
    drag = { kind: "paint", free, tool, last: cell, first: true };
    state.dragging.set(true);
    paint(drag, cell, event.shiftKey);
  }
  cursorShape(px, py);
  event.preventDefault();
}

function move(/** @type {PointerEvent} */ event) {
  const [px, py] = local(event);
  const before = fingers.get(event.pointerId);
  if (before && fingers.size === 2) {
    const [a, b] = [...fingers.values()];
    const old = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, span: Math.hypot(a.x - b.x, a.y - b.y) };
    Object.assign(before, { x: px, y: py });
    const [c, d] = [...fingers.values()];
    const now = { x: (c.x + d.x) / 2, y: (c.y + d.y) / 2, span: Math.hypot(c.x - d.x, c.y - d.y) };
    const { box } = paneAt(now.x, now.y);
    camera.pan(now.x - old.x, now.y - old.y);
    camera.zoom(box, now.x, now.y, now.span / Math.max(old.span, 1));
    invalidate();
    return;
  }
  const cell = cellAt(px, py);
  const map = state.map.peek();
  state.hover.set(map.contains(...cell) ? same(state.hover.peek(), cell) : null);
  state.pointer.set(map.contains(...cell) ? camera.toMap(paneAt(px, py).box, px, py) : null);
  if (!before) return cursorShape(px, py);
  if (drag?.kind === "pan") {
    camera.pan(px - before.x, py - before.y);
    invalidate();
  } else if (drag?.kind === "end") {
    const [x, y] = camera.toMap(paneAt(px, py).box, px, py);
    moveEnd(drag.end, endsAreCorners() ? [Math.round(x), Math.round(y)] : cell);
  } else if (drag?.kind === "units") {
    unitTools.move(camera.toMap(paneAt(px, py).box, px, py));
  } else if (drag?.kind === "paint") {
    paint(drag, cell, event.shiftKey);
  }
  Object.assign(before, { x: px, y: py });
}

function up(/** @type {PointerEvent} */ event) {
  fingers.delete(event.pointerId);
  if (drag?.kind === "units") unitTools.up(camera.scale, drag.shift);
  if (fingers.size === 0) finish();
}

function finish() {
  drag = null;
  state.dragging.set(false);
}

/** Keeps the old pair if it is the same cell, so that nobody is told. */
function same(/** @type {Cell | null} */ old, /** @type {Cell} */ cell) {
  return old && old[0] === cell[0] && old[1] === cell[1] ? old : cell;
}

/** Paints from the last cell to this one. */
function paint(
  /** @type {Extract<Drag, {kind: "paint"}>} */ stroke,
  /** @type {Cell} */ cell,
  /** @type {boolean} */ shift,
) {
  const join = !stroke.first;
  stroke.first = false;
  if (stroke.tool === "height") {
    edit.raise(stroke.last, cell, shift ? -state.raise.peek() : state.raise.peek(), join);
  } else if (stroke.tool === "cost") {
    edit.cost(stroke.last, cell, shift ? 1 : state.factor.peek(), join);
  } else {
    edit.tile(stroke.last, cell, stroke.free, join);
  }
  stroke.last = cell;
}

function cursorShape(/** @type {number} */ px, /** @type {number} */ py) {
  const tool = state.tool.peek();
  stage.style.cursor =
    drag?.kind === "pan" ? "grabbing" : spaceHeld || tool === "hand" ? "grab" : endAt(px, py) ? "move" : "crosshair";
}

function wheel(/** @type {WheelEvent} */ event) {
  if (event.target instanceof Element && event.target.closest("#labels button")) return;
  event.preventDefault();
  const [px, py] = local(event);
  const { box } = paneAt(px, py);
  // A pinch arrives as a wheel with Ctrl and finer steps.
  const lines = event.deltaMode === 1 ? 32 : 1;
  camera.zoom(box, px, py, Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)));
  invalidate();
}

/** The brush under the pointer. */
painters.push((pen) => {
  const cell = state.hover.peek();
  const tool = state.tool.peek();
  if (!cell || drag?.kind === "pan" || drag?.kind === "end" || tool === "hand" || tool === "order") return;
  const radius = tool === "ends" || tool === "door" ? 0 : state.brush.peek();
  pen.context.strokeStyle = pen.palette.ink;
  pen.context.globalAlpha = 0.55;
  pen.context.lineWidth = 1.5;
  pen.context.beginPath();
  if (radius === 0) {
    pen.context.rect(pen.x(cell[0]) + 0.5, pen.y(cell[1]) + 0.5, pen.scale - 1, pen.scale - 1);
  } else {
    pen.context.arc(pen.x(cell[0] + 0.5), pen.y(cell[1] + 0.5), (radius + 0.5) * pen.scale, 0, 2 * Math.PI);
  }
  pen.context.stroke();
  pen.context.globalAlpha = 1;
});

/** While Space is held the hand is in use; a short press plays. @param {boolean} held */
export function holdSpace(held) {
  spaceHeld = held;
  stage.style.cursor = held ? "grab" : "crosshair";
}

/** Whether the pointer is doing something. */
export function isBusy() {
  return drag !== null;
}

export function startTools() {
  stage.addEventListener("pointerdown", down);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", up);
  stage.addEventListener("pointercancel", up);
  stage.addEventListener("pointerleave", () => {
    if (fingers.size > 0) return;
    state.hover.set(null);
    state.pointer.set(null);
  });
  stage.addEventListener("wheel", wheel, { passive: false });
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  stage.addEventListener("dblclick", (event) => event.preventDefault());
}
