// A trace up to a cursor: the last event of each node, and four bytes per node for the drawing: its
// state, its shade, the shade of its block, and one that is not used. They are written as one word,
// which takes half the time of single bytes.

import { KIND } from "./trace.js";

const BLOCK = 0xff0000;

/** @typedef {import("./trace.js").Trace} Trace */
/** @typedef {import("./trace.js").Shade} Shade */

export class Replay {
  constructor() {
    /** @type {Trace | null} */
    this.trace = null;
    this.cursor = 0;
    this.width = 1;
    this.height = 1;
    /** Half a cell where nodes are corners. */
    this.shift = 0;
    this.last = new Int32Array(1).fill(-1);
    this.words = new Uint32Array(1);
    this.bytes = new Uint8Array(this.words.buffer);
    /** State and shade after each event. @type {Uint16Array} */
    this.paints = new Uint16Array(0);
    /** @private */
    this.dirtyFrom = 0;
    /** @private */
    this.dirtyTo = 1;
  }

  /**
   * Takes over another search, at its start.
   * @param {Trace | null} trace
   * @param {Shade} shade
   * @param {number} best the cost of the cheapest path
   * @param {number} width of the map
   * @param {number} height
   */
  setTrace(trace, shade, best, width, height) {
    this.clear();
    this.trace = trace;
    const columns = trace?.width ?? width,
      rows = trace?.height ?? height;
    if (columns !== this.width || rows !== this.height) {
      this.width = columns;
      this.height = rows;
      this.last = new Int32Array(columns * rows).fill(-1);
      this.words = new Uint32Array(columns * rows);
      this.bytes = new Uint8Array(this.words.buffer);
      this.dirtyFrom = 0;
      this.dirtyTo = rows;
    }
    this.shift = trace?.corners ? 0.5 : 0;
    this.paints = trace?.paints(shade, best) ?? new Uint16Array(0);
    this.cursor = 0;
  }

  /** Shades the cells by something else. @param {Shade} shade @param {number} best */
  setShade(shade, best) {
    if (this.trace === null) return;
    const cursor = this.cursor;
    this.clear();
    this.paints = this.trace.paints(shade, best);
    this.cursor = 0;
    this.seek(cursor);
  }

  /** Moves to a number of events, on or back. @param {number} cursor */
  seek(cursor) {
    const trace = this.trace;
    if (trace === null) return;
    const target = Math.min(Math.max(Math.round(cursor), 0), trace.count);
    const here = trace.segment(this.cursor),
      there = trace.segment(target);
    if (here !== there) {
      this.clear();
      this.cursor = there;
    }
    if (target > this.cursor) this.forward(target);
    else if (target < this.cursor) this.back(target);
    this.cursor = target;
  }

  /** @private */
  forward(/** @type {number} */ target) {
    const trace = /** @type {Trace} */ (this.trace);
    const { kind, nodes } = trace;
    const { last, words, paints } = this;
    let low = words.length,
      high = -1;
    for (let i = this.cursor; i < target; i++) {
      const node = nodes[i];
      if (node >= 0) {
        last[node] = i;
        words[node] = (words[node] & BLOCK) | paints[i];
        if (node < low) low = node;
        if (node > high) high = node;
      } else if ((kind[i] & 127) === KIND.block) {
        this.paintBlock(i, paints[i] >> 8);
      }
    }
    this.touch(low, high);
  }

  /** @private */
  back(/** @type {number} */ target) {
    const trace = /** @type {Trace} */ (this.trace);
    const { kind, nodes, before } = trace;
    const { last, words, paints } = this;
    let low = words.length,
      high = -1;
    for (let i = this.cursor - 1; i >= target; i--) {
      const node = nodes[i];
      const earlier = before[i];
      if (node >= 0) {
        last[node] = earlier;
        words[node] = (words[node] & BLOCK) | (earlier < 0 ? 0 : paints[earlier]);
        if (node < low) low = node;
        if (node > high) high = node;
      } else if ((kind[i] & 127) === KIND.block) {
        this.paintBlock(i, earlier < 0 ? 0 : paints[earlier] >> 8);
      }
    }
    this.touch(low, high);
  }

