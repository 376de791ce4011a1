"""How much a text costs in a prompt, by a real tokenizer that needs no network.

The 32,000-token vocabulary of Llama 2, which the word vectors bring along. Other models count
otherwise, by some tenths; as a measure of one text against another it holds.
"""

from importlib.resources import files

from tokenizers import Tokenizer

from accounts.support.process_cache import once_per_process


@once_per_process
def _tokenizer() -> Tokenizer:
    vocabulary = files("wordllama") / "tokenizers" / "l2_supercat_tokenizer_config.json"
    tokenizer = Tokenizer.from_str(vocabulary.read_text(encoding="utf-8"))
    # The file asks for texts of one length, which suits vectors and not counting.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def count_tokens(text: str) -> int:
    """Return how many tokens a text is, 0 for none."""
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)
