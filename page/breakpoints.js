// Breakpoints in words: where in a trace something happens, counted before it is played.

import { focused, state } from "./state.js";
import { signal } from "./signals.js";
import { KIND } from "./trace.js";

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {{id: string, words: string, test: (trace: Trace, event: number, cell: number) => boolean}} Breakpoint */

const kindOf = (/** @type {Trace} */ trace, /** @type {number} */ event) => trace.kind[event] & 127;

/** @type {Breakpoint[]} */
export const BREAKPOINTS = [
  {
    id: "improved",
    words: "a cheaper way to an open node is found",
    test: (t, i) => kindOf(t, i) === KIND.improved && t.before[i] >= 0 && kindOf(t, t.before[i]) < KIND.expanded,
  },
  {
    id: "reopened",
    words: "an expanded node is opened again",
    test: (t, i) => kindOf(t, i) <= KIND.improved && t.before[i] >= 0 && kindOf(t, t.before[i]) === KIND.expanded,
  },
  {
    id: "dropped",
    words: "f falls: a node with a lower f than its parent’s is opened",
    test: (t, i) => {
      if (kindOf(t, i) > KIND.improved) return false;
      const parent = lastExpansion(t, i);
      return parent >= 0 && t.f[i] < t.f[parent] * (1 - 1e-9);
    },
  },
  {
    id: "layer",
    words: "a higher f is expanded for the first time",
    test: (t, i) => kindOf(t, i) === KIND.expanded && t.done(i + 1, "layer") > t.done(i, "layer"),
  },
  { id: "raised", words: "an estimate is raised", test: (t, i) => kindOf(t, i) === KIND.raised },
  { id: "blind", words: "a look is blocked", test: (t, i) => kindOf(t, i) === KIND.blind },
  { id: "moved", words: "the agent moves", test: (t, i) => kindOf(t, i) === KIND.moved },
  {
    id: "round",
    words: "a round or level begins",
    test: (t, i) => kindOf(t, i) === KIND.round || kindOf(t, i) === KIND.level,
  },
  {
    id: "cell",
    words: "something happens at the marked cell (B marks it)",
    test: (t, i, cell) => cell >= 0 && t.nodes[i] === cell,
  },
];

/** The ids of those that are on. */
export const active = signal(/** @type {Set<string>} */ (new Set()));
/** The cell of the last one, in map coordinates. */
export const marked = signal(/** @type {[number, number] | null} */ (null));

/** @type {{trace: Trace, key: string, stops: number[]} | null} */
let cache = null;
/** @type {{trace: Trace, counts: Map<string, number>, cell: string} | null} */
let counted = null;

function lastExpansion(/** @type {Trace} */ trace, /** @type {number} */ event) {
  return trace.current(event);
}

function markedNode(/** @type {Trace} */ trace) {
  const cell = marked.peek();
  return cell === null ? -1 : cell[1] * trace.width + cell[0];
}

/** The cursors where the focused trace stops. @returns {number[]} */
export function hits() {
  const trace = focused()?.replay.trace ?? null;
  const on = active.get();
  if (trace === null || on.size === 0) return [];
  const key = `${[...on].sort().join()} ${marked.get()}`;
  if (cache?.trace === trace && cache.key === key) return cache.stops;
  const tests = BREAKPOINTS.filter(({ id }) => on.has(id));
  const cell = markedNode(trace);
  const stops = [];
  for (let event = 0; event < trace.count; event++) {
    if (tests.some(({ test }) => test(trace, event, cell))) stops.push(event + 1);
  }
  cache = { trace, key, stops };
  return stops;
}

/** How often each would stop. @returns {Map<string, number>} */
export function countAll() {
  state.cursor.get();
  const trace = focused()?.replay.trace ?? null;
  const cell = String(marked.get());
  if (trace === null) return new Map();
  if (counted?.trace === trace && counted.cell === cell) return counted.counts;
  const counts = new Map(BREAKPOINTS.map(({ id }) => [id, 0]));
  const node = markedNode(trace);
  for (let event = 0; event < trace.count; event++) {
    for (const { id, test } of BREAKPOINTS) if (test(trace, event, node)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  counted = { trace, counts, cell };
  return counts;
}

/** @param {string} id */
export function toggle(id) {
  active.update((old) => {
    const now = new Set(old);
    if (!now.delete(id)) now.add(id);
    return now;
  });
}
