// The top bar and the tools on the left.

import { toggleCompare } from "./compare.js";
import { byId, count, fill, h, icon } from "./dom.js";
import { travel } from "./editing.js";
import { helpDialog } from "./help.js";
import { mapDialog } from "./maps.js";
import { effect } from "./signals.js";
import { shareDialog } from "./share.js";
import { fit } from "./stage.js";
import { state } from "./state.js";
import { startTour } from "./tour.js";

/** @typedef {import("./dom.js").IconName} IconName */

/** @typedef {import("./state.js").Tool} Tool */

const TOOLS = /** @type {[Tool, string][]} */ ([
  ["hand", "Move the map"],
  ["ends", "Place the goal (Shift: the start)"],
  ["wall", "Draw walls; the first cell decides whether it draws or erases"],
  ["cost", "Paint terrain that costs more"],
  ["height", "Raise the ground (Shift: lower it)"],
  ["erase", "Erase walls and terrain"],
]);
const UNIT_TOOLS = /** @type {[Tool, string][]} */ ([
  ["hand", "Move the map"],
  ["order", "Send units: drag around some, click where they shall go; a door opens and closes"],
  ["wall", "Draw walls in their way; the first cell decides whether it draws or erases"],
  ["cost", "Paint terrain that costs more"],
  ["door", "Make a door: drag over its cells; click it to open and close it"],
  ["place", "Place units"],
  ["erase", "Erase walls and terrain"],
]);

/** The tools of the view that is shown. */
export function tools() {
  return state.view.get() === "units" ? UNIT_TOOLS : TOOLS;
}

const VIEWS = /** @type {[import("./state.js").View, IconName, string][]} */ ([
  ["search", "search", "Search"],
  ["terrain", "cube", "Terrain"],
  ["units", "units", "Living map"],
]);

export function cycleTheme() {
  state.dark.update((dark) => !dark);
  try {
    localStorage.setItem("blockstar-theme", state.dark.peek() ? "dark" : "light");
  } catch {
    // Private windows may refuse; the theme then lasts as long as the page.
  }
}

export function startBar() {
  const mapButton = byId("map-button");
  mapButton.addEventListener("click", mapDialog);
  effect(() => {
    const map = state.map.get();
    fill(mapButton, icon("folder"), h("span", {}, map.name || "map"), h("small", {}, `${map.width} × ${map.height}`));
    mapButton.title = `${map.name}: ${count(map.freeCells)} free cells. Other maps … (O)`;
    mapButton.setAttribute("aria-label", `Map: ${map.name}, ${map.width} by ${map.height}. Other maps`);
  });
  effect(() => {
    fill(
      byId("views"),
      ...VIEWS.map(([view, name, title]) =>
        h(
          "button",
          {
            role: "tab",
            "aria-selected": String(state.view.get() === view),
            title,
            "aria-label": title,
            onclick: () => state.view.set(view),
          },
          icon(name),
          h("span", {}, title),
        ),
      ),
    );
  });
  effect(() => {
    const map = state.map.get();
    const button = (
      /** @type {IconName} */ name,
      /** @type {string} */ title,
      /** @type {() => unknown} */ onclick,
      options = {},
    ) => h("button.plain", { title, "aria-label": title, onclick, ...options }, icon(name));
    const wide = (/** @type {HTMLElement} */ element) => {
      element.classList.add("wide-only");
      return element;
    };
    fill(
      byId("actions"),
      button("undo", "Undo (Ctrl+Z)", () => travel("undo"), { disabled: map.undo === 0 }),
      wide(button("redo", "Redo (Ctrl+Y)", () => travel("redo"), { disabled: map.redo === 0 })),
      wide(button("fit", "Show the whole map (F)", fit)),
      button("compare", "Compare planners (C)", toggleCompare, {
        "aria-pressed": String(state.panes.get().length > 1),
        disabled: state.view.get() === "units",
      }),
      button("share", "Save and share", shareDialog),
      wide(button("tour", "Guided tour", () => startTour(0))),
      wide(button("theme", "Light or dark", cycleTheme)),
      button("help", "Keys and help (?)", helpDialog),
    );
  });
  startRail();
}

function startRail() {
  const side = byId("side");
  // Each view has the tools that make sense there; walls can be drawn in all.
  effect(() => {
    if (!tools().some(([name]) => name === state.tool.get())) state.tool.set("wall");
  });
  effect(() => {
    const tool = state.tool.get();
    const amount = (
      /** @type {string} */ title,
      /** @type {string} */ shown,
      /** @type {(by: number) => void} */ change,
    ) =>
      h(
        "div.amount",
        { title },
        h("button", { "aria-label": `${title}: more`, onclick: () => change(1) }, "+"),
        h("span", {}, shown),
        h("button", { "aria-label": `${title}: less`, onclick: () => change(-1) }, "−"),
      );
    fill(
      byId("tools"),
      ...tools().map(([name, title], i) =>
        h(
          "button.tool",
          {
            title: `${title} (${i + 1})`,
            "aria-label": title,
            "aria-pressed": String(name === tool),
            "data-tool": name,
            onclick: () => state.tool.set(name),
          },
          icon(name),
          h("small", {}, i + 1),
        ),
      ),
      h("hr"),
      amount("Brush (, and .)", `⌀ ${2 * state.brush.get() + 1}`, changeBrush),
      tool === "cost"
        ? amount("Factor", `× ${state.factor.get()}`, (by) =>
            state.factor.update((factor) => Math.min(Math.max(by > 0 ? factor * 2 : factor / 2, 2), 64)),
          )
        : null,
      tool === "height"
        ? amount("Metres", `${state.raise.get()} m`, (by) =>
            state.raise.update((metres) => Math.min(Math.max(by > 0 ? metres * 2 : metres / 2, 1), 128)),
          )
        : null,
      h(
        "button.tool.sheet-button",
        { "aria-label": "Planner and result", title: "Planner and result", onclick: () => side.classList.toggle("up") },
        icon("sliders"),
      ),
    );
  });
  // The sheet goes down when the map is touched.
  byId("stage").addEventListener("pointerdown", () => side.classList.remove("up"));
}

/** @param {number} by */
export function changeBrush(by) {
  state.brush.update((brush) => Math.min(Math.max(brush + by, 0), 24));
}
