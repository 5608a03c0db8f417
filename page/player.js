// The clock: playing, stepping and scrubbing the focused pane; other panes follow by the lock.

import { hits } from "./breakpoints.js";
import { focused, state } from "./state.js";
import { lowerBound } from "./trace.js";

/** @typedef {import("./trace.js").Unit} Unit */
/** @typedef {import("./trace.js").Trace} Trace */

/** Seconds that a whole search takes at speed 0. */
const WHOLE = 4;
let exact = 0;
let lastFrame = 0;

/** The trace that the clock belongs to. @returns {Trace | null} */
export function trace() {
  return focused()?.replay.trace ?? null;
}

/** Goes to a number of events. @param {number} cursor */
export function seek(cursor) {
  const pane = focused();
  const own = pane?.replay.trace;
  if (!own) return;
  const target = Math.min(Math.max(Math.round(cursor), 0), own.count);
  pane.replay.seek(target);
  for (const other of state.panes.peek()) {
    const theirs = other.replay.trace;
    if (other !== pane && theirs) other.replay.seek(follow(own, target, theirs));
  }
  state.cursor.set(target);
}

/** Where another trace is when this one is at a cursor. */
function follow(/** @type {Trace} */ own, /** @type {number} */ cursor, /** @type {Trace} */ other) {
  const lock = state.lock.peek();
  if (cursor === 0) return 0;
  if (lock === "share" || own.expansions === 0) return Math.round((cursor / Math.max(own.count, 1)) * other.count);
  if (lock === "expansions") {
    const done = own.done(cursor, "expansion");
    if (done >= other.expansions) return other.count;
    return done === 0 ? 0 : other.lists.expansion[done - 1];
  }
  // Equal f: as far as the other goes without expanding anything dearer.
  const current = own.current(cursor);
  if (current < 0) return 0;
  if (cursor === own.count) return other.count;
  const bound = (highest(own, current) / own.scale) * other.scale;
  const layers = other.lists.layer;
  let at = lowerBound(layers, 0);
  while (at < layers.length && other.f[layers[at] - 1] <= bound * (1 + 1e-12)) at++;
  return at < layers.length ? layers[at] - 1 : other.count;
}

/** The largest f expanded so far. */
function highest(/** @type {Trace} */ own, /** @type {number} */ event) {
  const at = own.done(event + 1, "layer");
  return at > 0 ? own.f[own.lists.layer[at - 1] - 1] : 0;
}

/** @param {Unit} unit @param {1 | -1} direction */
export function step(unit, direction) {
  state.playing.set(false);
  const own = trace();
  if (own) seek(own.step(state.cursor.peek(), unit, direction));
}

export function togglePlay() {
  const own = trace();
  if (!own) return;
  if (state.playing.peek()) {
    state.playing.set(false);
    return;
  }
  if (state.cursor.peek() >= own.count) seek(0);
  exact = state.cursor.peek();
  lastFrame = 0;
  state.playing.set(true);
  requestAnimationFrame(frame);
}

/** Events per second. */
function rate(/** @type {Trace} */ own) {
  return Math.max((own.count / WHOLE) * 2 ** state.speed.peek(), 0.5);
}

function frame(/** @type {number} */ now) {
  if (!state.playing.peek()) return;
  const own = trace();
  if (!own) return state.playing.set(false);
  if (Math.abs(exact - state.cursor.peek()) > 1) exact = state.cursor.peek();
  if (lastFrame > 0) exact += (Math.min(now - lastFrame, 250) / 1000) * rate(own);
  lastFrame = now;
  const stops = hits();
  const from = state.cursor.peek();
  const next = stops[lowerBound(stops, from + 1)];
  if (next !== undefined && next <= exact) {
    seek(next);
    state.playing.set(false);
    return;
  }
  if (exact >= own.count) {
    seek(own.count);
    state.playing.set(false);
    return;
  }
  seek(Math.floor(exact));
  requestAnimationFrame(frame);
}

/** How fast it plays, in words. */
export function speedName() {
  const speed = state.speed.get();
  const seconds = WHOLE / 2 ** speed;
  return seconds >= 1 ? `in ${+seconds.toFixed(0)} s` : `in ${seconds.toFixed(seconds < 0.1 ? 2 : 1)} s`;
}
