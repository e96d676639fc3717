"""No fact is merged away: what matters and differs between two notes is found and pointed at."""

import pytest

from memories.index import compare, differences

ALIKE = [
    ("The timeout is 30s.", "The timeout is 30 seconds"),
    ("The lease lasts 1,000 ms.", "the lease lasts 1000 milliseconds"),
    ("Don’t restart the worker.", "Do not restart the worker"),
    ("It's safe to retry.", "It is safe to retry."),
    ("FYI the broker restarts nightly.", "The broker restarts nightly."),
    ("The broker restarts nightly (see the docs).", "The broker restarts nightly"),
    ("Leases & heartbeats are stored", "Leases and heartbeats are stored"),
    ("It fails on v3.1.4", "it fails on 3.1.4"),
    ("Five workers", "5 workers"),
    ("pass\u200bword rotation is on", "password rotation is on"),
    ("The mailbox's owner", "The mailbox owner"),
]
APART = [
    ("Every tenth job fails", "Every fifth job fails", "number"),
    ("The port is 6379", "The port is 6380", "number"),
    ("It is -5 degrees", "It is 5 degrees", "number"),
    ("Fixed in 3.0.4", "Fixed in 3.0.14", "version"),
    ("Use ORB-1101", "Use ORB-1102", "identifier"),
    ("Set --ttl=30", "Set --ttl=60", "identifier"),
    ("Retry after 10 seconds", "Retry after 10 minutes", "unit"),
    ("Retry after 10s", "Retry after 10m", "unit"),
    ("The job is retried", "The job is not retried", "negation"),
    ("It always retries", "It never retries", "opposite"),
    ("The job isn't retried", "The job is retried", "negation"),
    ("Caching is enabled", "Caching is disabled", "opposite"),
    ("Clean up before the restart", "Clean up after the restart", "opposite"),
    ("The host is Kestrel", "The host is Merlin", "name"),
    ("It will be removed", "It was removed", "word"),
    ("会議は火曜日", "会議は水曜日", "word"),
    ("The worker calls the broker", "The broker calls the worker", "word"),
    ("FYI staging: slow", "FYI production: slow", "word"),
    ("Deploys need 👍", "Deploys need 👎", "identifier"),
]


@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_another_wording_of_the_same_fact_is_a_duplicate(a, b):
    assert differences(a, b) == ()
    assert compare(a, b, cosine=0.95, threshold=0.8) == "duplicate"


@pytest.mark.parametrize(("a", "b", "matter"), APART)
def test_what_matters_and_differs_makes_a_conflict(a, b, matter):
    assert matter in {difference.matter for difference in differences(a, b)}
    assert compare(a, b, cosine=0.999, threshold=0.8) == "conflict"
    assert compare(b, a, cosine=0.999, threshold=0.8) == "conflict"


def test_far_apart_is_different_whatever_the_words():
    assert compare("same words", "same words", cosine=0.5, threshold=0.8) == "different"


def test_a_difference_points_into_both_texts():
    a, b = "Retry after 10 seconds, always", "Retry after 15 seconds"
    number, always = differences(a, b)
    assert (a[slice(*number.a)], b[slice(*number.b)]) == ("10", "15")
    assert (a[slice(*always.a)], b[slice(*always.b)]) == ("always", "")


def test_a_quantity_written_together_points_at_its_unit_alone():
    a, b = "after 10s", "after 10m"
    (unit,) = differences(a, b)
    assert (a[slice(*unit.a)], b[slice(*unit.b)]) == ("s", "m")


def test_opposites_are_paired_though_other_words_differ_too():
    a, b = "it is enabled for red hosts", "it is disabled for blue hosts"
    matters = [(d.matter, a[slice(*d.a)], b[slice(*d.b)]) for d in differences(a, b)]
    assert ("opposite", "enabled", "disabled") in matters


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "👍", "a", "会" * 100])
def test_a_text_never_differs_from_itself(text):
    assert differences(text, text) == ()


def test_very_long_texts_are_the_same_only_to_the_letter():
    long = "the lease lasts 30 seconds " * 400
    assert differences(long, long) == ()
    assert differences(long, long.upper())
