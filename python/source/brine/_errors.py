"""The exceptions of the package. Each has `file`, `line` and `column`, `None` where not known."""

from __future__ import annotations

from typing import Optional


class BrineError(Exception):
    """What went wrong, with the place where it is."""

    def __init__(
        self,
        message: str,
        file: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column


class InputError(BrineError, ValueError):
    """A model, a formula or a file is wrong, or cannot be read."""


class OptionsError(BrineError, ValueError):
    """Options do not fit each other, the model or the question."""


class StoppedError(BrineError):
    """A budget ran out before there was anything to give back."""


class InternalError(BrineError):
    """A defect in Brine; please report it."""
