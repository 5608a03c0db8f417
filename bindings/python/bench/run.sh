#!/usr/bin/env bash
# Compares the package with others, and writes the table into README.md beside this file.
# Installs them into a virtual environment of their own; what cannot be had is left out and said.
set -euo pipefail
cd "$(dirname "$0")"

[ -x .venv/bin/python ] || "${PYTHON:-python3}" -m venv .venv
install() { .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"; }
install .. scipy
for package in nano-astar w9-pathfinding tcod scikit-image networkx pathfinding pyastar2d; do
  install "$package" || echo "$package cannot be installed here: it is left out"
done
.venv/bin/python compare.py "$@"
