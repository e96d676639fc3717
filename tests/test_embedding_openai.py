"""The OpenAI embedder, through the official client, against a local server that misbehaves on demand."""

import numpy as np
import pytest

from memories.embedding import EmbedderError, EmbedderUnavailable, default_width, get_embedder
from memories.embedding.openai import BATCH, OpenAIEmbedder
from tests.openai_server import OpenAIServer, Reply, embeddings, error


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def embedder(server):
    return OpenAIEmbedder("test-model", 8, api_key="test-key", base_url=server.base_url)


def test_texts_come_back_as_unit_rows_in_their_order(embedder):
    matrix = embedder.embed(["one", "two", "three"])
    assert matrix.shape == (3, 8)
    assert matrix.dtype == np.float32
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-6)
    assert np.allclose(matrix[1], embedder.embed(["two"])[0])


def test_answers_out_of_order_are_put_back_in_order(server, embedder):
    straight = embedder.embed(["one", "two"])
    turned = embeddings({"model": "m", "input": ["one", "two"]}).body
    turned["data"].reverse()
    server.script.append(Reply(turned))
    assert np.allclose(embedder.embed(["one", "two"]), straight)


def test_many_texts_go_in_batches(server, embedder):
    matrix = embedder.embed([f"text {number}" for number in range(BATCH + 10)])
    assert matrix.shape == (BATCH + 10, 8)
    assert [len(request["input"]) for _, request in server.requests] == [BATCH, 10]


def test_no_texts_ask_nothing(server, embedder):
    assert embedder.embed([]).shape == (0, 8)
    assert server.requests == []


def test_a_lone_surrogate_goes_as_a_question_mark(server, embedder):
    embedder.embed(["lease \ud800"])
    assert [request["input"] for _, request in server.requests] == [["lease ?"]]


def test_the_key_goes_along(server, embedder):
    embedder.embed(["one"])
    assert server.keys == ["Bearer test-key"]


def test_slow_down_and_then_success_is_success(server, embedder):
    server.script += [error(429), error(429)]
    assert embedder.embed(["one"]).shape == (1, 8)
    assert len(server.requests) == 3


def test_slow_down_to_the_end_can_be_tried_again_later(server, embedder):
    server.script += [error(429)] * 5
    with pytest.raises(EmbedderUnavailable, match=r"slow down \(429\)"):
        embedder.embed(["one"])
    assert len(server.requests) == 5


def test_server_errors_to_the_end_can_be_tried_again_later(server, embedder):
    server.script += [error(500), error(503), error(502), error(500), error(500)]
    with pytest.raises(EmbedderUnavailable, match="out of reach or failing"):
        embedder.embed(["one"])
    assert embedder.embed(["one"]).shape == (1, 8)


def test_a_time_out_can_be_tried_again_later(server):
    hasty = OpenAIEmbedder("test-model", 8, api_key="k", base_url=server.base_url, timeout=0.05, retries=0)
    server.script.append(Reply(delay=0.3))
    with pytest.raises(EmbedderUnavailable, match="did not answer in time"):
        hasty.embed(["one"])


def test_nobody_listening_can_be_tried_again_later():
    alone = OpenAIEmbedder("test-model", 8, api_key="k", base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(EmbedderUnavailable, match="out of reach"):
        alone.embed(["one"])


@pytest.mark.parametrize(
    "broken",
    [
        Reply(embeddings({"model": "m", "input": ["one"]}).body, truncated=True),
        Reply(b'{"data": [{"embedd'),
        Reply(b"<html>the proxy says hello</html>"),
        Reply({"data": []}),
        Reply({"object": "list"}),
        Reply({"data": [{"index": 0, "embedding": [0.0] * 8}]}),
    ],
    ids=["cut off", "half a JSON", "no JSON", "no rows", "no data", "zero vector"],
)
def test_a_broken_answer_is_never_taken_for_vectors(server, broken):
    once = OpenAIEmbedder("test-model", 8, api_key="k", base_url=server.base_url, retries=0)
    server.script.append(broken)
    with pytest.raises(EmbedderUnavailable):
        once.embed(["one"])
    assert once.embed(["one"]).shape == (1, 8)


def test_an_answer_for_fewer_texts_is_refused(server, embedder):
    server.script.append(embeddings({"model": "m", "input": ["one"]}))
    with pytest.raises(EmbedderUnavailable, match="1 vectors for 2 texts"):
        embedder.embed(["one", "two"])


def test_a_changed_width_is_no_passing_trouble(server, embedder):
    server.answers["/v1/embeddings"] = lambda request: embeddings(request, width=12)
    with pytest.raises(EmbedderError, match="width 12 where 8 is expected") as caught:
        embedder.embed(["one"])
    assert not isinstance(caught.value, EmbedderUnavailable)


@pytest.mark.parametrize(("status", "sentence"), [(401, "OPENAI_API_KEY"), (400, r"refused the request \(400\)")])
def test_a_refusal_is_no_passing_trouble(server, embedder, status, sentence):
    server.script.append(error(status))
    with pytest.raises(EmbedderError, match=sentence) as caught:
        embedder.embed(["one"])
    assert not isinstance(caught.value, EmbedderUnavailable)
    assert len(server.requests) == 1


def test_an_error_never_repeats_the_text_or_the_key(server, embedder):
    server.script.append(error(400, "you sent: my secret text, with test-key"))
    with pytest.raises(EmbedderError) as caught:
        embedder.embed(["my secret text"])
    assert "secret" not in str(caught.value)
    assert "test-key" not in str(caught.value)


def test_a_missing_key_names_the_setting(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EmbedderError, match="OPENAI_API_KEY"):
        get_embedder("openai:text-embedding-3-small")


def test_key_and_address_come_from_the_environment(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    assert get_embedder("openai:some-model", 8).embed(["one"]).shape == (1, 8)
    assert server.keys == ["Bearer from-environment"]


def test_a_width_below_the_models_own_is_asked_for(server):
    short = OpenAIEmbedder("text-embedding-3-small", 64, api_key="k", base_url=server.base_url)
    assert short.embed(["one"]).shape == (1, 64)
    assert server.requests[0][1]["dimensions"] == 64


def test_a_width_that_the_model_has_anyway_is_not_mentioned(server, embedder):
    embedder.embed(["one"])
    assert "dimensions" not in server.requests[0][1]


def test_a_model_nobody_knows_needs_its_width(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with pytest.raises(EmbedderError, match="state how wide"):
        default_width("openai:house-model")
