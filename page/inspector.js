// The cell under the pointer, and the head of the open list.

import { digits, fill, h, count } from "./dom.js";
import { best } from "./planning.js";
import { seek } from "./player.js";
import { effect } from "./signals.js";
import { focused, moves, spec, state } from "./state.js";
import { KIND, placeName } from "./trace.js";

/** @type {{key: string, facts: [string, string, string?][]} | null} */
let known = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;

/** What the session says of a cell, asked when the pointer rests. */
function askFacts(/** @type {[number, number]} */ cell, /** @type {() => void} */ then) {
  const pane = focused();
  const key = `${cell} ${spec(pane.choice.peek())} ${state.rule.peek()} ${state.map.peek().revision}`;
  if (known?.key === key) return known.facts;
  clearTimeout(asking);
  asking = setTimeout(async () => {
    if (state.dragging.peek() || state.playing.peek()) return;
    try {
      const { header } = await state.session.ask({
        op: "cell",
        cell,
        planner: spec(pane.choice.peek()),
        moves: moves(pane),
      });
      /** @type {[string, string, string?][]} */
      const facts = [];
      if (header.slope) facts.push(["steepest step", `${digits(header.slope * 100)} %`]);
      // Cells of the same number belong together; rectangles of the same number are alike.
      for (const { name, number, sharing, rect } of header.facts ?? []) {
        facts.push([
          name.replace(/s$/, ""),
          `no. ${number}`,
          rect ? `${count(sharing)} alike` : `${count(sharing)} cells`,
        ]);
      }
      known = { key, facts };
      then();
    } catch {
      known = { key, facts: [] };
    }
  }, 90);
  return [];
}

export function cellPanel() {
  const body = h("div");
  const show = () => {
    const cell = state.hover.get();
    state.cursor.get();
    const place = state.pointer.get();
    const pane = focused();
    pane?.planned.get();
    if (!cell || !place || !pane) return fill(body, h("p.muted", {}, "Point at a cell to see its g, h and f."));
    const map = state.map.get();
    const { replay } = pane;
    const trace = replay.trace;
    const event = trace ? replay.eventAt(place[0], place[1]) : -1;
    /** @type {[string, string, string?][]} */
    const rows = [["cell", `${cell[0]},${cell[1]}`, map.isFree(...cell) ? undefined : "blocked"]];
    if (map.costs !== null && map.isFree(...cell)) rows.push(["terrain", `× ${map.cost(...cell)}`]);
    if (map.heights !== null) rows.push(["height", `${digits(map.heights[cell[1] * map.width + cell[0]])} m`]);
    if (trace && event >= 0) {
      const kind = trace.kind[event] & 127;
      const g = trace.g[event],
        f = trace.f[event];
      const exact = (/** @type {number} */ value) => (trace.g instanceof Uint32Array ? count(value) : undefined);
      const number = (/** @type {number} */ value) => (value / trace.scale).toFixed(4);
      if (kind === KIND.raised) {
        rows.push(["h", number(f), `before ${number(g)}`]);
      } else {
        rows.push(["g", number(g), exact(g)], ["h", number(f - g), exact(f - g)], ["f", number(f), exact(f)]);
        const cost = best(pane, pane.planned.peek());
        if (cost > 0)
          rows.push([
            "f − C*",
            (f / trace.scale - cost).toFixed(4),
            f / trace.scale <= cost + 1e-9 ? "must be expanded" : "need not",
          ]);
      }
      const states = ["open", "open, improved", "expanded"];
      rows.push([
        "state",
        kind === KIND.raised ? "estimate raised" : (states[kind] ?? ""),
        `event ${count(event + 1)}`,
      ]);
      const parent = trace.parent(event);
      if (parent !== 0xffffffff) rows.push(["parent", placeName(trace.position(parent))]);
    }
    for (const fact of askFacts(cell, show)) rows.push(fact);
    fill(
      body,
      h(
        "dl.facts",
        { style: "margin-top:0" },
        rows.map(([name, value, note]) => [
          h("dt", {}, name),
          h("dd", {}, value, note ? h("small", {}, ` ${note}`) : null),
        ]),
      ),
    );
  };
  effect(show);
  return h("section", { "aria-label": "Cell", style: "min-height:98px" }, h("h2", {}, "Cell"), body);
}

export function openListPanel() {
  const body = h("div");
  const details = /** @type {HTMLDetailsElement} */ (h("details", { open: true }, h("summary", {}, "Open list"), body));
  let next = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let late;
  const show = () => {
    state.cursor.get();
    const pane = focused();
    pane?.planned.get();
    clearTimeout(late);
    if (state.dragging.get()) return;
    // A long trace is looked through at most ten times a second.
    const now = performance.now();
    if (now < next) {
      late = setTimeout(show, next - now);
      return;
    }
    const trace = pane?.replay.trace;
    if (!trace || !details.open) return;
    if (trace.hasBlocks)
      return fill(body, h("p.muted", {}, "The queue holds blocks, not cells; the trace shows them as they are taken."));
    const { head, length } = pane.replay.openList(8);
    next = performance.now() + 100;
    if (length === 0) return fill(body, h("p.muted", {}, "Nothing is open here."));
    const number = (/** @type {number} */ value) => (value / trace.scale).toFixed(3);
    fill(
      body,
      h(
        "table.list",
        {},
        h("tr", {}, ...["node", "f", "g", "h"].map((name) => h("th", {}, name))),
        ...head.map((event, i) =>
          h(
            `tr${(i > 0 && trace.f[event] === trace.f[head[i - 1]]) || (i + 1 < head.length && trace.f[event] === trace.f[head[i + 1]]) ? ".tie" : ""}`,
            {
              title: `opened by event ${event + 1}: click to go there`,
              onclick: () => seek(event + 1),
            },
            h("td", {}, placeName(trace.position(trace.at[event]))),
            h("td", {}, number(trace.f[event])),
            h("td", {}, number(trace.g[event])),
            h("td", {}, number(trace.f[event] - trace.g[event])),
          ),
        ),
      ),
      h(
        "p.muted",
        { style: "margin-top:5px" },
        length > head.length
          ? `and ${count(length - head.length)} more; ties are tinted, the one pushed last goes first`
          : "in the order of the queue",
      ),
    );
  };
  effect(show);
  details.addEventListener("toggle", show);
  return h("section", { "aria-label": "Open list" }, details);
}
