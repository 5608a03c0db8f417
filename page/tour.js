// A guided tour: worked examples, each step a link of its own (#tour=3).

import { byId, fill, h, icon } from "./dom.js";
import { addPane } from "./compare.js";
import { openExample, takeMap } from "./maps.js";
import { loadLayers, replan, settled } from "./planning.js";
import { seek, togglePlay, trace } from "./player.js";
import { invalidate } from "./stage.js";
import { focused, readSpec, state } from "./state.js";
import { setShade } from "./view_panel.js";

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {(string | (() => import("./dom.js").Child))[]} text paragraphs; functions are asked once the search is there
 * @property {() => Promise<unknown>} show
 */

/** Sets the planners; the first one has the focus. @param {...string} specs */
async function planners(...specs) {
  const panes = state.panes.peek();
  state.panes.set(panes.slice(0, 1));
  state.focus.set(0);
  state.difference.set(false);
  state.overlaid.set(false);
  focused().choice.set(readSpec(specs[0]));
  for (const spec of specs.slice(1)) addPane(readSpec(spec));
  state.focus.set(0);
  replan();
  await settled();
}

/** An example in its plain state. @param {string} name @param {string} rule @param {...string} specs */
async function scene(name, rule, ...specs) {
  plain();
  await openExample(name);
  state.rule.set(rule);
  await planners(...specs);
}

/** Everything as it is at first. */
function plain() {
  state.view.set("search");
  state.corners.set(false);
  state.smooth.set(true);
  state.playing.set(false);
  state.structure.set(false);
  state.weight.set(null);
  state.heuristic.set(null);
  state.lock.set("expansions");
  setShade("order");
  state.panes.set(state.panes.peek().slice(0, 1));
}

async function structure() {
  state.structure.set(true);
  for (const pane of state.panes.peek()) await loadLayers(pane);
}

function play() {
  seek(0);
  togglePlay();
}

const answer = () => focused().planned.peek()?.answer;
const expanded = (/** @type {number} */ pane) => state.panes.peek()[pane]?.planned.peek()?.answer.stats.expanded ?? 0;
const climb = (/** @type {number} */ pane) =>
  state.panes.peek()[pane]?.planned.peek()?.answer.path?.climb?.toFixed(0) ?? "–";
const cost = (/** @type {number} */ pane) =>
  state.panes.peek()[pane]?.planned.peek()?.answer.path?.cost.toFixed(2) ?? "–";

/** The costs of all panes as a table. @param {...string} names */
function lengths(...names) {
  return h("table", {}, ...names.map((name, i) => h("tr", {}, h("th", {}, name), h("td", {}, cost(i)))));
}

/** The blocks in the order in which the queue gave them. */
function blocksTaken() {
  const own = trace();
  if (!own) return "";
  const names = ["goal", "D", "A", "C", "start", "B"];
  const taken = own.lists.expansion
    .map((cursor) => cursor - 1)
    .map((event) => {
      const [x, y] = own.block(event);
      return h(
        "tr",
        {},
        h("th", {}, names[(y / 5) * 2 + x / 5] ?? `${x},${y}`),
        h("td", {}, (own.f[event] / own.scale).toFixed(0)),
      );
    });
  return h("table", {}, h("tr", {}, h("th", {}, "block"), h("th", {}, "taken at")), ...taken);
}

/** Six by six cells with one of them blocked; the ends are corners. */
async function figure3() {
  plain();
  const bytes = new TextEncoder().encode("......\n......\n..#...\n......\n......\n......\n");
  const { map } = await state.session.map({ op: "load", format: "text", name: "figure-3.txt" }, { bytes });
  state.corners.set(true);
  state.smooth.set(false);
  takeMap(
    map,
    { kind: "file", name: map.name },
    { start: [1, 6], goal: [4, 1], moves: "any-angle-squeeze", planner: "block-astar:block=6" },
  );
  await planners("block-astar:block=6", "theta-star:reopen=off", "astar");
}

