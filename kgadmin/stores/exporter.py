"""Makes the export of an embedding model: its network, traced by torch, as a file that ONNX Runtime reads.

Its weights are int8, with a scale for every `BLOCK` of them: a text takes half of the time, and its vector is the
model's own but for rounding, whatever is embedded beside it (decision 020). Pooling and norm are part of the network,
truncation and padding of the tokenizer's file, so that code that reads the export needs to know nothing about the
model. An export whose vectors differ from the model's is thrown away.
"""

import glob
import logging
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgadmin.stores import exported, sentence_transformers
from kgadmin.stores.exported import UnfitExportError
from kgadmin.stores.model_files import model_folder, model_id

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

SAME = 0.997
"""Least cosine between the model's and the export's vector of a text. The packaged model's is .9996 on the average and
.998 at worst, for a single word.
"""
BLOCK = 32

SAMPLES = (
    "",
    " A text with spaces around it. ",
    "Where did you grow up?",
    "Reefs are built by COLONIES of polyps, which live in symbiosis with algae; café, naïve, Straße.",
    "私はサンゴ礁が好きです。",
    "Я люблю море и дельфинов.",
    "🐙🌊 what a day!!! 🐙🌊",
    "x" * 300,
    "Once upon a time there was a lighthouse keeper who counted the waves. " * 60,
)
"""Texts compared; the last is longer than most models read."""


def export(name: str, into: Path) -> Path:
    """Make the folder of a new export in `into`, complete or not at all. Raises `StoreError` and `UnfitExportError`."""
    model = model_id(name)
    into.mkdir(parents=True, exist_ok=True)
    with _quiet(), tempfile.TemporaryDirectory(prefix=".making-", dir=into) as place:
        made = Path(place) / "export"
        made.mkdir()
        network = sentence_transformers.read(model_folder(name))
        _write_tokenizer(network, made / exported.TOKENIZER)
        _write_network(network, made / exported.NETWORK)
        _compare(network, made)
        for file in made.iterdir():
            file.chmod(0o644)  # whoever installs the program need not be who runs it
        exported.seal(made, model)
        for former in into.glob(f"{glob.escape(Path(name).name)}@*"):
            former.rename(Path(place) / former.name)  # and is removed with it; who has it open keeps it
        made.rename(into / model)
    return into / model


def _write_tokenizer(network: "SentenceTransformer", file: Path) -> None:
    from transformers import PreTrainedTokenizerFast

    outer = network.tokenizer
    if not isinstance(outer, PreTrainedTokenizerFast):
        raise UnfitExportError("The model can't be exported: its tokenizer is none of the tokenizers library.")
    tokenizer = outer.backend_tokenizer
    tokenizer.enable_truncation(network.max_seq_length or outer.model_max_length)
    tokenizer.enable_padding(
        direction=outer.padding_side,
        pad_id=outer.pad_token_id,
        pad_type_id=outer.pad_token_type_id,
        pad_token=outer.pad_token,
    )
    tokenizer.save(str(file))


def _write_network(network: "SentenceTransformer", file: Path) -> None:
    import torch

    features = network.preprocess(["one text", "and a longer one"])
    columns = {name: value for name, value in features.items() if name in exported.COLUMNS}
    any_size = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    try:
        program: Any = torch.onnx.export(
            _to_vectors(network, list(columns)),
            tuple(columns.values()),
            input_names=list(columns),
            output_names=["vectors"],
            dynamic_shapes=((any_size,) * len(columns),),
            dynamo=True,
            verbose=False,
        )
        traced = file.with_suffix(".traced")
        program.save(traced, external_data=True)
        _round_weights(traced, file)
    except torch.onnx.OnnxExporterError as error:
        reason = str(error.__cause__ or error).partition("\n")[0]
        raise UnfitExportError(f"The model can't be exported: {reason}") from error


def _round_weights(traced: Path, file: Path) -> None:
    import onnx
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    # Inputs of a product are rounded in blocks as well, text by text: rounded for a whole batch (`quantize_dynamic`),
    # the vector of a text would depend on its neighbours.
    quantizer = MatMulNBitsQuantizer(onnx.load(traced), bits=8, block_size=BLOCK, is_symmetric=True, accuracy_level=4)
    quantizer.process()
    # Weights that are a file of their own are mapped, not read.
    quantizer.model.save_model_to_file(str(file), use_external_data_format=True)
    for left in traced.parent.glob(f"{traced.name}*"):
        left.unlink()


def _to_vectors(network: "SentenceTransformer", names: list[str]) -> "torch.nn.Module":
    import torch

    class ToVectors(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *columns: torch.Tensor) -> torch.Tensor:
            vectors = self.network(dict(zip(names, columns, strict=True)))["sentence_embedding"]
            return torch.nn.functional.normalize(vectors, dim=1)

    return ToVectors().eval()


def _compare(network: "SentenceTransformer", export: Path) -> None:
    """Check that the export's vectors are the model's own. Raises `UnfitExportError`."""
    expected = network.encode(list(SAMPLES), normalize_embeddings=True, show_progress_bar=False)
    encode = exported.load(export).encode
    least = float((expected * encode(list(SAMPLES))).sum(axis=1).min())
    if not least >= SAME:
        raise UnfitExportError(f"The model can't be exported: vectors of its export differ (cosine {least:.4f}).")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the libraries' progress bars, logs and warnings."""
    from transformers.utils import logging as progress

    progress.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)
        progress.enable_progress_bar()  # type: ignore[no-untyped-call]
