"""Addresses of the lobby, of tables and games, and of the rules in words."""

from django.urls import path, re_path

from games import views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("lobby/list/", views.lobby_list, name="lobby_list"),
    path("tables/new/", views.new_table, name="new_table"),
    path("tables/hold/", views.hold_preview, name="hold_preview"),
    path("tables/<int:table_id>/", views.table, name="table"),
    path("tables/<int:table_id>/part/", views.table_part, name="table_part"),
    path("tables/<int:table_id>/seed/", views.table_seed, name="table_seed"),
    path("tables/<int:table_id>/ping/", views.table_ping, name="table_ping"),
    re_path(r"^tables/(?P<table_id>\d{1,18})/(?P<action>join|ready|leave)/$", views.table_action, name="table_action"),
    path("games/", views.my_games, name="my_games"),
    path("games/<int:game_id>/", views.game, name="game"),
    path("games/<int:game_id>/state/", views.game_state, name="game_state"),
    path("games/<int:game_id>/act/", views.game_act, name="game_act"),
    path("games/<int:game_id>/dice/", views.game_dice, name="game_dice"),
    re_path(r"^games/(?P<game_id>\d{1,18})/record\.(?P<form>mat|txt)$", views.game_record, name="game_record"),
    path("rules/", views.rules_index, name="rules"),
    path("rules/<slug:page>/", views.rules_page, name="rules_page"),
]
