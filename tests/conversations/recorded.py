"""A tiny recorded dialogue, written by hand in the layout of the public set."""

from typing import Any


def sample() -> dict[str, Any]:
    """Return the dialogue with its questions."""
    said = [
        ("Ada", "I joined a pottery class yesterday! The teacher is Tom Weaver."),
        ("Ben", "Nice. I bought a red canoe."),
        ("Ada", "I play the violin and the clarinet."),
        ("Ada", "A canoe would be fun."),
    ]
    return {
        "sample_id": "hand-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": speaker, "dia_id": f"D1:{place}", "text": text}
                for place, (speaker, text) in enumerate(said, start=1)
            ],
            "session_2_date_time": "9:00 am on 1 June, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "The canoe leaks already."}],
        },
        "qa": [
            {"question": "Who teaches Ada's pottery class?", "answer": "Tom Weaver", "category": 4},
            {
                "question": "When did Ada join a pottery class?",
                "answer": "7 May 2023",
                "category": 2,
            },
            {
                "question": "What instruments does Ada play?",
                "answer": "violin, clarinet",
                "category": 1,
            },
            {"question": "What did Ada buy?", "answer": "a canoe", "category": 5},
        ],
    }
