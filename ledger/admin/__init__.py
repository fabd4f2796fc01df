"""The operator's view of the ledger: everything can be seen, nothing edited; money moves by actions that ask for a reason."""

from ledger.admin import accounts, entries, holds, rakes

__all__ = ["accounts", "entries", "holds", "rakes"]