  /** @private */
  paintBlock(/** @type {number} */ event, /** @type {number} */ shade) {
    const trace = /** @type {Trace} */ (this.trace);
    const [x, y, w, h] = trace.block(event);
    const right = Math.min(x + w, this.width),
      bottom = Math.min(y + h, this.height);
    for (let row = y; row < bottom; row++) {
      for (let at = row * this.width + x; at < row * this.width + right; at++) this.bytes[at * 4 + 2] = shade;
    }
    this.touch(y * this.width + x, (bottom - 1) * this.width + x);
  }

  /** @private Undoes everything of the segment that the cursor is in. */
  clear() {
    const trace = this.trace;
    if (trace === null) return;
    const start = trace.segment(this.cursor);
    if (this.cursor - start > this.last.length) {
      this.last.fill(-1);
      this.words.fill(0);
      this.dirtyFrom = 0;
      this.dirtyTo = this.height;
      return;
    }
    const { nodes, kind } = trace;
    let low = this.words.length,
      high = -1;
    for (let i = start; i < this.cursor; i++) {
      const node = nodes[i];
      if (node >= 0) {
        this.last[node] = -1;
        this.words[node] &= BLOCK;
        if (node < low) low = node;
        if (node > high) high = node;
      } else if ((kind[i] & 127) === KIND.block) {
        this.paintBlock(i, 0);
      }
    }
    this.touch(low, high);
  }

  /** @private */
  touch(/** @type {number} */ low, /** @type {number} */ high) {
    if (high < 0) return;
    this.dirtyFrom = Math.min(this.dirtyFrom, Math.floor(low / this.width));
    this.dirtyTo = Math.max(this.dirtyTo, Math.floor(high / this.width) + 1);
  }

  /** The rows that changed since the last call. @returns {[number, number]} */
  takeDirtyRows() {
    const rows = /** @type {[number, number]} */ ([
      Math.min(this.dirtyFrom, this.height),
      Math.min(this.dirtyTo, this.height),
    ]);
    this.dirtyFrom = this.height;
    this.dirtyTo = 0;
    return rows;
  }

  /** Whether there is something new to draw. */
  isDirty() {
    return this.dirtyTo > this.dirtyFrom;
  }

  /** The last event at the node of a place of the map, or -1. @param {number} x @param {number} y */
  eventAt(x, y) {
    const column = Math.floor(x + this.shift),
      row = Math.floor(y + this.shift);
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return -1;
    return this.last[row * this.width + column];
  }

  /** The events that put the parents of an event's node in place, nearest first. @param {number} event */
  parents(event) {
    const trace = this.trace;
    /** @type {number[]} */
    const chain = [];
    if (trace === null) return chain;
    let at = event;
    for (let guard = 0; guard < 20_000 && at >= 0; guard++) {
      chain.push(at);
      const node = trace.node(trace.parent(at));
      if (node < 0) break;
      const parent = this.last[node];
      if (parent < 0 || parent === at || node === trace.nodes[at]) break;
      at = parent;
    }
    return chain;
  }

  /**
   * The head of the open list, in the order of the queue: lowest f first, of equals the one pushed last.
   * @param {number} most
   * @returns {{head: number[], length: number}} events
   */
  openList(most) {
    const trace = this.trace;
    /** @type {number[]} */
    const head = [];
    if (trace === null || trace.hasBlocks) return { head, length: 0 };
    const { kind, nodes, f } = trace;
    let length = 0;
    for (let i = trace.segment(this.cursor); i < this.cursor; i++) {
      const node = nodes[i];
      if (node < 0 || this.last[node] !== i || (kind[i] & 127) > KIND.improved) continue;
      length++;
      if (head.length < most || f[i] <= f[head[head.length - 1]]) {
        let place = head.length;
        while (place > 0 && f[i] <= f[head[place - 1]]) place--;
        head.splice(place, 0, i);
        if (head.length > most) head.pop();
      }
    }
    return { head, length };
  }
}
