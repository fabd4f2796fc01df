"""Addresses of the player's own account (log-in and password belong to allauth)."""

from django.urls import path

from players import views

urlpatterns = [
    path("profile/", views.profile, name="profile"),
    path("preferences/", views.preferences, name="preferences"),
]
