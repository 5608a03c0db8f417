#!/usr/bin/env bash
# Builds the package, installs it into a virtual environment of its own and runs every test: the
# arrays and paths, the examples of README, docstrings and notebook, the types, Ray and Dask.
# Needs Rust and Python 3.10 or later. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")"

[ -x .venv/bin/python ] || "${PYTHON:-python3}" -m venv .venv
install() { .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"; }

install ".[test]"
# Engines for clusters are large, and not to be had for every Python.
for engine in ray distributed; do
  if ! install "$engine"; then
    echo "$engine cannot be installed here: its tests are skipped"
    [ -z "${CI:-}" ] || exit 1
  fi
done

.venv/bin/python -m mypy
# Clusters need no network but the loopback, which is proved where that can be done.
alone=()
if unshare --map-root-user --net ip link set lo up 2> /dev/null; then
  alone=(unshare --map-root-user --net sh -c 'ip link set lo up && exec "$@"' alone)
else
  echo "unshare or ip is missing: the tests run with the network there is"
fi
"${alone[@]}" .venv/bin/python -m pytest --quiet "$@"
