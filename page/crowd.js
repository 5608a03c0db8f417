// The living map: units that the session lets walk, as the page knows them, and the clock that asks for
// their next ticks. One request is under way at a time; between two answers positions are interpolated.

import { say } from "./dom.js";
import { takeOver } from "./session.js";
import { effect, signal } from "./signals.js";
import { invalidate } from "./stage.js";
import { state } from "./state.js";

/** @typedef {import("./frames.js").Frame} Frame */
/** @typedef {{x: number, y: number, width: number, height: number, open: boolean}} Door */
/** @typedef {{cut: number, looked_at: number, displaced: number, time: number}} Effect what an edit meant to units */
/** @typedef {{unit: number, state: string, size: number, left: number | null, orders: number, points: number}} Watched */

/** What expansions are spent on, in the order of the session's columns. */
export const PURPOSES = ["quick", "full", "repair", "fields", "steps"];
/** States by number, as the session numbers them. */
export const STATE = { yielding: 6, stuck: 7, none: 255 };
/** Ticks that the charts go back. */
export const HISTORY = 240;
/** The most units whose ways are asked for. */
const MOST_WATCHED = 64;
/** Ticks that one request may ask for, so that an answer never takes long. */
const MOST_TICKS = 16;
const FLASH = 1200;

export const crowd = {
  running: signal(true),
  /** Doublings of the speed. */
  speed: signal(0),
  heat: signal(false),
  /** Whether units that are placed go somewhere else whenever they have arrived. */
  wander: signal(true),
  size: signal(/** @type {1 | 2} */ (1)),
  /** From cell to cell, or as discs in the plane. */
  stepping: signal(/** @type {"cells" | "plane"} */ ("cells")),
  /** Touched after each answer. */
  version: signal(0),
  selection: signal(/** @type {Set<number>} */ (new Set())),
  /** The last edit that concerned units. */
  effect: signal(/** @type {Effect | null} */ (null)),

  /** How many units there are; -1 before they were asked for. */
  living: -1,
  tick: 0,
  rate: 30,
  memory: 0,
  /** @type {string[]} */
  stateNames: [],
  budget: [1, 1, 1, 1, 1],
  positions: new Float32Array(0),
  before: new Float32Array(0),
  states: new Uint8Array(0),
  teams: new Uint8Array(0),
  sizes: new Uint8Array(0),
  /** @type {Door[]} */
  doors: [],
  /** When each unit's way was cut, by slot. @type {Map<number, number>} */
  cuts: new Map(),
  /** Where somebody was just sent. @type {{x: number, y: number, at: number} | null} */
  target: null,
  /** @type {{side: number, columns: number, rows: number, values: Uint8Array} | null} */
  heatMap: null,
  /** @type {Watched[]} */
  watched: [],
  ways: new Float32Array(0),
  /** The last ticks: microseconds, and expansions by purpose. @type {{time: number, spent: number[], queued: number}[]} */
  ticks: [],
  /** What happened since the units were placed. @type {Record<string, number>} */
  events: {},
};

/** When the last answer came, and how long its ticks last on the screen. */
let shown = 0;
let lasts = 1;
let due = 0;
let lastFrame = 0;
let asking = false;
/** Another number for each crowd, so that answers for an earlier one are dropped. */
let generation = 0;

/** How far the screen has come from the last answer but one to the last: 0 to 1. */
export function progress() {
  return Math.min((performance.now() - shown) / lasts, 1);
}

/** Where a unit is drawn. @param {number} slot @param {number} part @returns {[number, number]} */
export function placeOfUnit(slot, part) {
  const { positions: now, before } = crowd;
  const [x, y] = [now[2 * slot], now[2 * slot + 1]];
  if (2 * slot >= before.length) return [x, y];
  const [u, v] = [before[2 * slot], before[2 * slot + 1]];
  // A slot may be another unit by now, and an edit may have moved one.
  if (Math.abs(x - u) > 4 || Math.abs(y - v) > 4) return [x, y];
  return [u + (x - u) * part, v + (y - v) * part];
}

