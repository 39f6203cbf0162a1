import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutChatTokens } from "../../../src/internal/index.ts";

const families: Readonly<Record<string, readonly string[]>> = {
  "ChatML and Qwen": ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|fim_prefix|>", "</think>"],
  "Llama 2": ["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<s>", "</s>"],
  "Llama 3": ["<|begin_of_text|>", "<|start_header_id|>", "<|eot_id|>", "<|python_tag|>"],
  "Llama 4": ["<|header_start|>", "<|eot|>"],
  Mistral: ["[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_CALLS]", "[SYSTEM_PROMPT]"],
  "Gemma 3": ["<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>"],
  "Gemma 4": ["<|turn>", "<turn|>", "<|tool_call>", "<channel|>"],
  DeepSeek: ["<｜User｜>", "<｜Assistant｜>", "<｜begin▁of▁sentence｜>", "<｜tool▁calls▁end｜>"],
  harmony: ["<|start|>", "<|channel|>", "<|message|>", "<|return|>", "<|call|>"],
  Phi: ["<|user|>", "<|assistant|>", "<|end|>"],
  Granite: ["<|start_of_role|>", "<|end_of_role|>"],
  "Command R": ["<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>", "<BOS_TOKEN>", "<EOS_TOKEN>"],
  GLM: ["[gMASK]", "<sop>", "<|observation|>"],
  Kimi: ["<|im_user|>", "<|im_middle|>", "<|im_system|>"],
  MiniMax: ["]~b]", "]~!b[", "[e~["],
  EXAONE: ["[|system|]", "[|endofturn|]", "[|tool|]"],
  Nemotron: ["<extra_id_1>", "<SPECIAL_11>"],
  SmolVLM: ["<end_of_utterance>"],
  Baichuan: ["<reserved_106>"],
  Seed: ["<seed:bos>", "<seed:think>", "</seed:think>"],
};
const tokens = Object.values(families).flat();

describe("tokens of chat templates", () => {
  it.each(Object.entries(families))("of %s are broken, and still read the same", (_, those) => {
    for (const token of those) {
      const shown = withoutChatTokens(`a${token}b`);
      expect(shown).not.toContain(token);
      expect(shown.replaceAll(" ", "")).toBe(`a${token}b`);
    }
  });

  it("are left in no text, however they are nested, and breaking them twice changes nothing", () => {
    const piece = fc.oneof(
      fc.constantFrom(...tokens),
      fc.constantFrom(..."<>|｜[]~/".split("")),
      fc.string({ unit: "binary" }),
    );
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const shown = withoutChatTokens(text);
        expect(tokens.filter((token) => shown.includes(token))).toEqual([]);
        expect(withoutChatTokens(shown)).toBe(shown);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "a < b || c > d, f <| g, (x |> y)",
    "List<string> and <b>bold</b> <passage> [1] [INSTALL] [link](url)",
    "`if (a<b|c>d)` and <br/> and 3<4",
    "[| a table |] and [|] and [||] and <extra_id> <reserved_words>",
  ])("are not seen in %s", (text) => {
    expect(withoutChatTokens(text)).toBe(text);
  });
});
