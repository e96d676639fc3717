"""URLs of the console: a list per room, one name per page."""

from django.urls import URLPattern, include, path, re_path

from memories.views import (
    accounts,
    activity,
    bulk,
    data_requests,
    decisions,
    forget,
    inbox,
    note,
    notes,
    overview,
    propose,
    recall,
    refused,
    retention,
    runs,
    settings,
    sources,
)

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
    path("inbox/undo", decisions.undo_together, name="undo-together"),
    path("propose", propose.propose_note, name="propose"),
    path("notes/<int:pk>", note.note, name="note"),
    path("notes/<int:pk>/decide", decisions.decide, name="decide"),
    path("notes/<int:pk>/restore", note.restore, name="restore"),
    path("notes/<int:pk>/impact", note.impact, name="impact"),
]

ROOMS: list[URLPattern] = [
    path("notes", notes.notes, name="notes"),
    path("notes/bulk", bulk.bulk, name="bulk"),
    path("notes/export", notes.notes_export, name="notes-export"),
    path("notes/views", notes.view_save, name="view-save"),
    path("notes/views/<int:pk>/delete", notes.view_delete, name="view-delete"),
    path("forget", forget.forget_notes, name="forget"),
    path("receipts/<slug:operation>", forget.receipt, name="receipt"),
    path("sources", sources.source_list, name="sources"),
    path("runs", runs.run_list, name="runs"),
    path("runs/<int:pk>", runs.run, name="run"),
    path("recall", recall.recall_page, name="recall"),
    path("recall/left-out", recall.left_out_part, name="left-out"),
    path("recall/pinned", recall.pinned, name="pinned"),
    path("recall/pin", recall.pin_query, name="pin"),
    path("recall/pinned/<int:pk>/delete", recall.pin_delete, name="pin-delete"),
    path("retention", retention.retention, name="retention"),
    path("retention/sweep", retention.sweep_now, name="sweep-now"),
    path("activity", activity.activity, name="activity"),
    path("activity/export", activity.activity_export, name="activity-export"),
    path("data-requests", data_requests.data_requests, name="data-requests"),
    path("refused", refused.refused, name="refused"),
    path("overview", overview.overview, name="overview"),
    path("settings", settings.settings_page, name="settings"),
    path("settings/policy", settings.policy, name="settings-policy"),
    path("settings/members", settings.member_save, name="member-save"),
    path("settings/members/<int:pk>/remove", settings.member_remove, name="member-remove"),
    re_path(r"^settings/(?P<part>store|retention)$", settings.settings_save, name="settings-save"),
]

urlpatterns = [*ACCOUNTS, path("s/<slug:slug>/", include([*DESK, *ROOMS]))]
