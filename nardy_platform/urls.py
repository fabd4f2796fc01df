"""All addresses of the site. Live streams and health checks stand before Django: see asgi.py."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

# Log-in to the admin goes through the site's own log-in: second factor, lock-out, rate limits.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler400 = "nardy_platform.refusing.bad_request"
handler403 = "nardy_platform.refusing.forbidden"
handler404 = "nardy_platform.refusing.not_found"
handler500 = "nardy_platform.refusing.broken"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("api/v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/v1/", include("games.api_urls")),
    path("api/v1/", include("tournaments.api_urls")),
    path("", include("players.urls")),
    path("", include("ledger.urls")),
    path("", include("tournaments.urls")),
    path("", include("games.urls")),
]
