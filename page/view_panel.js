// What is drawn, and where playing stops.

import { BREAKPOINTS, active, countAll, hits, toggle } from "./breakpoints.js";
import { byId, count, digits, fill, h } from "./dom.js";
import { heatGradient } from "./overlay.js";
import { best, loadLayers } from "./planning.js";
import { seek } from "./player.js";
import { effect } from "./signals.js";
import { colours, invalidate } from "./stage.js";
import { focused, state } from "./state.js";
import { KIND, SHADES, lowerBound } from "./trace.js";

/** @typedef {import("./trace.js").Shade} Shade */

/** @param {Shade} shade */
export function setShade(shade) {
  state.shade.set(shade);
  for (const pane of state.panes.peek()) pane.replay.setShade(shade, best(pane, pane.planned.peek()));
  invalidate();
}

/** The next way of shading. */
export function nextShade() {
  const names = /** @type {Shade[]} */ (Object.keys(SHADES));
  setShade(names[(names.indexOf(state.shade.peek()) + 1) % names.length]);
}

/** Shows or hides what planners prepared. */
export function toggleStructure() {
  state.structure.update((on) => !on);
  if (state.structure.peek()) for (const pane of state.panes.peek()) void loadLayers(pane);
}

/** Goes to the next place where a breakpoint stops. */
export function nextHit() {
  const stops = hits();
  const next = stops[lowerBound(stops, state.cursor.peek() + 1)];
  if (next !== undefined) seek(next);
}

/** @param {string} text @param {string} key @param {import("./signals.js").Signal<boolean>} value @param {() => void} change */
function option(text, key, value, change) {
  return h(
    "label.check",
    {},
    h("input", { type: "checkbox", checked: value.get(), onchange: change }),
    text,
    h("kbd", {}, key),
  );
}

export function viewPanel() {
  const body = h("div");
  effect(() => {
    const shade = /** @type {HTMLSelectElement} */ (
      h(
        "select",
        { "aria-label": "Shade cells by", onchange: () => setShade(/** @type {Shade} */ (shade.value)) },
        ...Object.entries(SHADES).map(([value, name]) =>
          h("option", { value, selected: value === state.shade.get() }, name),
        ),
      )
    );
    const flip = (/** @type {import("./signals.js").Signal<boolean>} */ value) => () => value.update((on) => !on);
    const layers = focused()?.layers.get() ?? [];
    fill(
      body,
      h("label.field", { style: "margin-top:0" }, h("span", {}, "shade"), shade),
      option("rays, intervals, looks", "M", state.marks, flip(state.marks)),
      option("parents", "T", state.parents, flip(state.parents)),
      option("numbers, from 40 px a cell", "V", state.numbers, flip(state.numbers)),
      option("what was prepared", "R", state.structure, toggleStructure),
      state.structure.get()
        ? h(
            "div",
            { style: "margin:4px 0 0 25px" },
            layers.length === 0
              ? h("p.muted", {}, "This planner prepares nothing that can be drawn.")
              : layers.map((layer) =>
                  h("p.muted", { title: layer.meaning }, `${count(layer.count)} ${layer.name}: ${layer.meaning}`),
                ),
          )
        : null,
      h(
        "label.check",
        {},
        h("input", {
          type: "checkbox",
          checked: state.style.get() === "clear",
          onchange: () => state.style.update((style) => (style === "clear" ? "picture" : "clear")),
        }),
        "colours that everybody can tell apart",
      ),
    );
  });
  return h("section", { "aria-label": "Display" }, h("details", { open: true }, h("summary", {}, "Display"), body));
}

export function breakpointPanel() {
  const body = h("div");
  const details = /** @type {HTMLDetailsElement} */ (h("details", {}, h("summary", {}, "Breakpoints"), body));
  const show = () => {
    focused()?.planned.get();
    const on = active.get();
    if (!details.open) return;
    const counts = countAll();
    fill(
      body,
      h("p.muted", {}, "Stop when"),
      ...BREAKPOINTS.map(({ id, words }) =>
        h(
          "label.check",
          {},
          h("input", { type: "checkbox", checked: on.has(id), onchange: () => toggle(id) }),
          words,
          h("small", {}, count(counts.get(id) ?? 0)),
        ),
      ),
      h(
        "div.row",
        { style: "margin-top:8px" },
        h("button.button", { onclick: nextHit, title: "To the next hit (N)" }, "next hit"),
      ),
    );
  };
  effect(show);
  details.addEventListener("toggle", show);
  return h("section", { "aria-label": "Breakpoints" }, details);
}

/** The legend in the corner of the stage. */
export function startLegend() {
  const legend = byId("legend");
  effect(() => {
    for (const value of [state.style, state.dark]) value.get();
    const paint = colours();
    const shade = state.shade.get();
    const trace = focused()?.replay.trace;
    focused()?.planned.get();
    if (state.dragging.get()) return;
    if (!trace || state.panes.get().length > 1 || state.view.get() !== "search") return fill(legend);
    const line = (/** @type {string} */ style, /** @type {string} */ text, kind = "") =>
      h("span", {}, h(`i${kind}`, { style }), text);
    const { counts } = trace;
    const heat = shade !== "order";
    fill(
      legend,
      trace.expansions > 0
        ? line(
            `background:${heatGradient(heat ? paint.heat : paint.closed)}`,
            heat
              ? `${SHADES[shade]}: ${digits(trace.range[0])} to ${digits(trace.range[1])}`
              : new Set(paint.closed).size > 1
                ? "expanded, first to last"
                : "expanded",
          )
        : null,
      trace.kind.some((kind) => kind & 128) && !heat
        ? line(`background:${heatGradient(paint.backward)}`, "from the goal")
        : null,
      counts[KIND.opened] > 0 && !trace.hasBlocks
        ? line(`border-color:${paint.open};background:${paint.openFill}`, "open", ".boxed")
        : null,
      counts[KIND.raised] > 0 ? line(`background:${heatGradient(paint.heat)}`, "estimate raised") : null,
      counts[KIND.ray] > 0 ? line(`background:${paint.open}`, "scans", ".line") : null,
      counts[KIND.interval] > 0 ? line(`background:${paint.routes[1]}`, "intervals", ".line") : null,
      counts[KIND.sight] > 0 ? line(`background:${paint.start}`, "seen", ".line") : null,
      counts[KIND.blind] > 0
        ? line(
            `background:repeating-linear-gradient(90deg,${paint.goal} 0 4px,transparent 4px 8px)`,
            "not seen",
            ".line",
          )
        : null,
    );
  });
}
