import { describe, expect, it } from "vitest";
import { typeErrors } from "../support/type-errors.ts";

// Each line must not compile, and must say why in words that name the field.
const wrong = {
  "strings where passages are asked": `answer.render({ question: "q", passages: ["a", "b"], tone: "plain" });`,
  "a thought where a question is asked": `answer.render({ question: thought, passages: [], tone: "plain" });`,
  "a question where a list of them is asked": `many.render({ questions: question });`,
  "thoughts where questions are asked": `many.render({ questions: [thought] });`,
  "a missing field": `answer.render({ question: "q", passages: [] });`,
  "a wrong enum value": `answer.render({ question: "q", passages: [], tone: "shouting" });`,
  "plain text where a label is asked": `answer.render({ question: "q", passages: [], tone: plain });`,
  "a field that does not exist": `answer.render({ question: "q", passages: [], tone: "plain", gold: "g" });`,
  "numbers where an object holds strings": `nested.render({ obj: { items: [1] }, rows: [] });`,
  "an object that lacks a key": `nested.render({ obj: { note: "n" }, rows: [] });`,
  "a thought deep inside rows": `nested.render({ obj: { items: [] }, rows: [{ tags: ["b"], of: { asked: thought } }] });`,
  "a string where an object is asked": `nested.render({ obj: plain, rows: [] });`,
  "an object where a list of them is asked": `nested.render({ obj: { items: [] }, rows: { tags: ["b"] } });`,
  "an output of the wrong role inside a program": `
    program({ name: "p", version: "1", input: { question: text("question") }, output: { answer: text("answer") },
      predictors: { answer: reason(answerSignature) },
      forward: async ({ question }, { predictors }) => {
        const first = await predictors.answer({ question, passages: [], tone: "plain" });
        return predictors.answer({ question: first.reasoning, passages: [], tone: "plain" });
      } });`,
  "a program that forgets an output": `
    program({ name: "p", version: "1", input: { question: text("question") }, output: { answer: text("answer") },
      predictors: { answer: reason(answerSignature) },
      forward: async () => ({}) });`,
  "a predictor that does not exist": `
    program({ name: "p", version: "1", input: { question: text("question") }, output: { answer: text("answer") },
      predictors: { answer: reason(answerSignature) },
      forward: async ({ question }, { predictors }) => predictors.respond({ question }) });`,
  "a parameter that does not exist": `
    program({ name: "p", version: "1", input: { question: text("question") }, output: { k: z.number() },
      predictors: { answer: reason(answerSignature) }, parameters: { hops: int({ default: 3, min: 1, max: 5 }) },
      forward: async (_, { parameters }) => ({ k: parameters.k }) });`,
};

const right = `
  answer.render({ question: "q", passages: [{ id: "1", text: "t" }], tone: "plain" });
  answer.render({ question, passages: [] as const, tone: "warm" });
  const passagesInOrder: readonly Passage[] = [];
  answer.render({ question: plain, passages: passagesInOrder, tone: "warm" });
  many.render({ questions: [question, "another"] });
  nested.render({ obj: { items: ["a"] }, rows: [{ tags: ["b"] }] });
  nested.render({ obj: { items: [plain], note: "n" }, rows: [{ tags: [], of: { asked: question } }] });
  const frozen: readonly { readonly tags: readonly string[] }[] = [];
  nested.render({ obj: { items: ["a"] } as const, rows: frozen });
  const tuned = program({ name: "p", version: "1", input: { question: text("question") }, output: { answer: text("answer") },
    predictors: { answer: reason(answerSignature) },
    parameters: { hops: int({ default: 3, min: 1, max: 5 }), mode: choice(["fast", "careful"]) },
    forward: async ({ question }, { predictors, parameters }) => {
      const hops: number = parameters.hops;
      const mode: "fast" | "careful" = parameters.mode;
      const made = await predictors.answer({ question, passages: [], tone: mode === "fast" ? "plain" : "warm" });
      const why: Text<"thought"> = made.reasoning;
      const answer: Text<"answer"> = made.answer;
      return { answer };
    } });
  const outcome: Promise<{ readonly answer: Text<"answer"> }> = tuned.run({ question: "q" }, null as never);
`;

const prelude = `
  import { z } from "zod";
  import { choice, int, passages, predict, program, reason, signature, text } from "espalier";
  import type { Passage, Text } from "espalier";
  const answerSignature = signature({ name: "answer", instruction: "Answer.",
    input: { question: text("question"), passages: passages(), tone: z.enum(["plain", "warm"]) },
    output: { answer: text("answer") } });
  const answer = predict(answerSignature);
  const many = predict(signature({ name: "many", instruction: "Answer all.",
    input: { questions: z.array(text("question")) }, output: { answer: text("answer") } }));
  const nested = predict(signature({ name: "nested", instruction: "Answer.",
    input: { obj: z.object({ items: z.array(z.string()), note: z.string().optional() }),
      rows: z.array(z.object({ tags: z.array(z.string()), of: z.object({ asked: text("question") }).optional() })) },
    output: { answer: text("answer") } }));
  declare const thought: Text<"thought">;
  declare const question: Text<"question">;
  declare const plain: string;
`;

describe("wiring steps together", () => {
  const diagnostics = typeErrors(prelude, { ...wrong, right });

  it("compiles what is wired correctly", () => {
    expect(diagnostics.right).toEqual([]);
  });

  it.each(Object.keys(wrong) as (keyof typeof wrong)[])("refuses %s in words", (name) => {
    expect(diagnostics[name]).toMatchSnapshot();
  });
});
