"""What is done in the background: settings that no environment changes."""

# What each kind of waiting work calls with the id of its subject.
WORK_HANDLERS = {
    "learn": "conversations.learning.message_learning.learn_from",
    "index": "conversations.learning.indexing.index_late",
    "embed": "conversations.learning.embedding.embed_for",
    "reflect": "conversations.learning.listening_runs.listen_to",
    "answer": "conversations.turns.turn.answer_unattended",
    "compact": "conversations.summaries.compaction.compact_for",
    "topics": "conversations.topics.topic_detection.read_for",
    "tend": "memory.maintenance.lifecycle.tend",
    "lessons": "conversations.learning.lesson_derivation.derive_for",
    "lessons_upkeep": "memory.lessons.upkeep.tend",
    "vanish": "conversations.deletion.vanishing.vanish_for",
    "export": "privacy.exporting.make",
    "restore": "privacy.restoring.making.make",
    "import": "privacy.importing.making.make",
    "retention": "privacy.retention.sweep_for",
    "delete_account": "privacy.account_deletion.delete_for",
    "webhooks": "webhooks.sending.send_for",
}
CELERY_BEAT_SCHEDULE = {
    # What no worker took up in time is followed by the next one.
    name: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for name, task, seconds in (
        ("sweep", "conversations.tasks.do_waiting_work", 2.0),
        ("tend", "conversations.tasks.tend_notes", 600.0),
        ("privacy", "privacy.tasks.do_what_is_due", 600.0),
        ("webhooks", "webhooks.tasks.look_for_due", 2.0),
        ("webhooks_log", "webhooks.tasks.drop_old", 600.0),
    )
}
