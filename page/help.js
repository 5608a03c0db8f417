// All keys, and what the page is.

import { open } from "./dialogs.js";
import { h } from "./dom.js";
import { answerTimes } from "./planning.js";
import { frameTimes, rendererName } from "./stage.js";
import { state } from "./state.js";

/** @type {[string, [string, string][]][]} */
const KEYS = [
  [
    "Playback",
    [
      ["Space", "play, pause; hold: move the map"],
      ["← →", "a step back, a step"],
      ["Shift ← →", "an expansion"],
      ["Alt ← →", "an f-layer, round or move"],
      ["Ctrl ← →", "one event"],
      ["Home End", "start, end"],
      ["[ ]", "slower, faster"],
      ["N", "next breakpoint hit"],
      ["B", "mark the cell as a breakpoint"],
    ],
  ],
  [
    "Map",
    [
      ["1 … 6", "hand, goal, wall, cost, height, eraser"],
      [", .", "brush smaller, larger"],
      ["S G", "start, goal to the cell under the pointer"],
      ["Ctrl+Z Ctrl+Y", "undo, redo"],
      ["F", "show the whole map"],
      ["+ −", "zoom"],
      ["W A X Z", "move the map"],
      ["O", "other maps"],
    ],
  ],
  [
    "Living map",
    [
      ["Space", "pause, go on"],
      ["→", "one tick"],
      ["[ ]", "slower, faster"],
      ["1 … 7", "hand, send, wall, cost, door, place, eraser"],
      ["H", "congestion as heat"],
      ["Esc", "select nobody"],
    ],
  ],
  [
    "Planners",
    [
      ["P", "choose a planner"],
      ["C", "compare"],
      ["D", "difference of two"],
      ["Tab", "to the next part of the page"],
    ],
  ],
  [
    "Display",
    [
      ["H", "shade by g, h, f …"],
      ["V", "numbers in cells"],
      ["T", "parents"],
      ["M", "rays, intervals, looks"],
      ["R", "what was prepared"],
      ["L", "light or dark"],
      ["?", "this list"],
    ],
  ],
];

export function helpDialog() {
  const hello = state.hello.peek();
  const median = [...frameTimes.list].sort((a, b) => a - b)[frameTimes.list.length >> 1] ?? 0;
  open(
    "Keys",
    ...KEYS.map(([title, list]) => [
      h("h3", {}, title),
      h(
        "dl.keys",
        {},
        ...list.map(([key, text]) =>
          h(
            "div",
            {},
            h("dt", {}, ...key.split(" ").flatMap((part) => (part === "…" ? [" … "] : [h("kbd", {}, part), " "]))),
            h("dd", {}, text),
          ),
        ),
      ),
    ]),
    h("h3", {}, "About"),
    h(
      "p.muted",
      {},
      `blockstar ${hello?.version ?? ""}: ${hello?.planners.length ?? 0} planners, engine ${state.session.transport.name}, drawn with ${rendererName()}; ` +
        `a frame takes ${median.toFixed(1)} ms, the last answer ${state.session.roundTrip.toFixed(1)} ms, of it ` +
        `${(answerTimes.at(-1) ?? 0).toFixed(1)} ms in the page.`,
    ),
    h(
      "p.muted",
      {},
      "Drag the start or the goal and the path follows. The wheel zooms, the right button moves the map, two fingers do both.",
    ),
  );
}
