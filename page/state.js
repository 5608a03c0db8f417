// Everything the page knows, as signals; who changes what is written beside it.

import { GridMap } from "./grid_map.js";
import { Replay } from "./replay.js";
import { signal } from "./signals.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./session.js").Hello} Hello */
/** @typedef {import("./session.js").Planned} Planned */
/** @typedef {import("./session.js").Answer} Answer */
/** @typedef {import("./session.js").Layer} Layer */
/** @typedef {import("./session.js").Planner} Planner */
/** @typedef {[number, number]} Cell */
/** @typedef {"hand" | "ends" | "wall" | "cost" | "height" | "erase" | "order" | "place" | "door"} Tool */
/** @typedef {"search" | "terrain" | "units"} View */
/** @typedef {"expansions" | "share" | "f"} Lock how the clocks of panes are tied to each other */
/** @typedef {{name: string, values: Record<string, string>, flat?: boolean}} Choice a planner with its parameters; flat: it ignores heights */
/**
 * Where a map came from, so that a link need not hold it.
 * @typedef {{kind: "example", name: string} | {kind: "generate", fields: Record<string, any>}
 *   | {kind: "new", width: number, height: number} | {kind: "file", name: string}} Source
 */

/** One planner on the stage. */
export class Pane {
  /** @param {Choice} choice */
  constructor(choice) {
    /** Set by the planner panel. */
    this.choice = signal(choice);
    /** The last answer, with its trace. Set by planning. @type {import("./signals.js").Signal<Planned | null>} */
    this.planned = signal(/** @type {Planned | null} */ (null));
    /** Times measured at rest, and the optimum. Set by planning. */
    this.measured = signal(/** @type {Answer | null} */ (null));
    /** What the last edit cost this planner. Set by planning. */
    this.repair = signal(/** @type {Answer | null} */ (null));
    /** Why there is no answer. */
    this.error = signal("");
    this.busy = signal(false);
    /** What the planner prepared. @type {import("./signals.js").Signal<Layer[]>} */
    this.layers = signal(/** @type {Layer[]} */ ([]));
    this.replay = new Replay();
  }
}

export const state = {
  /** @type {Session} */
  session: /** @type {any} */ (null),
  hello: signal(/** @type {Hello} */ (/** @type {any} */ (null))),

  map: signal(new GridMap(1, 1, "")),
  source: signal(/** @type {Source} */ ({ kind: "new", width: 1, height: 1 })),
  /** The map as it came, to tell what was edited. */
  original: { shades: new Uint8Array(0), edited: false },
  start: signal(/** @type {Cell} */ ([0, 0])),
  goal: signal(/** @type {Cell} */ ([0, 0])),

  /** Whether the ends are the upper left corners of their cells and not the middles (any-angle rules). */
  corners: signal(false),
  smooth: signal(true),

  rule: signal("eight"),
  nearest: signal(false),
  weight: signal(/** @type {number | null} */ (null)),
  heuristic: signal(/** @type {string | null} */ (null)),
  /** On maps with heights: the steepest way, and what a metre up costs. */
  slope: signal({ climb: 0, limit: 0 }),

  panes: signal([new Pane({ name: "astar", values: {} })]),
  focus: signal(0),
  difference: signal(false),
  /** Whether all paths are drawn on one map. */
  overlaid: signal(false),
  lock: signal(/** @type {Lock} */ ("expansions")),

  /** How many events of the focused pane's trace have happened; see the player. */
  cursor: signal(0),
  playing: signal(false),
  /** Doublings relative to "the whole search in four seconds". */
  speed: signal(0),
  /** @type {import("./signals.js").Signal<import("./trace.js").Unit>} */
  unit: signal(/** @type {import("./trace.js").Unit} */ ("expansion")),

  tool: signal(/** @type {Tool} */ ("wall")),
  brush: signal(0),
  factor: signal(4),
  raise: signal(8),
  hover: signal(/** @type {Cell | null} */ (null)),
  /** The exact place under the pointer. */
  pointer: signal(/** @type {Cell | null} */ (null)),
  /** What was edited a moment ago. */
  edited: signal(/** @type {{x: number, y: number, width: number, height: number} | null} */ (null)),
  /** Whether something is being dragged or painted. */
  dragging: signal(false),

  view: signal(/** @type {View} */ ("search")),
  shade: signal(/** @type {import("./trace.js").Shade} */ ("order")),
  numbers: signal(true),
  parents: signal(false),
  marks: signal(true),
  structure: signal(false),
  heatScale: signal(false),
  style: signal("picture"),
  dark: signal(false),
};

/** The pane that has the focus. */
export function focused() {
  const panes = state.panes.get();
  return panes[Math.min(state.focus.get(), panes.length - 1)];
}

/** The registry's row of a pane's planner. @param {Pane} pane @returns {Planner | undefined} */
export function rowOf(pane) {
  return state.hello.get()?.planners.find((planner) => planner.name === pane.choice.get().name);
}

/** A planner as it is written on the command line: jps, block-astar:block=4. @param {Choice} choice */
export function spec({ name, values }) {
  return [name, ...Object.entries(values).map(([key, value]) => `${key}=${value}`)].join(":");
}

/** The same for people and for links, which says if it ignores heights. @param {Choice} choice */
export function label(choice) {
  return choice.flat ? `${spec(choice)} (flat)` : spec(choice);
}

/** @param {string} text @returns {Choice} */
export function readSpec(text) {
  const [name, ...rest] = text.replace(" (flat)", "").split(":");
  const flat = text.endsWith(" (flat)") ? { flat: true } : {};
  return {
    name,
    ...flat,
    values: Object.fromEntries(rest.map((part) => part.split("=")).filter((part) => part.length === 2)),
  };
}

/** Whether ends are corners of cells now. */
export function endsAreCorners() {
  return state.corners.peek() && state.rule.peek().startsWith("any-angle");
}

/** Where an end is in the plane. @param {"start" | "goal"} end @returns {[number, number]} */
export function placeOf(end) {
  const [x, y] = state[end].peek();
  return endsAreCorners() ? [x, y] : [x + 0.5, y + 0.5];
}

/** The movement rule of a pane as the session wants it. @param {Pane} pane */
export function moves(pane) {
  const map = state.map.peek();
  const slope = state.slope.peek();
  const rule = state.rule.peek();
  if (map.heights === null || pane.choice.peek().flat) return rule;
  /** @type {Record<string, number>} */
  const about = { cell_size: map.cellSize };
  if (slope.climb > 0) about.climb = slope.climb;
  if (slope.limit > 0) Object.assign(about, { max_climb: slope.limit, max_descent: slope.limit });
  return { rule, slope: about };
}
