"""What a report says when it cannot be made."""


class ReportError(ValueError):
    """A folder cannot be reported on: one readable line that says what, where, and what would be right."""
