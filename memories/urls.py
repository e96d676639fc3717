"""URLs of the console: a list per room, one name per page."""

from django.urls import URLPattern, include, path

from memories.views import accounts, decisions, inbox, note, propose

ACCOUNTS: list[URLPattern] = [
    path("", accounts.home, name="home"),
    path("sign-in", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out", accounts.SignOut.as_view(), name="sign-out"),
    path("profile", accounts.profile, name="profile"),
    path("profile/password", accounts.ChangePassword.as_view(), name="password"),
]

DESK: list[URLPattern] = [
    path("inbox", inbox.inbox, name="inbox"),
    path("inbox/decide", decisions.decide_ticked, name="decide-ticked"),
    path("propose", propose.propose_note, name="propose"),
    path("notes/<int:pk>", note.note, name="note"),
    path("notes/<int:pk>/decide", decisions.decide, name="decide"),
    path("notes/<int:pk>/restore", note.restore, name="restore"),
    path("notes/<int:pk>/impact", note.impact, name="impact"),
]

ROOMS: list[URLPattern] = []

urlpatterns = [*ACCOUNTS, path("s/<slug:slug>/", include([*DESK, *ROOMS]))]
