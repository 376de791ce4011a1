"""Texts that imitate the frame of a prompt, and material to answer from."""

PATTERNS = (
    (
        r"(?:^|\n)\s*(?:#{1,6} *)?\[?(?:system|assistant|developer|human|user|ai|bot)\]?\s*"
        r"(?:prompt|message|note|override)?\s*:\s*\S",
        False,
    ),
    (
        r"<\|?(?:im_start|im_end|system|assistant|endoftext|start_header_id|eot_id)|\[/?inst\]|"
        r"<</?sys>>|</?(?:system|instructions?|prompt)>|"
        r"(?<!#)###++ *(?:instruction|system|response)",
        False,
    ),
    (r"(?:^|\n)\W{0,2}(?:human|user|ai|assistant)\s*:\s*(?:human|user|ai|assistant)\s*:", False),
    (r"(?:^|\n)[\w .]{1,30}:\s+\S[^\n]*\n[\w .]{1,30}:\s*$", False),
    (r"(?:[.!?\n]|\\n)\s*[\w-]{2,20}:\s*$(?<=\w:)", False),
)

_SOURCE = (
    r"(?:^|\n|[.!?$] ?)\W{0,2}(?:context|kontext|contexto|contexte|documents?|dokumente?|articles?|"
    r"artikel|passage)\b"
)
MATERIAL = (
    (
        r"\b(?:document|article|source|system)s? (?:context|override|message|notice|"
        r"prompt)\b\W*[:\"']",
        False,
    ),
    (rf"{_SOURCE}\s*[:={{]{{1,3}}.{{2,2000}}?(?:\b(?:question|frage|pregunta)\s*:|\?)", False),
    (rf"^\W{{0,2}}{_SOURCE}\s+\S.{{2,300}}?\b(?:question|frage|pregunta)\b", False),
    (r"\binput\s*:.{1,200}\boutput\s*:|\beingabe\s*:.{1,200}\bausgabe\s*:", False),
    (r"\$\w+\s*[:=]", False),
)
