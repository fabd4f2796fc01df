"""Verification: many small checks, each of which looks at one invariant and yields what violates it.

Other apps add their own with `register` in their AppConfig.ready (games: finished games against entries). Nothing is
repaired here: findings go to operators.
"""

from ledger.verify.registry import CHECKS, Violation, register, run

__all__ = ["CHECKS", "Violation", "register", "run"]
