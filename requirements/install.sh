#!/bin/sh
# Make .venv and bring it to the pinned versions: `sh requirements/install.sh base`, or `dev`,
# `evaluation` or `telemetry`, which contain base. Quick when nothing changed. Needs Python 3.11 or
# newer; every file is checked by its hash.
set -eu
cd "$(dirname "$0")/.."
wanted=$1
venv=.venv

pins() { cat requirements/bootstrap.txt "requirements/$1.txt"; }
installed() { pins "$1" | cmp -s - "$venv/installed-$1.txt" && "$venv/bin/python" -c "" 2>/dev/null; }

if installed "$wanted"; then exit 0; fi
# Each of the others contains base, and dev what evaluation needs.
case $wanted in base) others="dev evaluation telemetry" ;; evaluation) others=dev ;; *) others= ;; esac
for other in $others; do if installed "$other"; then exit 0; fi; done

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
    # pip and uv are needed here alone: they are kept out of it, in a place that goes at the end.
    "$python" -m venv --without-pip --clear "$venv"
fi

echo "Installing the pinned packages ($wanted) ..."
rm -f "$venv"/installed-*.txt
tools=$PWD/$venv/tools
trap 'rm -rf "$tools"' EXIT
rm -rf "$tools"
# The pip that comes with Python itself, unpacked by nobody: a wheel runs as it is.
wheel=$("$venv/bin/python" - <<'PYTHON'
import ensurepip, pathlib, sysconfig
places = pathlib.Path(ensurepip.__file__).with_name("_bundled"), sysconfig.get_config_var("WHEEL_PKG_DIR")
print(*sorted(str(w) for p in (*places, "/usr/share/python-wheels") if p for w in pathlib.Path(p).glob("pip-*.whl")), sep="\n")
PYTHON
)
wheel=$(echo "$wheel" | tail -n 1)
pip() {
    PYTHONPATH=$wheel "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-input \
        --require-hashes "$@"
}
pip --no-compile --target "$tools" -r requirements/bootstrap.txt
if [ -z "${UV_CACHE_DIR:-}" ] && ! mkdir -p "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/uv" 2>/dev/null
then
    UV_CACHE_DIR=$tools/cache
    export UV_CACHE_DIR
fi
# Certificates from the machine's own store, as pip has them.
export UV_SYSTEM_CERTS=1
uv() { "$tools/bin/uv" pip "$@" --quiet --python "$venv/bin/python" --require-hashes; }
case $wanted in dev) more=requirements/bootstrap.txt ;; *) more= ;; esac
if ! said=$({ uv sync $more "requirements/$wanted.txt"; } 2>&1)
then
    # pip may know of an index, a proxy or a certificate that uv does not.
    pip -r "requirements/$wanted.txt" || { echo "$said" >&2; exit 1; }
fi
if [ "$wanted" != dev ]; then "$venv/bin/python" requirements/prune.py; fi
pins "$wanted" > "$venv/installed-$wanted.txt"
