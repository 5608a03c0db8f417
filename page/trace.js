// A recorded search: columns of events as the session sent them, and what one pass over them finds.
//
// The pass gives every event the event before it at the same node. So a replay needs one number per
// node, the last event there, and stepping back is as cheap as stepping forward. The state of a node,
// its g, f and parent all follow from that event.

export const KIND = /** @type {const} */ ({
  opened: 0,
  improved: 1,
  expanded: 2,
  block: 3,
  moved: 4,
  interval: 5,
  ray: 6,
  sight: 7,
  blind: 8,
  raised: 9,
  round: 10,
  level: 11,
});
export const KIND_NAMES = Object.keys(KIND);

/** What a node looks like; the bytes of the drawing. */
export const STATE = { none: 0, open: 1, closed: 2, raised: 3, reached: 4 };
export const BACKWARD = 16;

const NONE = 0xffffffff;

/** The last event of each node while a trace is indexed; all -1 in between, so that a short search on a
 * large map does not pay for the map. */
let lastOf = new Int32Array(0);

/** What cells can be shaded by. */
export const SHADES = /** @type {const} */ ({
  order: "order of expansion",
  g: "g, the cost so far",
  h: "h, the estimate",
  f: "f, the priority",
  slack: "distance of f from C*",
});
/** @typedef {keyof typeof SHADES} Shade */
/** @typedef {"event" | "expansion" | "layer" | "round" | "move"} Unit */

/**
 * @typedef {object} TraceColumns
 * @property {Uint8Array} kind
 * @property {Uint32Array} at
 * @property {Uint32Array} from
 * @property {Uint32Array | Float64Array} g
 * @property {Uint32Array | Float64Array} f
 * @property {Float64Array} points
 */

export class Trace {
  /**
   * @param {TraceColumns} columns
   * @param {{scale: number, skipped: number, dropped: number}} about
   * @param {number} width of the map
   * @param {number} height
   */
  constructor(columns, about, width, height) {
    this.kind = columns.kind;
    this.at = columns.at;
    this.from = columns.from;
    this.g = columns.g;
    this.f = columns.f;
    this.points = columns.points;
    this.scale = about.scale || 1;
    this.skipped = about.skipped;
    this.dropped = about.dropped;
    this.count = this.kind.length;
    /** Whether nodes are corners of cells. */
    this.corners = this.mostlyCorners();
    /** Nodes per row and column. */
    this.width = width + (this.corners ? 1 : 0);
    this.height = height + (this.corners ? 1 : 0);
    /** The node of each event, -1 for events that are not about a node. */
    this.nodes = new Int32Array(this.count);
    /** The event before at the same node (of a block: the same block), or -1. */
    this.before = new Int32Array(this.count);
    /** The length of the open list after each event. */
    this.open = new Uint32Array(this.count);
    /** Events by kind. */
    this.counts = new Uint32Array(16);
    /** Cursors after each expansion, layer, round and move. @type {Record<Exclude<Unit, "event">, number[]>} */
    this.lists = { expansion: [], layer: [], round: [], move: [] };
    /** Where the drawing starts empty: at the beginning and at each round. */
    this.segments = [0];
    this.hasBlocks = false;
    /** The smallest and largest value that is shaded. @type {[number, number]} */
    this.range = [0, 0];
    this.index();
    this.expansions = this.lists.expansion.length;
    /** @private @type {{shade: Shade, best: number, values: Uint16Array} | null} */
    this.shaded = null;
  }

  /** @private */
  mostlyCorners() {
    let centres = 0,
      corners = 0;
    const step = Math.max(1, Math.floor(this.count / 2000));
    for (let i = 0; i < this.count; i += step) {
      if ((this.kind[i] & 127) > KIND.expanded) continue;
      if ((this.at[i] & 1) === 0) corners++;
      else centres++;
    }
    return corners > centres;
  }

  /** The node of a place, or -1. @param {number} place */
  node(place) {
    if (place === NONE) return -1;
    let x = place & 0xffff,
      y = place >>> 16;
    if (x > 0x8000) {
      const at = (((x & 0x7fff) - 1) * 65536 + y) * 2;
      x = Math.round(this.points[at] * 2);
      y = Math.round(this.points[at + 1] * 2);
    }
    if (this.corners) {
      x = (x + 1) >> 1;
      y = (y + 1) >> 1;
    } else {
      x >>= 1;
      y >>= 1;
    }
    return x < this.width && y < this.height ? y * this.width + x : -1;
  }

