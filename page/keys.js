// Everything by keyboard.

import { changeBrush, cycleTheme, tools } from "./bar.js";
import { crowd } from "./crowd.js";
import { marked, active, toggle } from "./breakpoints.js";
import { toggleCompare, toggleDifference } from "./compare.js";
import { isOpen } from "./dialogs.js";
import { byId } from "./dom.js";
import { moveEnd, travel } from "./editing.js";
import { helpDialog } from "./help.js";
import { mapDialog } from "./maps.js";
import { seek, step, togglePlay } from "./player.js";
import { bigUnit, changeSpeed, unit } from "./scrubber.js";
import { boxes, camera, fit, invalidate } from "./stage.js";
import { state } from "./state.js";
import { holdSpace, isBusy } from "./tools.js";
import { changePace, stepTick, toggleRunning } from "./units_view.js";
import { nextHit, nextShade, toggleStructure } from "./view_panel.js";
import { invalidateTerrain, orbit, zoom } from "./terrain_view.js";

const flip = (/** @type {import("./signals.js").Signal<boolean>} */ value) => value.update((on) => !on);

/** @type {Record<string, (event: KeyboardEvent) => void>} */
const ACTIONS = {
  Home: () => seek(0),
  End: () => seek(Infinity),
  "[": () => changeSpeed(-1),
  "]": () => changeSpeed(1),
  ",": () => changeBrush(-1),
  ".": () => changeBrush(1),
  "?": helpDialog,
  "+": () => zoomBy(1.25),
  "=": () => zoomBy(1.25),
  "-": () => zoomBy(0.8),
  b: () => {
    const cell = state.hover.peek();
    if (cell === null) return marked.set(null);
    const same = marked.peek()?.join() === cell.join();
    marked.set(same ? null : cell);
    if (active.peek().has("cell") === same) toggle("cell");
  },
  n: nextHit,
  s: () => endHere("start"),
  g: () => endHere("goal"),
  p: () => {
    byId("side").classList.add("up");
    byId("planner").focus();
  },
  c: toggleCompare,
  d: toggleDifference,
  h: nextShade,
  v: () => flip(state.numbers),
  t: () => flip(state.parents),
  m: () => flip(state.marks),
  r: toggleStructure,
  f: fit,
  o: mapDialog,
  l: cycleTheme,
  w: () => pan(0, 1),
  a: () => pan(1, 0),
  x: () => pan(0, -1),
  z: () => pan(-1, 0),
  Escape: () => {
    byId("side").classList.remove("up");
    byId("tour").hidden = true;
  },
};

/** Nothing on the living map. */
const idle = () => {};

/** What keys do on the living map instead. @type {Record<string, (event: KeyboardEvent) => void>} */
const UNIT_ACTIONS = {
  "[": () => changePace(-1),
  "]": () => changePace(1),
  h: () => flip(crowd.heat),
  Escape: () => {
    ACTIONS.Escape(/** @type {any} */ (null));
    crowd.selection.set(new Set());
  },
  ...Object.fromEntries(["Home", "End", "b", "n", "s", "g", "p", "c", "d", "v", "t", "m", "r"].map((key) => [key, idle])),
};

/** Moves the map by a tenth of the stage. */
function pan(/** @type {number} */ dx, /** @type {number} */ dy) {
  const { box } = boxes()[0];
  camera.pan((dx * box.width) / 10, (dy * box.height) / 10);
  invalidate();
}

function zoomBy(/** @type {number} */ factor) {
  if (state.view.peek() === "terrain") {
    zoom(1 / factor);
    return invalidateTerrain();
  }
  const { box } = boxes()[0];
  camera.zoom(box, box.x + box.width / 2, box.y + box.height / 2, factor);
  invalidate();
}

/** Puts an end where the pointer is. */
function endHere(/** @type {"start" | "goal"} */ end) {
  const cell = state.hover.peek();
  if (cell) moveEnd(end, cell);
}

function arrow(/** @type {KeyboardEvent} */ event) {
  const direction = event.key === "ArrowRight" ? 1 : -1;
  if (state.view.peek() === "units") {
    if (event.key === "ArrowRight") stepTick();
    return event.preventDefault();
  }
  if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    if (state.view.peek() !== "terrain") return;
    orbit.elevation = Math.min(Math.max(orbit.elevation + (event.key === "ArrowUp" ? 0.08 : -0.08), 0.08), 1.55);
    invalidateTerrain();
  } else if (state.view.peek() === "terrain" && !event.shiftKey && !event.altKey) {
    orbit.azimuth += 0.1 * direction;
    invalidateTerrain();
  } else {
    step(event.shiftKey ? "expansion" : event.altKey ? bigUnit() : event.ctrlKey ? "event" : unit(), direction);
  }
  event.preventDefault();
}

let spaceDown = 0;
let spacePanned = false;

function down(/** @type {KeyboardEvent} */ event) {
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (isOpen() || target.matches("input:not([type=checkbox]), textarea, select")) return;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "z") void travel(event.shiftKey ? "redo" : "undo");
    else if (key === "y") void travel("redo");
    else if (event.key.startsWith("Arrow")) return arrow(event);
    else return;
    event.preventDefault();
    return;
  }
  if (event.key.startsWith("Arrow")) return arrow(event);
  if (event.key === " ") {
    // On a button Space presses it.
    if (target.closest("button, summary, label")) return;
    event.preventDefault();
    if (event.repeat) return;
    spaceDown = performance.now();
    spacePanned = false;
    holdSpace(true);
    return;
  }
  if (event.altKey) return;
  const tool = /^[1-9]$/.test(event.key) ? tools()[Number(event.key) - 1] : undefined;
  if (tool) return state.tool.set(tool[0]);
  const key = event.key in ACTIONS ? event.key : event.key.toLowerCase();
  const act = state.view.peek() === "units" && key in UNIT_ACTIONS ? UNIT_ACTIONS[key] : ACTIONS[key];
  if (act) {
    act(event);
    if (event.key.length > 1 || event.key === "p") event.preventDefault();
  }
}

function up(/** @type {KeyboardEvent} */ event) {
  if (event.key !== " " || spaceDown === 0) return;
  holdSpace(false);
  if (!spacePanned) (state.view.peek() === "units" ? toggleRunning : togglePlay)();
  spaceDown = 0;
}

export function startKeys() {
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  byId("stage").addEventListener("pointerdown", () => (spacePanned = spaceDown > 0 && isBusy()));
}
