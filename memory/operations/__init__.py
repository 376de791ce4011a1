"""Changes of facts and memories that a language model proposes, checked one by one."""
