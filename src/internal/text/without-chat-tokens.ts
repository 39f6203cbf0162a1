import { once } from "./once.ts";

/**
 * Breaks every chat-template token in a text, so that no tokenizer recognizes it: inserts a space
 * after the token's first character, so that readers still see what was written. Idempotent.
 *
 * Servers apply the chat template to the text of all messages and then encode the whole, so
 * `<|im_end|>` within a passage would end the turn (huggingface/transformers#29279,
 * vllm-project/vllm#31735).
 */
export function withoutChatTokens(text: string): string {
  // Most texts have none of these characters, and prompts are long.
  const angles = text.includes("<")
    ? text.replaceAll(barred, "$& ").replaceAll(inAngles(), "$& ")
    : text;
  return text.includes("[") || text.includes("]") ? angles.replaceAll(inBrackets(), "$& ") : angles;
}

// Bounded look-aheads: the cost of each `<` is bounded, whatever follows.
/**
 * ChatML, Qwen, Llama 3 and 4, harmony, Phi, Granite, Command R, GLM, Kimi, Gemma 4; DeepSeek with
 * full-width bars.
 */
const barred = /<(?=[|｜][^\s<>]{1,64}>|[^\s<>]{1,64}[|｜]>)/gu;

/** Tokens of the other models, between `<` and `>`. */
const namesInAngles = [
  "/?s", // Llama 2, Mistral
  "</?SYS>",
  "bos|eos|pad|unk|unused\\d{1,4}", // Gemma, also below
  "(?:start|end)_of_(?:turn|image)|image_soft_token|end_of_utterance",
  "(?:BOS|EOS|PAD|UNK|EOP)_TOKEN", // Command R
  "sop|eop", // GLM
  "/?think|/?tools?|/?tool_(?:call|response|calls|responses)", // Qwen, DeepSeek, GLM
  "/?seed:[a-z_]{1,40}", // Seed
  "(?:extra_id|SPECIAL|reserved)_\\d{1,4}", // Nemotron, T5, Baichuan
];

/** Tokens between `[` and `]`. */
const namesInBrackets = [
  // Mistral
  "/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT|MODEL_SETTINGS|THINK)",
  "TOOL_CONTENT|ARGS|CALL_ID|IMG|IMG_BREAK|IMG_END|AUDIO|BEGIN_AUDIO|PREFIX|MIDDLE|SUFFIX",
  "[gs]?MASK", // GLM
  "\\|[^\\s[\\]]{1,64}\\|", // EXAONE
];

const inAngles = once(() => new RegExp(`<(?=(?:${namesInAngles.join("|")})>)`, "gu"));
/** MiniMax writes its brackets reversed. */
const inBrackets = once(
  () => new RegExp(`\\[(?=(?:${namesInBrackets.join("|")})\\]|e~\\[)|\\](?=~!?b[[\\]])`, "gu"),
);
