// Other maps: from the gallery, from the generators, from files by dialog or by drag and drop.

import { close, open } from "./dialogs.js";
import { byId, count, fill, h, icon, say } from "./dom.js";
import { loadLayers, replan } from "./planning.js";
import { chooseRule } from "./planner_panel.js";
import { fit } from "./stage.js";
import { focused, readSpec, rowOf, state } from "./state.js";

/** @typedef {import("./state.js").Source} Source */
/** @typedef {import("./grid_map.js").GridMap} GridMap */
/** @typedef {import("./state.js").Cell} Cell */

/**
 * Takes over a map that has come.
 * @param {GridMap} map
 * @param {Source} source
 * @param {{start?: any, goal?: any, moves?: any, planner?: string}} [suits] what the session suggests for it
 */
export function takeMap(map, source, suits = {}) {
  state.map.set(map);
  state.source.set(source);
  state.original = { shades: map.shades.slice(), edited: false };
  const cell = (/** @type {any} */ place) =>
    /** @type {Cell} */ (Array.isArray(place) ? place : [Math.floor(place.x), Math.floor(place.y)]);
  state.start.set(suits.start ? cell(suits.start) : nearestFree(map, 0.08, 0.12));
  state.goal.set(suits.goal ? cell(suits.goal) : nearestFree(map, 0.92, 0.88));
  const rule = typeof suits.moves === "string" ? suits.moves : suits.moves?.rule;
  if (rule) state.rule.set(rule);
  const slope = typeof suits.moves === "object" ? suits.moves?.slope : null;
  state.slope.set({ climb: slope?.climb ?? 0, limit: slope?.max_climb ?? 0 });
  if (suits.planner && state.panes.peek().length === 1) focused().choice.set(readSpec(suits.planner));
  suitPlanner();
  for (const pane of state.panes.peek()) {
    // The searches of the map before are gone; the next ones are shown finished.
    pane.replay.setTrace(null, state.shade.peek(), 0, map.width, map.height);
    pane.planned.set(null);
    pane.measured.set(null);
    pane.repair.set(null);
  }
  state.cursor.set(0);
  fit();
  replan();
  if (state.structure.peek()) for (const pane of state.panes.peek()) void loadLayers(pane);
}

/** A planner that can do what the map needs. */
function suitPlanner() {
  const map = state.map.peek();
  for (const pane of state.panes.peek()) {
    const row = rowOf(pane);
    if (!row) continue;
    if (map.heights !== null && !row.heights) pane.choice.update((choice) => ({ ...choice, flat: true }));
    if (map.costs !== null && !row.terrain) {
      say(`${row.name} does not know terrain costs; astar does.`);
      pane.choice.set({ name: "astar", values: {} });
      if (!rowOf(pane)?.rules.includes(state.rule.peek())) chooseRule("eight");
    }
  }
}

/** The free cell nearest to a part of the map. @returns {Cell} */
function nearestFree(/** @type {GridMap} */ map, /** @type {number} */ u, /** @type {number} */ v) {
  const cx = Math.floor(u * map.width),
    cy = Math.floor(v * map.height);
  for (let r = 0; r < Math.max(map.width, map.height); r++) {
    for (let y = cy - r; y <= cy + r; y++) {
      const whole = y === cy - r || y === cy + r;
      for (let x = cx - r; x <= cx + r; x += whole ? 1 : Math.max(2 * r, 1)) if (map.isFree(x, y)) return [x, y];
    }
  }
  return [0, 0];
}

/** A start and a goal that are connected and far apart, if the map has some. @returns {Promise<{start?: Cell, goal?: Cell}>} */
export async function farApart() {
  try {
    const { columns } = await state.session.ask({ op: "queries", far: true });
    const [start, goal] = [columns.get("starts"), columns.get("goals")];
    return start && goal && start.length > 1 ? { start: [start[0], start[1]], goal: [goal[0], goal[1]] } : {};
  } catch {
    return {};
  }
}

/** @param {Source} source @param {Record<string, any>} header @param {Record<string, any>} [columns] */
async function fetchMap(source, header, columns) {
  try {
    const reply = await state.session.map(header, columns);
    takeMap(reply.map, source, reply.header.start ? reply.header : { ...reply.header, ...(await farApart()) });
    return true;
  } catch (error) {
    say(/** @type {Error} */ (error).message, "bad");
    return false;
  }
}

