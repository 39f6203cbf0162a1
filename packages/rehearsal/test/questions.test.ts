import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/contract/index.ts";
import { rehearsalLm } from "../src/index.ts";
import type { ShownInput } from "./support/prompts.ts";
import { taskRequest } from "./support/prompts.ts";

const lm = rehearsalLm();

const compound = "Who founded the Selby ferry, when did it open, and how long is its route?";
const chained = "Where was the designer of the Norvik lighthouse born?";
const described = "How high is the hill where the monks of Orrin keep their bees?";
const single = "How many lamps does the Norvik lighthouse burn?";

describe("the parts of a question", () => {
  const parts: JsonSchema = {
    type: "array",
    items: { type: "string" },
    maxItems: 8,
    description: "Sub-questions that the question is made of.",
  };

  it("are written one by one, with the subject where the instruction wants it", async () => {
    const bare = await listed("Split the question.", compound, parts);
    const named = await listed(
      "Split the question. Replace pronouns by what they stand for.",
      compound,
      parts,
    );

    expect(bare).toEqual([
      "Who founded the Selby ferry?",
      "When did it open?",
      "How long is its route?",
    ]);
    expect(named).toEqual([
      "Who founded the Selby ferry?",
      "When did Selby open?",
      "How long is Selby's route?",
    ]);
  });

  it.each([
    "Break the question down; each part must be understandable on its own.",
    "Divide what is asked. Every part stands alone.",
    "Decompose the request, and write out the names that pronouns stand for.",
  ])("are found whatever the words: %s", async (instruction) => {
    expect((await listed(instruction, compound, parts))[2]).toBe("How long is Selby's route?");
  });

  it("are listed attributes as well", async () => {
    const asked = "What are the height, the weight and the age of the Orrin bell?";
    expect(await listed("Split the question.", asked, parts)).toEqual([
      "What is the height of the Orrin bell?",
      "What is the weight of the Orrin bell?",
      "What is the age of the Orrin bell?",
    ]);
  });

  it("are the question alone where there is one ask, or nothing tells to split", async () => {
    const untold: JsonSchema = { ...parts, description: "Next things to look up, as questions." };

    expect(await listed("Split the question.", single, parts)).toEqual([single]);
    expect(await listed("Do the task.", compound, untold)).toEqual([compound]);
  });
});

describe("the next question", () => {
  const next: JsonSchema = { type: "string", description: "The sub-question to ask next." };
  const stepwise = "Ask first for what everything else depends on.";
  const full = `${stepwise} Put the answers of the solved steps in their place.`;
  const solved = "Question 1: Who is the designer?\nAnswer 1: Tove Lindqvist";

  it("asks for what is only described before anything else", async () => {
    expect(await nextFor(stepwise, chained, "nothing")).toBe(
      "Who is the designer of the Norvik lighthouse?",
    );
    expect(await nextFor(stepwise, described, "nothing")).toBe(
      "In which hill the monks of Orrin keep their bees?",
    );
  });

  it("goes on from what the steps found, in any notation", async () => {
    const inJson = JSON.stringify([{ asked: "Who is the designer?", found: "Tove Lindqvist" }]);

    for (const steps of [solved, "Q: Who is the designer?\nA: Tove Lindqvist", inJson]) {
      expect(await nextFor(full, chained, steps)).toBe("Where was Tove Lindqvist born?");
    }
  });

  it.each([
    "Work step by step. Use the answers of the steps.",
    "Ask one fact at a time; fill in what the steps found.",
  ])("follows the instruction in other words: %s", async (instruction) => {
    expect(await nextFor(instruction, chained, solved)).toBe("Where was Tove Lindqvist born?");
  });

  it("goes round in circles where nothing says to use what was found, or it is forbidden", async () => {
    const circle = "Who is the designer of the Norvik lighthouse?";

    expect(await nextFor(stepwise, chained, solved)).toBe(circle);
    expect(await nextFor(`${stepwise} Never use the answers of the steps.`, chained, solved)).toBe(
      circle,
    );
  });

  it("is the question itself without a word of instruction, and after a step that found nothing", async () => {
    const untold: JsonSchema = { type: "string", description: "The next question." };
    const reply = await filled("Do the task.", stepsInputs(chained, "nothing"), { next: untold });

    expect(reply["next"]).toBe(chained);
    expect(await nextFor(full, single, "nothing")).toBe(single);
    expect(await nextFor(full, chained, solved.replace("Tove Lindqvist", "(none)"))).toBe(
      "Who is the designer of the Norvik lighthouse?",
    );
  });

  it("is shown by demonstrations as well", async () => {
    const request = taskRequest({
      instruction: "Do the task.",
      inputs: stepsInputs(chained, solved),
      properties: { next },
      demonstrations: [
        {
          inputs: stepsInputs(
            "What does the owner of the Kesh mill sell?",
            "Question 1: Who is the owner of the Kesh mill?\nAnswer 1: Ada Brandt",
          ),
          outputs: { next: "What does Ada Brandt sell?" },
        },
      ],
    });
    const { content } = await lm.doGenerate(request);
    expect(content).toBe(JSON.stringify({ next: "Where was Tove Lindqvist born?" }));
  });

  async function nextFor(instruction: string, question: string, steps: string): Promise<string> {
    const inputs = stepsInputs(question, steps);
    return (await filled(instruction, inputs, { next }))["next"] as string;
  }
});

