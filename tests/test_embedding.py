"""Embedders give unit vectors, and what is stored of them is checked at the door."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from memories.embedding import (
    MEASURED,
    EmbedderError,
    default_width,
    embed_query,
    get_embedder,
    pack,
    unpack,
)

TEXTS = [
    "A lease lasts 30 seconds.",
    "火曜日に会議があります",
    "מחר יש פגישה",
    "🎉",
    "\ud800 lone surrogate",
    "x" * 50_000,
]


@pytest.fixture(params=["hashed", "wordllama"])
def embedder(request):
    return get_embedder(request.param)


def test_every_text_becomes_a_unit_row_of_float32(embedder):
    matrix = embedder.embed(TEXTS)
    assert matrix.shape == (len(TEXTS), embedder.width)
    assert matrix.dtype == np.float32
    assert matrix.flags.c_contiguous
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others(embedder):
    assert np.allclose(embedder.embed([TEXTS[0]])[0], embedder.embed(TEXTS)[0], atol=1e-6)


def test_no_texts_give_an_empty_matrix(embedder):
    assert embedder.embed([]).shape == (0, embedder.width)


@pytest.mark.parametrize("blank", ["", "  \n\t"])
def test_a_blank_text_is_refused_by_its_position(embedder, blank):
    with pytest.raises(EmbedderError, match="Text 2 of 2 is blank"):
        embedder.embed(["fine", blank])


def test_wordllama_finds_meaning_without_common_words():
    car, automobile, soup = get_embedder("wordllama").embed(["my car broke down", "automobile repair", "tomato soup"])
    assert car @ automobile > car @ soup + 0.1


def test_the_title_of_a_long_text_counts_for_more():
    body = "lorem ipsum dolor sit amet consectetur " * 5
    title, titled, flat = get_embedder("wordllama").embed(
        ["database deadlock", f"database deadlock\n{body}", f"database deadlock {body}"]
    )
    assert title @ titled > title @ flat


def test_hashed_words_that_cancel_out_still_have_a_direction():
    pairs = [f"word{number} word{other}" for number in range(40) for other in range(40)]
    assert np.allclose(np.linalg.norm(get_embedder("hashed", 2).embed(pairs), axis=1), 1, atol=1e-5)


def test_a_vector_survives_storage():
    vector = get_embedder("hashed").embed(["some text"])[0]
    assert np.array_equal(unpack(pack(vector), 256), vector)


@pytest.mark.parametrize(
    ("vector", "complaint"),
    [
        (np.zeros(4, np.float32), "unit length"),
        (np.full(4, np.nan, np.float32), "finite"),
        (np.full(4, np.inf, np.float32), "finite"),
        (np.full(4, 0.9, np.float32), "unit length"),
        (np.full((2, 2), 0.5, np.float32), "unit length"),
    ],
)
def test_a_vector_without_unit_length_is_never_stored(vector, complaint):
    with pytest.raises(ValueError, match=complaint):
        pack(vector)


def test_stored_bytes_of_another_width_are_refused():
    with pytest.raises(ValueError, match="width 8 takes 32 bytes, this one has 16"):
        unpack(np.full(4, 0.5, "<f4").tobytes(), 8)


@pytest.mark.parametrize("name", ["", "word2vec", "openai", "openai:", "onnx:", "sentence-transformers:", "hashed:x"])
def test_an_unknown_name_is_answered_with_the_known_ones(name):
    with pytest.raises(EmbedderError, match="use hashed, wordllama, openai:<model>"):
        get_embedder(name)


def test_a_width_that_wordllama_does_not_have_is_refused():
    with pytest.raises(EmbedderError, match="width 256 only"):
        get_embedder("wordllama", 128)


@pytest.mark.parametrize("width", [0, -1])
def test_a_width_below_one_is_refused(width):
    with pytest.raises(EmbedderError, match="positive whole number"):
        get_embedder("hashed", width)


def test_widths_are_known_before_anything_is_loaded():
    widths = [default_width(name) for name in ("hashed", "wordllama", "openai:text-embedding-3-large")]
    assert widths == [256, 256, 3072]


def test_an_embedder_is_built_once():
    assert get_embedder("wordllama") is get_embedder("wordllama")


def test_every_family_of_embedders_has_thresholds():
    assert set(MEASURED) == {"hashed", "wordllama", "openai", "onnx", "sentence-transformers"}


def test_a_missing_extra_says_what_to_install():
    if importlib.util.find_spec("sentence_transformers"):
        pytest.skip("the extra is installed here")
    with pytest.raises(EmbedderError, match="pip install sentence-transformers"):
        get_embedder("sentence-transformers:some-model")


class CountingEmbedder:
    """The hashed embedder, counting what it is asked."""

    def __init__(self):
        self.name, self.width, self.asked = "counting", 256, []

    def embed(self, texts):
        self.asked += texts
        return get_embedder("hashed").embed(texts)


def test_a_query_is_embedded_once():
    counting = CountingEmbedder()
    first = embed_query(counting, "where is the lease kept?")
    assert np.array_equal(embed_query(counting, "where is the lease kept?"), first)
    assert counting.asked == ["where is the lease kept?"]


def test_the_query_cache_is_bounded():
    counting = CountingEmbedder()
    for number in range(1_100):
        embed_query(counting, f"query {number}")
    embed_query(counting, "query 0")
    assert len(counting.asked) == 1_101


def test_loading_wordllama_leaves_the_applications_log_alone():
    code = (
        "import logging; from memories.embedding import get_embedder; get_embedder('wordllama'); "
        "root = logging.getLogger(); print(len(root.handlers), root.level == logging.WARNING)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "True"]


def test_importing_the_package_loads_no_model():
    code = "import sys, memories.embedding; print({'wordllama', 'openai', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