/** @type {Step[]} */
const STEPS = [
  {
    title: "A* looks around",
    text: [
      "A* takes the most promising node from its open list, looks at the neighbours and goes on until the goal is taken. Green came first, blue last; what has an orange outline waits in the open list.",
      "Drag the goal: the search runs again while you move.",
    ],
    show: async () => {
      await scene("harbour", "eight", "astar");
      play();
    },
  },
  {
    title: "Why a cell was expanded",
    text: [
      "f is the cost so far, g, plus an estimate of the rest, h. A cell whose f is below the cost of the cheapest path, C*, must be expanded by every search of this kind; a cell with f above it never is.",
      "Now the shade shows how far f lies from C*. In dark cells it is far below: there the estimate promised too much, and they had to be expanded. Pale cells were worth a look.",
    ],
    show: async () => {
      await scene("harbour", "eight", "astar");
      setShade("slack");
    },
  },
  {
    title: "Without an estimate",
    text: [
      "Dijkstra’s algorithm knows nothing of the goal: it expands in circles. Both find the same cost.",
      () => `astar expanded ${expanded(0)} nodes, dijkstra ${expanded(1)}.`,
    ],
    show: async () => {
      await scene("harbour", "eight", "astar", "dijkstra");
      play();
    },
  },
  {
    title: "An estimate that is too high",
    text: [
      "If diagonal steps are allowed, the Manhattan distance counts a diagonal as two steps and not as 1.41: it overestimates, and A* may settle for a dearer path. It is quicker, because it trusts a promise that does not hold.",
      () => `This path costs ${cost(0)}, after ${expanded(0)} expansions.`,
      "Under Planner, set the estimate back to that of the rule and compare.",
    ],
    show: async () => {
      await scene("harbour", "eight", "astar");
      const manhattan = state.hello.peek().heuristics.find((name) => name.startsWith("manhattan"));
      if (manhattan) state.heuristic.set(manhattan);
      replan();
      await settled();
    },
  },
  {
    title: "Jumping over open ground",
    text: [
      "Jump point search runs along rows, columns and diagonals (the thin lines) and puts on the open list only those cells where a shortest path may have to turn.",
      () => `It expanded ${expanded(1)} nodes where A* expanded ${expanded(0)}, for the same cost ${cost(1)}.`,
    ],
    show: async () => {
      await scene("harbour", "eight", "astar", "jps");
      play();
    },
  },
  {
    title: "Block A*: a block at a time",
    text: [
      "Figure 2 of the Block A* paper, with four moves. The map is cut into blocks of 5 × 5 cells; what is expanded is a block, by a table of the distances between all its boundary cells. Step with → and watch the ring go from block to block, and the costs on the boundaries (Figure 1).",
      blocksTaken,
    ],
    show: async () => {
      await scene("block-astar", "four", "block-astar:block=5");
      await structure();
      seek(0);
    },
  },
  {
    title: "Three paths around one cell",
    text: [
      "Figure 3 of the Block A* paper: between corners of cells the shortest path need not follow the grid. Block A* finds it from a table of the block; Theta* only considers corners it expands; A* turns by 45 degrees.",
      () => lengths("Block A*", "Theta*", "A*"),
    ],
    show: figure3,
  },
  {
    title: "One table per kind of block",
    text: [
      "A table depends on the content of its block alone. So if you draw a wall, one table is made and all others stay: look at “repaired in” in the panel after you have drawn one.",
      () =>
        `Preparing this map took ${answer()?.times.prepare ? Math.round(answer()?.times.prepare ?? 0) + " µs" : "a moment"}.`,
    ],
    show: async () => {
      await scene("rooms", "eight", "block-astar");
      await structure();
    },
  },
  {
    title: "Any angle",
    text: [
      "Paths need not follow the grid. Theta* asks whether a node can be seen from its grandparent (solid lines: yes, dashed: no); ANYA searches whole intervals of a row and finds the shortest path there is.",
      () => `theta-star ${cost(0)}, anya ${cost(1)}.`,
    ],
    show: async () => {
      await scene("clutter", "any-angle", "theta-star", "anya");
      play();
    },
  },
  {
    title: "Regions and prepared paths: DBA*",
    text: [
      "The running example of the DBA* paper: sectors of 16 × 16 cells fall into regions of connected cells. Paths between neighbouring regions are stored; an agent walks from one to the next and makes each move at once.",
      "Alt → steps from move to move.",
    ],
    show: async () => {
      await scene("dba-star", "eight", "dba-star:sector=16");
      await structure();
      seek(0);
    },
  },
  {
    title: "Cutting corners",
    text: [
      "Figures 3 to 5 of the DBA* paper: through every centre, with corners cut, and with stored paths between regions two steps apart, beside the optimum.",
      () => lengths("optimum", "every centre", "corners cut", "two steps"),
    ],
    show: async () => {
      await scene(
        "dba-star",
        "eight",
        "astar",
        "dba-star:sector=16:depth=1:trim=none",
        "dba-star:sector=16:depth=1",
        "dba-star:sector=16:depth=2",
      );
      await structure();
    },
  },
  {
    title: "Learning while walking",
    text: [
      "LRTA* looks one step ahead and moves. Where its estimate was too low it raises it (the darker, the more), so it fills up dead ends and leaves them at last. It is the reason why prepared paths are worth their memory.",
    ],
    show: async () => {
      await scene("dba-star", "eight", "lrta-star");
      play();
    },
  },
  {
    title: "Quick, full, splice",
    text: [
      "A unit in a game sets off at once. Three-step path finding gives it a quick path of a few cells; while it walks, the full search runs, a slice for each move; then the way is spliced: cut over to the full path where that is shorter.",
      () => `The agent of three-step walked ${cost(0)}; without the splice it would have walked ${cost(1)}, and a unit that waited for A* walks ${cost(2)}.`,
      () =>
        `Its first move came after ${answer()?.stats.first_response ?? 0} expansions, A* expanded ${expanded(2)} before the first step. Alt → goes from move to move.`,
    ],
    show: async () => {
      await scene("harbour", "eight", "three-step", "three-step:splice=off", "astar");
      // Here the quick path leads into a dead end.
      state.start.set([71, 8]);
      state.goal.set([51, 31]);
      state.lock.set("share");
      replan();
      await settled();
      play();
    },
  },
  {
    title: "Rounds instead of an open list",
    text: [
      "IDA* keeps no open list: it searches depth-first below a bound and starts again with a higher one. The red ticks on the bar are its rounds; Alt → goes from one to the next.",
    ],
    show: async () => {
      await scene("block-astar", "four", "ida-star");
      play();
    },
  },
  {
    title: "Hills",
    text: [
      "On a height map slopes can cost. The red path ignores them and goes straight; the blue one, by A*MOD, goes round the summits. Drag the hills to turn them; the profiles of both paths are in the panel.",
      () => `Climbed: ${climb(0)} m straight, ${climb(1)} m round.`,
    ],
    show: async () => {
      await scene("hills", "eight", "astar (flat)", "astar-mod-fixed");
      state.slope.update((slope) => ({ ...slope, climb: 4 }));
      replan();
      await settled();
      state.view.set("terrain");
    },
  },
  {
    title: "The living map",
    text: [
      "Here units walk, each on an errand of its own, on quick paths, full paths and splices. Draw a wall across their way: whoever it cuts off (a red ring) plans anew, the others are not even looked at.",
      "With the arrow tool drag around some units and click where they shall go. The chart below shows what each tick took, and how much of its budget it spent on what.",
    ],
    show: async () => {
      await scene("rooms", "eight", "astar");
      state.view.set("units");
    },
  },
];

