"""Counting the tokens of a text with a real tokenizer, without a network.

The vocabulary of Llama 2 (32,000 tokens), which the word vectors include. Other models count
differently, but texts can be compared.
"""

from importlib.resources import files

from tokenizers import Tokenizer

from accounts.support.process_cache import once_per_process


@once_per_process
def _tokenizer() -> Tokenizer:
    vocabulary = files("wordllama") / "tokenizers" / "l2_supercat_tokenizer_config.json"
    tokenizer = Tokenizer.from_str(vocabulary.read_text(encoding="utf-8"))
    # The file sets truncation and padding, which would change counts.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)
