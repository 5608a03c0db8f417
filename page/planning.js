// Asks for paths. At most one request per pane is under way; what changes meanwhile is asked for when
// the answer is there, so that dragging never builds up a queue. The focused pane is asked while the
// mouse moves, the others when it rests; times and the optimum are measured when all is still.

import { endsAreCorners, focused, moves, placeOf, rowOf, spec, state } from "./state.js";

/** @typedef {import("./state.js").Pane} Pane */

/**
 * Events that a search may record while something is being dragged, and all panes together at rest: with
 * what the page adds an event takes 31 bytes, so traces stay below 124 MB.
 */
const LIVE_EVENTS = 120_000;
const REST_EVENTS = 4_000_000;
const REST_AFTER = 120;

/** @type {WeakMap<Pane, {busy: boolean, wanted: "live" | "rest" | null}>} */
const jobs = new WeakMap();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** An end as the session wants it. @param {"start" | "goal"} end */
function asked(end) {
  const [x, y] = placeOf(end);
  return endsAreCorners() ? { x, y } : state[end].peek();
}

/** The fields of a plan for a pane. @param {Pane} pane */
export function question(pane) {
  /** @type {Record<string, any>} */
  const fields = {
    planner: spec(pane.choice.peek()),
    moves: moves(pane),
    start: asked("start"),
    goal: asked("goal"),
  };
  if (!state.smooth.peek()) fields.smooth = false;
  if (state.nearest.peek()) fields.nearest = true;
  const row = rowOf(pane);
  const weight = state.weight.peek(),
    heuristic = state.heuristic.peek();
  if (weight !== null && row?.weight) fields.weight = weight;
  if (heuristic !== null) fields.heuristic = heuristic;
  return fields;
}

/** Asks again for what is shown: the focused pane at once, the others and the times soon. */
export function replan() {
  // On the living map nobody looks at a search.
  if (state.view.peek() === "units") return;
  const pane = focused();
  if (pane) want(pane, state.dragging.peek() ? "live" : "rest");
  if (!state.dragging.peek()) {
    for (const other of state.panes.peek()) if (other !== pane) want(other, "rest");
  }
  measureSoon();
}

/** Resolves when every pane has the answer to what is asked now. @returns {Promise<void>} */
export async function settled() {
  for (let waited = 0; waited < 600; waited++) {
    await new Promise((resolve) => setTimeout(resolve, 16));
    if (state.panes.peek().every((pane) => !(jobs.get(pane)?.busy ?? true))) return;
  }
}

/** Measures when nothing has changed for a moment. */
function measureSoon() {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const busy = state.panes.peek().some((pane) => jobs.get(pane)?.busy);
    if (busy || state.dragging.peek() || state.playing.peek()) return measureSoon();
    for (const pane of state.panes.peek()) void measure(pane);
  }, REST_AFTER);
}

/** @param {Pane} pane @param {"live" | "rest"} kind */
function want(pane, kind) {
  let job = jobs.get(pane);
  if (!job) jobs.set(pane, (job = { busy: false, wanted: null }));
  job.wanted = kind;
  if (!job.busy) void work(pane, job);
}

/** @param {Pane} pane @param {{busy: boolean, wanted: "live" | "rest" | null}} job */
async function work(pane, job) {
  job.busy = true;
  const spinner = setTimeout(() => pane.busy.set(true), 150);
  while (job.wanted !== null) {
    const live = job.wanted === "live";
    job.wanted = null;
    const map = state.map.peek();
    const limit = Math.min(
      live ? LIVE_EVENTS : Math.floor(REST_EVENTS / state.panes.peek().length),
      state.hello.peek().limits.trace,
    );
    try {
      const planned = await state.session.plan(
        { ...question(pane), measure: live ? 0 : 1, trace: { limit, brief: live && state.shade.peek() === "order" } },
        map,
      );
      if (map !== state.map.peek()) continue;
      pane.error.set("");
      const { arrived } = state.session;
      show(pane, planned);
      // After the panels, which are told of changes before this.
      queueMicrotask(() => {
        answerTimes.push(performance.now() - arrived);
        if (answerTimes.length > 60) answerTimes.shift();
      });
    } catch (error) {
      pane.error.set(error instanceof Error ? error.message : String(error));
      pane.measured.set(null);
      show(pane, null);
    }
  }
  clearTimeout(spinner);
  pane.busy.set(false);
  job.busy = false;
}

/** Milliseconds that the page spent on the last answers, from their bytes to all panels but the drawing. */
export const answerTimes = /** @type {number[]} */ ([]);

/** Takes over an answer; the cursor stays where it was, relative to the whole. */
function show(/** @type {Pane} */ pane, /** @type {import("./session.js").Planned | null} */ planned) {
  const map = state.map.peek();
  const before = pane.replay.trace?.count ?? 0;
  const share = before === 0 ? 1 : pane.replay.cursor / before;
  const count = planned?.trace?.count ?? 0;
  const cursor = share >= 1 || state.dragging.peek() ? count : Math.round(share * count);
  pane.replay.setTrace(planned?.trace ?? null, state.shade.peek(), best(pane, planned), map.width, map.height);
  pane.replay.seek(cursor);
  pane.planned.set(planned);
  if (planned?.answer.times.update) pane.repair.set(planned.answer);
  if (pane === state.panes.peek()[state.focus.peek()]) {
    state.cursor.set(cursor);
    state.cursor.touch();
  }
}

/** The cost of the cheapest path that is known. @param {Pane} pane @param {import("./session.js").Planned | null} planned */
export function best(pane, planned) {
  return pane.measured.peek()?.optimum?.cost ?? planned?.answer.path?.cost ?? 0;
}

/** @param {Pane} pane */
async function measure(pane) {
  if (pane.error.peek() !== "") return;
  const fields = question(pane);
  try {
    const { answer } = await state.session.plan(
      { ...fields, measure: 25, measure_time: 40_000, optimum: true },
      state.map.peek(),
    );
    if (JSON.stringify(question(pane)) === JSON.stringify(fields)) pane.measured.set(answer);
  } catch {
    pane.measured.set(null);
  }
}

/** Asks what a pane's planner prepared, for drawing. @param {Pane} pane */
export async function loadLayers(pane) {
  try {
    pane.layers.set(await state.session.structure(spec(pane.choice.peek()), moves(pane)));
  } catch {
    pane.layers.set([]);
  }
}
