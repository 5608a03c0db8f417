// A link that restores everything: the question, the planners, the view and the map, deflated into
// the part of the address after #. A map that can be made again is named, with the cells that differ;
// any other is held whole.

import { addPane } from "./compare.js";
import { say } from "./dom.js";
import { replan, settled } from "./planning.js";
import { seek } from "./player.js";
import { camera, fit, forgetPane, invalidate } from "./stage.js";
import { focused, readSpec, label, state } from "./state.js";
import { takeMap } from "./maps.js";
import { setShade } from "./view_panel.js";

/** Longer addresses are cut short by some programs that people paste them into. */
const LONGEST = 60_000;

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} through */
async function pass(bytes, through) {
  const stream = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)])
    .stream()
    .pipeThrough(/** @type {any} */ (through));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function toText(/** @type {Uint8Array} */ bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromText(/** @type {string} */ text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

/** What a link says, without the map's cells. */
function about() {
  const map = state.map.peek();
  const trace = focused().replay.trace;
  const source = state.source.peek();
  return {
    v: 1,
    source,
    width: map.width,
    height: map.height,
    name: map.name,
    start: state.start.peek(),
    goal: state.goal.peek(),
    rule: state.rule.peek(),
    nearest: state.nearest.peek(),
    corners: state.corners.peek(),
    smooth: state.smooth.peek(),
    weight: state.weight.peek(),
    heuristic: state.heuristic.peek(),
    slope: state.slope.peek(),
    planners: state.panes.peek().map((pane) => label(pane.choice.peek())),
    focus: state.focus.peek(),
    difference: state.difference.peek(),
    overlaid: state.overlaid.peek(),
    lock: state.lock.peek(),
    cursor: trace ? state.cursor.peek() / Math.max(trace.count, 1) : 1,
    shade: state.shade.peek(),
    structure: state.structure.peek(),
    parents: state.parents.peek(),
    view: state.view.peek(),
    camera: camera.fitted ? null : [camera.x, camera.y, camera.scale].map((value) => +value.toFixed(3)),
    /** Which planes follow. */
    planes: /** @type {string[]} */ ([]),
  };
}

/** The address of what is shown now. @returns {Promise<string>} */
export async function link() {
  const map = state.map.peek();
  const said = about();
  /** @type {Uint8Array[]} */
  const parts = [];
  if (said.source.kind === "file" || state.original.edited) {
    // Cells that differ from the original, or of a file all that are blocked: mostly zeroes.
    const whole = said.source.kind === "file";
    const bits = new Uint8Array(Math.ceil(map.shades.length / 8));
    for (let i = 0; i < map.shades.length; i++) {
      const blocked = map.shades[i] === 255,
        before = !whole && state.original.shades[i] === 255;
      if (blocked !== before) bits[i >> 3] |= 1 << (i & 7);
    }
    said.planes.push("bits");
    parts.push(bits);
    if (map.costs !== null) {
      said.planes.push("costs");
      parts.push(new Uint8Array(map.costs.slice().buffer));
    }
    if (map.heights !== null) {
      said.planes.push("heights");
      parts.push(new Uint8Array(map.heights.slice().buffer));
    }
  }
  const text = new TextEncoder().encode(JSON.stringify(said));
  const all = new Uint8Array(4 + text.length + parts.reduce((sum, part) => sum + part.length, 0));
  new DataView(all.buffer).setUint32(0, text.length, true);
  all.set(text, 4);
  let at = 4 + text.length;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  const address = new URL(location.href);
  address.searchParams.delete("token");
  address.hash = toText(await pass(all, new CompressionStream("deflate-raw")));
  return address.href;
}

/** Puts the link into the address bar, so that reloading restores what is shown. */
export async function keepInAddress() {
  const { hash } = new URL(await link());
  if (hash.length > LONGEST) return false;
  history.replaceState(null, "", location.pathname + location.search + hash);
  return true;
}

/** Restores what a link says. @param {string} hash @returns {Promise<boolean>} whether there was something to restore */
export async function restore(hash) {
  const text = hash.replace(/^#/, "");
  if (text.length < 8) return false;
  try {
    const bytes = await pass(fromText(text), new DecompressionStream("deflate-raw"));
    const length = new DataView(bytes.buffer).getUint32(0, true);
    const said = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    if (said.v !== 1) throw new Error("made by another version");
    await restoreMap(said, bytes, 4 + length);
    restoreRest(said);
    return true;
  } catch (error) {
    say(`This link cannot be restored: ${/** @type {Error} */ (error).message}`, "bad");
    return false;
  }
}

/** @param {ReturnType<typeof about>} said @param {Uint8Array} bytes @param {number} start of the planes */
async function restoreMap(said, bytes, start) {
  const { session } = state;
  const { source } = said;
  const request =
    source.kind === "example"
      ? { op: "example", name: source.name }
      : source.kind === "generate"
        ? { op: "generate", ...source.fields }
        : { op: "new", width: said.width, height: said.height };
  let { map, header } = await session.map(request);
  const suits = header;
  const original = map.shades.slice();
  const cells = map.width * map.height;
  if (said.planes.length > 0) {
    if (map.width !== said.width || map.height !== said.height) throw new Error("its map has another size now");
    const bits = bytes.subarray(start, start + Math.ceil(cells / 8));
    const free = new Uint8Array(cells);
    for (let i = 0; i < cells; i++) free[i] = (original[i] === 255) !== (((bits[i >> 3] >> (i & 7)) & 1) === 1) ? 0 : 1;
    let at = start + bits.length;
    /** @type {Record<string, import("./frames.js").Column>} */
    const columns = { free };
    if (said.planes.includes("costs")) {
      columns.costs = new Uint16Array(bytes.slice(at, at + 2 * cells).buffer);
      at += 2 * cells;
    }
    if (said.planes.includes("heights")) columns.heights = new Float32Array(bytes.slice(at, at + 4 * cells).buffer);
    ({ map } = await session.map(
      { op: "load", format: "planes", name: said.name, width: map.width, height: map.height, cell_size: map.cellSize },
      columns,
    ));
  }
  for (const pane of state.panes.peek().slice(1)) forgetPane(pane);
  state.panes.set(state.panes.peek().slice(0, 1));
  state.focus.set(0);
  state.panes.peek()[0].choice.set(readSpec(said.planners[0]));
  takeMap(map, source, { ...suits, planner: said.planners[0] });
  state.original = {
    shades: source.kind === "file" ? new Uint8Array(cells) : original,
    edited: said.planes.length > 0,
  };
}

/** @param {ReturnType<typeof about>} said */
function restoreRest(said) {
  state.start.set(said.start);
  state.goal.set(said.goal);
  state.rule.set(said.rule);
  state.nearest.set(said.nearest);
  state.corners.set(said.corners);
  state.smooth.set(said.smooth);
  state.weight.set(said.weight);
  state.heuristic.set(said.heuristic);
  state.slope.set(said.slope);
  for (const planner of said.planners.slice(1, 4)) addPane(readSpec(planner));
  state.focus.set(said.focus);
  state.difference.set(said.difference);
  state.overlaid.set(said.overlaid ?? false);
  state.lock.set(said.lock);
  state.structure.set(said.structure);
  state.parents.set(said.parents);
  state.view.set(said.view);
  setShade(said.shade);
  replan();
  if (said.camera) {
    [camera.x, camera.y, camera.scale] = said.camera;
    camera.fitted = false;
  } else {
    fit();
  }
  invalidate();
  void settled().then(() => {
    const trace = focused().replay.trace;
    if (trace && said.cursor < 1) seek(said.cursor * trace.count);
  });
}
