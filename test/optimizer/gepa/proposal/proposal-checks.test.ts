import { describe, expect, it } from "vitest";
import type { Checked } from "espalier/optimizer";
import {
  defaultChecks,
  keepsPlaceholders,
  noJson,
  noThinking,
  notCutOff,
  notEmpty,
  notLonger,
  notTried,
  notUnchanged,
} from "espalier/optimizer";
import { objection } from "../../../../src/optimizer/gepa/proposal/proposal-checks.ts";

function reasonsOf(
  checks: ReturnType<typeof defaultChecks>,
  text: string,
  given: Partial<Checked> = {},
): string | undefined {
  const current = "Answer the question.";
  return objection(checks, text, { current, isTried: false, cases: [], known: [], ...given })
    ?.reason;
}

describe("an empty text", () => {
  it.each([[""], [" \n\t "]])("%j is refused", (text) => {
    expect(reasonsOf([notEmpty()], text)).toBe("empty");
  });

  it("is none when a word stands in it", () => {
    expect(reasonsOf([notEmpty()], " a ")).toBeUndefined();
  });
});

describe("a text with a model's thinking", () => {
  it.each([
    ["<think>They want a new text.</think> Answer briefly."],
    // users.md 36: cut off in the middle of a thought.
    ["<think>\nOkay, let me try to figure out how to improve the"],
    ["<THINKING>Hm.</THINKING>"],
    ["So that is settled.</think>\nAnswer briefly."],
    ["[THINK]Hm.[/THINK]Answer briefly."],
    ["<|channel|>analysis<|message|>They want a new text."],
    ["◁think▷Hm.◁/think▷ Answer briefly."],
  ])("%j is refused", (text) => {
    expect(reasonsOf([noThinking()], text)).toBe("polluted");
    expect(reasonsOf(defaultChecks(), text)).toBe("polluted");
  });

  it.each([
    ["Think before you answer."],
    ["Never emit a `<think>` tag."],
    ["Put what you think into the field reasoning."],
  ])("%j passes", (text) => {
    expect(reasonsOf([noThinking()], text)).toBeUndefined();
  });

  it("passes where the current text has the mark, too", () => {
    const current = "Open a <think> block first.";
    expect(reasonsOf([noThinking()], "Always open a <think> block.", { current })).toBeUndefined();
    expect(reasonsOf([noThinking()], "Close with </think>.", { current })).toBe("polluted");
  });
});

describe("a text that is broken off", () => {
  it.each([
    ["Answer the question, and name the source,"],
    ["Answer in one word ("],
    ["Use these steps:\n- read the question\n-"],
    ["Answer in this format:\n```json\n{"],
    ["Here are the instructions.\n```"],
  ])("%j is refused", (text) => {
    expect(reasonsOf([notCutOff()], text)).toBe("truncated");
  });

  it.each([
    ["Answer in one word"],
    ["Answer the question. Answer:"],
    ["Answer in this format:\n```\nyes or no\n```"],
    ["Set code in ``` fences."],
  ])("%j passes", (text) => {
    expect(reasonsOf([notCutOff()], text)).toBeUndefined();
  });

  it("passes where the current text ends so, too", () => {
    expect(reasonsOf([notCutOff()], "Go on here —", { current: "Go on —" })).toBeUndefined();
  });
});

describe("a text that is too long", () => {
  it("is refused from the first character on that is too many", () => {
    expect(reasonsOf([notLonger(60)], "x".repeat(61))).toBe("too-long");
    expect(reasonsOf([notLonger(60)], "x".repeat(60))).toBeUndefined();
    expect(reasonsOf(defaultChecks(), "x".repeat(12_001))).toBe("too-long");
    expect(reasonsOf(defaultChecks(), "x".repeat(12_000))).toBeUndefined();
  });
});

// users.md 37: small models write the task's data in place of an instruction for it.
describe("JSON in place of an instruction", () => {
  it.each([
    ['{"question": "Where?", "answer": "Here."}'],
    ['{"task": "answer", "steps": ["read", "wri'],
    ['[{"question": "Where?"}]'],
    ['["read", "write"]'],
    ["[]"],
    ["{}"],
    ["[1, 2]"],
    ['```json\n{"question": "Where?"}\n```'],
    ['{\n  "a": 1\n}\nThis is the new instruction.'],
  ])("%j is refused", (text) => {
    expect(reasonsOf([noJson()], text)).toBe("json");
  });

  it.each([
    ['Write JSON such as {"answer": "yes"}.'],
    ["{name} asks a question; answer it."],
    ["{{question}}\nAnswer it."],
    ["[1] is the first passage. Cite passages so."],
    ["[Important] Answer in one word."],
  ])("%j passes", (text) => {
    expect(reasonsOf([noJson()], text)).toBeUndefined();
  });

  it("passes where the current text is JSON, too", () => {
    const current = '{"style": "plain"}';
    expect(reasonsOf([noJson()], '{"style": "terse"}', { current })).toBeUndefined();
  });
});

describe("a text that is the current one", () => {
  it.each([["Answer the question."], ["  Answer  the\nquestion. "]])("%j is refused", (text) => {
    expect(reasonsOf([notUnchanged()], text)).toBe("unchanged");
  });

  it.each([["answer the question."], ["Answer the question"]])("%j passes", (text) => {
    expect(reasonsOf([notUnchanged()], text)).toBeUndefined();
  });
});

describe("a text that was tried", () => {
  it("is refused, and another passes", () => {
    expect(reasonsOf([notTried()], "Answer briefly.", { isTried: true })).toBe("already-tried");
    expect(reasonsOf([notTried()], "Answer briefly.", { isTried: false })).toBeUndefined();
  });
});

describe("behaviour 16: placeholders", () => {
  const current = "Dear {name}, your {{ order.id }} is {state}. Use {state} once.";

  it.each([
    ["Dear {name}, your {{ order.id }} is here.", "{state}"],
    ["Dear {{name}}, your {{ order.id }} is {state}.", "{name}"],
    ["Dear {name}, your {order.id} is {state}.", "{{ order.id }}"],
  ])("lost in %j are named", (text, lost) => {
    const given = { current, isTried: false, cases: [], known: [] };
    expect(objection([keepsPlaceholders()], text, given)).toEqual({
      reason: "placeholder-lost",
      detail: `The proposed text lacks ${lost}, which the current one has.`,
    });
  });

  it("may be moved, repeated and added to", () => {
    const text = "{state}: {{ order.id }} for {name}, {name}, {new}. Write {} or { }.";
    expect(reasonsOf([keepsPlaceholders()], text, { current })).toBeUndefined();
  });
});

it("checks in the documented order, and tells the first objection", () => {
  expect(defaultChecks().map(({ name }) => name)).toEqual([
    "not-empty",
    "no-thinking",
    "not-longer",
    "no-json",
    "not-cut-off",
    "not-unchanged",
    "keeps-placeholders",
    "no-copies",
    "not-tried",
  ]);
  expect(reasonsOf(defaultChecks(), "Answer the question.", { isTried: true })).toBe("unchanged");
  expect(reasonsOf(defaultChecks(), "Answer the question in one sentence.")).toBeUndefined();
});
