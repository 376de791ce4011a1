"""The endpoints of mem0's API: `MemoryClient(host=…, api_key=…)` works unchanged."""

# Paths of mem0 only, and mem0's paths below /v1/, which has others too.
_OWN = ("/v2/", "/v3/")
_BESIDE = tuple(
    f"/v1/{name}/"
    for name in ("ping", "memories", "entities", "batch", "exports", "summary", "feedback")
)
MEM0_PREFIXES = (*_OWN, *_BESIDE)


def is_mem0(path: str) -> bool:
    """Return whether a path belongs to mem0's API, whose clients expect its error format."""
    return path.startswith(MEM0_PREFIXES)
