"""What can be wrong with a transcript: the text itself, or the game that it tells."""

from __future__ import annotations


class TranscriptError(Exception):
    """A transcript is not accepted; `line` (from 1) and `reason` (English) tell where and why."""

    code = "transcript"

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
        self.params = {"line": line, "reason": reason}


class TornTranscript(TranscriptError):
    """The text cannot be read as a transcript, or breaks off."""

    code = "torn_transcript"


class RefusedGame(TranscriptError):
    """The text can be read, but the game that it tells breaks the rules or ends in a result that cannot be."""

    code = "refused_game"
