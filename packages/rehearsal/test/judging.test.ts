import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/contract/index.ts";
import { rehearsalLm } from "../src/index.ts";
import type { ShownInput } from "./support/prompts.ts";
import { plainRequest, taskRequest } from "./support/prompts.ts";

const lm = rehearsalLm();

const asked = "How many lamps does the Norvik lighthouse burn?";
const question: ShownInput = ["Question", "What the user asks.", asked];
const fitting = "Norvik lighthouse\nThe Norvik lighthouse burns 14 lamps at night.";
const straying = "Bread\nRye bread needs a sour dough. It keeps for a week.";
const passage = (text: string): ShownInput => ["Passage", "The passage that was found.", text];
const truth = (description: string): JsonSchema => ({ type: "boolean", description });

describe("truth values of a passage", () => {
  const relevant = { is: truth("Whether the passage helps to answer the question.") };

  it("follow the evidence, and the other way round where the opposite is asked", async () => {
    const useless = { is: truth("Whether the passage is irrelevant to the question.") };

    expect(await judged("Judge.", [question, passage(fitting)], relevant)).toBe(true);
    expect(await judged("Judge.", [question, passage(straying)], relevant)).toBe(false);
    expect(await judged("Judge.", [question, passage(fitting)], useless)).toBe(false);
    expect(await judged("Judge.", [question, passage(straying)], useless)).toBe(true);
  });

  it("are given sooner when the instruction is generous than when it is strict", async () => {
    const half = passage("Norvik lighthouse\nIt is red, and open on Sundays.");
    const longer: ShownInput = [question[0], question[1], asked.replace("Norvik", "tall Norvik")];
    const generous = await judged("Be lenient: any part counts.", [longer, half], relevant);
    const strict = await judged("Be strict and demanding.", [longer, half], relevant);

    expect([generous, strict]).toEqual([true, false]);
  });
});

describe("truth values of solved steps", () => {
  const solved = { is: truth("Whether the steps are enough to answer the question.") };
  const chained: ShownInput = [
    "Question",
    "What the user asks.",
    "Where was the designer of the Norvik lighthouse born?",
  ];
  const steps = (...answers: readonly string[]): ShownInput => [
    "Steps",
    "The solved steps, each with its question and its answer.",
    answers
      .map((answer, index) => `Question ${index}: part?\nAnswer ${index}: ${answer}`)
      .join("\n") || "nothing",
  ];

  it("hold once everything that is asked for was found", async () => {
    expect(await judged("Judge.", [chained, steps()], solved)).toBe(false);
    expect(await judged("Judge.", [chained, steps("Tove Lindqvist")], solved)).toBe(false);
    expect(await judged("Judge.", [chained, steps("Tove Lindqvist", "Selby")], solved)).toBe(true);
    expect(await judged("Judge.", [chained, steps("Tove Lindqvist", "unknown")], solved)).toBe(
      false,
    );
  });

  it("are turned round when more steps are what is asked for", async () => {
    const open = { is: truth("Whether another step is needed.") };

    expect(await judged("Judge.", [chained, steps("Tove Lindqvist")], open)).toBe(true);
    expect(await judged("Judge.", [chained, steps("Tove Lindqvist", "Selby")], open)).toBe(false);
  });
});

