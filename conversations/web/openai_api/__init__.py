"""The OpenAI-compatible endpoint: chat completions and models below /v1/."""
