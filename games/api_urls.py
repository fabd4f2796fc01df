"""Addresses of the API, under /api/v1/."""

from django.urls import path

from games import api, api_withdrawals

urlpatterns = [
    path("tables/", api.Tables.as_view(), name="api-tables"),
    path("tables/mine/", api.MyTables.as_view(), name="api-my-tables"),
    path("tables/quote/", api.Quote.as_view(), name="api-quote"),
    path("tables/<int:table_id>/", api.Table.as_view(), name="api-table"),
    path("tables/<int:table_id>/presence/", api.Presence.as_view(), name="api-presence"),
    path("tables/<int:table_id>/seed/", api.Seed.as_view(), name="api-seed"),
    path("tables/<int:table_id>/<str:action>/", api.TableAction.as_view(), name="api-table-action"),
    path("games/", api.Games.as_view(), name="api-games"),
    path("games/<int:game_id>/", api.GameState.as_view(), name="api-game"),
    path("games/<int:game_id>/actions/", api.Actions.as_view(), name="api-actions"),
    path("games/<int:game_id>/fairness/", api.Fairness.as_view(), name="api-fairness"),
    path("games/<int:game_id>/export/<str:form>/", api.Export.as_view(), name="api-export"),
    path("live/", api.Live.as_view(), name="api-live"),
    path("wallets/", api.Wallets.as_view(), name="api-wallets"),
    path("wallets/<str:currency>/statement/", api.Statement.as_view(), name="api-statement"),
    path("withdrawals/", api_withdrawals.Withdrawals.as_view(), name="api-withdrawals"),
    path(
        "withdrawals/<int:withdrawal_id>/cancel/",
        api_withdrawals.Withdrawal.as_view(),
        name="api-withdrawal-cancel",
    ),
    path("holds/", api.Holds.as_view(), name="api-holds"),
]
