"""Operations on what is known, as a language model proposes them: checked one by one."""
