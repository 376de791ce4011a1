"""What other rooms may use of operations.

What a model returns: `Operation`, `Quote`, `ListeningAnswer`; its words for matters: `SENSITIVE`,
`CONFIDENTIAL`. What it is shown: `Stretch`, `SaidLine`, `KnownItem`, `SHOWN_OF_AN_ANSWER`, and the
prompt alone: `messages`. Having a
stretch read: `listen` with `Trust` gives `Listened`, of `Checked` operations; `check`, `Evidence`
for a single one; `as_date` of an ISO text; a summary that what was said
bears out: `fit_summary`.
"""

from .checks import Checked as Checked
from .checks import Trust as Trust
from .checks import check as check
from .evidence import Evidence as Evidence
from .evidence import KnownItem as KnownItem
from .evidence import SaidLine as SaidLine
from .evidence import as_date as as_date
from .listening import SHOWN_OF_AN_ANSWER as SHOWN_OF_AN_ANSWER
from .listening import Listened as Listened
from .listening import Stretch as Stretch
from .listening import fit_summary as fit_summary
from .listening import listen as listen
from .listening import messages as messages
from .schema import CONFIDENTIAL as CONFIDENTIAL
from .schema import SENSITIVE as SENSITIVE
from .schema import ListeningAnswer as ListeningAnswer
from .schema import Operation as Operation
from .schema import Quote as Quote