/** @param {Frame} frame */
function take(frame) {
  const { header, columns } = frame;
  // Doors are steps of the map's history.
  if (header.map) {
    takeOver(state.map.peek(), frame);
    state.map.touch();
  }
  const column = (/** @type {string} */ name) => /** @type {any} */ (columns.get(name));
  crowd.living = header.living;
  crowd.tick = header.tick;
  crowd.rate = header.rate;
  crowd.memory = header.memory;
  crowd.stateNames = header.states;
  crowd.budget = header.budget;
  crowd.before = crowd.positions;
  crowd.positions = column("positions");
  crowd.states = column("state");
  crowd.teams = column("team");
  crowd.sizes = column("size");
  const doors = column("doors");
  crowd.doors = [];
  for (let i = 0; i < doors.length; i += 5) {
    crowd.doors.push({ x: doors[i], y: doors[i + 1], width: doors[i + 2], height: doors[i + 3], open: doors[i + 4] === 1 });
  }
  crowd.version.update((version) => version + 1);
}

/** @param {Frame} frame */
function takeTicks(frame) {
  const { header, columns } = frame;
  const column = (/** @type {string} */ name) => /** @type {any} */ (columns.get(name));
  take(frame);
  const [times, spent, queued] = [column("times"), column("spent"), column("queued")];
  for (let i = 0; i < times.length; i++) {
    crowd.ticks.push({ time: times[i], spent: Array.from(spent.subarray(5 * i, 5 * i + 5)), queued: queued[i] });
  }
  crowd.ticks.splice(0, crowd.ticks.length - HISTORY);
  for (const [name, count] of Object.entries(header.events)) crowd.events[name] = (crowd.events[name] ?? 0) + count;
  const now = performance.now();
  for (const slot of column("cut")) crowd.cuts.set(slot, now);
  for (const [slot, at] of crowd.cuts) if (now - at > FLASH) crowd.cuts.delete(slot);
  crowd.heatMap = header.heat ? { ...header.heat, values: column("heat") } : null;
  crowd.watched = header.watched;
  crowd.ways = column("ways");
}

/** How strongly the mark of a cut way still shows: 1 to 0. @param {number} slot */
export function cutGlow(slot) {
  const at = crowd.cuts.get(slot);
  return at === undefined ? 0 : Math.max(0, 1 - (performance.now() - at) / FLASH);
}

/** Asks, and drops the answer if the units are others by then. @param {Record<string, any>} header @param {Record<string, Uint32Array>} [columns] @param {(frame: Frame) => void} [then] */
async function ask(header, columns, then = take) {
  const asked = generation;
  try {
    const frame = await state.session.ask(header, columns);
    if (asked === generation) then(frame);
    invalidate();
  } catch (error) {
    if (asked !== generation) return;
    crowd.running.set(false);
    say(/** @type {Error} */ (error).message, "bad");
  }
}

/** Places units: so many, in a rectangle or anywhere. @param {number} count @param {{x: number, y: number, width: number, height: number}} [area] */
export function place(count, area) {
  const seed = 1 + crowd.tick;
  return ask({
    op: "units.place",
    count,
    seed,
    teams: area ? 1 : 4,
    team: area ? (crowd.living + 1) % 4 : 0,
    size: crowd.size.peek(),
    wander: crowd.wander.peek(),
    stepping: crowd.stepping.peek(),
    ...area,
  });
}

/** Tells units what to do; everybody if nobody is selected. @param {Record<string, any>} order */
export function order(order) {
  const selected = [...crowd.selection.peek()];
  if (order.goal) crowd.target = { x: order.goal[0] + 0.5, y: order.goal[1] + 0.5, at: performance.now() };
  invalidate();
  return ask({ op: "units.order", ...order }, selected.length > 0 ? { units: Uint32Array.from(selected) } : {}, () => {});
}

/** Makes a door. @param {{x: number, y: number, width: number, height: number}} area */
export function addDoor(area) {
  return ask({ op: "units.door", ...area }, {}, takeEdit);
}

/** Opens a door that is closed, closes one that is open. @param {number} number */
export function toggleDoor(number) {
  return ask({ op: "units.door", door: number, open: !crowd.doors[number].open }, {}, takeEdit);
}

/** What came of a door. @param {Frame} frame */
export function takeEdit(frame) {
  take(frame);
  tellEffect(frame.header.units);
}

/**
 * What an edit of the map meant to the units. A stroke comes in pieces, which count as one.
 * @param {Effect | undefined} effect @param {boolean} goesOn whether the edit belongs to the one before
 */
export function tellEffect(effect, goesOn = false) {
  if (!effect) return;
  const before = goesOn ? crowd.effect.peek() : null;
  const sum = (/** @type {keyof Effect} */ key) => effect[key] + (before?.[key] ?? 0);
  crowd.effect.set({
    cut: sum("cut"),
    looked_at: sum("looked_at"),
    displaced: sum("displaced"),
    time: sum("time"),
  });
}

