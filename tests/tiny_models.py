"""Embedding models of no use but to be loaded and exported: small, and with weights of chance.

Torch is imported where one is made: collecting tests would take twice as long.
"""

from pathlib import Path

from tokenizers import Tokenizer

from kgadmin.stores.model_files import packaged_folder


def small_bert(folder: Path, *, seed: int = 0) -> str:
    """Reads 64 tokens, and takes the first one's state where the packaged model takes the mean."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(seed)
    config = BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, max_position_embeddings=64
    )
    BertModel(config).save_pretrained(folder / "bert")
    AutoTokenizer.from_pretrained(packaged_folder()).save_pretrained(folder / "bert")
    transformer = Transformer(str(folder / "bert"), max_seq_length=64)
    model = SentenceTransformer(modules=[transformer, Pooling(32, pooling_mode="cls")], device="cpu")
    model.save(str(folder / "small-bert"))
    return str(folder / "small-bert")


def table_of_vectors(folder: Path) -> str:
    """A table of vectors, which no exporter takes."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    tokenizer = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=8)], device="cpu")
    model.save(str(folder / "table"))
    return str(folder / "table")
