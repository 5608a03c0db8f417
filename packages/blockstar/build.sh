#!/bin/sh
# Builds blockstar.wasm: sessions with every planner, for browsers and Node. Needs Rust alone; with
# wasm-opt (Debian's binaryen) the module gets smaller.
set -eu
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
if command -v rustup >/dev/null; then
  rustup target list --installed | grep -qx wasm32-unknown-unknown || rustup target add wasm32-unknown-unknown
fi
# Optimised for size (profile `wasm`), but with somewhat larger functions inlined than that means by
# itself: faster. (A threshold of 15 takes 10 KB more.)
RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+simd128 -C llvm-args=--inline-threshold=5" \
  cargo build --quiet --profile wasm -p blockstar-wasm --target wasm32-unknown-unknown
built=$target/wasm32-unknown-unknown/wasm/blockstar_wasm.wasm
out=packages/blockstar/blockstar.wasm
if command -v wasm-opt >/dev/null; then
  # What the compiler uses by default since Rust 1.87, and what browsers since 2023 have. The stack lies at
  # the bottom of the memory, so the lowest kilobyte is unused: offsets go into loads and stores (6 KB).
  # Control flow built anew and rounds until nothing gains save 6 KB more.
  wasm-opt --low-memory-unused -Oz --flatten --rereloop -Oz --dae-optimizing -Oz --converge --enable-bulk-memory --enable-sign-ext --enable-mutable-globals \
    --enable-nontrapping-float-to-int --enable-simd --enable-multivalue --enable-reference-types \
    "$built" -o "$out"
else
  cp "$built" "$out"
fi
echo "$out: $(wc -c <"$out") bytes, $(gzip -9 -c "$out" | wc -c) compressed"
