"""What can go wrong, each with a sentence that says what to do about it.

All are `Error`, and so `ValueError`. That there is no path is not an error but an answer.
"""


class Error(ValueError):
    """Something that blockstar refuses: a bad size, a value out of range, an illegal path."""


class OutsideError(Error, IndexError):
    """A place that is not on the map."""


class UnsupportedError(Error):
    """Something that this planner cannot do; the message names one that can."""


class UnknownNameError(Error):
    """A planner, movement rule or heuristic that does not exist."""


class StaleError(Error):
    """A search that was begun on the map as it was before an edit."""


class FileError(Error):
    """A file or bytes that cannot be read: damaged, forged, or made for another map."""
