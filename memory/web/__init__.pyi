"""What other rooms may use of memory's pages and API.

Routes: `api_routes` for the API; the page behind a link is `shared_page`.

Facts and notes as one list: `KnownItem`, `list_known_items`, `find_known_item`, `ids_over_time`,
`search_known_items`, `reword_known_item`, `remove_known_item`.

A note as its owner reads it: `NoteRow`, `note_row`. A fact and a note as the API shows them:
`FactOut`, `MemoryOut`.

Why something was not kept, as a page and the API say it: `ShownReason`, `shown_reason`,
`reason_in_api`, `reason_of_kept`; `ReasonField` in a serializer.

Charts: `Bars`, `draw_bars`, `Line`, `draw_line`. Slots to choose from: `slot_choices`,
`closed_slots`. A day to look back at: `day_looked_back_at`, `UnfitDay`.
"""

from .api.facts import FactOut as FactOut
from .api.notes import MemoryOut as MemoryOut
from .api.urls import api_routes as api_routes
from .as_of import UnfitDay as UnfitDay
from .as_of import day_looked_back_at as day_looked_back_at
from .known_items import KnownItem as KnownItem
from .known_items import find_known_item as find_known_item
from .known_items import ids_over_time as ids_over_time
from .known_items import list_known_items as list_known_items
from .known_items import remove_known_item as remove_known_item
from .known_items import reword_known_item as reword_known_item
from .known_items import search_known_items as search_known_items
from .present.charts import Bars as Bars
from .present.charts import Line as Line
from .present.charts import draw_bars as draw_bars
from .present.charts import draw_line as draw_line
from .present.facts import closed_slots as closed_slots
from .present.facts import slot_choices as slot_choices
from .present.memories import NoteRow as NoteRow
from .present.memories import note_row as note_row
from .present.remedies import ReasonField as ReasonField
from .present.remedies import ShownReason as ShownReason
from .present.remedies import reason_in_api as reason_in_api
from .present.remedies import reason_of_kept as reason_of_kept
from .present.remedies import shown_reason as shown_reason
from .views.sharing import shared_page as shared_page
