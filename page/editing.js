// Changes of the map and of the ends. The page paints its own copy at once and sends the same cells;
// the session's answer has the last word.

import { takeEdit, tellEffect } from "./crowd.js";
import { say } from "./dom.js";
import { loadLayers, replan } from "./planning.js";
import { endsAreCorners, focused, state } from "./state.js";
import { invalidate } from "./stage.js";

/** @typedef {import("./state.js").Cell} Cell */

/** Edits that the session has not answered yet, and what their answers would have overwritten. */
let pending = 0;
/** @type {{x0: number, y0: number, x1: number, y1: number} | null} */
let skipped = null;

/** Cells of a round brush drawn from one cell to another, without the two ends of the path. */
function brushed(/** @type {Cell} */ from, /** @type {Cell} */ to) {
  const map = state.map.peek();
  const radius = state.brush.peek();
  const [start, goal] = [state.start.peek(), state.goal.peek()];
  const steps = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]), 1);
  /** @type {Set<number>} */
  const cells = new Set();
  for (let step = 0; step <= steps; step++) {
    const x = Math.round(from[0] + ((to[0] - from[0]) * step) / steps);
    const y = Math.round(from[1] + ((to[1] - from[1]) * step) / steps);
    for (let v = y - radius; v <= y + radius; v++) {
      for (let u = x - radius; u <= x + radius; u++) {
        if ((u - x) ** 2 + (v - y) ** 2 > (radius + 0.3) ** 2 || !map.contains(u, v)) continue;
        if ((u === start[0] && v === start[1]) || (u === goal[0] && v === goal[1])) continue;
        cells.add(v * map.width + u);
      }
    }
  }
  return cells;
}

/** @param {any[]} changes @param {boolean} join @param {Record<string, Uint32Array>} columns */
function send(changes, join, columns) {
  const map = state.map.peek();
  state.original.edited = true;
  pending++;
  state.session
    .change(map, { op: "edit", changes, join }, columns, () => pending > 1)
    .then(
      ({ header }) => {
        const { x, y, width, height } = header.map.area;
        pending--;
        tellEffect(header.units, join);
        flash(header.map.area);
        if (pending > 0) {
          skipped = {
            x0: Math.min(skipped?.x0 ?? x, x),
            y0: Math.min(skipped?.y0 ?? y, y),
            x1: Math.max(skipped?.x1 ?? 0, x + width),
            y1: Math.max(skipped?.y1 ?? 0, y + height),
          };
        } else if (skipped !== null) {
          const { x0, y0, x1, y1 } = skipped;
          skipped = null;
          if (x1 > x0 && y1 > y0)
            void state.session
              .change(map, { op: "map", x: x0, y: y0, width: x1 - x0, height: y1 - y0 }, {}, () => pending > 0)
              .then(changed);
        }
        changed();
      },
      (error) => {
        pending--;
        say(error.message, "bad");
      },
    );
  replan();
  invalidate();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let fading;

/** Marks for a moment what was edited, where blocks are drawn. */
function flash(/** @type {{x: number, y: number, width: number, height: number}} */ area) {
  if (!state.structure.peek()) return;
  state.edited.set(area);
  clearTimeout(fading);
  fading = setTimeout(() => state.edited.set(null), 900);
}

/** Tells everybody that the map has changed inside. */
function changed() {
  state.map.touch();
  if (state.structure.peek() && !state.dragging.peek()) void loadLayers(focused());
}

export const edit = {
  /** @param {Cell} from @param {Cell} to @param {boolean} free @param {boolean} join */
  tile(from, to, free, join) {
    const map = state.map.peek();
    const cells = [...brushed(from, to)].filter(
      (cell) =>
        (map.shades[cell] !== 255) !== free || (free && state.tool.peek() === "erase" && map.shades[cell] !== 0),
    );
    if (cells.length === 0) return;
    for (const cell of cells) map.paint(cell, free);
    const paint =
      free && state.tool.peek() === "erase" && map.costs !== null ? { cost: 1 } : { tile: free ? "free" : "blocked" };
    send([{ shape: "cells", column: "cells", ...paint }], join, { cells: Uint32Array.from(cells) });
  },

  /** @param {Cell} from @param {Cell} to @param {number} factor @param {boolean} join */
  cost(from, to, factor, join) {
    const map = state.map.peek();
    const cells = [...brushed(from, to)];
    if (cells.length === 0) return;
    for (const cell of cells) map.paint(cell, true, factor);
    send([{ shape: "cells", column: "cells", cost: factor }], join, { cells: Uint32Array.from(cells) });
  },

  /** @param {Cell} from @param {Cell} to @param {number} metres @param {boolean} join */
  raise(from, to, metres, join) {
    const radius = Math.max(state.brush.peek(), 2);
    send(
      [{ shape: "stroke", points: from[0] === to[0] && from[1] === to[1] ? [to] : [from, to], radius, raise: metres }],
      join,
      {},
    );
  },
};

/** Drags an end to a cell; a blocked one stays where it was. @param {"start" | "goal"} end @param {Cell} cell */
export function moveEnd(end, cell) {
  const map = state.map.peek();
  const more = endsAreCorners() ? 1 : 0;
  const x = Math.min(Math.max(cell[0], 0), map.width - 1 + more),
    y = Math.min(Math.max(cell[1], 0), map.height - 1 + more);
  const place = end === "start" ? state.start : state.goal;
  const [ox, oy] = place.peek();
  if ((ox === x && oy === y) || (more === 0 && !map.isFree(x, y))) return;
  place.set([x, y]);
  replan();
}

/** @param {"undo" | "redo"} op */
export async function travel(op) {
  const map = state.map.peek();
  if (op === "undo" ? map.undo === 0 : map.redo === 0)
    return say(op === "undo" ? "There is nothing to undo." : "There is nothing to redo.");
  try {
    const frame = await state.session.change(map, { op });
    // A step may have been one of a door, which tells of all units.
    if (frame.columns.has("doors")) takeEdit(frame);
    else tellEffect(frame.header.units);
    changed();
    replan();
  } catch (error) {
    say(/** @type {Error} */ (error).message, "bad");
  }
}
