"""The resident index ranks what it should, filters inside the ranking, explains itself and forgets."""

from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memories.embedding import get_embedder, pack
from memories.index import (
    KINDS,
    NEVER,
    ORIGINS,
    STATUSES,
    Filters,
    ResidentIndex,
    Row,
    code_of,
    pack_terms,
    terms,
)

WIDTH = 256
EVERYTHING = Filters(statuses=None)


def embed(text):
    return get_embedder("hashed").embed([text])[0]


def row(row_id, text, **changes):
    plain = Row(
        id=row_id,
        kind=0,
        status=STATUSES.index("approved"),
        origin=0,
        observed_at=0,
        expires_at=NEVER,
        applies_to="",
        sources=(),
        vector=pack(embed(text)),
        terms=pack_terms(terms(text)),
    )
    return plain._replace(**changes)


def index_of(*rows):
    index = ResidentIndex(WIDTH)
    index.put(rows)
    return index


def found(index, query, k=10, **filters):
    hits = index.search(embed(query), terms(query), k=k, filters=Filters(**filters))
    return [hit.id for hit in hits]


def test_rows_with_just_these_terms_are_found_whatever_their_status():
    index = index_of(
        row(1, "The worker restarts."),
        row(2, "The worker restarts at night."),
        row(3, "The worker restarts.", status=STATUSES.index("rejected")),
    )
    wanted = pack_terms(terms("The worker restarts."))
    assert sorted(index.with_terms(wanted)) == [1, 3]
    index.remove([1])
    assert index.with_terms(wanted) == [3]
    assert index.with_terms(pack_terms(terms("The broker restarts."))) == []
    assert index.with_terms(b"") == []
    assert ResidentIndex(WIDTH).with_terms(wanted) == []


