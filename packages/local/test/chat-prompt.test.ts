import { expect, test } from "vitest";
import type { LmMessage, LmRequest } from "../../../src/contract/index.ts";
import { defaultSampling } from "../../../src/contract/index.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";
import { chatPrompt } from "../src/chat-prompt.ts";

const request = (messages: readonly LmMessage[], more: Partial<LmRequest> = {}): LmRequest => ({
  messages,
  sampling: defaultSampling,
  seed: 1,
  ...more,
});
const options = { model: "m", tokens: { bos_token: "<s>", eos_token: "</s>" } };
const chatMl =
  "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
// Of Gemma's kind: no role of a system, and roles in turn.
const withoutSystem =
  "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}";
const dialogue: readonly LmMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hello" },
];

test("a prompt is what the model's template makes of the messages", () => {
  expect(chatPrompt(chatMl, options).text(request(dialogue))).toBe(
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n",
  );
});

test("where a template refuses a system message, the first user message begins with it", () => {
  expect(chatPrompt(withoutSystem, options).text(request(dialogue))).toBe(
    "<s><start_of_turn>user\nBe brief.\n\nHello<end_of_turn>\n<start_of_turn>model\n",
  );
});

test("a template that leaves a system message out gets it in the user's", () => {
  const silent =
    "{% for m in messages %}{% if m.role != 'system' %}[{{ m.content }}]{% endif %}{% endfor %}";
  expect(chatPrompt(silent, options).text(request(dialogue))).toBe("[Be brief.\n\nHello]");
});

test("what the model cannot do is refused", async () => {
  const prompt = chatPrompt(chatMl, options);
  const tools = [{ name: "look", description: "", parameters: { type: "object" } }];
  expect(await thrownBy(() => prompt.text(request(dialogue, { tools })))).toMatchObject({
    code: "lm-unsupported",
    message: expect.stringContaining("does not support tools"),
  });
  expect(prompt.text(request(dialogue, { tools, toolChoice: "none" }))).toContain("Hello");
  const url = "data:image/png;base64,AA==";
  const seen = request([{ role: "user", content: [{ type: "image", url }] }]);
  expect(await thrownBy(() => prompt.text(seen))).toMatchObject({ code: "lm-unsupported" });
  const keyed = request(dialogue, { extraBody: { priority: 1 } });
  expect(await thrownBy(() => prompt.text(keyed))).toMatchObject({
    code: "lm-unsupported",
    message: expect.stringContaining("priority"),
  });
});
