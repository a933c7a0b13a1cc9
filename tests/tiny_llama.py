"""Writes a tiny, randomly initialised language model as GGUF: a real server can serve it, and it has nothing to say.

python tests/tiny_llama.py FILE        in an environment with `gguf` (tests/extract/test_llama.py)
"""

from __future__ import annotations

import string
import sys

import gguf  # type: ignore[import-not-found, unused-ignore]
import numpy as np

WIDTH, INNER, LAYERS, HEADS, CONTEXT = 64, 128, 2, 4, 16384
LETTERS = "▁" + string.ascii_letters + string.digits + string.punctuation
TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *LETTERS]
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6


def write(path: str) -> None:
    """The model is in the file afterwards, always the same."""
    random = np.random.default_rng(7)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(TOKENS))
    writer.add_file_type(0)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(TOKENS)
    writer.add_token_scores([0.0] * 259 + [-float(rank) for rank in range(len(LETTERS))])
    writer.add_token_types([UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256 + [NORMAL] * len(LETTERS))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template(TEMPLATE)
    for name, shape in _shapes().items():
        ones = len(shape) == 1
        weights = np.ones(shape) if ones else random.standard_normal(shape) * 0.05
        writer.add_tensor(name, weights.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _shapes() -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (len(TOKENS), WIDTH),
        "output_norm.weight": (WIDTH,),
        "output.weight": (len(TOKENS), WIDTH),
    }
    for layer in range(LAYERS):
        square = dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (WIDTH, WIDTH))
        feed = {"ffn_gate": (INNER, WIDTH), "ffn_up": (INNER, WIDTH), "ffn_down": (WIDTH, INNER)}
        norms = dict.fromkeys(("attn_norm", "ffn_norm"), (WIDTH,))
        shapes |= {f"blk.{layer}.{name}.weight": shape for name, shape in {**square, **feed, **norms}.items()}
    return shapes


if __name__ == "__main__":
    write(sys.argv[1])
