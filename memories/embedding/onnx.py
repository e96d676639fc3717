"""Any sentence model exported to ONNX, in a folder of this machine: an extra, but without PyTorch."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memories.embedding.base import EmbedderError, Vectors, readable, refuse_blank, unit_rows

MOST_PIECES = 256
MARK = "pooling_mode_"


class OnnxEmbedder:
    """Runs the model in `folder`, which is laid out as sentence models are published.

    Needed: `tokenizer.json`, and `model.onnx` or `onnx/model.onnx`. Read where they are there: how word pieces become
    one vector (`1_Pooling/config.json`, else their mean) and how many are read (`sentence_bert_config.json`, else 256).
    """

    def __init__(self, folder: str, width: int | None = None) -> None:
        self.name = f"onnx:{folder}"
        self._session = _session(Path(folder))
        self._tokenizer = _tokenizer(Path(folder))
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self._first_piece_only = _first_piece_only(Path(folder))
        self.width = len(self._vector("width"))
        if width not in (None, self.width):
            raise EmbedderError(f"{self.name} gives vectors of width {self.width} only: leave the width unset.")

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        refuse_blank(texts)
        if not texts:
            return np.empty((0, self.width), dtype=np.float32)
        # One by one: a quantised model takes one scale for a batch, and a vector would depend on the other texts.
        return unit_rows(np.stack([self._vector(text) for text in texts]))

    def _vector(self, text: str) -> Vectors:
        pieces = self._tokenizer.encode(readable(text))
        given = {"input_ids": pieces.ids, "attention_mask": pieces.attention_mask, "token_type_ids": pieces.type_ids}
        fed = {name: np.array([values], dtype=np.int64) for name, values in given.items() if name in self._inputs}
        found: Vectors = self._session.run(None, fed)[0][0]
        if found.ndim == 2:
            found = found[0] if self._first_piece_only else found.mean(axis=0)
        return found


def _session(folder: Path) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise EmbedderError("The ONNX runtime is not installed: pip install onnxruntime.") from error
    options = onnxruntime.SessionOptions()
    # Threads times server workers starve each other, as those of BLAS do.
    options.intra_op_num_threads = 1
    path = _found(folder, "model.onnx", "onnx/model.onnx")
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # The runtime has a class of its own for each thing that can be wrong with a file.
        raise EmbedderError(f"{path} cannot be read as an ONNX model: export it again.") from error


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer

    path = _found(folder, "tokenizer.json")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # The library raises nothing narrower.
        raise EmbedderError(
            f"{path} cannot be read as a tokenizer: save it again with the tokenizers library."
        ) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(_config(folder / "sentence_bert_config.json").get("max_seq_length") or MOST_PIECES)
    return tokenizer


def _first_piece_only(folder: Path) -> bool:
    config = _config(folder / "1_Pooling" / "config.json")
    ways = {name.removeprefix(MARK).partition("_token")[0] for name in config if name.startswith(MARK) and config[name]}
    ways |= {config["pooling_mode"]} if "pooling_mode" in config else set()
    if ways not in (set(), {"mean"}, {"cls"}):
        raise EmbedderError(f"{folder} pools word pieces by {' and '.join(sorted(ways))}: only mean and cls are known.")
    return ways == {"cls"}


def _config(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except ValueError as error:
        raise EmbedderError(f"{path} is not JSON: fetch it again.") from error
    return found


def _found(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise EmbedderError(f"{folder} holds no {names[0]}: name the folder of a sentence model exported to ONNX.")