/** @param {number} number */
export async function startTour(number) {
  const step = STEPS[number];
  if (!step) return;
  const box = byId("tour");
  history.replaceState(null, "", `${location.pathname}${location.search}#tour=${number + 1}`);
  const show = (/** @type {boolean} */ ready) =>
    fill(
      box,
      h("button.plain.close", { "aria-label": "End the tour", onclick: endTour }, icon("close")),
      h("h2", {}, step.title),
      ...step.text.map((text) => (typeof text === "string" ? h("p", {}, text) : ready ? h("div", {}, text()) : null)),
      h(
        "footer",
        {},
        h("small", {}, `${number + 1} / ${STEPS.length}`),
        h("button.button", { onclick: () => startTour(number - 1), disabled: number === 0 }, "Back"),
        number + 1 < STEPS.length
          ? h("button.button.primary", { onclick: () => startTour(number + 1) }, "Next")
          : h("button.button.primary", { onclick: endTour }, "Done"),
      ),
    );
  // Beside the map where there is room, else over it.
  if (matchMedia("(min-width: 800px)").matches) byId("side").prepend(box);
  else byId("dock").before(box);
  byId("side").scrollTop = 0;
  box.hidden = false;
  byId("hint").classList.add("gone");
  show(false);
  await step.show();
  show(true);
  invalidate();
}

function endTour() {
  byId("tour").hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
}

/** Begins where the address says. @returns {Promise<boolean>} */
export async function startTourFromAddress() {
  const number = Number(/^#tour=(\d+)$/.exec(location.hash)?.[1] ?? 0);
  if (!STEPS[number - 1]) return false;
  await startTour(number - 1);
  return true;
}
