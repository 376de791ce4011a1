"""The messages that the reader is trained on are in their format, and the kept ones stay apart."""

from pathlib import Path

from training.markup import read_files

DATA = Path(__file__).parents[2] / "training" / "data"


def texts(pattern: str) -> list[str]:
    messages = read_files(sorted(DATA.glob(pattern)))
    return [
        " ".join(sentence.text for sentence in message.sentences).casefold() for message in messages
    ]


def test_all_files_are_in_the_format_and_a_third_of_the_sentences_say_nothing() -> None:
    messages = read_files(sorted(DATA.glob("*.txt")))
    sentences = [sentence for message in messages for sentence in message.sentences]
    assert len(messages) > 9_000
    assert sum(not sentence.marks for sentence in sentences) > len(sentences) / 4


def test_no_message_of_several_words_is_both_trained_on_and_kept() -> None:
    trained = set(texts("[!k]*.txt"))
    assert [text for text in texts("kept_*.txt") if text in trained and len(text.split()) > 4] == []