describe("kinds of question", () => {
  const instruction = `Sort the request by the work it takes.
basket: everyday knowledge, no lookup at all.
anchor: one fact, found by one search.
ladder: several facts, independent of each other.
mirror: a chain, where a thing is only described and has to be found first.`;
  const kind: JsonSchema = {
    type: "string",
    enum: ["basket", "anchor", "ladder", "mirror"],
    description: "The kind of request.",
  };

  it("go to the label whose meaning fits the wording of the question", async () => {
    const kinds = await Promise.all(
      ["What is 12 plus 30?", single, compound, chained, described].map((question) =>
        kindOf(question),
      ),
    );

    expect(kinds).toEqual(["basket", "anchor", "ladder", "mirror", "mirror"]);
  });

  it("follow the definitions when these change places, and not the order of the labels", async () => {
    const swapped = instruction.replace("ladder:", "x:").replace("mirror:", "ladder:");

    expect(await kindOf(chained, swapped.replace("x:", "mirror:"))).toBe("ladder");
  });

  it("are found by the labels' own names where nothing is said of them", async () => {
    const named: JsonSchema = { ...kind, enum: ["simple", "compound", "multi-hop"] };
    const kinds = await Promise.all(
      [single, compound, chained].map((question) => kindOf(question, "Do the task.", named)),
    );

    expect(kinds).toEqual(["simple", "compound", "multi-hop"]);
  });

  it("are told apart as truth values, too, in both directions", async () => {
    const truth = async (description: string, question: string): Promise<unknown> =>
      (
        await filled("Judge the question.", questionInput(question), {
          is: { type: "boolean", description },
        })
      )["is"];

    expect(await truth("Whether it takes more than one search.", chained)).toBe(true);
    expect(await truth("Whether it takes more than one search.", single)).toBe(false);
    expect(await truth("Whether the question is simple.", single)).toBe(true);
    expect(await truth("Whether the question is simple.", compound)).toBe(false);
  });

  async function kindOf(question: string, told = instruction, schema = kind): Promise<unknown> {
    return (await filled(told, questionInput(question), { kind: schema }))["kind"];
  }
});

describe("an answer from solved steps", () => {
  const answer: JsonSchema = { type: "string", description: "The answer to the whole question." };
  const three = ["Ada Brandt", "1902", "40 km"]
    .map((found, index) => `Question ${index + 1}: part?\nAnswer ${index + 1}: ${found}`)
    .join("\n");

  it("is what the last step found, or all parts with what the instruction puts between them", async () => {
    const told = 'Answer from the steps. Write " + " between the parts.';

    expect(await answerTo(told, chained, three)).toBe("40 km");
    expect(await answerTo(told, compound, three)).toBe("Ada Brandt + 1902 + 40 km");
    expect(await answerTo("Do the task.", compound, three)).toBe("Ada Brandt, 1902, 40 km");
  });

  it("names the one of two that fits the comparison", async () => {
    const asked = "Which was built first, the Norvik lighthouse or the Selby quay?";
    const years = "Q1: When?\nA1: 3 May 1902\nQ2: When?\nA2: in 1890";

    expect(await answerTo("Answer from the steps.", asked, years)).toBe("Selby quay");
  });

  async function answerTo(told: string, question: string, steps: string): Promise<unknown> {
    return (await filled(told, stepsInputs(question, steps), { answer }))["answer"];
  }
});

it("does the same whatever the fields are called", async () => {
  const properties = (name: string): Record<string, JsonSchema> => ({
    [name]: { type: "string", description: "The sub-question to ask next." },
  });
  const [asked, steps] = stepsInputs(chained, "Q: Who?\nA: Tove Lindqvist");
  const renamed: readonly ShownInput[] = [
    ["Vrum", asked?.[1] ?? "", asked?.[2] ?? ""],
    ["Zwek", steps?.[1] ?? "", steps?.[2] ?? ""],
  ];
  const instruction = "Work step by step. Use the answers of the steps.";

  expect((await filled(instruction, renamed, properties("plomp")))["plomp"]).toBe(
    "Where was Tove Lindqvist born?",
  );
});

function questionInput(question: string): readonly ShownInput[] {
  return [["Question", "The question to be answered.", question]];
}

function stepsInputs(question: string, steps: string): readonly ShownInput[] {
  return [
    ...questionInput(question),
    ["Steps", "The steps solved so far, each with its question and its answer.", steps],
  ];
}

async function listed(
  instruction: string,
  question: string,
  parts: JsonSchema,
): Promise<readonly string[]> {
  return (await filled(instruction, questionInput(question), { parts }))["parts"] as string[];
}

async function filled(
  instruction: string,
  inputs: readonly ShownInput[],
  properties: Readonly<Record<string, JsonSchema>>,
): Promise<Record<string, unknown>> {
  const { content } = await lm.doGenerate(taskRequest({ instruction, inputs, properties }));
  return JSON.parse(content ?? "") as Record<string, unknown>;
}
