"""The ONNX embedder, with a model and a tokenizer small enough to make here."""

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from memories.embedding import EmbedderError, get_embedder
from memories.embedding.onnx import MOST_PIECES, OnnxEmbedder

WORDS = {"<unknown>": 0, "lease": 1, "worker": 2, "queue": 3}
VECTORS = np.array([[1, 1, 1, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], dtype=np.float32)


def save_model(path: Path, *, pooled: bool = False) -> None:
    """A model that looks its word pieces up; `pooled` ones also take their mean."""
    nodes = [helper.make_node("Gather", ["vectors", "input_ids"], ["pieces"])]
    if pooled:
        nodes.append(helper.make_node("ReduceMean", ["pieces", "axis"], ["sentence"], keepdims=0))
    weights = [numpy_helper.from_array(VECTORS, "vectors"), numpy_helper.from_array(np.array([1]), "axis")]
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "length"])
    name, shape = ("sentence", ["batch", 4]) if pooled else ("pieces", ["batch", "length", 4])
    found = helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "tiny", [ids], [found], initializer=weights[: 1 + pooled])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="<unknown>"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    save_model(tmp_path / "model.onnx")
    return tmp_path


def write_pooling(folder: Path, **config: object) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))


def test_a_text_becomes_the_mean_of_its_word_pieces(folder: Path):
    embedder = get_embedder(f"onnx:{folder}")
    assert (embedder.name, embedder.width) == (f"onnx:{folder}", 4)
    found = embedder.embed(["lease worker", "queue"])
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [[0.5**0.5, 0.5**0.5, 0, 0], [0, 0, 1, 0]], rtol=1e-6)


def test_a_text_has_the_same_vector_alone_and_among_others(folder: Path):
    embedder = OnnxEmbedder(str(folder))
    among = embedder.embed(["lease " * 50, "worker queue"])[1]
    np.testing.assert_array_equal(among, embedder.embed(["worker queue"])[0])


def test_no_text_gives_no_vector(folder: Path):
    assert OnnxEmbedder(str(folder)).embed([]).shape == (0, 4)


@pytest.mark.parametrize(
    "config", [{"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, {"pooling_mode": "cls"}]
)
def test_a_model_may_put_all_into_its_first_word_piece(folder: Path, config: dict[str, object]):
    write_pooling(folder, **config)
    np.testing.assert_allclose(OnnxEmbedder(str(folder)).embed(["lease worker"]), [[1, 0, 0, 0]])


def test_a_model_may_pool_by_itself_and_lie_in_a_folder_of_its_own(folder: Path):
    (folder / "model.onnx").unlink()
    save_model(folder / "onnx" / "model.onnx", pooled=True)
    np.testing.assert_allclose(
        OnnxEmbedder(str(folder)).embed(["queue lease"]), [[0.5**0.5, 0, 0.5**0.5, 0]], rtol=1e-6
    )


@pytest.mark.parametrize(
    ("config", "most"), [(None, MOST_PIECES), ({"max_seq_length": 3}, 3), ({"max_seq_length": None}, MOST_PIECES)]
)
def test_word_pieces_past_the_models_length_are_not_read(folder: Path, config: dict[str, object] | None, most: int):
    if config is not None:
        (folder / "sentence_bert_config.json").write_text(json.dumps(config))
    found = OnnxEmbedder(str(folder)).embed(["lease " * most + "worker " * 50])
    np.testing.assert_allclose(found, [[1, 0, 0, 0]])


def test_lone_surrogates_are_read_as_unknown(folder: Path):
    assert np.isfinite(OnnxEmbedder(str(folder)).embed(["lease \ud800"])).all()


def test_a_blank_text_is_refused(folder: Path):
    with pytest.raises(EmbedderError, match="Text 2 of 2 is blank"):
        OnnxEmbedder(str(folder)).embed(["lease", " "])


def test_another_width_is_refused(folder: Path):
    with pytest.raises(EmbedderError, match="width 4 only"):
        get_embedder(f"onnx:{folder}", 8)


@pytest.mark.parametrize("missing", ["tokenizer.json", "model.onnx"])
def test_a_folder_without_a_part_is_named(folder: Path, missing: str):
    (folder / missing).unlink()
    with pytest.raises(EmbedderError, match=f"holds no {missing}"):
        OnnxEmbedder(str(folder))


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ("model.onnx", "cannot be read as an ONNX model"),
        ("tokenizer.json", "cannot be read as a tokenizer"),
        ("sentence_bert_config.json", "is not JSON"),
    ],
)
def test_a_broken_file_is_named(folder: Path, broken: str, complaint: str):
    (folder / broken).write_bytes(b"\x00 cut off")
    with pytest.raises(EmbedderError, match=f"{broken} {complaint}"):
        OnnxEmbedder(str(folder))


def test_pooling_that_is_not_known_is_refused(folder: Path):
    write_pooling(folder, pooling_mode_max_tokens=True, pooling_mode_mean_tokens=True)
    with pytest.raises(EmbedderError, match="by max and mean: only mean and cls"):
        OnnxEmbedder(str(folder))
