import { AxPromptTemplate } from "@ax-llm/ax";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { signature, text } from "espalier";
import { toAxSignature } from "../../src/ax/prompt-template.ts";
import { promptTemplate } from "../../src/ax/index.ts";

const step = signature({
  name: "answer",
  instruction: "Answer.",
  input: { question: text("question", "What is asked."), passages: text("passages"), n2: z.int() },
  output: { answer: text("answer"), label: z.enum(["a", "b"]) },
});
const parts = { instruction: step.instruction, ...step.fields };

describe("a prompt template", () => {
  // ax is the reference: whatever the values are, all but the repaired system message is as ax
  // lays it out.
  it.each([
    ["no demonstration", []],
    ["a demonstration", [{ inputs: { question: "Q" }, outputs: { answer: "A", label: "a" } }]],
  ])("fills values in as ax does, with %s", (_, demos) => {
    const ours = promptTemplate(parts, demos);
    const theirs = new AxPromptTemplate(toAxSignature(parts), {
      structuredOutput: true,
      includeOptionalInputFieldsInSystemPrompt: true,
    });
    const value = fc
      .string({ unit: "binary", minLength: 1 })
      .filter((drawn) => drawn.trim() !== "");
    fc.assert(
      fc.property(fc.record({ question: value, passages: value, n2: value }), (values) => {
        const rendered = theirs.render(values, {
          demos: demos.map(({ inputs, outputs }) => ({ ...inputs, ...outputs })),
        });
        expect(ours.render(values).slice(1)).toEqual(
          rendered.slice(1).map(({ role, content }) => ({ role, content })),
        );
      }),
    );
  });

  it("keeps a value that looks like a mark or a replacement pattern", () => {
    const values = { question: "\uE0001\uE000 $& $1", passages: "p", n2: "2" };
    expect(promptTemplate(parts, []).render(values).at(-1)?.content).toBe(
      "Question: \uE0001\uE000 $& $1\n\nPassages: p\n\nN 2: 2\n",
    );
  });
});