describe("a response", () => {
  const response = (text: string): ShownInput => ["Response", "The response to judge.", text];
  const verdict: JsonSchema = { type: "string", description: "yes, no or partial." };

  it.each([
    ["I do not have enough information to answer this.", "yes"],
    ["It burns 14 lamps at night.", "no"],
    ["It burns 14 lamps. The texts do not mention who keeps them.", "partial"],
  ])("is found to decline, wholly or in part: %s", async (text, word) => {
    const told = "Does the response say that it does not know?";

    expect(await judged(told, [question, response(text)], { is: verdict })).toBe(word);
    expect(await plain(`${told} Answer yes, no or partial.`, `Response: ${text}`)).toBe(word);
  });

  it("is taken apart, and each statement is held against the passages", async () => {
    const statements: JsonSchema = {
      type: "array",
      items: { type: "string" },
      description: "Statements that the response makes.",
    };
    const text = "The Norvik lighthouse burns 14 lamps at night and is owned by Captain Moss. [1]";
    const made = (await judged("Split it.", [question, response(text)], {
      is: statements,
    })) as string[];
    const listed: ShownInput = [
      "Statements",
      "Statements to check, numbered.",
      made.map((one, index) => `${index + 1}. ${one}`).join("\n"),
    ];
    const verdicts: JsonSchema = {
      type: "array",
      description: "One for each statement.",
      items: {
        type: "object",
        properties: {
          number: { type: "integer", description: "Number of the statement." },
          holds: { type: "boolean", description: "Whether the passages support it." },
        },
        required: ["number", "holds"],
      },
    };

    expect(made).toHaveLength(2);
    expect(await judged("Check each.", [passage(fitting), listed], { is: verdicts })).toEqual([
      { number: 1, holds: true },
      { number: 2, holds: false },
    ]);
  });

  it("is rated in the form, and on the scale, that a prompt shows", async () => {
    const good = `Question: ${asked}\nReference: It burns 14 lamps.\nResponse: It burns 14 lamps at night.`;
    const poor = good.replace("It burns 14 lamps at night.", "Rye bread needs sour dough.");
    const rating = async (told: string, text: string): Promise<number> =>
      Number(/\[\[(\d+)\]\]/.exec(await plain(told, text))?.[1]);
    const told = 'Rate the response from 1 to 10, in the form "Rating: [[number]]".';

    expect(await plain(told, good)).toMatch(/Rating: \[\[\d+\]\]$/);
    expect(await rating(told, good)).toBeGreaterThan((await rating(told, poor)) + 3);
    expect(await rating(told.replace("10", "5"), good)).toBeLessThanOrEqual(5);
  });

  it("of two is preferred for what it has of the evidence, wherever it stands", async () => {
    const two = (first: string, second: string): readonly ShownInput[] => [
      question,
      passage(fitting),
      ["One", "Answer A.", first],
      ["Two", "Answer B.", second],
    ];
    const better = "The Norvik lighthouse burns 14 lamps at night.";
    const worse = "Rye bread keeps for a week, and boats moor along the quay.";
    const preferred: JsonSchema = {
      type: "string",
      enum: ["A", "B"],
      description: "The better one.",
    };
    const score = (of: string): JsonSchema => ({
      type: "number",
      minimum: 0,
      maximum: 10,
      description: `Quality of answer ${of}.`,
    });

    expect(await judged("Compare.", two(better, worse), { is: preferred })).toBe("A");
    expect(await judged("Compare.", two(worse, better), { is: preferred })).toBe("B");
    expect(await judged("Compare.", two(better, worse), { is: score("A") })).toBeGreaterThan(
      (await judged("Compare.", two(better, worse), { is: score("B") })) as number,
    );
  });
});

describe("the chance of yes", () => {
  it("follows relevance, so that passages can be ordered by it", async () => {
    const half = "Norvik\nNorvik is a port with a lighthouse and a quay.";
    const chances = await Promise.all([fitting, half, straying].map(chanceOfYes));

    expect(chances).toEqual(chances.toSorted((left, right) => right - left));
    expect(new Set(chances).size).toBe(3);
    expect(chances[0]).toBeGreaterThan(0.6);
    expect(chances[2]).toBeLessThan(0.4);
  });

  it.each([
    (text: string) => `<Query>: ${asked}\n<Document>: ${text}`,
    (text: string) => `### Question\n${asked}\n\n### Passage\n${text}`,
    (text: string) => `${asked}\n\n[1] ${text}`,
  ])("reads the prompt in any layout (%#)", async (layout) => {
    const told = "Is the passage relevant to the query? Reply yes or no.";

    expect(await plain(told, layout(fitting))).toBe("yes");
    expect(await plain(told, layout(straying))).toBe("no");
  });

  async function chanceOfYes(document: string): Promise<number> {
    const { logprobs } = await lm.doGenerate({
      ...plainRequest([
        {
          role: "system",
          content: "Does the document help to answer the query? Reply with one word: yes or no.",
        },
        { role: "user", content: `Query: ${asked}\n\nDocument: <text>\n${document}\n</text>` },
      ]),
      topLogprobs: 20,
    });
    const yes = logprobs?.[0]?.top.find(({ token }) => token === "yes");
    return Math.exp(yes?.logprob ?? Number.NEGATIVE_INFINITY);
  }
});

async function plain(told: string, text: string): Promise<string> {
  const { content } = await lm.doGenerate(
    plainRequest([
      { role: "system", content: told },
      { role: "user", content: text },
    ]),
  );
  return content ?? "";
}

async function judged(
  instruction: string,
  inputs: readonly ShownInput[],
  properties: { readonly is: JsonSchema },
): Promise<unknown> {
  const { content } = await lm.doGenerate(taskRequest({ instruction, inputs, properties }));
  return (JSON.parse(content ?? "") as { readonly is: unknown }).is;
}
