"""What other rooms may use of reading English.

One text, read once, with all that is asked about it: `Reading`, `ReadSentence`, `read_text`; how
much of it is read: `READ_CHARS`, `READ_HERE_CHARS`, `apply_budget`.

What it says of its writer: `extract_facts`, `FactCandidate`, `CURRENT_KINDS`, `TYPED_TRUST`,
`ASKED_TRUST`; what it says of others: `facts_of_others`.
Whether it says of whom or what it speaks: `stands_alone`. Putting something right: `is_correction`,
`surely_corrects`, `correction_probabilities`; what it changes: `find_change`, `Change`,
`changes_surely`; what was noted with the value that it gives: `put_right`, `renames`.

Two texts: which of several earlier ones a later one
ends: `find_ending`, `ENDS_FROM`, `pair_probabilities`. Whether a text
answers a question: `answer_probabilities`.

Whose words they are: `Origin`, `origin_of`, `ForeignSpan`, `find_foreign_spans`, `locate_pastes`;
what of a message may be shown, and as what: `TextStanding`, `StandingSpan`, `find_standing_spans`,
`load_standing_spans`, `QuotablePart`, `collect_quotable_parts`, `find_pasted_passages`,
`tag_pasted`, `PASTED_TAG`, `without_tags`.

What a question asks for: `QueryIntent`, `IntentKind`, `ORDER_KINDS`,
`MAX_INTENT_LENGTH`, `ALL_SLOTS`; whether a text only asks: `only_asks`, `ASKING`,
`is_all_marked_questions`; a yes or a no: `read_yes_or_no`.

Times: `TimeSpan`, `find_asked_times`, `find_stated_times`, `is_end_time`, `tells_when`,
`asks_ahead`, `capitalize_time_words`, `SentenceDates`, `read_sentence_dates`; days to come:
`PlannedDay`, `find_planned_days`, `planned_until`, `cancels`, `read_days_ahead`; times of the day:
`read_clock_time`.

What must not be noted, quoted or obeyed: `explain_refusal`, `classify_refusal`,
`INSTRUCTION_REFUSAL`, `asks_to_forget`, `holds_a_secret`, `mask_secrets`, `redact_secrets`,
`find_secret_values`, `is_confidential`, `is_private_text`,
`find_private_slots`, `has_food_allergy`, `tells_allergy`,
`CLAIM_CARRYING_SLOTS`, `find_claim`, `has_instruction_clause`, `judge_instruction_by_rule`; the
classifier of instructions: `compute_instruction_features`, `COUNTED_FEATURE_NAMES`,
`FEATURE_SIZES`, `FEATURE_COUNT`, `MEANING_SIZE`, `Float64Array`, `REFUSAL_THRESHOLD`,
`CLASSIFIER_WEIGHTS_PATH`.

Words: `split_words`, `content_words`, `content_stem_ids`, `stem_id`, `stem`,
`find_related_stems`, `weigh_word`, `is_ordinary_word`, `STOPWORDS`, `LONGEST_WORD`,
`load_lexicon`. Phrases: `Keyphrase`, `Utterance`, `extract_keyphrases`, `make_keyphrase_key`,
`make_content_key`. Meaning as vectors: `embed`, `embed_as_array`, `meaning_vectors`,
`encode_sentence`, `encode_sentences`,
`Float32Array`, `EMBEDDING_DIMENSIONS`, `MEANING_MODEL_NAME`. Classifiers of texts:
`label_probabilities`, `TextClassifier`, `task_of`.

Sentences and shorter texts: `split_sentences`, `split_lines_and_sentences`, `find_sentence_spans`,
`sentence_around`,
`mask_text`, `MASK_CHARACTER`, `fold_text`,
`truncate_at_clause`, `drop_clauses`, `count_tokens`.

Patterns that are compiled when they are used, all at once: `compile_patterns`.
"""

