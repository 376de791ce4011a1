"""What other rooms may use of what all of memory stands on.

Whether and where something may be kept: `decide_persistence` judges a `PersistenceRequest` by the
`Allowances` of a person (`allowances_of`, and `allowance_columns` with `allowances_from` for a row
that is read anyway) and gives a `PersistenceDecision`: its `KeepingPlace` and `PersistenceReason`.
`RecordKind` is what is kept, `Authority` on whose word; what is not kept is `Refused`.

Where something was said: `Scope`. What is known while a message is read: `KnownRecords`.

Trust: `move_trust`, `trust_in_words` with `TrustWord`, `recency_factor`.

Memory on or off: `switch_memory`, `record_first_choice`, `memory_switched_at`,
`memory_off_periods`.

Locks until the transaction ends: `lock_slot`, `lock_slots`, `lock_everything`, `lock_deletions`,
`lock_names`.

Statements that are planned once: `fetch_rows`, `statement_pipeline` with `SendStatement`,
`model_instance`, `array_literal`.

Traces of operations: `traced_operation`, `timed_operation`, `traced_turn`; `Operation`,
`OperationVerb`, `OperationOutcome`, `OperationDoor`; `process_default`, `operation_exporters`,
`TRACED_TABLES`.

Signals that rooms above hear: `fact_ended_by_hand`, `fact_refined`, `fact_judged_by_hand`,
`fact_taken_back`, `slot_closed`, `collect_erasure_parts`, `words_erased`, `messages_taken_out`.
"""

from .allowances import allowance_columns as allowance_columns
from .allowances import allowances_from as allowances_from
from .allowances import allowances_of as allowances_of
from .known_facts import KnownRecords as KnownRecords
from .persistence_gate import Allowances as Allowances
from .persistence_gate import Authority as Authority
from .persistence_gate import KeepingPlace as KeepingPlace
from .persistence_gate import PersistenceDecision as PersistenceDecision
from .persistence_gate import PersistenceReason as PersistenceReason
from .persistence_gate import PersistenceRequest as PersistenceRequest
from .persistence_gate import RecordKind as RecordKind
from .persistence_gate import Refused as Refused
from .persistence_gate import decide_persistence as decide_persistence
from .scope import Scope as Scope
from .scoring import TrustWord as TrustWord
from .scoring import recency_factor as recency_factor
from .scoring import trust_in_words as trust_in_words
from .signals import collect_erasure_parts as collect_erasure_parts
from .signals import fact_ended_by_hand as fact_ended_by_hand
from .signals import fact_judged_by_hand as fact_judged_by_hand
from .signals import fact_refined as fact_refined
from .signals import fact_taken_back as fact_taken_back
from .signals import messages_taken_out as messages_taken_out
from .signals import slot_closed as slot_closed
from .signals import words_erased as words_erased
from .slot_locks import lock_deletions as lock_deletions
from .slot_locks import lock_everything as lock_everything
from .slot_locks import lock_names as lock_names
from .slot_locks import lock_slot as lock_slot
from .slot_locks import lock_slots as lock_slots
from .statements import SendStatement as SendStatement
from .statements import array_literal as array_literal
from .statements import fetch_rows as fetch_rows
from .statements import model_instance as model_instance
from .statements import statement_pipeline as statement_pipeline
from .switch import memory_off_periods as memory_off_periods
from .switch import memory_switched_at as memory_switched_at
from .switch import record_first_choice as record_first_choice
from .switch import switch_memory as switch_memory
from .tracing import TRACED_TABLES as TRACED_TABLES
from .tracing import Operation as Operation
from .tracing import OperationDoor as OperationDoor
from .tracing import OperationOutcome as OperationOutcome
from .tracing import OperationVerb as OperationVerb
from .tracing import operation_exporters as operation_exporters
from .tracing import process_default as process_default
from .tracing import timed_operation as timed_operation
from .tracing import traced_operation as traced_operation
from .tracing import traced_turn as traced_turn
from .trust import move_trust as move_trust
