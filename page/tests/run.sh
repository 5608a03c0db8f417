#!/bin/sh
# Checks the page's types and runs its tests in a browser: page/tests/run.sh [name …]
# Installs what it needs: the packages of package-lock.json and, as root on Debian, chromium.
# Where no browser can be had it says so and ends well.
set -eu
cd "$(dirname "$0")"

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "No Node: the page was not tested."
    exit 0
fi
[ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund || {
    echo "The packages of package-lock.json cannot be fetched: the page was not tested."
    exit 0
}
npx tsc -p tsconfig.json
echo "the types of the page hold"
node --test unit.mjs >unit.log 2>&1 || { cat unit.log; exit 1; }
echo "the unit tests of the page hold"

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get install -y --no-install-recommends chromium >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1 && apt-get install -y --no-install-recommends chromium >/dev/null 2>&1; } || true
fi
[ -n "${BLOCKSTAR:-}" ] || [ -x ../../target/release/blockstar ] || (cd ../.. && cargo build --release)
exec node run.mjs "$@"
