"""The check of a finished deal by whoever does not trust the service that dealt it (R22).

It rests on the engine alone: on the description of the shuffle and on the rules of the game, not on what the service
stored or told elsewhere. `python -m service.verify` is its command.
"""

from .checks import Known, verify
from .together import verify_together
from .verdict import Failure, Verdict

__all__ = ["Failure", "Known", "Verdict", "verify", "verify_together"]
