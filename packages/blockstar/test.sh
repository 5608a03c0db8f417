#!/bin/sh
# Builds the package and tests it: its size, its answers in Node against those of the native program,
# and the checksums that pin every planner's answers, computed by WebAssembly.
set -eu
cd "$(dirname "$0")/../.."
. packages/blockstar/needs.sh

most=752000
need node nodejs
need wasm-opt binaryen
command -v rustup >/dev/null || without rustup
rustup target list --installed | grep -qx wasm32-wasip1 || rustup target add wasm32-wasip1 || without "the target wasm32-wasip1"
packages/blockstar/build.sh
size=$(gzip -9 -c packages/blockstar/blockstar.wasm | wc -c)
if [ "$size" -gt $most ]; then
  echo "blockstar.wasm has $size bytes compressed, but may have $most at most"
  exit 1
fi
[ -x target/release/blockstar ] || cargo build --release --quiet
export BLOCKSTAR_BIN=$PWD/target/release/blockstar
node --test packages/blockstar/tests/
node packages/blockstar/tests/speed.mjs
CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/packages/blockstar/tests/wasi.mjs" \
  cargo test --quiet --target wasm32-wasip1 -p blockstar --test all golden
