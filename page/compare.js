// Up to four planners on the same question: panes side by side, a table with bars, and where two
// searches part.

import { count, duration, fill, h, icon, say, size } from "./dom.js";
import { loadLayers, replan } from "./planning.js";
import { seek } from "./player.js";
import { effect } from "./signals.js";
import { camera, colours, fit, forgetPane } from "./stage.js";
import { Pane, focused, rowOf, label, state } from "./state.js";
import { KIND } from "./trace.js";

/** @typedef {import("./session.js").Answer} Answer */

const MOST = 4;
/** The abilities by which planners are alike or not. @type {(keyof import("./session.js").Planner)[]} */
const ABILITIES = ["terrain", "heights", "free_points", "lattice", "blocks", "weight", "avoids"];

/** A planner to compare those on the stage with: one that finds the optimum, can say how far it got, and is unlike them. */
function opponent() {
  const { planners } = state.hello.peek();
  const rule = state.rule.peek();
  const names = state.panes.peek().map((pane) => pane.choice.peek().name);
  const shown = planners.filter((row) => names.includes(row.name));
  const score = (/** @type {import("./session.js").Planner} */ row) => {
    const unlike = shown.map((other) => ABILITIES.filter((ability) => row[ability] !== other[ability]).length);
    return Number(row.optimal_under.includes(rule)) * 100 + Number(row.partial) * 10 + Math.min(...unlike);
  };
  const able = planners.filter((row) => !shown.includes(row) && row.rules.includes(rule));
  return able.reduce((best, row) => (score(row) > score(best) ? row : best), able[0] ?? shown[0]).name;
}

/** Adds a planner. @param {import("./state.js").Choice} [choice] */
export function addPane(choice) {
  const panes = state.panes.peek();
  if (panes.length >= MOST) return say("Four planners fit on the stage.");
  state.panes.set([...panes, new Pane(choice ?? { name: opponent(), values: {} })]);
  state.focus.set(panes.length);
  afterChange();
}

/** @param {Pane} pane */
export function removePane(pane) {
  const panes = state.panes.peek().filter((other) => other !== pane);
  if (panes.length === 0) return;
  forgetPane(pane);
  state.panes.set(panes);
  state.focus.set(Math.min(state.focus.peek(), panes.length - 1));
  if (panes.length < 2) state.difference.set(false);
  afterChange();
}

function afterChange() {
  if (camera.fitted) fit();
  replan();
  if (state.structure.peek()) for (const pane of state.panes.peek()) void loadLayers(pane);
}

/** From one pane to two and back. */
export function toggleCompare() {
  const panes = state.panes.peek();
  if (panes.length === 1) return addPane();
  for (const pane of panes.slice(1)) forgetPane(pane);
  state.panes.set([panes[0]]);
  state.focus.set(0);
  state.difference.set(false);
  afterChange();
}

/** @typedef {"beside" | "together" | "difference"} Arrangement */

/** How several panes are shown. @returns {Arrangement} */
function arrangement() {
  return state.difference.get() ? "difference" : state.overlaid.get() ? "together" : "beside";
}

/** @param {Arrangement} how */
function arrange(how) {
  state.difference.set(how === "difference");
  state.overlaid.set(how === "together");
  if (camera.fitted) fit();
}

export function toggleDifference() {
  if (state.panes.peek().length === 1) addPane();
  arrange(state.difference.peek() ? "beside" : "difference");
}

/** Goes to the first expansion at which the focused search and the next one differ. */
export function firstDivergence() {
  const panes = state.panes.peek();
  const a = focused().replay.trace,
    b = panes[(state.focus.peek() + 1) % panes.length].replay.trace;
  if (!a || !b || a === b) return;
  const [one, two] = [a.lists.expansion, b.lists.expansion];
  for (let i = 0; i < Math.min(one.length, two.length); i++) {
    const [u, v] = [one[i] - 1, two[i] - 1];
    if (a.at[u] !== b.at[v] || (a.kind[u] & 127) === KIND.block) {
      seek(one[i]);
      return say(`They part at expansion ${count(i + 1)}.`);
    }
  }
  say("They expand the same nodes in the same order" + (one.length === two.length ? "." : ", but one goes on."));
  seek(one[Math.min(one.length, two.length) - 1] ?? 0);
}

