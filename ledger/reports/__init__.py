"""Reports for accountants: one file per report, one file per format.

A report is one SQL query over a half-open period [from, to); its columns say what is text, time and money. The
header of a file carries title, version, period, zone, time of making, filters, row count and control totals per
currency.
"""

from ledger.reports.catalogue import REPORTS
from ledger.reports.export import export
from ledger.reports.params import BadParams, Params

__all__ = ["REPORTS", "BadParams", "Params", "export"]
