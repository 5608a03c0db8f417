// The package in Node: `node --test tests/`. BLOCKSTAR_BIN names the native program that answers must equal.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import test from "node:test";
import { decode, encode, load } from "../blockstar.js";
import { native } from "./native.mjs";

const module = await load();

test("a path is planned, a door closes, the path goes around", () => {
  const session = module.session();
  session.load("..........\n.....#....\n.....#....\n..........");
  const question = { planner: "jps", start: [0, 3], goal: [9, 3] };
  const first = session.plan(question);
  assert.equal(first.status, "found");
  assert.deepEqual([...first.columns.path.slice(0, 2)], [0.5, 3.5]);
  const door = { shape: "rect", x: 5, y: 3, width: 1, height: 1, tile: "blocked" };
  session.ask("edit", { changes: [door] });
  const second = session.plan(question);
  assert.ok(second.path.cost > first.path.cost);
  assert.equal(second.times.prepare, null);
  assert.equal(second.check.legal, true);
  session.ask("undo");
  assert.equal(session.plan(question).path.cost, first.path.cost);
  session.end();
  assert.throws(() => session.plan(question), /has ended/);
});

test("sessions do not know each other", () => {
  const [one, two] = [module.session(), module.session()];
  one.ask("new", { width: 5, height: 5 });
  assert.throws(() => two.ask("map"), /there is no map yet/);
  two.ask("new", { width: 9, height: 9 });
  assert.equal(one.ask("map").map.width, 5);
  one.end();
  two.end();
});

test("columns go in and come out in place", () => {
  const session = module.session();
  const free = new Uint8Array(12).fill(1);
  free[5] = 0;
  const heights = Float32Array.from({ length: 12 }, (_, i) => i / 2);
  const { columns, map } = session.ask("load", { format: "planes", width: 4, height: 3 }, { free, heights });
  assert.deepEqual(columns.free, free);
  assert.deepEqual(columns.heights, heights);
  assert.equal(map.free_cells, 11);
  session.end();
});

test("whatever is sent gets a sentence", () => {
  const session = module.session();
  for (let round = 0; round < 300; round++) {
    const bytes = crypto.getRandomValues(new Uint8Array(round % 70));
    assert.throws(() => decode(session.handle(bytes)), Error);
  }
  assert.throws(() => session.ask("new", { width: 1e6, height: 1e6 }), /cells/);
  assert.throws(() => session.ask("nonsense"), /there is no request/);
  session.end();
});

/** Questions that meet every planner, edits and structures; the same everywhere. */
function script() {
  const requests = [["hello", {}], ["example", { name: "harbour" }]];
  const ask = (planner, moves, more = {}) => {
    const ends = { start: [3, 4], goal: [90, 40] };
    requests.push(["plan", { planner, moves, ...ends, trace: { limit: 5000 }, measure: 0, ...more }]);
    requests.push(["structure", { planner, moves }]);
  };
  for (const planner of planners) {
    for (const rule of planner.rules) {
      const limit = planner.name === "ida-star" ? { max_expansions: 20000 } : {};
      ask(planner.name, rule, limit);
    }
  }
  const stroke = { shape: "stroke", points: [[30, 5], [60, 40]], radius: 2 };
  requests.push(["edit", { changes: [{ ...stroke, cost: 3.5 }] }]);
  for (const planner of planners.filter((p) => p.terrain)) ask(planner.name, planner.rules[0], { max_expansions: 20000 });
  requests.push(["undo", {}], ["generate", { kind: "terrain", width: 60, height: 50, highest: 30, seed: 5 }]);
  const slope = { rule: "eight", slope: { cell_size: 2, climb: 1, max_climb: 0.8 } };
  for (const planner of planners.filter((p) => p.heights && p.rules.includes("eight"))) {
    requests.push(["plan", { planner: planner.name, moves: slope, start: [2, 3], goal: [55, 44], measure: 0, trace: true, max_expansions: 20000 }]);
  }
  return requests;
}

const planners = module.session().ask("hello").planners;

/** What must be equal: everything but times, memory and limits, which depend on the machine. */
function digest(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  for (const field of ["times", "memory", "limits", "clock"]) delete header[field];
  for (const planner of header.planners ?? []) delete planner.cells;
  const body = new Uint8Array(buffer, Math.ceil((4 + length) / 8) * 8);
  return { header: JSON.stringify(header), body: createHash("sha256").update(body).digest("hex") };
}

const binary = process.env.BLOCKSTAR_BIN;
const missing = !binary || !existsSync(binary);
test("both transports answer the same, bit for bit", { skip: missing && "BLOCKSTAR_BIN names no program" }, async () => {
  const requests = script();
  const session = module.session();
  const here = requests.map(([op, fields]) => digest(session.handle(encode({ ...fields, op }))));
  const there = (await native(requests)).map(digest);
  requests.forEach((request, i) => assert.deepEqual(here[i], there[i], JSON.stringify(request)));
  assert.ok(here.filter((reply) => reply.header.includes('"ok":true')).length > requests.length * 0.9);
  session.end();
});

test("units walk the same way everywhere", { skip: missing && "BLOCKSTAR_BIN names no program" }, async () => {
  const wall = { shape: "rect", x: 40, y: 4, width: 1, height: 20, tile: "blocked" };
  const requests = [
    ["example", { name: "harbour" }],
    ["units.place", { count: 150, wander: true, teams: 4 }],
    ...Array.from({ length: 6 }, () => ["units.tick", { ticks: 60, heat: true, watch: [0, 7] }]),
    ["edit", { changes: [wall] }],
    ["units.tick", { ticks: 200 }],
  ];
  // Times are a machine's own; everything else must be equal.
  const told = (buffer) => {
    const { times, columns, memory, units, ...header } = decode(buffer);
    const { times: _, ...rest } = columns;
    return { ...header, columns: rest, cut: units?.cut };
  };
  const session = module.session();
  const here = requests.map(([op, fields]) => told(session.handle(encode({ ...fields, op }))));
  const there = (await native(requests)).map(told);
  requests.forEach((request, i) => assert.deepEqual(here[i], there[i], JSON.stringify(request)));
  session.end();
});
