"""What other rooms may use of finding what was said and what is known.

Making messages findable: `SaidMessage`, `index_message`, `index_messages`, `index_read_messages`,
`reindex_passages`, `INDEX_BATCH`, `lexeme_of`.

Finding passages: `search_passages` gives `Hit`s, narrowed by a `PassageFilter`;
`rank_passages_later` gives `RankedPassages` by `PassageKey` and `PassageRow`; `TimeQuery` with
`said_between`; `STAND_INS`, `WORDS_ENOUGH`; reasons are `Factor`s, said in `FACTOR_WORDS`.

Finding notes by hand: `NoteQuery`, `find_notes`, `shown_notes`, `clean_query`, `FITS_FROM`,
`LONGEST_QUERY`.

Vectors of an embedding endpoint: `prefetch_question_vector` for a question's before a transaction,
`embed_some` with `prepare_model` and `backfilled_to` for messages', `count_vectors` gives
`VectorCounts`; `EndpointAway`, `endpoint_is_configured`, `endpoint_address`,
`endpoint_is_left_alone`.

How well something fits: `Question`, `read_question`, `relevance_of`, `asks_for`, `means_alike`,
`score_facts`, `score_notes`, `score_notes_later`, `score_quotes`, `ScoredNote`, `ScoredQuote`.
"""

from .embedding_endpoint import EndpointAway as EndpointAway
from .embedding_endpoint import endpoint_address as endpoint_address
from .embedding_endpoint import endpoint_is_configured as endpoint_is_configured
from .embedding_endpoint import endpoint_is_left_alone as endpoint_is_left_alone
from .note_search import FITS_FROM as FITS_FROM
from .note_search import LONGEST_QUERY as LONGEST_QUERY
from .note_search import NoteQuery as NoteQuery
from .note_search import clean_query as clean_query
from .note_search import find_notes as find_notes
from .note_search import shown_notes as shown_notes
from .passage_candidates import STAND_INS as STAND_INS
from .passage_candidates import WORDS_ENOUGH as WORDS_ENOUGH
from .passage_candidates import PassageFilter as PassageFilter
from .passage_index import INDEX_BATCH as INDEX_BATCH
from .passage_index import SaidMessage as SaidMessage
from .passage_index import TimeQuery as TimeQuery
from .passage_index import index_message as index_message
from .passage_index import index_messages as index_messages
from .passage_index import index_read_messages as index_read_messages
from .passage_index import lexeme_of as lexeme_of
from .passage_index import reindex_passages as reindex_passages
from .passage_index import said_between as said_between
from .passage_search import Hit as Hit
from .passage_search import PassageKey as PassageKey
from .passage_search import PassageRow as PassageRow
from .passage_search import RankedPassages as RankedPassages
from .passage_search import prefetch_question_vector as prefetch_question_vector
from .passage_search import rank_passages_later as rank_passages_later
from .passage_search import search_passages as search_passages
from .passage_vectors import VectorCounts as VectorCounts
from .passage_vectors import backfilled_to as backfilled_to
from .passage_vectors import count_vectors as count_vectors
from .passage_vectors import embed_some as embed_some
from .passage_vectors import prepare_model as prepare_model
from .ranking import FACTOR_WORDS as FACTOR_WORDS
from .ranking import Factor as Factor
from .relevance import Question as Question
from .relevance import ScoredNote as ScoredNote
from .relevance import ScoredQuote as ScoredQuote
from .relevance import asks_for as asks_for
from .relevance import means_alike as means_alike
from .relevance import read_question as read_question
from .relevance import relevance_of as relevance_of
from .relevance import score_facts as score_facts
from .relevance import score_notes as score_notes
from .relevance import score_notes_later as score_notes_later
from .relevance import score_quotes as score_quotes