def random_rows(count, seed=0):
    """Rows about nothing: random vectors, words drawn from two hundred."""
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((count, WIDTH), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [" ".join(f"w{word}" for word in random.geometric(0.02, 12)) for _ in range(count)]
    return [
        row(at, "any", vector=pack(vector), terms=pack_terms(terms(text)))
        for at, (vector, text) in enumerate(zip(vectors, texts, strict=True))
    ]


def test_an_empty_index_answers_nothing():
    assert found(ResidentIndex(WIDTH), "lease") == []
    assert ResidentIndex(WIDTH).nearest(embed("lease"), kind="fact", k=3, minimum_cosine=0) == []


def test_the_note_that_says_it_comes_first():
    index = index_of(row(1, "the broker stores leases"), row(2, "tea is served at five"), row(3, "leases expire"))
    assert found(index, "when do leases expire") == [3, 1, 2]


def test_a_hit_explains_its_score():
    (hit,) = index_of(row(1, "ORBIT_CONCURRENCY sets the workers")).search(
        embed("concurrency of workers"), terms("concurrency of workers"), k=1
    )
    assert hit.words == ("concurrency", "workers")
    assert hit.score == pytest.approx(hit.meaning_part + hit.word_part, abs=1e-6)
    assert 0 < hit.score < 1


def test_the_notes_own_text_scores_high_and_foreign_words_score_low():
    index = index_of(row(1, "the broker stores leases"), row(2, "tea is served at five"))
    own = index.search(embed("the broker stores leases"), terms("the broker stores leases"), k=1)[0]
    foreign = index.search(embed("zebra crossing"), terms("zebra crossing"), k=1)[0]
    assert own.score > 0.6
    assert foreign.score < 0.15
    assert index.search(embed("zebra crossing"), terms("zebra crossing"), k=2, minimum_score=0.3) == []


def test_a_score_stays_when_other_notes_come():
    index = index_of(row(1, "the broker stores leases"))
    query = embed("the broker stores leases"), terms("the broker stores leases")
    before = index.search(*query, k=1)[0].score
    index.put(row(number, f"something else number {number}") for number in range(2, 500))
    assert index.search(*query, k=1)[0].score == pytest.approx(before, abs=0.05)


@pytest.mark.parametrize("k", [0, -1])
def test_asking_for_none_gives_none(k):
    assert found(index_of(row(1, "lease")), "lease", k=k) == []


def test_ties_are_ordered_by_id():
    assert found(index_of(*(row(number, "same text") for number in (3, 1, 2))), "same text") == [1, 2, 3]


CAST = [
    row(1, "lease", kind=code_of(KINDS, "fact"), origin=0, sources=("issue:1", "doc:leases"), applies_to="2.x"),
    row(2, "lease", kind=code_of(KINDS, "episode"), origin=2, sources=("issue:22",), applies_to=">=3.1,<3.3"),
    row(3, "lease", status=code_of(STATUSES, "proposed"), sources=("doc:leases",)),
    row(4, "lease", origin=3, observed_at=100, expires_at=200, sources=("user:17",)),
]


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({}, [1, 2, 4]),
        ({"statuses": ("proposed",)}, [3]),
        ({"statuses": None}, [1, 2, 3, 4]),
        ({"statuses": ()}, []),
        ({"kinds": ("episode", "procedure")}, [2]),
        ({"source_prefix": "issue:"}, [1, 2]),
        ({"source_prefix": "issue:2"}, [2]),
        ({"sources": ("doc:leases", "user:17")}, [1, 4]),
        ({"sources": ("issue:2",)}, []),
        ({"sources": ("issue:1", "user:17"), "source_prefix": "user:"}, [4]),
        ({"sources": ()}, []),
        ({"source_prefix": ""}, [1, 2, 4]),
        ({"origin_at_least": "user_stated"}, [1]),
        ({"origin_at_least": "agent_derived"}, [1, 2]),
        ({"version": "2.7"}, [1, 4]),
        ({"version": "3.2.0"}, [2, 4]),
        ({"observed_from": 100}, [4]),
        ({"observed_to": 100}, [1, 2]),
        ({"exclude_ids": [1, 99]}, [2, 4]),
        ({"now": 199}, [1, 2, 4]),
        ({"now": 200}, [1, 2]),
    ],
)
def test_a_filter_admits_what_it_says(filters, ids):
    assert found(index_of(*CAST), "lease", **filters) == ids


@pytest.mark.parametrize("filters", [{"kinds": ("rumour",)}, {"statuses": ("gone",)}, {"origin_at_least": "x"}])
def test_a_filter_by_an_unknown_name_says_what_is_allowed(filters):
    with pytest.raises(ValueError, match="is none of"):
        found(index_of(*CAST), "lease", **filters)


def test_a_filter_never_costs_results_that_exist():
    rare = [row(number, "unlike all others", sources=("doc:rare",)) for number in range(2_000, 2_007)]
    index = index_of(*random_rows(2_000), *rare)
    assert len(found(index, "w1 w2 w3", k=7, source_prefix="doc:")) == 7


def test_replacing_a_note_replaces_its_words_and_meaning():
    index = index_of(row(1, "the broker stores leases"), row(2, "tea is served"))
    index.put([row(1, "coffee is served")])
    assert len(index) == 2
    assert index.search(embed("broker"), terms("broker"), k=2)[0].words == ()
    assert found(index, "coffee", k=1) == [1]


def test_changing_only_the_status_keeps_the_words():
    index = index_of(row(1, "the broker stores leases"))
    index.put([row(1, "the broker stores leases", status=code_of(STATUSES, "rejected"))])
    assert found(index, "broker") == []
    assert found(index, "broker", statuses=("rejected",)) == [1]


def test_of_two_rows_with_one_id_in_a_batch_the_later_counts():
    index = index_of(row(1, "tea"), row(1, "coffee"))
    assert len(index) == 1
    assert index.search(embed("coffee"), terms("coffee tea"), k=1)[0].words == ("coffee",)


