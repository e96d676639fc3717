"""What counts as a word of a note, and how it is stored."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.index import pack_terms, terms, unpack_terms


def shared(one: str, other: str) -> set[str]:
    """Words of `one` whose terms `other` has too."""
    listed = terms(one)
    return set(listed.written(np.flatnonzero(np.isin(listed.hashes, terms(other).hashes))))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("leases", "The lease expired"),
        ("concurrency", "ORBIT_CONCURRENCY sets the workers"),
        ("ORBIT_CONCURRENCY", "set orbit_concurrency to 4"),
        ("ORB-1101", "Fails with ORB-1101."),
        ("1101", "Fails with ORB-1101."),
        ("batch", "call readBatch()"),
        ("http", "an HTTPServer"),
        ("settings.py", "edit settings.py, then restart"),
        ("3.0.x", "holds for 3.0.x only"),
        ("café", "the cafe\u0301 next door"),
        ("cafe", "the café next door"),
        ("STRASSE", "straße"),
        ("pass\u200bword", "the password"),
        ("会議", "火曜日に会議があります"),
        ("회의", "화요일 회의가 있다"),
        ("מחר", "הפגישה מחר בבוקר"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_a_query_finds_the_word_in_its_other_shapes(query, text):
    assert shared(query, text)


@pytest.mark.parametrize(("query", "text"), [("1101", "ORB-1102"), ("会議", "火曜日"), ("lease", "release")])
def test_other_words_stay_apart(query, text):
    assert not shared(query, text)


def test_an_identifier_matches_more_as_a_whole_than_by_its_parts():
    whole = np.isin(terms("ORBIT_CONCURRENCY").hashes, terms("ORBIT_CONCURRENCY=4").hashes).sum()
    part = np.isin(terms("ORBIT_CONCURRENCY").hashes, terms("the concurrency").hashes).sum()
    assert whole > part > 0


def test_words_are_given_as_written():
    assert set(terms("Leases of ORB-1101").words) == {"Leases", "of", "ORB-1101"}


def test_repeats_are_counted_and_capped():
    assert terms("job job jobs").counts.tolist() == [3]
    assert terms("job " * 1_000).counts.tolist() == [255]


def test_only_the_first_of_several_lines_is_a_title():
    listed = terms("Deadlock in broker\nbroker log follows")
    titles = {word for word, title in zip(listed.words, listed.in_title, strict=True) if title}
    assert titles == {"Deadlock", "in", "broker"}
    assert not terms("Deadlock in broker").in_title.any()


@pytest.mark.parametrize("text", ["", "   ", "!?…", "\u200b\u200d"])
def test_a_text_without_words_has_no_terms(text):
    assert len(terms(text).hashes) == 0
    assert pack_terms(terms(text)) == b""


def test_what_lies_past_twenty_thousand_characters_is_not_read():
    assert len(terms("a " * 10_000 + " unseen").hashes) == 1


@given(st.text(max_size=300))
def test_any_text_survives_storage(text):
    listed = terms(text)
    stored = unpack_terms(pack_terms(listed))
    assert np.array_equal(stored.hashes, listed.hashes)
    assert np.array_equal(stored.counts, listed.counts)
    assert (np.diff(listed.hashes.astype(np.int64)) > 0).all()
    assert len(listed.words) == len(listed.in_title) == len(listed.hashes)


def test_damaged_bytes_are_refused():
    with pytest.raises(ValueError, match="5 bytes a term"):
        unpack_terms(b"1234567")
