"""All addresses of the site. Live streams and health checks stand before Django: see asgi.py."""

from importlib.util import find_spec

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

# Log-in to the admin goes through the site's own log-in: second factor, lock-out, rate limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
]
for part in ("players.urls", "ledger.urls", "games.urls"):
    if find_spec(part):
        urlpatterns.append(path("", include(part)))
for part in ("games.api_urls",):
    if find_spec(part):
        urlpatterns.append(path("api/v1/", include(part)))
