import { expect, test } from "vitest";
import { replyParts } from "../src/reply-text.ts";

test.each([
  ["an answer", "Oslo", { content: "Oslo", reasoning: null }],
  ["nothing", "", { content: null, reasoning: null }],
  ["thoughts and an answer", "<think>\nhm\n</think>\n\nOslo", { content: "Oslo", reasoning: "hm" }],
  ["thoughts without an end", "<think>hm hm", { content: null, reasoning: "hm hm" }],
  ["thoughts of nothing", "<think>\n\n</think>\nOslo", { content: "Oslo", reasoning: null }],
  ["a word of thoughts", "I <think> so", { content: "I <think> so", reasoning: null }],
  [
    "what looks like a call, where no tool was offered",
    '<tool_call>{"name":"look","arguments":{}}</tool_call>',
    { content: '<tool_call>{"name":"look","arguments":{}}</tool_call>', reasoning: null },
  ],
])("a reply may be %s", (_, text, parts) => {
  expect(replyParts(text, [])).toEqual(parts);
});

test("calls are told apart from the text around them", () => {
  const text =
    'I will look.\n<tool_call>\n{"name": "look", "arguments": {"at": "a}b"}}\n</tool_call>\n<tool_call>{"name":"wait"}</tool_call>';
  expect(replyParts(text, ["look", "wait"])).toEqual({
    content: "I will look.",
    reasoning: null,
    toolCalls: [
      { id: "call-1", name: "look", arguments: '{"at":"a}b"}' },
      { id: "call-2", name: "wait", arguments: "{}" },
    ],
  });
});

test("a call without its tags is one if it is all that was written, and of a known tool", () => {
  const text = '{"name": "look", "arguments": {"at": "sea"}}';
  expect(replyParts(text, ["look"])).toMatchObject({
    content: null,
    toolCalls: [{ name: "look" }],
  });
  expect(replyParts(text, ["wait"])).toEqual({ content: text, reasoning: null });
  expect(replyParts(`So: ${text}`, ["look"])).toMatchObject({ content: `So: ${text}` });
});

test("a call that is no JSON stays text", () => {
  const text = "<tool_call>{look}</tool_call>";
  expect(replyParts(text, ["look"])).toEqual({ content: text, reasoning: null });
});
