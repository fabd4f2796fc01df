"""Addresses of the tournaments' API, under /api/v1/."""

from django.urls import path

from tournaments import api

urlpatterns = [
    path("tournaments/", api.Tournaments.as_view(), name="api-tournaments"),
    path("tournaments/<int:tournament_id>/", api.TournamentState.as_view(), name="api-tournament"),
    path("tournaments/<int:tournament_id>/entrants/", api.Entrants.as_view(), name="api-tournament-entrants"),
    path("tournaments/<int:tournament_id>/standings/", api.Standings.as_view(), name="api-tournament-standings"),
    path("tournaments/<int:tournament_id>/rounds/<int:number>/", api.Round.as_view(), name="api-tournament-round"),
    path("tournaments/<int:tournament_id>/register/", api.Register.as_view(), name="api-tournament-register"),
    path("tournaments/<int:tournament_id>/withdraw/", api.Withdraw.as_view(), name="api-tournament-withdraw"),
]