/** @param {string} name */
export const openExample = (name) => fetchMap({ kind: "example", name }, { op: "example", name });
/** @param {Record<string, any>} fields */
export const generate = (fields) => fetchMap({ kind: "generate", fields }, { op: "generate", ...fields });
/** @param {number} width @param {number} height */
export const newMap = (width, height) => fetchMap({ kind: "new", width, height }, { op: "new", width, height });

const PICTURES = /\.(png|jpe?g|webp|gif|bmp|avif)$/i;

/** Reads a file as what it looks like. @param {File} file */
export async function openFile(file) {
  const source = /** @type {Source} */ ({ kind: "file", name: file.name });
  if (/\.scen$/i.test(file.name)) return openScenarios(file);
  if (PICTURES.test(file.name) || (file.type.startsWith("image/") && !/\.pgm$/i.test(file.name)))
    return askPicture(file);
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (/\.pgm$/i.test(file.name))
    return askMeaning(file.name, (as, highest) =>
      fetchMap(
        source,
        { op: "load", format: "pgm", name: file.name, as, ...(as === "heights" ? { highest } : {}) },
        { bytes },
      ),
    );
  return fetchMap(source, { op: "load", format: "auto", name: file.name }, { bytes });
}

/** A picture can be walls or heights. @param {File} file */
async function askPicture(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return say(`${file.name} is not a picture that this browser reads.`, "bad");
  }
  const { width, height } = bitmap;
  const side = state.hello.peek().limits.side;
  if (Math.max(width, height) > side)
    return say(`${file.name} has ${width} x ${height} pixels; a side may have ${side}.`, "bad");
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const luma = new Uint8Array(width * height);
  for (let i = 0; i < luma.length; i++)
    luma[i] = Math.round(0.2126 * data[4 * i] + 0.7152 * data[4 * i + 1] + 0.0722 * data[4 * i + 2]);
  return askMeaning(file.name, (as, highest) =>
    fetchMap(
      { kind: "file", name: file.name },
      { op: "load", format: "luma", name: file.name, width, height, as, ...(as === "heights" ? { highest } : {}) },
      { luma },
    ),
  );
}

/** @param {string} name @param {(as: "walls" | "heights", highest: number) => Promise<boolean>} then */
function askMeaning(name, then) {
  const highest = /** @type {HTMLInputElement} */ (h("input", { type: "number", value: "60", min: "0", step: "any" }));
  const choose = (/** @type {"walls" | "heights"} */ as) => () => {
    close();
    void then(as, Number(highest.value) || 60);
  };
  open(
    `What is bright in ${name}?`,
    h("p.muted", {}, "A picture has one brightness per pixel; each pixel becomes a cell."),
    h(
      "div.row",
      { style: "margin-top:14px" },
      h("button.button.primary", { onclick: choose("walls") }, icon("wall"), "bright is free, dark is wall"),
      h("button.button", { onclick: choose("heights") }, icon("height"), "bright is high"),
    ),
    h("label.field", { style: "max-width:280px;margin-top:14px" }, h("span", {}, "white is, in m"), highest),
  );
}

/** A list of queries of a scenario file. @param {File} file */
async function openScenarios(file) {
  try {
    const { columns, header } = await state.session.ask(
      { op: "scenarios" },
      { bytes: new Uint8Array(await file.arrayBuffer()) },
    );
    const starts = /** @type {Uint32Array} */ (columns.get("starts")),
      goals = /** @type {Uint32Array} */ (columns.get("goals"));
    const lengths = /** @type {Float64Array} */ (columns.get("lengths"));
    const shown = Math.min(header.count, 400);
    open(
      `${count(header.count)} queries of ${file.name}`,
      h(
        "div.gallery",
        {},
        ...Array.from({ length: shown }, (_, i) => shown - 1 - i).map((i) =>
          h(
            "button.card",
            {
              onclick: () => {
                state.start.set([starts[2 * i], starts[2 * i + 1]]);
                state.goal.set([goals[2 * i], goals[2 * i + 1]]);
                close();
                replan();
              },
            },
            h("b", {}, `${starts[2 * i]},${starts[2 * i + 1]} → ${goals[2 * i]},${goals[2 * i + 1]}`),
            h("small", {}, `length ${lengths[i].toFixed(2)}`),
          ),
        ),
      ),
    );
  } catch (error) {
    say(/** @type {Error} */ (error).message, "bad");
  }
}