def test_a_row_of_another_width_changes_nothing():
    index = index_of(row(1, "lease"))
    with pytest.raises(ValueError, match="bytes where 1024 are due"):
        index.put([row(2, "fine"), row(3, "lease", vector=b"1234")])
    assert len(index) == 1


@pytest.mark.parametrize("vector", [np.ones(3, np.float32), np.ones(WIDTH)])
def test_a_query_of_another_width_or_precision_is_refused(vector):
    with pytest.raises(ValueError, match="float32 vectors of width 256"):
        index_of(row(1, "lease")).search(vector, terms("lease"), k=1)


def test_a_forgotten_note_leaves_no_trace_in_memory():
    secret = row(7, "kestrelhosting invoices", sources=("user:17",), applies_to="2.x")
    index = index_of(row(1, "the broker stores leases"), secret, row(2, "tea is served"))
    hashes = set(terms("kestrelhosting invoices").hashes.tolist())
    index.remove([7, 999])
    slot = 1
    assert 7 not in index
    assert not index._vectors[slot].any()
    assert not any(word[slot] for word in index._sketches._words)
    assert index._terms[slot] == b""
    assert index._columns.ids[slot] == 0
    assert "user:17" not in repr(vars(index._columns._sources))
    assert "2.x" not in repr(vars(index._columns._applies))
    for segment in index._postings._segments:
        assert not hashes & set(segment.vocabulary.tolist())
        assert slot not in segment.slots.tolist()


def test_notes_that_share_a_source_are_found_by_it_until_the_last_is_forgotten():
    index = index_of(*(row(number, "lease", sources=("user:17",)) for number in (1, 2)), row(3, "lease"))

    def from_user():
        return found(index, "lease", k=9, source_prefix="user:")

    index.put([row(1, "lease", sources=("user:17", "doc:cron"))])
    assert from_user() == [1, 2]
    index.remove([2])
    assert from_user() == [1]
    index.put([row(1, "lease", sources=("doc:cron",))])
    assert from_user() == []
    index.put([row(4, "lease", sources=("user:18",))])
    assert from_user() == [4]
    assert "user:17" not in repr(vars(index._columns._sources))


def test_a_freed_place_is_used_again_and_ranks_as_new():
    index = index_of(*(row(number, f"note {number}") for number in range(10)))
    index.remove(range(5))
    index.put(row(number, f"tea {number}") for number in range(20, 25))
    assert len(index._vectors) < 100
    assert set(found(index, "tea", k=5)) == set(range(20, 25))


def test_the_sketch_scan_finds_the_exact_best():
    index = index_of(*random_rows(6_000))
    random = np.random.default_rng(1)
    agreed = 0
    for _ in range(10):
        vector = random.standard_normal(WIDTH, dtype=np.float32)
        vector /= np.linalg.norm(vector)
        query = terms(" ".join(f"w{word}" for word in random.geometric(0.02, 5)))
        usual = index.search(vector, query, k=10)
        exact = index.search(vector, query, k=10, exact=True)
        agreed += len({hit.id for hit in usual} & {hit.id for hit in exact})
    assert agreed >= 0.98 * 100


