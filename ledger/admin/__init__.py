"""The operator's view of the ledger: all can be seen, nothing edited; money moves by actions with a reason."""

from ledger.admin import accounts, entries, holds, periods, proposals, rakes

__all__ = ["accounts", "entries", "holds", "periods", "proposals", "rakes"]
