// What needs no browser: node --test unit.mjs

import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, encode } from "../frames.js";
import { invert, lookAt, multiply, perspective } from "../matrix.js";
import { Replay } from "../replay.js";
import { KIND, Trace } from "../trace.js";

/** Numbers that are the same on every run. @param {number} seed */
function random(seed) {
  let state = seed >>> 0;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The place of a cell's centre or of a corner. @param {number} x @param {number} y @param {boolean} corner */
const place = (x, y, corner) => (corner ? 2 * x : 2 * x + 1) | ((corner ? 2 * y : 2 * y + 1) << 16);

/** A trace of events without sense. @param {number} seed @param {{blocks?: boolean, rounds?: boolean, corners?: boolean}} options */
function madeUp(seed, { blocks = false, rounds = false, corners = false }) {
  const pick = random(seed);
  const [width, height, count] = [13, 9, 400];
  const columns = {
    kind: new Uint8Array(count),
    at: new Uint32Array(count),
    from: new Uint32Array(count).fill(0xffffffff),
    g: new Uint32Array(count),
    f: new Uint32Array(count),
    points: new Float64Array(0),
  };
  for (let i = 0; i < count; i++) {
    const what = pick(20);
    columns.kind[i] =
      blocks && what === 0
        ? KIND.block
        : rounds && what === 1
          ? KIND.round
          : what === 2
            ? KIND.ray
            : what === 3
              ? KIND.raised
              : [KIND.opened, KIND.improved, KIND.expanded][pick(3)] | (pick(2) << 7);
    columns.at[i] = place(pick(width), pick(height), corners);
    columns.g[i] = pick(1000);
    columns.f[i] = columns.g[i] + pick(1000);
    if (columns.kind[i] === KIND.block) {
      const [x, y] = [3 * pick(4), 3 * pick(3)];
      columns.at[i] = place(x, y, true);
      columns.from[i] = place(x + 3, y + 3, true);
    }
  }
  return new Trace(columns, { scale: 10, skipped: 0, dropped: 0 }, width, height);
}

test("jumping anywhere equals playing from the start", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const trace = madeUp(seed, { blocks: seed % 2 === 0, rounds: seed % 3 === 0, corners: seed % 5 === 0 });
    const pick = random(seed + 1000);
    const jumping = new Replay();
    jumping.setTrace(trace, "order", 1, 13, 9);
    for (let jump = 0; jump < 30; jump++) {
      const cursor = pick(trace.count + 1);
      jumping.seek(cursor);
      const playing = new Replay();
      playing.setTrace(trace, "order", 1, 13, 9);
      for (let i = 0; i <= cursor; i++) playing.seek(i);
      assert.deepEqual(jumping.words, playing.words, `seed ${seed}, cursor ${cursor}`);
      assert.deepEqual(jumping.last, playing.last, `seed ${seed}, cursor ${cursor}`);
    }
  }
});

test("another trace starts with nothing of the one before", () => {
  const replay = new Replay();
  for (let seed = 1; seed <= 12; seed++) {
    replay.setTrace(madeUp(seed, { blocks: seed % 2 === 0, rounds: true }), "f", 1, 13, 9);
    assert.ok(
      replay.words.every((word) => word === 0),
      `seed ${seed}`,
    );
    assert.ok(
      replay.last.every((event) => event === -1),
      `seed ${seed}`,
    );
    replay.seek(200 + seed);
  }
});

test("the rows that changed are told", () => {
  const trace = madeUp(7, { blocks: true });
  const replay = new Replay();
  replay.setTrace(trace, "order", 1, 13, 9);
  replay.takeDirtyRows();
  const pick = random(5);
  let copy = replay.words.slice();
  for (let jump = 0; jump < 60; jump++) {
    replay.seek(pick(trace.count + 1));
    const [from, to] = replay.takeDirtyRows();
    for (let i = 0; i < copy.length; i++) {
      const row = Math.floor(i / replay.width);
      if (copy[i] !== replay.words[i]) assert.ok(row >= from && row < to, `row ${row} is not in ${from} to ${to}`);
    }
    copy = replay.words.slice();
  }
});

test("steps go on and back by their unit", () => {
  const trace = madeUp(3, { rounds: true });
  for (const unit of /** @type {const} */ (["event", "expansion", "layer", "round"])) {
    let cursor = 0,
      steps = 0;
    while (cursor < trace.count) {
      const next = trace.step(cursor, unit, 1);
      assert.ok(next > cursor);
      cursor = next;
      steps++;
    }
    while (cursor > 0) {
      const before = trace.step(cursor, unit, -1);
      assert.ok(before < cursor);
      cursor = before;
      steps--;
    }
    assert.ok(Math.abs(steps) <= 1, unit);
  }
});

test("the open list is in the order of the queue", () => {
  const trace = madeUp(11, {});
  const replay = new Replay();
  replay.setTrace(trace, "order", 1, 13, 9);
  replay.seek(300);
  const open = [...replay.last].filter((event) => event >= 0 && (trace.kind[event] & 127) <= KIND.improved);
  open.sort((a, b) => trace.f[a] - trace.f[b] || b - a);
  assert.deepEqual(replay.openList(10), { head: open.slice(0, 10), length: open.length });
});

test("frames hold what was put into them", () => {
  const columns = {
    a: Uint8Array.of(1, 2, 3),
    b: Float64Array.of(0.5, -1),
    c: new Uint32Array(0),
    d: Uint16Array.of(65535),
  };
  const frame = decode(encode({ op: "x", text: "½" }, columns));
  assert.equal(frame.header.text, "½");
  for (const [name, column] of Object.entries(columns)) assert.deepEqual(frame.columns.get(name), column);
  assert.equal(decode(encode({ op: "y" })).columns.size, 0);
});

test("an inverse undoes its matrix", () => {
  const m = multiply(perspective(0.8, 1.5, 0.1, 100), lookAt([3, 4, 5], [0, 1, 0]));
  const back = invert(m);
  assert.ok(back);
  multiply(m, back).forEach((value, i) => assert.ok(Math.abs(value - (i % 5 === 0 ? 1 : 0)) < 1e-9));
  assert.equal(invert(new Float64Array(16)), null);
});
