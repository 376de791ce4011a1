"""Loading models and rules before the first request needs them."""

import threading

from django.conf import settings
from django.utils.module_loading import import_string

# A text with everything that a turn processes: words, a name, a day, an order, a question.
SAMPLE = "Hello, I'm Ida and I like jazz. Remember that my flight is on Friday. What do I like?"


def warm() -> None:
    """Load models, tokenizers, rules and job handlers; takes seconds, without the database."""
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
    """Call `warm` in a thread; a first turn waits only for the parts it needs."""
    threading.Thread(target=warm, name="warming", daemon=True).start()
