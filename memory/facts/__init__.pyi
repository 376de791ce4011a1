"""What other rooms may use of the profile.

Offering a value: `propose_fact` comes back with `FactStored`, `FactReinforced` or `Conflict`;
beside it `override_in_conversation`, `keep_origin`, `set_confirmed_trust`, `value_distance`,
`matching_fact`, `contradicted_fact`, `is_in_conflict`, `wider_fact`, `refine_fact`, `block_slot`.

When it holds: `StartDate`, `read_start_date`, `start_date_of_words`, `beginning_of_day`,
`midnight`, `precision_of`, `DayField`, `not_yet_to_come`, `is_told_time`, `since_in_words`.

What is over: `PAST_SLOTS`, `WAS_PAST`, `PastPeriod`, `read_past_time`, `keep_past_fact`,
`past_values_of`, `values_agree`.

After a copy was restored: `complete_restored_fact`, `set_aside_challengers`,
`retract_blocked`.

Ending a fact is `memory.facts.revision` and `memory.facts.succession`, for memory itself and what
settles in the ledger.
"""

from .blocked_slots import block_slot as block_slot
from .day_precision import DayField as DayField
from .day_precision import beginning_of_day as beginning_of_day
from .day_precision import midnight as midnight
from .day_precision import not_yet_to_come as not_yet_to_come
from .past_facts import PAST_SLOTS as PAST_SLOTS
from .past_facts import WAS_PAST as WAS_PAST
from .past_facts import PastPeriod as PastPeriod
from .past_facts import keep_past_fact as keep_past_fact
from .past_facts import read_past_time as read_past_time
from .profile import Conflict as Conflict
from .profile import FactReinforced as FactReinforced
from .profile import FactStored as FactStored
from .profile import contradicted_fact as contradicted_fact
from .profile import is_in_conflict as is_in_conflict
from .profile import keep_origin as keep_origin
from .profile import matching_fact as matching_fact
from .profile import override_in_conversation as override_in_conversation
from .profile import propose_fact as propose_fact
from .profile import set_confirmed_trust as set_confirmed_trust
from .profile import value_distance as value_distance
from .refinement import refine_fact as refine_fact
from .refinement import wider_fact as wider_fact
from .restored_facts import complete_restored_fact as complete_restored_fact
from .restored_facts import retract_blocked as retract_blocked
from .restored_facts import set_aside_challengers as set_aside_challengers
from .start_dates import StartDate as StartDate
from .start_dates import precision_of as precision_of
from .start_dates import read_start_date as read_start_date
from .start_dates import start_date_of_words as start_date_of_words
from .validity import is_told_time as is_told_time
from .validity import past_values_of as past_values_of
from .validity import since_in_words as since_in_words
from .validity import values_agree as values_agree
