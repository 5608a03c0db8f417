// Starts the page: connects, asks what there is, opens a map with a finished search.

import { startBar } from "./bar.js";
import { byId, fill, h, icon, say } from "./dom.js";
import { comparePanel } from "./compare.js";
import { moveEnd } from "./editing.js";
import { cellPanel, openListPanel } from "./inspector.js";
import { startKeys } from "./keys.js";
import { restore } from "./links.js";
import { farApart, openExample, startDrop, takeMap } from "./maps.js";
import { plannerPanel } from "./planner_panel.js";
import { replan } from "./planning.js";
import { terrainPanel } from "./profile.js";
import { resultPanel } from "./result_panel.js";
import { startScrubber } from "./scrubber.js";
import { Session } from "./session.js";
import { effect } from "./signals.js";
import { startStage } from "./stage.js";
import { state } from "./state.js";
import { startTerrain } from "./terrain_view.js";
import { startTools } from "./tools.js";
import { startTourFromAddress } from "./tour.js";
import { connect } from "./transport.js";
import { startUnits, unitPanels } from "./units_view.js";
import { breakpointPanel, startLegend, viewPanel } from "./view_panel.js";

/** Light or dark: as chosen before, else as the system has it. */
function startTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("blockstar-theme");
  } catch {
    // Not remembered, then.
  }
  state.dark.set(chosen ? chosen === "dark" : system.matches);
  system.addEventListener("change", () => state.dark.set(system.matches));
  effect(() => {
    document.documentElement.dataset.theme = state.dark.get() ? "dark" : "light";
  });
}

/** One line for those who are here for the first time; it goes once they have begun. */
function startHint() {
  const hint = byId("hint");
  let steps = 0;
  effect(() => {
    const units = state.view.get() === "units";
    steps = 0;
    hint.classList.toggle("gone", !byId("tour").hidden);
    fill(
      hint,
      h("span", {}, h("b", {}, "Draw"), units ? " a wall in their way" : " on the map"),
      units ? h("span", {}, h("b", {}, "send"), " them with ", icon("order")) : h("span", {}, h("b", {}, "drag"), " the ends"),
      h("span", {}, h("b", {}, units ? "pause" : "play"), h("span.with", {}, " with "), h("kbd", {}, "Space")),
      h("span.wide", {}, h("kbd", {}, "?"), " for all keys"),
    );
  });
  effect(() => {
    const busy = state.dragging.get() || state.playing.get();
    if (busy && ++steps >= 2) hint.classList.add("gone");
  });
}

/** The first map: of the link, of the command line, or the harbour. */
async function firstMap() {
  if ((await startTourFromAddress()) || (await restore(location.hash))) return;
  if (!state.hello.peek().map) return openExample("harbour");
  const { map } = await state.session.map({ op: "map" });
  takeMap(map, { kind: "file", name: map.name }, await farApart());
}

async function start() {
  startTheme();
  startStage();
  state.session = new Session(await connect());
  state.session.transport.onLost((reason) => say(reason, "bad"));
  state.hello.set(await state.session.hello());
  fill(
    byId("side"),
    plannerPanel(),
    resultPanel(),
    terrainPanel(),
    comparePanel(),
    cellPanel(),
    openListPanel(),
    viewPanel(),
    breakpointPanel(),
    ...unitPanels(),
  );
  startBar();
  startScrubber();
  startTools();
  startLegend();
  startHint();
  startDrop();
  startUnits();
  startTerrain(moveEnd, (message) => say(message, "bad"));
  startKeys();
  // A drag that ends asks for what it left out.
  let dragging = false;
  effect(() => {
    const now = state.dragging.get();
    if (dragging && !now) replan();
    dragging = now;
  });
  // So does the living map, when one comes back from it.
  let living = false;
  effect(() => {
    const now = state.view.get() === "units";
    if (living && !now) replan();
    living = now;
  });
  await firstMap();
  addEventListener("hashchange", async () => (await startTourFromAddress()) || (await restore(location.hash)));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  fill(byId("hint"), h("b", {}, "The engine cannot be reached."), error.message);
  console.error(error);
});