/** @type {[string, (answer: Answer, pane: Pane) => number | null, (value: number) => string][]} */
const MEASURES = [
  ["time, warm, without trace", (answer) => answer.times.query, duration],
  ["expanded", (answer) => answer.stats.expanded ?? 0, count],
  ["cost", (answer) => answer.path?.cost ?? null, (value) => value.toFixed(3)],
  [
    "above the optimum",
    (answer) =>
      answer.optimum && answer.path ? Math.max((answer.path.cost / answer.optimum.cost - 1) * 100, 0) : null,
    (value) => `${value < 1e-7 ? "0" : value.toFixed(3)} %`,
  ],
  ["turns", (answer) => answer.path?.turns ?? null, count],
  ["memory", (answer) => (answer.memory ? answer.memory.planner + answer.memory.search : null), size],
];

export function comparePanel() {
  const body = h("div");
  effect(() => {
    const panes = state.panes.get();
    const focus = state.focus.get();
    state.style.get();
    state.dark.get();
    const paint = colours();
    const colour = (/** @type {number} */ i) => paint.routes[i % paint.routes.length];
    const add = h(
      "button.button",
      { onclick: () => addPane(), title: "Compare with another planner (C)" },
      icon("compare"),
      panes.length === 1 ? "compare with another" : "add",
    );
    if (panes.length === 1) return fill(body, add);
    const lock = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        {
          "aria-label": "Clocks",
          onchange: () => {
            state.lock.set(/** @type {any} */ (lock.value));
            seek(state.cursor.peek());
          },
        },
        ...[
          ["expansions", "equal expansions"],
          ["share", "equal share of each search"],
          ["f", "equal f"],
        ].map(([value, name]) => h("option", { value, selected: state.lock.get() === value }, name)),
      )
    );
    fill(
      body,
      h(
        "div.panes",
        {},
        ...panes.map((pane, i) =>
          h(
            `div.pane-row${i === focus ? ".focus" : ""}`,
            {},
            h("i", { style: `background:${colour(i)}` }),
            h(
              "button",
              {
                onclick: () => state.focus.set(i),
                "aria-pressed": String(i === focus),
                title: rowOf(pane)?.summary ?? "",
              },
              label(pane.choice.get()),
            ),
            h(
              "button.plain",
              { onclick: () => removePane(pane), "aria-label": `Remove ${label(pane.choice.get())}` },
              icon("close"),
            ),
          ),
        ),
      ),
      h(
        "div.row",
        { style: "margin-top:8px" },
        h(
          "div.segments",
          { role: "group", "aria-label": "Arrangement" },
          .../** @type {[Arrangement, string, string][]} */ ([
            ["beside", "side by side", "One map for each planner"],
            ["together", "on one map", "The paths of all on one map, with the search of the one in focus"],
            ["difference", "difference", "Cells that only one of two expanded (D)"],
          ]).map(([how, text, title]) =>
            h("button", { title, "aria-pressed": String(arrangement() === how), onclick: () => arrange(how) }, text),
          ),
        ),
        panes.length < MOST ? add : null,
        h(
          "button.button",
          { onclick: firstDivergence, title: "Where the focused search and the next one part" },
          "first split",
        ),
      ),
      h("label.field", {}, h("span", {}, "clocks"), lock),
      h(
        "div.bars",
        {},
        ...MEASURES.map(([title, read, write]) => {
          const values = panes.map((pane) => {
            const answer = pane.measured.get() ?? pane.planned.get()?.answer;
            return answer && pane.error.get() === "" ? read(answer, pane) : null;
          });
          const most = Math.max(...values.map((value) => value ?? 0), 1e-12);
          if (values.every((value) => value === null)) return null;
          return h(
            "div",
            {},
            h("h3", {}, title),
            ...values.map((value, i) =>
              h(
                "div.bar",
                { title: label(panes[i].choice.peek()) },
                h(
                  "div",
                  {},
                  h("i", { style: `width:${value === null ? 0 : (100 * value) / most}%;background:${colour(i)}` }),
                ),
                h("span", {}, value === null || value === undefined ? "–" : write(value)),
              ),
            ),
          );
        }),
      ),
    );
  });
  return h("section", { "aria-label": "Compare" }, h("h2", {}, "Compare"), body);
}