def test_a_search_reads_the_same_as_plain_arithmetic():
    rows = random_rows(300)
    index = index_of(*rows)
    vector = np.frombuffer(rows[17].vector, np.float32)
    hits = index.search(vector, terms("w3 w5 unheard"), k=300, exact=True)
    cosines = {r.id: float(np.frombuffer(r.vector, np.float32) @ vector) for r in rows}
    assert len(hits) == 300
    assert all(hit.cosine == pytest.approx(cosines[hit.id], abs=1e-5) for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    with_w3 = {r.id for r in rows if terms("w3").hashes[0] in np.frombuffer(r.terms, "<u4,u1")["f0"]}
    assert {hit.id for hit in hits if "w3" in hit.words} == with_w3


def test_words_too_common_to_read_still_count_in_the_score():
    index = index_of(*(row(number, f"common words everywhere {number}") for number in range(3_000)))
    query = embed("common words 1500"), terms("common words 1500")
    (usual,), (exact,) = index.search(*query, k=1), index.search(*query, k=1, exact=True)
    assert usual.id == exact.id == 1500
    assert usual.score == pytest.approx(exact.score, abs=1e-3)
    assert set(usual.words) == {"common", "words", "1500"}


def test_nearest_looks_at_one_kind_and_every_status():
    index = index_of(
        row(1, "tea at five"),
        row(2, "tea at five", status=code_of(STATUSES, "rejected")),
        row(3, "tea at five", kind=code_of(KINDS, "episode")),
        row(4, "something else entirely"),
    )
    nearest = index.nearest(embed("tea at five"), kind="fact", k=5, minimum_cosine=0.8)
    assert [row_id for row_id, _ in nearest] == [1, 2]
    assert all(cosine == pytest.approx(1, abs=1e-5) for _, cosine in nearest)


def test_nearest_many_is_nearest_for_each():
    index = index_of(*random_rows(1_000))
    matrix = np.stack([np.frombuffer(r.vector, np.float32) for r in random_rows(5)])
    together = index.nearest_many(matrix, kind="fact", k=3, minimum_cosine=0.1)
    alone = [index.nearest(vector, kind="fact", k=3, minimum_cosine=0.1) for vector in matrix]
    assert together == alone
    assert [near[0][0] for near in together] == [0, 1, 2, 3, 4]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["put", "remove"]), st.integers(1, 12), st.integers(0, 5)), max_size=40))
def test_after_any_changes_the_index_is_as_if_built_anew(steps):
    index, expected = ResidentIndex(WIDTH), {}
    for action, row_id, text in steps:
        if action == "put":
            expected[row_id] = row(row_id, f"shared words and number{text}")
            index.put([expected[row_id]])
        else:
            expected.pop(row_id, None)
            index.remove([row_id])
    query = embed("words number3"), terms("words number3")
    fresh = index_of(*expected.values())
    left = [(hit.id, round(hit.score, 4), hit.words) for hit in index.search(*query, k=20)]
    right = [(hit.id, round(hit.score, 4), hit.words) for hit in fresh.search(*query, k=20)]
    assert left == right


def test_readers_never_see_half_a_change():
    """A writer swaps all notes between two texts at once; no search may see both."""
    versions = [[row(number, f"{word} note") for number in range(50)] for word in ("alpha", "beta")]
    index = index_of(*versions[0])
    query, mixed = (embed("note"), terms("alpha beta")), []

    def read():
        for _ in range(60):
            words = {hit.words for hit in index.search(*query, k=50)}
            mixed.append(len(words) > 1)

    readers = [Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for turn in range(20):
        index.put(versions[turn % 2])
    for reader in readers:
        reader.join()
    assert len(mixed) == 180
    assert not any(mixed)


def test_codes_of_origins_run_from_best_to_worst():
    assert [code_of(ORIGINS, name) for name in ("maintainer", "user_stated", "agent_derived", "untrusted")] == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("width", [8, 256, 300, 1536])
@pytest.mark.parametrize("cosine", [0.5, 0.8, 0.95, 1.0])
def test_no_near_row_is_ruled_out_by_its_sketch(width, cosine):
    random = np.random.default_rng(3)
    vector, *others = np.linalg.qr(random.standard_normal((width, min(width, 200))))[0].T.astype(np.float32)
    near = [np.float32(cosine) * vector + np.float32((1 - cosine**2) ** 0.5) * other for other in others]
    index = ResidentIndex(width)
    index.put(row(number, "tea", vector=pack(one)) for number, one in enumerate(near))
    found = index.nearest(vector, kind="fact", k=len(near), minimum_cosine=cosine - 1e-5)
    assert len(found) == len(near)
