"""What other rooms may use of finding and taking out what is to go.

Looking for it: `ErasureTarget`, `ErasurePart`, `RedactionTerms`, `distinctive_sentences`,
`texts_in_json`.

Where it was said: `SourcePlace`, `source_places`.

What was made of it: `drop_evidence`, `drop_passages`, `drop_summaries`, `MADE_SUMMARY`,
`agreed_elsewhere`, `merged_from_elsewhere`.

Deleting what is known is `memory.deletion.erasing`, for `ledger.erasure` alone.
"""

from .evidence import MADE_SUMMARY as MADE_SUMMARY
from .evidence import agreed_elsewhere as agreed_elsewhere
from .evidence import drop_evidence as drop_evidence
from .evidence import drop_passages as drop_passages
from .evidence import drop_summaries as drop_summaries
from .evidence import merged_from_elsewhere as merged_from_elsewhere
from .redaction_terms import RedactionTerms as RedactionTerms
from .sought import ErasurePart as ErasurePart
from .sought import ErasureTarget as ErasureTarget
from .sought import distinctive_sentences as distinctive_sentences
from .sought import texts_in_json as texts_in_json
from .sources import SourcePlace as SourcePlace
from .sources import source_places as source_places