from .budget import READ_CHARS as READ_CHARS
from .budget import READ_HERE_CHARS as READ_HERE_CHARS
from .budget import apply_budget as apply_budget
from .classifiers.correction_classifier import Change as Change
from .classifiers.correction_classifier import changes_surely as changes_surely
from .classifiers.correction_classifier import correction_probabilities as correction_probabilities
from .classifiers.correction_classifier import find_change as find_change
from .classifiers.correction_classifier import surely_corrects as surely_corrects
from .classifiers.sentence_labels import label_probabilities as label_probabilities
from .classifiers.statement_pairs import ENDS_FROM as ENDS_FROM
from .classifiers.statement_pairs import answer_probabilities as answer_probabilities
from .classifiers.statement_pairs import find_ending as find_ending
from .classifiers.statement_pairs import pair_probabilities as pair_probabilities
from .dates.clock_times import read_clock_time as read_clock_time
from .dates.planned_days import PlannedDay as PlannedDay
from .dates.planned_days import SentenceDates as SentenceDates
from .dates.planned_days import cancels as cancels
from .dates.planned_days import find_planned_days as find_planned_days
from .dates.planned_days import planned_until as planned_until
from .dates.planned_days import read_days_ahead as read_days_ahead
from .dates.planned_days import read_sentence_dates as read_sentence_dates
from .dates.tense import asks_ahead as asks_ahead
from .dates.time_expressions import TimeSpan as TimeSpan
from .dates.time_expressions import capitalize_time_words as capitalize_time_words
from .dates.time_expressions import find_asked_times as find_asked_times
from .dates.time_expressions import find_stated_times as find_stated_times
from .dates.time_expressions import is_end_time as is_end_time
from .dates.time_expressions import tells_when as tells_when
from .engine.masking import MASK_CHARACTER as MASK_CHARACTER
from .engine.masking import mask_text as mask_text
from .engine.sentences import find_sentence_spans as find_sentence_spans
from .engine.sentences import sentence_around as sentence_around
from .lazy_pattern import compile_patterns as compile_patterns
from .lexicons import load_lexicon as load_lexicon
from .message_provenance import PASTED_TAG as PASTED_TAG
from .message_provenance import QuotablePart as QuotablePart
from .message_provenance import StandingSpan as StandingSpan
from .message_provenance import TextStanding as TextStanding
from .message_provenance import collect_quotable_parts as collect_quotable_parts
from .message_provenance import find_pasted_passages as find_pasted_passages
from .message_provenance import find_standing_spans as find_standing_spans
from .message_provenance import is_confidential as is_confidential
from .message_provenance import load_standing_spans as load_standing_spans
from .message_provenance import tag_pasted as tag_pasted
from .message_provenance import without_tags as without_tags
from .origin import ForeignSpan as ForeignSpan
from .origin import Origin as Origin
from .origin import find_foreign_spans as find_foreign_spans
from .origin import locate_pastes as locate_pastes
from .origin import origin_of as origin_of
from .queries.asked_slots import ALL_SLOTS as ALL_SLOTS
from .queries.query_intent import MAX_INTENT_LENGTH as MAX_INTENT_LENGTH
from .queries.query_intent import ORDER_KINDS as ORDER_KINDS
from .queries.query_intent import IntentKind as IntentKind
from .queries.query_intent import QueryIntent as QueryIntent
from .queries.query_intent import is_all_marked_questions as is_all_marked_questions
from .queries.query_intent import read_yes_or_no as read_yes_or_no
from .queries.query_intent import split_sentences as split_sentences
from .reader.facts import ASKED_TRUST as ASKED_TRUST
from .reader.facts import CURRENT_KINDS as CURRENT_KINDS
from .reader.facts import TYPED_TRUST as TYPED_TRUST
from .reader.facts import FactCandidate as FactCandidate
from .reader.network import ReadSentence as ReadSentence
from .reader.others import facts_of_others as facts_of_others
from .reading import ASKING as ASKING
from .reading import Reading as Reading
from .reading import extract_facts as extract_facts
from .reading import is_correction as is_correction
from .reading import only_asks as only_asks
from .reading import read_text as read_text
from .reading import stands_alone as stands_alone
from .safety.claims import CLAIM_CARRYING_SLOTS as CLAIM_CARRYING_SLOTS
from .safety.claims import find_claim as find_claim
from .safety.classifier import CLASSIFIER_WEIGHTS_PATH as CLASSIFIER_WEIGHTS_PATH
from .safety.classifier import COUNTED_FEATURE_NAMES as COUNTED_FEATURE_NAMES
from .safety.classifier import FEATURE_COUNT as FEATURE_COUNT
from .safety.classifier import FEATURE_SIZES as FEATURE_SIZES
from .safety.classifier import MEANING_SIZE as MEANING_SIZE
from .safety.classifier import REFUSAL_THRESHOLD as REFUSAL_THRESHOLD
from .safety.classifier import Float64Array as Float64Array
from .safety.classifier import compute_instruction_features as compute_instruction_features
from .safety.guard import INSTRUCTION_REFUSAL as INSTRUCTION_REFUSAL
from .safety.guard import asks_to_forget as asks_to_forget
from .safety.guard import classify_refusal as classify_refusal
from .safety.guard import explain_refusal as explain_refusal
from .safety.guard import holds_a_secret as holds_a_secret
from .safety.instructions import has_instruction_clause as has_instruction_clause
from .safety.instructions import judge_instruction_by_rule as judge_instruction_by_rule
from .safety.obfuscation import fold_text as fold_text
from .safety.secrets import find_secret_values as find_secret_values
from .safety.secrets import mask_secrets as mask_secrets
from .safety.secrets import redact_secrets as redact_secrets
from .safety.sensitivity import find_private_slots as find_private_slots
from .safety.sensitivity import has_food_allergy as has_food_allergy
from .safety.sensitivity import is_private_text as is_private_text
from .safety.sensitivity import tells_allergy as tells_allergy
from .substitution import put_right as put_right
from .substitution import renames as renames
from .text import EMBEDDING_DIMENSIONS as EMBEDDING_DIMENSIONS
from .text.compression import drop_clauses as drop_clauses
from .text.compression import split_lines_and_sentences as split_lines_and_sentences
from .text.compression import truncate_at_clause as truncate_at_clause
from .text.dedup import content_stem_ids as content_stem_ids
from .text.dedup import make_content_key as make_content_key
from .text.embeddings import embed as embed
from .text.embeddings import embed_as_array as embed_as_array
from .text.keyphrases import Keyphrase as Keyphrase
from .text.keyphrases import Utterance as Utterance
from .text.keyphrases import extract_keyphrases as extract_keyphrases
from .text.keyphrases import make_keyphrase_key as make_keyphrase_key
from .text.stemming import stem as stem
from .text.terms import LONGEST_WORD as LONGEST_WORD
from .text.terms import MEANING_MODEL_NAME as MEANING_MODEL_NAME
from .text.terms import STOPWORDS as STOPWORDS
from .text.terms import Float32Array as Float32Array
from .text.terms import content_words as content_words
from .text.terms import find_related_stems as find_related_stems
from .text.terms import is_ordinary_word as is_ordinary_word
from .text.terms import meaning_vectors as meaning_vectors
from .text.terms import split_words as split_words
from .text.terms import stem_id as stem_id
from .text.terms import weigh_word as weigh_word
from .text.text_network import TextClassifier as TextClassifier
from .text.text_network import encode_sentence as encode_sentence
from .text.text_network import encode_sentences as encode_sentences
from .text.text_network import task_of as task_of
from .text.token_count import count_tokens as count_tokens
