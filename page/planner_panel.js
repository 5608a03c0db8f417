// Which planner, with which parameters, under which rule: all from what the session says it has.

import { h, fill, say } from "./dom.js";
import { effect } from "./signals.js";
import { loadLayers, replan } from "./planning.js";
import { focused, rowOf, state } from "./state.js";

/** @typedef {import("./session.js").Parameter} Parameter */
/** @typedef {import("./session.js").Planner} Planner */

const GROUPS = /** @type {[string, (planner: Planner) => boolean][]} */ ([
  ["Any-angle", (planner) => !planner.real_time && planner.rules.every((rule) => rule.startsWith("any-angle"))],
  ["Agents that move at once", (planner) => planner.real_time],
  ["Optimal", (planner) => planner.optimal],
  ["Complete", () => true],
]);

/** Chooses a planner for the focused pane, with a rule that it knows. @param {string} name @param {Record<string, string>} [values] @param {boolean} [flat] */
export function choosePlanner(name, values = {}, flat = false) {
  const pane = focused();
  const row = state.hello.peek().planners.find((planner) => planner.name === name);
  const ignores = flat || (state.map.peek().heights !== null && row !== undefined && !row.heights);
  pane.choice.set(ignores ? { name, values, flat: true } : { name, values });
  if (row && !row.rules.includes(state.rule.peek())) {
    const rule = row.rules.includes("eight") ? "eight" : row.rules[0];
    state.rule.set(rule);
    say(`${name} moves by the rule “${rule}”.`);
  }
  replan();
  if (state.structure.peek()) void loadLayers(pane);
}

/** @param {string} rule */
export function chooseRule(rule) {
  state.rule.set(rule);
  const row = rowOf(focused());
  if (row && !row.rules.includes(rule)) {
    const other =
      state.hello.peek().planners.find((planner) => planner.rules.includes(rule) && planner.optimal) ??
      state.hello.peek().planners.find((planner) => planner.rules.includes(rule));
    if (other) {
      say(`${row.name} does not know the rule “${rule}”; ${other.name} does.`);
      focused().choice.set({ name: other.name, values: {} });
    }
  }
  replan();
  if (state.structure.peek()) void loadLayers(focused());
}

/** A control for one parameter. @param {Parameter} parameter @param {string} value @param {(value: string) => void} change */
function control(parameter, value, change) {
  // In capitals stands what is to be put there; of planners the names are known.
  const planners = state.hello.peek().planners.map((row) => row.name);
  const alternatives = parameter.values.split("|").flatMap((text) => (text === "PLANNER" ? planners : [text]));
  const words = alternatives.filter((text) => !/^\d+-\d+$/.test(text) && text !== "WxH" && !/^[A-Z]+$/.test(text));
  if (words.length === alternatives.length) {
    const select = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { title: parameter.meaning, onchange: () => change(select.value) },
        ...words.map((word) => h("option", { value: word, selected: word === value }, word)),
      )
    );
    return select;
  }
  const list = `values-${parameter.name}`;
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "text",
      value,
      title: `${parameter.meaning} (${parameter.values})`,
      placeholder: parameter.values,
      list,
      spellcheck: false,
      onchange: () => change(input.value.trim() || parameter.default),
    })
  );
  return h(
    "span",
    {},
    input,
    h(
      "datalist",
      { id: list },
      ...[...new Set([...words, parameter.default])].map((word) => h("option", { value: word })),
    ),
  );
}