export function removeAll() {
  crowd.selection.set(new Set());
  return ask({ op: "units.remove" });
}

/** All units anew, stepping otherwise. @param {"cells" | "plane"} stepping */
export async function changeStepping(stepping) {
  const many = crowd.living;
  await removeAll();
  crowd.stepping.set(stepping);
  await place(Math.max(many, 1));
}

/** The door at a cell, or -1; the last one made is on top. @param {number} x @param {number} y */
export function doorAt(x, y) {
  return crowd.doors.findLastIndex(
    (door) => x >= door.x && y >= door.y && x < door.x + door.width && y < door.y + door.height,
  );
}

/** Units whose middles lie in a rectangle of the map. @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
export function unitsIn(x0, y0, x1, y1) {
  /** @type {Set<number>} */
  const found = new Set();
  const { positions, states } = crowd;
  for (let slot = 0; slot < states.length; slot++) {
    const [x, y] = [positions[2 * slot], positions[2 * slot + 1]];
    if (states[slot] !== STATE.none && x >= x0 && x < x1 && y >= y0 && y < y1) found.add(slot);
  }
  return found;
}

/** The unit nearest to a place, if it is within reach; else -1. @param {number} x @param {number} y @param {number} reach in cells */
export function unitAt(x, y, reach) {
  const { positions, states } = crowd;
  let best = -1,
    least = reach * reach;
  for (let slot = 0; slot < states.length; slot++) {
    const distance = (positions[2 * slot] - x) ** 2 + (positions[2 * slot + 1] - y) ** 2;
    if (states[slot] !== STATE.none && distance < least) [best, least] = [slot, distance];
  }
  return best;
}

/** As many as walk well on a map: 1,600 where there is room. */
export function suitable() {
  return Math.max(1, Math.min(1600, Math.floor(state.map.peek().freeCells / 14)));
}

/** Lets one tick pass, or a few. @param {number} ticks */
export async function tick(ticks) {
  if (asking || crowd.living < 0) return;
  asking = true;
  const watch = [...crowd.selection.peek()].slice(0, MOST_WATCHED);
  await ask({ op: "units.tick", ticks, heat: crowd.heat.peek(), watch }, {}, (frame) => {
    takeTicks(frame);
    lasts = Math.max((ticks / rate()) * 1000, 1);
    shown = performance.now();
  });
  asking = false;
}

/** Ticks per second. */
function rate() {
  return crowd.rate * 2 ** crowd.speed.peek();
}

function frame(/** @type {number} */ now) {
  if (state.view.peek() !== "units") {
    lastFrame = 0;
    return;
  }
  requestAnimationFrame(frame);
  if (crowd.running.peek() && crowd.living > 0) {
    if (lastFrame > 0) due += (Math.min(now - lastFrame, 250) / 1000) * rate();
    // Where the engine is slower than the clock, time passes more slowly, and nothing queues up.
    due = Math.min(due, MOST_TICKS);
    if (due >= 1 && !asking) {
      const ticks = Math.floor(due);
      due -= ticks;
      void tick(ticks);
    }
  }
  lastFrame = now;
  if (progress() < 1 || crowd.cuts.size > 0 || crowd.target !== null) invalidate();
}

/** Forgets the units of a map that is gone. */
function forget() {
  generation++;
  asking = false;
  Object.assign(crowd, {
    living: -1,
    tick: 0,
    positions: new Float32Array(0),
    before: new Float32Array(0),
    states: new Uint8Array(0),
    doors: [],
    heatMap: null,
    watched: [],
    ticks: [],
    events: {},
    target: null,
  });
  crowd.cuts.clear();
  crowd.selection.set(new Set());
  crowd.effect.set(null);
}

/** Starts the clock whenever the living map is shown; the first time, and on another map, units are placed. */
export function startCrowd() {
  let on = false;
  /** @type {import("./grid_map.js").GridMap | null} */
  let map = null;
  effect(() => {
    const other = state.map.get();
    const wasOn = on;
    on = state.view.get() === "units";
    if (other !== map) {
      map = other;
      forget();
    }
    if (!on) return;
    if (!wasOn) requestAnimationFrame(frame);
    if (crowd.living < 0 && other.name !== "") {
      crowd.living = 0;
      crowd.running.set(true);
      void place(suitable());
    }
  });
}
