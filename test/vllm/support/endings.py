"""Lets no reply run on.

A model of random weights, asked greedily, soon says the same over and over. With this, the end of
its thoughts grows likelier with each token, the end of a text with each token since the last quote,
and the end of a list or an object with each token of the reply.
"""

from transformers import PreTrainedTokenizerFast
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor


class Endings(AdapterLogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        super().__init__(vllm_config, device, is_pin_memory)
        tokenizer = PreTrainedTokenizerFast.from_pretrained(vllm_config.model_config.tokenizer)
        vocabulary = tokenizer.get_vocab()
        self.of_thoughts = vocabulary["</think>"]
        self.quotes = [index for token, index in vocabulary.items() if '"' in token]
        self.stops = {self.of_thoughts, *self.quotes}
        self.of_objects = [
            index
            for token, index in vocabulary.items()
            if token[-1] in "]}" or token == tokenizer.eos_token
        ]

    def is_argmax_invariant(self):
        return False

    def new_req_logits_processor(self, params):
        return self.raise_endings

    def raise_endings(self, written, logits):
        if self.of_thoughts not in written:
            logits[self.of_thoughts] += 0.3 * max(0, len(written) - 16)
        stops = (n for n, token in enumerate(reversed(written)) if token in self.stops)
        since = next(stops, len(written))
        logits[self.quotes] += 0.3 * max(0, since - 16)
        logits[self.of_objects] += 0.05 * max(0, len(written) - 100)
        return logits