export function plannerPanel() {
  const body = h("div");
  effect(() => {
    const hello = state.hello.get();
    const pane = focused();
    if (!hello || !pane) return;
    const choice = pane.choice.get();
    const row = rowOf(pane);
    const rule = state.rule.get();
    const map = state.map.get();
    /** @type {Map<string, Planner[]>} */
    const groups = new Map(GROUPS.map(([title]) => [title, []]));
    for (const planner of hello.planners)
      groups.get(/** @type {any} */ (GROUPS.find(([, test]) => test(planner)))[0])?.push(planner);
    const select = /** @type {HTMLSelectElement} */ (
      h(
        "select.big",
        {
          id: "planner",
          "aria-label": "Planner",
          onchange: () => choosePlanner(select.value),
        },
        ...[...groups]
          .filter(([, list]) => list.length > 0)
          .map(([title, list]) =>
            h(
              "optgroup",
              { label: title },
              ...list.map((planner) =>
                h("option", { value: planner.name, selected: planner.name === choice.name }, planner.name),
              ),
            ),
          ),
      )
    );
    const rules = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        {
          id: "rule",
          "aria-label": "Movement rule",
          onchange: () => chooseRule(rules.value),
        },
        ...hello.rules.map(({ name }) =>
          h(
            "option",
            { value: name, selected: name === rule },
            row && !row.rules.includes(name) ? `${name} (another planner)` : name,
          ),
        ),
      )
    );
    const fields = (row?.parameters ?? []).map((parameter) =>
      h(
        "label.field",
        { title: parameter.meaning },
        h("span", {}, parameter.name),
        control(parameter, choice.values[parameter.name] ?? parameter.default, (value) => {
          const values = { ...choice.values, [parameter.name]: value };
          if (value === parameter.default) delete values[parameter.name];
          choosePlanner(choice.name, values, choice.flat);
        }),
      ),
    );
    const slope = state.slope.get();
    const number = (
      /** @type {string} */ title,
      /** @type {string} */ hint,
      /** @type {number} */ value,
      /** @type {(value: number) => void} */ change,
    ) => {
      const input = /** @type {HTMLInputElement} */ (
        h("input", {
          type: "number",
          min: "0",
          step: "any",
          value: String(value || ""),
          placeholder: "0",
          title: hint,
          onchange: () => change(Math.max(0, Number(input.value) || 0)),
        })
      );
      return h("label.field", { title: hint }, h("span", {}, title), input);
    };
    fill(
      body,
      select,
      row ? h("p.summary", {}, row.summary, h("br"), h("small", {}, `${row.source} · ${row.promise}`)) : null,
      h("label.field", {}, h("span", {}, "moves"), rules),
      fields,
      row?.weight
        ? number(
            "weight",
            "How much the estimate counts: more than 1 is sooner and dearer",
            state.weight.get() ?? 0,
            (value) => {
              state.weight.set(value > 0 ? value : null);
              replan();
            },
          )
        : null,
      row && hello.heuristics.length > 0 ? heuristics(hello.heuristics) : null,
      map.heights !== null
        ? [
            h(
              "label.check",
              {},
              h("input", {
                type: "checkbox",
                checked: !choice.flat,
                disabled: row?.heights === false,
                onchange: () => choosePlanner(choice.name, choice.values, !choice.flat),
              }),
              row?.heights === false ? "ignores heights" : "slopes count",
            ),
            !choice.flat
              ? number("steepest", "The steepest way, as rise over run; 0 for any", slope.limit, (limit) =>
                  setSlope({ limit }),
                )
              : null,
            !choice.flat
              ? number("metre up", "What a metre up costs, in metres walked", slope.climb, (climb) =>
                  setSlope({ climb }),
                )
              : null,
          ]
        : null,
      rule.startsWith("any-angle") ? option("ends at corners of cells", state.corners) : null,
      rule.startsWith("any-angle") ? option("smooth the path", state.smooth) : null,
      option("as near as possible if there is no way", state.nearest),
    );
  });
  return h("section", { "aria-label": "Planner" }, h("h2", {}, "Planner"), body);
}

/** A box to tick, after which paths are asked for anew. @param {string} text @param {import("./signals.js").Signal<boolean>} value */
function option(text, value) {
  return h(
    "label.check",
    {},
    h("input", {
      type: "checkbox",
      checked: value.get(),
      onchange: () => {
        value.update((on) => !on);
        replan();
      },
    }),
    text,
  );
}

function heuristics(/** @type {string[]} */ names) {
  const now = state.heuristic.get();
  const select = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      {
        onchange: () => {
          state.heuristic.set(select.value || null);
          replan();
        },
      },
      h("option", { value: "" }, "that of the rule"),
      ...names.map((name) => h("option", { value: name, selected: name === now }, name)),
    )
  );
  return h("label.field", {}, h("span", {}, "estimate"), select);
}

/** @param {Partial<{climb: number, limit: number}>} change */
function setSlope(change) {
  state.slope.update((slope) => ({ ...slope, ...change }));
  replan();
}
