import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Artifact } from "espalier/artifact";
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
import * as signatures from "../../../../signatures/index.ts";
import { instructionImprover } from "../../../../src/optimizer/proposal/improve-instruction.ts";
import { objection } from "../../../../src/optimizer/proposal/check/proposal-checks.ts";

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
  it.each([
    [""],
    [" \n\t "],
    ["\u200B\u200D\u2060\uFEFF"],
    ["\u00AD \u3164\n\u2800\u0000"],
    ["\uFE0F\u{E0020}"],
  ])("%j is refused", (text) => {
    expect(reasonsOf([notEmpty()], text)).toBe("empty");
  });

  it("is none when a word stands in it", () => {
    expect(reasonsOf([notEmpty()], " a ")).toBeUndefined();
    expect(reasonsOf([notEmpty()], "\u200B字")).toBeUndefined();
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
    ["<seed:think>They want a new text.</seed:think> Answer briefly."],
    ["<seed:think>They want"],
    ["<thought>They want a new text.</thought> Answer briefly."],
    ["Answer briefly. <thoughts>They want more.</thoughts>"],
    ["<|begin_of_thought|>Hm.<|end_of_thought|>Answer briefly."],
    ["<reasoning>They want a new text.</reasoning> Answer briefly."],
    ["<reasoning>\nThey want"],
    ["So that is settled.</reasoning>\nAnswer briefly."],
    ["Answer briefly.\n<analysis>\nThey want more."],
    [
      "Okay, let me try to figure out how to improve the instruction. The examples show that it does not inclu",
    ],
    ["Hmm, so the user wants a new instruct"],
    ["OK. First, I should look at the feedba"],
    ["Let me think about what the instruction should say. The second exam"],
    ["I need to write a new instruction which tells the step to name its sources"],
    ["We have to figure out an instruction that works better."],
    ["The current instruction says nothing of sources, so the answers lack the"],
  ])("%j is refused", (text) => {
    expect(reasonsOf([noThinking()], text)).toBe("polluted");
    expect(reasonsOf(defaultChecks(), text)).toBe("polluted");
  });

  it.each([
    ["Think before you answer."],
    ["Never emit a `<think>` tag."],
    ["Put what you think into the field reasoning."],
    ["Think inside <reasoning></reasoning> tags, then answer."],
    ["Answer so: <reasoning>why</reasoning><answer>what</answer>"],
    ["Answer in this format:\n<reasoning>\nwhy\n</reasoning>\nwhat"],
    ["Close what you think with `</reasoning>`."],
    ["Let's think step by step, and then answer."],
    ["I will give you a passage and a question. Answer the question."],
    ["We need to answer questions about towns."],
    ["The user asks about a town; name it."],
    ["Okay or not: decide whether the answer is supported."],
    ["Wait for the last turn of the conversation, then answer it."],
    ["Current events count more than old ones."],
  ])("%j passes", (text) => {
    expect(reasonsOf([noThinking()], text)).toBeUndefined();
  });

  it("passes where the current text has the mark, too", () => {
    const current = "Open a <think> block first.";
    expect(reasonsOf([noThinking()], "Always open a <think> block.", { current })).toBeUndefined();
    expect(reasonsOf([noThinking()], "Close with </think>.", { current })).toBe("polluted");
    const begun = { current: "<reasoning> comes first. Answer." };
    expect(reasonsOf([noThinking()], "<reasoning> comes first, always.", begun)).toBeUndefined();
  });
});

describe("a text that is broken off", () => {
  it.each([
    ["Answer the question, and name the source,"],
    ["Answer in one word ("],
    ["Use these steps:\n- read the question\n-"],
    ["Answer in this format:\n```json\n{"],
    ["Here are the instructions.\n```"],
    ["Answer the question, and name the"],
    ["Read the passages and"],
  ])("%j is refused", (text) => {
    expect(reasonsOf([notCutOff()], text)).toBe("truncated");
  });

  it.each([
    ["Answer in one word"],
    ["Answer the question. Answer:"],
    ["Answer in this format:\n```\nyes or no\n```"],
    ["Set code in ``` fences."],
    ["Name the town that the question is about"],
    ["Join the keywords by AND"],
    ["Answer with option a"],
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
  it.each([
    ["Answer the question."],
    ["  Answer  the\nquestion. "],
    ["Answer the\u00A0question.\u200B"],
  ])("%j is refused", (text) => {
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

  it("may be written as in other languages, too", () => {
    const given = {
      current:
        "Dear <name>, your %(order)s has %(count)03d parts, <b>all</b> `<here>`.<br> Map<string>",
      isTried: false,
      cases: [],
      known: [],
    };
    expect(objection([keepsPlaceholders()], "Dear name, all is here.", given)?.detail).toBe(
      "The proposed text lacks %(order)s, %(count)03d, <name>, which the current one has.",
    );
    const kept = "%(count)03d parts of %(order)s are here, <name>.";
    expect(objection([keepsPlaceholders()], kept, given)).toBeNull();
  });

  it("may be moved, repeated and added to", () => {
    const text = "{state}: {{ order.id }} for {name}, {name}, {new}. Write {} or { }.";
    expect(reasonsOf([keepsPlaceholders()], text, { current })).toBeUndefined();
  });
});

it("passes every instruction that ships, as a proposal for another one and for itself", async () => {
  const instructions = await shippedInstructions();
  expect(instructions.length).toBeGreaterThan(50);
  const wrong = instructions.flatMap((text) => {
    const others = [
      reasonsOf(defaultChecks(), text, { current: "Say what you know." }),
      reasonsOf([keepsPlaceholders()], text, { current: text }),
    ];
    return others.every((reason) => reason === undefined) ? [] : [{ text, others }];
  });
  expect(wrong).toEqual([]);
});

/** Of the signatures and reflection, and what optimizers wrote that is in the artifacts. */
async function shippedInstructions(): Promise<readonly string[]> {
  const ofSignatures = Object.values(signatures).flatMap((one) =>
    typeof one === "object" && "instruction" in one ? [one.instruction] : [],
  );
  const files = (await readdir("artifacts", { recursive: true })).filter((file) =>
    /[0-9a-f]{12}\.json$/.test(file),
  );
  const ofArtifacts = await Promise.all(
    files.map(async (file) => {
      const { compiled } = JSON.parse(await readFile(`artifacts/${file}`, "utf8")) as Artifact;
      return compiled.components.flatMap(({ kind, value }) =>
        kind === "instruction" ? [value] : [],
      );
    }),
  );
  return [...ofSignatures, instructionImprover({}).instruction, ...ofArtifacts.flat()];
}

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
    "keeps-prohibitions",
    "not-tried",
  ]);
  expect(reasonsOf(defaultChecks(), "Answer the question.", { isTried: true })).toBe("unchanged");
  expect(reasonsOf(defaultChecks(), "Answer the question in one sentence.")).toBeUndefined();
});