  /** Where a place is, in cells. @param {number} place @returns {[number, number]} */
  position(place) {
    const x = place & 0xffff;
    if (x <= 0x8000) return [x / 2, (place >>> 16) / 2];
    const at = (((x & 0x7fff) - 1) * 65536 + (place >>> 16)) * 2;
    return [this.points[at], this.points[at + 1]];
  }

  /** @private The one pass. */
  index() {
    const { count, kind, at, f } = this;
    const nodes = this.width * this.height;
    if (lastOf.length < nodes) lastOf = new Int32Array(nodes).fill(-1);
    const last = lastOf;
    const { counts } = this;
    const { expansion, layer, round, move } = this.lists;
    /** @type {Map<number, number>} */
    const blocks = new Map();
    for (let i = 0; i < count && !this.hasBlocks; i++) this.hasBlocks = (kind[i] & 127) === KIND.block;
    let open = 0,
      highest = -Infinity,
      begun = 0;
    for (let i = 0; i < count; i++) {
      const what = kind[i] & 127;
      counts[what & 15]++;
      let node = -1,
        before = -1;
      if (what <= KIND.expanded || what === KIND.raised) {
        node = this.node(at[i]);
        if (node >= 0) {
          before = last[node];
          last[node] = i;
        }
        if (what === KIND.expanded) {
          if (before >= 0 && (kind[before] & 127) <= KIND.improved && open > 0) open--;
          expansion.push(i + 1);
          if (f[i] > highest) {
            highest = f[i];
            layer.push(i + 1);
          }
        } else if (what !== KIND.raised && !this.hasBlocks) {
          if (before < 0 || (kind[before] & 127) > KIND.improved) open++;
        }
      } else if (what === KIND.block) {
        before = blocks.get(at[i]) ?? -1;
        blocks.set(at[i], i);
        expansion.push(i + 1);
        if (f[i] > highest) {
          highest = f[i];
          layer.push(i + 1);
        }
      } else if (what === KIND.moved) {
        move.push(i + 1);
      } else if (what === KIND.round || what === KIND.level) {
        round.push(i + 1);
        if (i > 0) this.segments.push(i);
        highest = -Infinity;
        open = 0;
        // A round starts afresh: nothing before it matters for what is drawn.
        for (let k = begun; k < i; k++) if (this.nodes[k] >= 0) last[this.nodes[k]] = -1;
        begun = i;
        blocks.clear();
      }
      this.nodes[i] = node;
      this.before[i] = before;
      this.open[i] = open;
    }
    for (let k = begun; k < count; k++) if (this.nodes[k] >= 0) last[this.nodes[k]] = -1;
  }

  /** The place of the parent after an event, which an earlier event at the node may have told; all ones: none. @param {number} event */
  parent(event) {
    let at = event;
    while (at >= 0 && this.from[at] === NONE) at = this.before[at];
    return at >= 0 && (this.kind[at] & 127) <= KIND.expanded ? this.from[at] : NONE;
  }

  /** The state that an event leaves a node in. @param {number} event */
  state(event) {
    const what = this.kind[event] & 127;
    if (what === KIND.expanded) return STATE.closed;
    if (what === KIND.raised) return STATE.raised;
    return this.hasBlocks ? STATE.reached : STATE.open;
  }

