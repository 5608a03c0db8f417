#!/bin/sh
# Checks the page's types and runs its tests in a browser: page/tests/run.sh [name …]
# Installs what it needs: the packages of package-lock.json and, as root on Debian, chromium.
# Where no browser can be had it says so and ends well; where CI is set and Debian's packages can be
# installed, that is a failure.
set -eu
cd "$(dirname "$0")"
. ../../packages/blockstar/needs.sh

need node nodejs
need npm npm
[ -n "${CHROMIUM:-}" ] || command -v chromium-browser google-chrome >/dev/null || need chromium chromium
[ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund || without "the packages of package-lock.json"
npx tsc -p tsconfig.json
echo "the types of the page hold"
node --test unit.mjs >unit.log 2>&1 || { cat unit.log; exit 1; }
echo "the unit tests of the page hold"
[ -n "${BLOCKSTAR:-}" ] || [ -x ../../target/release/blockstar ] || (cd ../.. && cargo build --release)
exec node run.mjs "$@"
