"""Every error that a person or an agent may read: one file per room, one root.

A leaf's docstring is the sentence that is shown. A value typed by a person is never an argument of an error.
"""

from offprompt.errors.agent import *
from offprompt.errors.endpoints import *
from offprompt.errors.fill import *
from offprompt.errors.http import *
from offprompt.errors.operate import *
from offprompt.errors.private_files import *
from offprompt.errors.registry import *
from offprompt.errors.request import *
from offprompt.errors.root import OffpromptError, places, reason
from offprompt.errors.sinks import *
from offprompt.errors.tunnel import *

__all__ = ["OffpromptError", "places", "reason"]
