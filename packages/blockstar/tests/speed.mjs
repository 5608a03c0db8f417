// How fast the module is beside the native program, in processor time on the same questions:
//   BLOCKSTAR_BIN=target/release/blockstar node packages/blockstar/tests/speed.mjs [MAP]
// MAP is a MovingAI map; without one, caves of 512 x 512 cells are made. Fails if the geometric mean of all
// planners is beyond MOST times the native time.

import { readFile } from "node:fs/promises";
import { cpuUsage } from "node:process";
import { decode, encode, load } from "../blockstar.js";
import { native } from "./native.mjs";

const MOST = 8;
const QUESTIONS = 20;
const PLANNERS = [
  ["astar", "eight"],
  ["jps", "eight"],
  ["block-astar", "eight"],
  ["subgoal", "eight"],
  ["block-astar", "any-angle"],
  ["theta-star", "any-angle"],
  ["anya", "any-angle"],
];

const processorTime = () => {
  const { user, system } = cpuUsage();
  return user + system;
};
const session = (await load(process.env.BLOCKSTAR_WASM, { now: processorTime })).session();
const ask = ([op, fields, columns]) => decode(session.handle(encode({ ...fields, op }, columns)));

const [, , map] = process.argv;
const loaded = map
  ? ["load", { name: map }, { bytes: new Uint8Array(await readFile(map)) }]
  : ["generate", { kind: "caves", width: 512, height: 512, seed: 1 }];
ask(loaded);
const { starts, goals } = ask(["queries", { count: QUESTIONS, seed: 1 }]).columns;
const cell = (list, i) => [list[2 * i], list[2 * i + 1]];
// A few runs at least, so that the module's code is compiled for speed; many of short searches.
const question = (planner, moves, i) => [
  "plan",
  { planner, moves, start: cell(starts, i), goal: cell(goals, i), measure: 200, measure_time: 60_000 },
];
const questions = PLANNERS.map(([planner, moves]) =>
  Array.from({ length: QUESTIONS }, (_, i) => question(planner, moves, i)),
);
const there = (await native([loaded, ...questions.flat()])).slice(1).map((reply) => decode(reply).times.query);

let product = 1;
console.log(`${"planner".padEnd(24)}${"native".padStart(12)}${"WebAssembly".padStart(14)}${"ratio".padStart(8)}`);
questions.forEach((asked, row) => {
  // The engine compiles in the background: what comes first is not what a page sees all day.
  for (const request of asked) ask(request);
  const own = asked.map((request) => ask(request).times.query);
  const sum = (list) => list.reduce((a, b) => a + b, 0) / QUESTIONS;
  const [here, home] = [sum(own), sum(there.slice(row * QUESTIONS, (row + 1) * QUESTIONS))];
  product *= here / home;
  const shown = (time) => `${time.toFixed(1)} µs`;
  const name = PLANNERS[row].join(", ");
  console.log(`${name.padEnd(24)}${shown(home).padStart(12)}${shown(here).padStart(14)}${(here / home).toFixed(2).padStart(8)}`);
});
const mean = product ** (1 / PLANNERS.length);
console.log(`WebAssembly takes ${mean.toFixed(2)} times the native time (geometric mean, ${QUESTIONS} questions each)`);
if (mean > MOST) {
  console.log(`but may take ${MOST} times at most`);
  process.exit(1);
}
