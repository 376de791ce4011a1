"""Remember and find something with mem0's own client; needs `pip install mem0ai`.

The token needs the scope "people", so that each user_id is a person with a memory of their own.

THROUGHLINE_URL=http://127.0.0.1:8000 THROUGHLINE_TOKEN=… python examples/mem0_client.py
"""

import os

# The package sends usage statistics to its makers unless turned off.
os.environ.setdefault("MEM0_TELEMETRY", "False")
from mem0 import MemoryClient

client = MemoryClient(
    host=os.environ.get("THROUGHLINE_URL", "http://127.0.0.1:8000"),
    api_key=os.environ["THROUGHLINE_TOKEN"],
)
added = client.add("I live in Oslo and I play the cello.", user_id="jo-1")
for result in added["results"]:
    print(result["event"], result["memory"])
found = client.search("Where does the user live?", filters={"user_id": "jo-1"}, top_k=3)
for memory in found["results"]:
    print(memory["score"], memory["memory"])
