"""The addresses that clients of mem0 call: `MemoryClient(host=…, api_key=…)` works unchanged."""

# Addresses of mem0 alone, and those that it has below /v1/, beside others.
_OWN = ("/v2/", "/v3/")
_BESIDE = tuple(
    f"/v1/{name}/"
    for name in ("ping", "memories", "entities", "batch", "exports", "summary", "feedback")
)
MEM0_PREFIXES = (*_OWN, *_BESIDE)


def is_mem0(path: str) -> bool:
    """Whether a client of mem0 calls this address, and reads its errors."""
    return path.startswith(MEM0_PREFIXES)