  /**
   * What each event leaves of its node in the drawing: the state in the low byte, the shade above it.
   * @param {Shade} shade
   * @param {number} best the cost of the cheapest path, in cells
   * @returns {Uint16Array}
   */
  paints(shade, best) {
    if (this.shaded?.shade === shade && this.shaded.best === best) return this.shaded.values;
    const { count, kind, g, f, before } = this;
    const values = new Uint8Array(count);
    const expansions = Math.max(this.expansions - 1, 1);
    let seen = 0;
    const goal = best * this.scale;
    const value = (/** @type {number} */ i) =>
      shade === "g" ? g[i] : shade === "h" ? f[i] - g[i] : shade === "f" ? f[i] : Math.max(f[i] - goal, goal - f[i]);
    let low = Infinity,
      high = -Infinity,
      raise = 0;
    const first = new Float64Array(this.counts[KIND.raised] > 0 ? count : 0);
    for (let i = 0; i < count; i++) {
      const what = kind[i] & 127;
      if (what === KIND.raised) {
        const earlier = before[i];
        const known = earlier >= 0 && (kind[earlier] & 127) === KIND.raised;
        first[i] = known ? first[earlier] : g[i];
        raise = Math.max(raise, f[i] - first[i]);
      } else if (what <= KIND.block && shade !== "order") {
        const v = value(i);
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    const range = high > low ? 255 / (high - low) : 0;
    for (let i = 0; i < count; i++) {
      const what = kind[i] & 127;
      if (what === KIND.raised) {
        values[i] = 40 + (215 * (f[i] - first[i])) / Math.max(raise, 1e-9);
      } else if (shade === "order") {
        const taken = what === KIND.expanded || what === KIND.block;
        values[i] = (255 * (taken ? seen++ : Math.max(seen - 1, 0))) / expansions;
      } else if (what <= KIND.block) {
        values[i] = (value(i) - low) * range;
      }
      // 0 means "no block" in the drawing.
      if (what === KIND.block && values[i] === 0) values[i] = 1;
    }
    const paints = new Uint16Array(count);
    const open = this.hasBlocks ? STATE.reached : STATE.open;
    for (let i = 0; i < count; i++) {
      const what = kind[i] & 127;
      const state = what === KIND.expanded ? STATE.closed : what === KIND.raised ? STATE.raised : open;
      paints[i] = state | ((kind[i] & 128) >> 3) | (values[i] << 8);
    }
    this.range = [low / this.scale, high / this.scale];
    this.shaded = { shade, best, values: paints };
    return paints;
  }

  /**
   * The cursor one unit on or back.
   * @param {number} cursor how many events have happened
   * @param {Unit} unit
   * @param {1 | -1} direction
   */
  step(cursor, unit, direction) {
    if (unit === "event") return Math.min(Math.max(cursor + direction, 0), this.count);
    const stops = this.lists[unit];
    const at = lowerBound(stops, cursor + (direction > 0 ? 1 : 0));
    if (direction > 0) return at < stops.length ? stops[at] : this.count;
    return at > 0 ? stops[at - 1] : 0;
  }

  /** How many units of a kind have happened. @param {number} cursor @param {Exclude<Unit, "event">} unit */
  done(cursor, unit) {
    return lowerBound(this.lists[unit], cursor + 1);
  }

  /** The event that was expanded last (a node or a block), or -1. @param {number} cursor */
  current(cursor) {
    const done = this.done(cursor, "expansion");
    return done > 0 ? this.lists.expansion[done - 1] - 1 : -1;
  }

  /** The corners of a block event: x, y, width, height. @param {number} event @returns {[number, number, number, number]} */
  block(event) {
    const [x, y] = this.position(this.at[event]);
    const [right, bottom] = this.position(this.from[event]);
    return [x, y, right - x, bottom - y];
  }

  /** The start of the round that a cursor is in. @param {number} cursor */
  segment(cursor) {
    return this.segments[Math.max(lowerBound(this.segments, cursor) - 1, 0)];
  }

  /** One line about an event. @param {number} event */
  words(event) {
    const what = this.kind[event] & 127;
    const side = this.kind[event] & 128 ? " from the goal" : "";
    const show = (/** @type {number} */ place) => (place === NONE ? "" : placeName(this.position(place)));
    const number = (/** @type {number} */ value) => (value / this.scale).toFixed(2);
    const { at, from, g, f } = this;
    switch (what) {
      case KIND.opened:
        return `open ${show(at[event])}${side}: g ${number(g[event])}, f ${number(f[event])}`;
      case KIND.improved:
        return `improve ${show(at[event])}${side}: g ${number(g[event])}, f ${number(f[event])}`;
      case KIND.expanded:
        return `expand ${show(at[event])}${side}: g ${number(g[event])}, f ${number(f[event])}`;
      case KIND.block:
        return `block at ${show(at[event])}: f ${number(f[event])}`;
      case KIND.moved:
        return `move to ${show(at[event])}`;
      case KIND.interval:
        return `interval ${show(at[event])} to ${show(from[event])}`;
      case KIND.ray:
        return `scan from ${show(from[event])} to ${show(at[event])}`;
      case KIND.sight:
        return `${show(from[event])} sees ${show(at[event])}`;
      case KIND.blind:
        return `${show(from[event])} does not see ${show(at[event])}`;
      case KIND.raised:
        return `raise h of ${show(at[event])} from ${number(g[event])} to ${number(f[event])}`;
      case KIND.round:
        return `new round up to f ${number(f[event])}`;
      case KIND.level:
        return `level ${number(f[event])}`;
      default:
        return "event";
    }
  }
}

/** A cell by its centre, anything else by its coordinates. @param {[number, number]} place */
export function placeName([x, y]) {
  return x % 1 === 0.5 && y % 1 === 0.5 ? `${x - 0.5},${y - 0.5}` : `(${+x.toFixed(2)}, ${+y.toFixed(2)})`;
}

/**
 * The first index whose value is not below a limit.
 * @param {ArrayLike<number>} sorted
 * @param {number} limit
 */
export function lowerBound(sorted, limit) {
  let low = 0,
    high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
