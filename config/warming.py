"""What turns need and takes long to make, made before the first of them has to wait for it."""

import threading

from django.conf import settings
from django.utils.module_loading import import_string

# It has a little of everything that a turn looks at: words, a name, a day, an order, a question.
SAMPLE = "Hello, I'm Ida and I like jazz. Remember that my flight is on Friday. What do I like?"


def warm() -> None:
    """Load the word vectors and the tokenizer, and compile the rules about language.

    Takes a second or two and asks no database.
    """
    for handler in settings.WORK_HANDLERS.values():
        import_string(handler)
    from conversations.notebook import intents
    from memory.language import extraction, lazy_pattern
    from memory.language.text import embeddings, terms, token_count

    lazy_pattern.compile_all()
    embeddings.embed(SAMPLE)
    token_count.count(SAMPLE)
    for word in terms.telling(SAMPLE):
        terms.related(word)
    extraction.extract(SAMPLE)
    intents.rank(SAMPLE, asks=True)


def warm_beside() -> None:
    """Do it in a thread of its own: others go on meanwhile, and a first turn waits for its part."""
    threading.Thread(target=warm, name="warming", daemon=True).start()
