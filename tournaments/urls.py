"""Addresses of tournaments: one page, in parts that can be linked to."""

from django.urls import path

from tournaments import views

urlpatterns = [
    path("tournaments/", views.tournaments, name="tournaments"),
    path("tournaments/<int:tournament_id>/", views.overview, name="tournament"),
    path("tournaments/<int:tournament_id>/standings/", views.standings, name="tournament_standings"),
    path("tournaments/<int:tournament_id>/entrants/", views.entrants, name="tournament_entrants"),
    path("tournaments/<int:tournament_id>/entrants/<int:entrant_id>/", views.entrant, name="tournament_entrant"),
    path("tournaments/<int:tournament_id>/rounds/", views.rounds, name="tournament_rounds"),
    path("tournaments/<int:tournament_id>/rounds/<int:number>/", views.rounds, name="tournament_round"),
    path("tournaments/<int:tournament_id>/bracket/", views.bracket, name="tournament_bracket"),
    path("tournaments/<int:tournament_id>/table/", views.cross_table, name="tournament_table"),
    path("tournaments/<int:tournament_id>/money/", views.money, name="tournament_money"),
    path("tournaments/<int:tournament_id>/results.csv", views.results_csv, name="tournament_csv"),
    path("tournaments/<int:tournament_id>/print/", views.printable, name="tournament_print"),
    path("tournaments/<int:tournament_id>/register/", views.register, name="tournament_register"),
    path("tournaments/<int:tournament_id>/seed/", views.seed, name="tournament_seed"),
    path("tournaments/<int:tournament_id>/leave/", views.leave, name="tournament_leave"),
]