export function pickFile() {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "file", id: "file", hidden: true }));
  input.addEventListener("change", () => {
    if (input.files?.[0]) void openFile(input.files[0]);
    input.remove();
  });
  document.body.append(input);
  input.click();
}

/** The gallery, the generators and files. */
export function mapDialog() {
  const hello = state.hello.peek();
  const map = state.map.peek();
  /** @type {Record<string, string>} */
  const values = {
    kind: hello.generators[0]?.name ?? "",
    width: String(Math.min(map.width, 512)),
    height: String(Math.min(map.height, 512)),
    seed: "1",
  };
  const fields = h("div");
  const kinds = /** @type {HTMLSelectElement} */ (
    h(
      "select",
      {
        "aria-label": "Kind of map",
        onchange: () => {
          values.kind = kinds.value;
          showFields();
        },
      },
      ...hello.generators.map(({ name, summary }) => h("option", { value: name, title: summary }, name)),
    )
  );
  const field = (
    /** @type {string} */ name,
    /** @type {string} */ meaning,
    /** @type {number} */ min,
    /** @type {number} */ max,
    whole = true,
  ) => {
    const input = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "number",
        value: values[name],
        min: String(min),
        max: String(max),
        step: whole ? "1" : "any",
        oninput: () => (values[name] = input.value),
      })
    );
    return h("label.field", { title: meaning }, h("span", {}, name), input);
  };
  const showFields = () => {
    const generator = hello.generators.find(({ name }) => name === values.kind);
    for (const parameter of generator?.parameters ?? []) values[parameter.name] = String(parameter.default);
    fill(
      fields,
      generator ? h("p.summary", {}, generator.summary) : null,
      field("width", "cells", 1, hello.limits.side),
      field("height", "cells", 1, hello.limits.side),
      ...(generator?.parameters ?? []).map(({ name, meaning, min, max, whole }) =>
        field(name, meaning, min, max, whole),
      ),
      field("seed", "the same seed gives the same map", 0, 2 ** 32),
    );
  };
  const make = () => {
    const generator = hello.generators.find(({ name }) => name === values.kind);
    /** @type {Record<string, any>} */
    const request = { kind: values.kind };
    for (const name of ["width", "height", "seed", ...(generator?.parameters ?? []).map((parameter) => parameter.name)])
      request[name] = Number(values[name]);
    close();
    void generate(request);
  };
  showFields();
  open(
    "Maps",
    h("h3", {}, "Gallery"),
    h(
      "div.gallery",
      {},
      ...hello.examples.map(({ name, title, text, width, height }) =>
        h(
          "button.card",
          {
            onclick: () => {
              close();
              void openExample(name);
            },
          },
          h("b", {}, title),
          h("span", {}, text),
          width ? h("small", {}, `${width} × ${height}`) : null,
        ),
      ),
    ),
    h("h3", {}, "From a file"),
    h(
      "div.row",
      {},
      h(
        "button.button",
        {
          onclick: () => {
            close();
            pickFile();
          },
        },
        icon("folder"),
        "Open …",
      ),
      h(
        "span.muted",
        {},
        "MovingAI .map and .scen, drawings, pictures, height maps (.asc, .csv, .hgt, .pgm); or drop one on the page",
      ),
    ),
    h("h3", {}, "Generate"),
    h(
      "div",
      { style: "max-width:380px" },
      h("label.field", {}, h("span", {}, "kind"), kinds),
      fields,
      h(
        "div.row",
        { style: "margin-top:12px" },
        h("button.button.primary", { onclick: make }, icon("dice"), "Make it"),
        h(
          "button.button",
          {
            onclick: () => {
              close();
              void newMap(Number(values.width) || 64, Number(values.height) || 64);
            },
          },
          "Empty map",
        ),
      ),
    ),
  );
}

/** Files dropped on the page. */
export function startDrop() {
  const target = byId("drop");
  let depth = 0;
  const has = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => {
    if (has(event)) target.hidden = ++depth === 0;
  });
  addEventListener("dragleave", (event) => {
    if (has(event)) target.hidden = --depth <= 0;
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    target.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file) void openFile(file);
  });
}
