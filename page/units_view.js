// The place of the living map: units that walk while the map is edited. The session keeps the names
// `units.place`, `units.order` and `units.tick` for it; until it answers them, the view says so.

import { byId, fill, h } from "./dom.js";
import { effect } from "./signals.js";
import { state } from "./state.js";

export function startUnits() {
  const view = byId("units");
  view.className = "units";
  effect(() => {
    const on = state.view.get() === "units";
    view.hidden = !on;
    if (!on) return;
    fill(
      view,
      h(
        "div",
        {},
        h("h2", {}, "Living map"),
        h(
          "p.muted",
          {},
          "Units that walk here while you draw walls and open doors: this engine does not offer them yet.",
        ),
        h("button.button.primary", { onclick: () => state.view.set("search") }, "Back to the search"),
      ),
    );
  });
}
