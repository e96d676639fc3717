"""URLs of the console: a list per room, one name per page."""

from django.urls import URLPattern, include, path

from memories.views import accounts, inbox

ACCOUNTS: list[URLPattern] = [
    path("", accounts.home, name="home"),
    path("sign-in", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out", accounts.SignOut.as_view(), name="sign-out"),
    path("profile", accounts.profile, name="profile"),
    path("profile/password", accounts.ChangePassword.as_view(), name="password"),
]

DESK: list[URLPattern] = [path("inbox", inbox.inbox, name="inbox")]

ROOMS: list[URLPattern] = []

urlpatterns = [*ACCOUNTS, path("s/<slug:slug>/", include([*DESK, *ROOMS]))]
