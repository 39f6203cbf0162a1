"""Makes of a chat model's GGUF file what vLLM serves: weights in bf16, a tokenizer, a template.

    python convert_gguf.py FILE.gguf FOLDER
"""

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

file, folder = Path(sys.argv[1]), sys.argv[2]
source = {"pretrained_model_name_or_path": file.parent, "gguf_file": file.name}
AutoTokenizer.from_pretrained(**source).save_pretrained(folder)
model = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
# The weights are plain numbers by now; what is saved must not claim the file's quantization.
model.hf_quantizer = None
del model.config.quantization_config
model.to(torch.bfloat16).save_pretrained(folder)
