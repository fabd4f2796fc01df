"""Addresses of the player's own money."""

from django.urls import path, re_path

from ledger import views

urlpatterns = [
    path("wallet/", views.wallet, name="wallet"),
    re_path(r"^wallet/(?P<currency>[A-Z]{3})/$", views.statement, name="statement"),
    path("wallet/entries/<int:entry_id>/", views.entry, name="entry"),
]
