"""Makes the models of these tests: tiny, of random weights, the same wherever this runs.

    python make_models.py FOLDER TEXT...

FOLDER gets qwen3 (hybrid thinking), llama (another tokenizer, no thinking), lora (an adapter of
qwen3), embedder (BERT) and reranker (BERT with one label). The tokenizers learn from the texts.

What such a model says is noise, and noise rarely ends a string. So a few tokens are likelier than
others by a constant: one channel of the residual stream holds the same value everywhere, because
no layer writes to it, and a token's weight for this channel acts as its bias.
"""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
)

# Words that replies need as single tokens, whatever the texts hold.
WORDS = "yes no Yes No true false\nyes\nno\nYes\nNo\ntrue\nfalse\n" * 500

QWEN3_TEMPLATE = """\
{%- for message in messages -%}
<|im_start|>{{ message['role'] }}
{{ message['content'] }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
{% if enable_thinking is defined and not enable_thinking -%}
<think>

</think>

{% endif -%}
{%- endif -%}
"""

LLAMA_TEMPLATE = """\
{{- bos_token -}}
{%- for message in messages -%}
<|start_header_id|>{{ message['role'] }}<|end_header_id|>

{{ message['content'] }}<|eot_id|>
{%- endfor -%}
{%- if add_generation_prompt -%}
<|start_header_id|>assistant<|end_header_id|>

{% endif -%}
"""


def byte_level(texts, size, special, before=()):
    """A byte-level BPE tokenizer, which can write any text, of `size` tokens."""
    tokenizer = Tokenizer(models.BPE())
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*before, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([WORDS, *texts], trainer)
    return tokenizer


def qwen3(folder, texts):
    inner = byte_level(texts, 4094, ["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    # As in Qwen3, these two are no special tokens: they show in the text of a reply.
    inner.add_tokens(["<think>", "</think>"])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    tokenizer.chat_template = QWEN3_TEMPLATE
    torch.manual_seed(0)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=4096,
            hidden_size=64,
            intermediate_size=128,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=32,
            max_position_embeddings=32768,
            initializer_range=0.18,
            tie_word_embeddings=False,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
        )
    )
    # The author's sampling, which a server applies where a request says nothing.
    model.generation_config.update(do_sample=True, temperature=0.6, top_k=20, top_p=0.95)
    save_chat_model(folder, model, tokenizer, {"<|im_end|>": 3.2, "</think>": 3.4})


def llama(folder, texts):
    special = [
        "<|begin_of_text|>",
        "<|end_of_text|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<|eot_id|>",
    ]
    digits = pre_tokenizers.Digits(individual_digits=True)
    inner = byte_level(texts, 2000, special, before=[digits])
    bos = "<|begin_of_text|>"
    inner.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A", special_tokens=[(bos, inner.token_to_id(bos))]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, bos_token=bos, eos_token="<|eot_id|>", pad_token="<|end_of_text|>"
    )
    tokenizer.chat_template = LLAMA_TEMPLATE
    torch.manual_seed(1)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=2000,
            hidden_size=128,
            intermediate_size=256,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=16384,
            initializer_range=0.12,
            tie_word_embeddings=False,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    save_chat_model(folder, model, tokenizer, {"<|eot_id|>": 3.2})


@torch.no_grad()
def save_chat_model(folder, model, tokenizer, advantages):
    """`advantages` are of tokens, in logits, beside those that every chat model gets."""
    embedding, head = model.get_input_embeddings().weight, model.lm_head.weight
    size, width = embedding.shape
    embedding.normal_()
    head.normal_(std=width**-0.5)
    embedding[:, 0] = 2.0
    head[:, 0] = 0.0
    for layer in model.model.layers:
        layer.self_attn.o_proj.weight[0] = 0.0
        layer.mlp.down_proj.weight[0] = 0.0
    steady = model.model(torch.arange(0, size, 7)[None]).last_hidden_state[..., 0].mean()
    for token, index in tokenizer.get_vocab().items():
        head[index, 0] = (advantages.get(token) or common_advantage(token)) / steady
    # Rows beyond the tokenizer's last token must never win.
    head[len(tokenizer) :] = 0.0
    head[len(tokenizer) :, 0] = -20.0
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def common_advantage(token):
    word = token.removeprefix("Ġ").lower()
    if token in ('"', '",', '"}'):
        return 3.0
    # Spaces, tabs and line ends alone: some grammars let them through without end.
    if set(token) <= set("ĠĉĊč"):
        return -6.0
    return 2.6 if word in ("yes", "no", "true", "false") else 0.0


def lora(folder):
    torch.manual_seed(2)
    weights = {}
    for layer in range(2):
        for name, rows in (("q_proj", 128), ("v_proj", 64)):
            at = f"base_model.model.model.layers.{layer}.self_attn.{name}"
            weights[f"{at}.lora_A.weight"] = torch.randn(4, 64).to(torch.bfloat16)
            weights[f"{at}.lora_B.weight"] = torch.randn(rows, 4).to(torch.bfloat16)
    folder.mkdir()
    save_file(weights, folder / "adapter_model.safetensors", {"format": "pt"})
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": "qwen3",
        "r": 4,
        "lora_alpha": 8,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": ["q_proj", "v_proj"],
        "inference_mode": True,
    }
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2))


def bert(folder, texts, labels):
    special = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    inner = byte_level(texts, 3000, list(special.values()))
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, inner.token_to_id(token)) for token in ("[CLS]", "[SEP]")],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=inner,
        model_max_length=512,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **{f"{name}_token": token for name, token in special.items()},
    ).save_pretrained(folder)
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=3000,
        hidden_size=96,
        intermediate_size=192,
        num_hidden_layers=2,
        num_attention_heads=3,
        max_position_embeddings=512,
        initializer_range=0.25,
        pad_token_id=inner.token_to_id("[PAD]"),
    )
    if labels is None:
        BertModel(config).save_pretrained(folder)
    else:
        config.num_labels = labels
        BertForSequenceClassification(config).save_pretrained(folder)


def main():
    folder = Path(sys.argv[1])
    texts = [Path(path).read_text(encoding="utf-8") for path in sys.argv[2:]]
    qwen3(folder / "qwen3", texts)
    llama(folder / "llama", texts)
    lora(folder / "lora")
    bert(folder / "embedder", texts, None)
    bert(folder / "reranker", texts, 1)


if __name__ == "__main__":
    main()
