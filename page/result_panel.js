// The answer: what the path costs, whether it is legal and the cheapest, and what it took.

import { count, digits, duration, fill, h, size, byId } from "./dom.js";
import { effect } from "./signals.js";
import { focused, label, state } from "./state.js";

/** @typedef {import("./session.js").Answer} Answer */

const STATUS = /** @type {Record<string, string>} */ ({
  "no-path": "no path",
  "limit-reached": "limit reached",
  nearest: "as near as possible",
  found: "found",
});

/** Whether it is the cheapest, once that is known. */
function optimality(/** @type {Answer} */ answer, /** @type {Answer | null} */ measured) {
  const path = answer.path;
  const best = measured?.optimum;
  if (!path || !best || Math.abs((measured?.path?.cost ?? 0) - path.cost) > 1e-9) return null;
  const above = (path.cost / best.cost - 1) * 100;
  if (above < 1e-7) return h("span.badge.good", { title: `as cheap as that of ${best.planner}` }, "optimal");
  return h(
    "span.badge.warn",
    { title: `${best.planner} finds ${best.cost.toFixed(4)}` },
    `${above < 0.01 ? above.toPrecision(1) : above.toFixed(2)} % above the optimum`,
  );
}

/** What a time is made of. */
function times(
  /** @type {Answer} */ answer,
  /** @type {Answer | null} */ measured,
  /** @type {Answer | null} */ repaired,
) {
  const from = measured ?? answer;
  /** @type {[string, string, string?][]} */
  const rows = [];
  if (from.times.query !== null && from.times.query !== undefined) {
    rows.push(["time", duration(from.times.query), from.times.runs > 1 ? `median of ${from.times.runs}` : "one run"]);
  }
  if (answer.times.prepare) rows.push(["prepared in", duration(answer.times.prepare)]);
  if (repaired?.times.update) {
    const { repair } = repaired;
    rows.push([
      "edit repaired in",
      duration(repaired.times.update),
      repair?.tables_made ? `${count(repair.tables_made)} ${repair.tables_made === 1 ? "table" : "tables"} made` : undefined,
    ]);
  }
  return rows;
}

export function resultPanel() {
  const body = h("div");
  effect(() => {
    const pane = focused();
    const planned = pane?.planned.get() ?? null;
    const error = pane?.error.get() ?? "";
    if (error !== "") return fill(body, h("p.error", {}, error));
    if (planned === null) return fill(body, h("p.muted", {}, "planning …"));
    const { answer, trace } = planned;
    const measured = pane.measured.get();
    const path = answer.path;
    const check = answer.check;
    const stats = answer.stats;
    const extra = Object.entries(stats).filter(([name, value]) => value > 0 && !["expanded"].includes(name));
    /** @type {[string, string, string?][]} */
    const rows = [...times(answer, measured, pane.repair.get())];
    rows.push(["expanded", count(stats.expanded ?? trace?.expansions ?? 0)]);
    if (path) {
      rows.push(["length", digits4(path.length)], ["turns", count(path.turns)]);
      if (path.climb !== undefined && path.climb !== null && state.map.peek().heights !== null) {
        rows.push(["climb", `${digits(path.climb)} m`, `down ${digits(path.descent ?? 0)} m`]);
      }
    }
    if (answer.memory)
      rows.push([
        "memory",
        size(answer.memory.planner + answer.memory.search),
        `${size(answer.memory.planner)} prepared`,
      ]);
    if (trace) rows.push(["trace", `${count(trace.count)} events`, size(planned.bytes)]);
    fill(
      body,
      h(
        "div.cost",
        {},
        h(
          "b",
          {},
          path
            ? path.cost
                .toFixed(4)
                .replace(/0{1,3}$/, "")
                .replace(/\.$/, "")
            : (STATUS[answer.status] ?? answer.status),
        ),
        path && answer.status !== "found" ? h("span.badge.warn", {}, STATUS[answer.status] ?? answer.status) : null,
        optimality(answer, measured),
        check
          ? h(
              `span.badge.${check.legal ? "good" : "bad"}`,
              { title: check.legal ? "every step was checked against the map" : (check.error ?? "") },
              check.legal ? "legal" : `illegal at ${check.index}: ${check.error}`,
            )
          : null,
      ),
      h(
        "dl.facts",
        {},
        rows.map(([name, value, note]) => [
          h("dt", {}, name),
          h("dd", {}, value, note ? h("small", {}, ` ${note}`) : null),
        ]),
      ),
      extra.length > 0
        ? h(
            "details",
            { open: false, style: "margin-top:8px" },
            h("summary", { style: "margin:0" }, "all counters"),
            h(
              "dl.facts",
              {},
              extra.map(([name, value]) => [h("dt", {}, name.replaceAll("_", " ")), h("dd", {}, count(value))]),
            ),
          )
        : null,
    );
  });
  // What changed, for those who do not see it.
  effect(() => {
    const pane = focused();
    const answer = pane?.planned.get()?.answer;
    if (!answer || state.dragging.peek()) return;
    byId("live").textContent = answer.path
      ? `${label(pane.choice.peek())}: ${STATUS[answer.status]}, cost ${answer.path.cost.toFixed(2)}, ${answer.stats.expanded ?? 0} expanded`
      : `${label(pane.choice.peek())}: ${STATUS[answer.status] ?? answer.status}`;
  });
  return h("section", { "aria-label": "Result" }, h("h2", {}, "Path"), body);
}

function digits4(/** @type {number} */ value) {
  return value.toFixed(2);
}
