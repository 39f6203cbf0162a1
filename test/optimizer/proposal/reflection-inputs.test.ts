import { expect, it } from "vitest";
import { predict, program, signature, text, textOfContent } from "espalier";
import { estimateTokens } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import { cutToBytes } from "../../../src/optimizer/proposal/text/shown-text.ts";
import { instructionImprover } from "../../../src/optimizer/proposal/improve-instruction.ts";
import { improvingText, promptFrame } from "../../../src/optimizer/proposal/improving-text.ts";
import type { ProposalRequest } from "../../../src/optimizer/proposal/proposer.ts";
import {
  minPromptTokens,
  reflectionInputs,
} from "../../../src/optimizer/proposal/reflective-proposer.ts";
import { reflectiveCases } from "../../../src/optimizer/proposal/case/reflective-cases.ts";
import { programSpace } from "../../../src/optimizer/task/program-space.ts";
import { placeStudy } from "../support/place-search.ts";
import { textOf } from "../gepa/support/rollouts.ts";

const improver = instructionImprover({});
const rollout = {
  exampleId: "a",
  score: { kind: "scored", value: 0 },
  ran: ["first", "second"],
  usage: { calls: 2, promptTokens: 0, completionTokens: 0 },
  worst: 0,
  lesson: {
    feedback: "z".repeat(700_000),
    steps: ["first", "second"].map((name) => ({
      path: name,
      predictor: name,
      inputs: { passage: `${"y".repeat(600_000)} the keeper of the lighthouse` },
      outputs: { [`${name}Out`]: "what was written at the lighthouse" },
      rawText: "{}",
    })),
    output: "{}",
  },
} as const;

function promptTokens(request: Partial<ProposalRequest>, maxPromptTokens: number): number {
  const whole = {
    id: "iteration-1",
    component: textOf("first", "Answer."),
    place: "The step `first`.",
    candidate: [],
    cases: reflectiveCases([rollout, rollout, rollout], "first"),
    ...request,
  };
  const messages = improver.render(reflectionInputs(whole, { improver, maxPromptTokens }));
  return estimateTokens(messages.map(({ content }) => textOfContent(content)).join(""));
}

it.each([improvingText, "Rewrite.", " {braces} é\r\n\n", "字"])(
  "knows how long the prompt around an instruction is without rendering it: %s",
  (instruction) => {
    const empty = { instruction: "", step: "", examples: "", refused: "", task: "" };
    const [system, user] = instructionImprover({}, instruction)
      .render(empty)
      .map(({ content }) => Buffer.byteLength(textOfContent(content)));
    expect({ system, user }).toEqual({
      system: promptFrame.system + Buffer.byteLength(instruction),
      user: promptFrame.user,
    });
  },
);

it("keeps the whole prompt within its tokens, however long examples, places and refused texts are", () => {
  for (const most of [4_000, 16_000]) {
    expect(promptTokens({}, most)).toBeLessThanOrEqual(most);
    expect(promptTokens({}, most)).toBeGreaterThan(0.9 * most);
    const long = {
      place: "p".repeat(500_000),
      refused: [{ text: "r".repeat(500_000), detail: "Too long." }],
    };
    expect(promptTokens(long, most)).toBeLessThanOrEqual(most);
  }
});

it("keeps it within any number of tokens that is accepted, whatever the request", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = randomSource(seed, "requests");
    const textUpTo = (most: number): string =>
      random.choice(["a word. ", "é ", "字", "x", "line\n", "{}"]).repeat(random.below(most));
    const least = minPromptTokens(improvingText);
    const most = least + random.choice([0, 1, random.below(1_000), random.below(20_000)]);
    // Up to what the shortest prompt has room for.
    const current = cutToBytes(textUpTo(4_000), 3_000);
    const field = { query: textUpTo(3_000), passage: textUpTo(3_000) };
    const steps = ["first", "second"].map((name) => {
      return { path: name, predictor: name, inputs: field, outputs: field, rawText: "{}" };
    });
    const one = { ...rollout, lesson: { feedback: textUpTo(3_000), steps, output: textUpTo(900) } };
    const tokens = promptTokens(
      {
        component: textOf("first", current),
        place: textUpTo(3_000),
        cases: reflectiveCases([rollout, one, one, one].slice(random.below(4)), "first"),
        ...(random.below(2) === 0 && {
          refused: [{ text: textUpTo(5_000), detail: textUpTo(5_000) }],
        }),
      },
      most,
    );
    expect(tokens).toBeLessThanOrEqual(most);
  }
});

it("shows what was refused and why, in the order of the request, cut to size", () => {
  const refused = [
    { text: "Newest.", detail: "Too short." },
    { text: `New. ${"w ".repeat(5_000)}`, detail: "It was tried." },
    { text: "# Old\nText.", detail: "It was tried, too." },
  ];
  const request = {
    id: "iteration-4",
    component: textOf("first", "Answer."),
    place: "The step `first`.",
    candidate: [],
    cases: reflectiveCases([rollout], "first"),
  };
  const inputsOf = (more: Partial<ProposalRequest>) =>
    reflectionInputs({ ...request, ...more }, { improver, maxPromptTokens: 16_000 });
  expect(inputsOf({}).refused).toBe("");
  const shown = inputsOf({ refused }).refused;
  expect(shown.replace(/(?:w )+/, "w ")).toMatchInlineSnapshot(`
    "# Proposal 1

    Newest.

    ## Why it was refused

    Too short.

    # Proposal 2

    New. w ... (8549 characters left out)

    ## Why it was refused

    It was tried.

    # Proposal 3

    \\# Old
    Text.

    ## Why it was refused

    It was tried, too."
  `);
  expect(Buffer.byteLength(shown)).toBeLessThan(2_000);
});

it("never cuts the current text, and shows some of the examples beside it", () => {
  const current = `Begin. ${"w ".repeat(20_000)}End.`;
  const request = {
    id: "iteration-1",
    component: textOf("first", current),
    place: "The step `first`.",
    candidate: [],
    cases: reflectiveCases([rollout], "first"),
  };
  const { instruction, examples } = reflectionInputs(request, { improver, maxPromptTokens: 4_000 });
  expect(instruction).toBe(current);
  expect(estimateTokens(examples)).toBeGreaterThan(900);
  expect(estimateTokens(examples)).toBeLessThanOrEqual(1_000);
});

it("tells what a step takes and gives, and which other steps there are", () => {
  const write = signature({
    name: "write",
    instruction: "Write.",
    input: { notes: text("notes", "What is known.") },
    output: { draft: text("answer", "A first text.") },
  });
  const polish = signature({
    name: "polish",
    instruction: "Polish.",
    input: { draft: text("answer") },
    output: { final: text("answer") },
  });
  const writer = program({
    name: "writer",
    version: "1",
    input: { notes: text("notes") },
    output: { final: text("answer") },
    predictors: { write: predict(write), polish: predict(polish) },
    forward: async (given, { predictors }) => predictors.polish(await predictors.write(given)),
  });
  const { describe } = programSpace({ ...placeStudy, program: writer });
  const component = textOf("write");
  const request = { id: "i", component, place: describe(component), candidate: [], cases: [] };
  expect(reflectionInputs(request, { improver, maxPromptTokens: 9_000 }).step)
    .toMatchInlineSnapshot(`
      "The step \`write\` of the program \`writer\`, which the metric \`found-place\` scores, takes \`notes\` (What is known.) and writes \`draft\` (A first text.).
      The instruction steers \`write\` alone. The other steps:
      - \`polish\` takes \`draft\` and writes \`final\`."
    `);
});
