"""Say something, and see what is remembered of it; needs `pip install ./clients/python`.

THROUGHLINE_URL=http://127.0.0.1:8000 THROUGHLINE_TOKEN=… python examples/remember.py
"""

import os

from throughline_client import Throughline

url = os.environ.get("THROUGHLINE_URL", "http://127.0.0.1:8000")
with Throughline(url, os.environ["THROUGHLINE_TOKEN"]) as me:
    talk = me.start_conversation("From a script")
    print(me.say(talk["id"], "I live in Lyon and work at Initech")["reply"]["content"])
    for fact in me.profile():
        print(f"{fact['label']}: {fact['value']} (trust {fact['trust']:.2f})")
    print(me.context("Where do I live?")["text"])
