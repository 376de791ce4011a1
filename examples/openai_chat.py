"""Talk to Throughline with OpenAI's own client; needs `pip install openai`.

THROUGHLINE_URL=http://127.0.0.1:8000 THROUGHLINE_TOKEN=… python examples/openai_chat.py
"""

import os

from openai import OpenAI

client = OpenAI(
    base_url=os.environ.get("THROUGHLINE_URL", "http://127.0.0.1:8000") + "/v1",
    api_key=os.environ["THROUGHLINE_TOKEN"],
)


def say(text: str, history: list) -> str:
    """Send the history with a new message, append the answer, and return it."""
    history.append({"role": "user", "content": text})
    answer = client.chat.completions.create(model="throughline", messages=history)
    history.append({"role": "assistant", "content": answer.choices[0].message.content})
    return answer.choices[0].message.content


# One conversation: the server recognises the history, so it is stored only once.
monday = []
print(say("I live in Lyon and work at Initech", monday))
print(say("My sister is called Ida", monday))

# Another conversation, which knows the first, with a streamed answer.
stream = client.chat.completions.create(
    model="throughline",
    messages=[{"role": "user", "content": "Where do I live?"}],
    stream=True,
)
for piece in stream:
    print(piece.choices[0].delta.content or "", end="", flush=True)
print()
