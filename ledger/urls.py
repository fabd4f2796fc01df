"""Addresses of the player's own money."""

from django.urls import path, re_path

from ledger import money_views, views

urlpatterns = [
    path("wallet/", views.wallet, name="wallet"),
    path("wallet/withdraw/", money_views.withdraw, name="withdraw"),
    path("wallet/withdrawals/<int:proposal_id>/cancel/", money_views.cancel, name="cancel_withdrawal"),
    path("wallet/play-chips/", money_views.top_up, name="top_up"),
    re_path(r"^wallet/(?P<currency>[A-Z]{3})/$", views.statement, name="statement"),
    path("wallet/entries/<int:entry_id>/", views.entry, name="entry"),
]
