"""What turns need and takes long to make, made before the first of them has to wait for it."""

import threading

from django.conf import settings
from django.utils.module_loading import import_string

# It has a little of everything that a turn looks at: words, a name, a day, an order, a question.
SAMPLE = "Hello, I'm Ida and I like jazz. Remember that my flight is on Friday. What do I like?"


def warm() -> None:
    """Load models, tokenizers, rules and what wakes the worker; takes seconds, asks no database."""
    if settings.CELERY_BROKER_URL:
        import_string(settings.WORKER_APP)
    for handler in settings.WORK_HANDLERS.values():
        import_string(handler)
    from conversations.notebook import standard_answers
    from memory.language.lazy_pattern import compile_patterns
    from memory.language.reading import extract_facts
    from memory.language.text.embeddings import embed
    from memory.language.text.terms import content_words, find_related_stems
    from memory.language.text.token_count import count_tokens
    from memory.slots import asked_about

    compile_patterns()
    embed(SAMPLE)
    count_tokens(SAMPLE)
    for word in content_words(SAMPLE):
        find_related_stems(word)
    extract_facts(SAMPLE)
    standard_answers.product_topic(SAMPLE)
    asked_about(SAMPLE)


def warm_beside() -> None:
    """Do it in a thread of its own: others go on meanwhile, and a first turn waits for its part."""
    threading.Thread(target=warm, name="warming", daemon=True).start()
