// Runs a WebAssembly program in Node, for Rust's own tests: as
//   CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings packages/blockstar/tests/wasi.mjs" \
//     cargo test --release --target wasm32-wasip1 -p blockstar --test all golden
// the checksums that pin the answers of every planner are held against those of WebAssembly.

import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const [program, ...options] = argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...options], env, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
