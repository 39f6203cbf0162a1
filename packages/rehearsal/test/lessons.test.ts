import { describe, expect, it } from "vitest";
import { rehearsalLm } from "../src/index.ts";
import { functionWords, textReader } from "../src/text/index.ts";
import { taskRequest } from "./support/prompts.ts";

const lm = rehearsalLm();
const reader = textReader();

/** Of the prompt that asks for a new instruction: the words from which one may be made. */
const improve = `Improve the instruction by what the feedback says. State when it should be strict or lenient, brief or detailed; when to cite passages, answer from them or say so when something is missing; how to split a question into parts, which answers of the steps to use, and which label to prefer.`;

interface Case {
  readonly inputs: Readonly<Record<string, string>>;
  /** @default "result" */
  readonly name?: string;
  readonly output: string;
  readonly feedback: string;
}

describe("feedback on a judging step", () => {
  const current = "Judge whether the passage helps.";
  const judged = (output: string, feedback: string, index: number): Case => ({
    inputs: { question: `How many lamps burn at quay ${index}?`, passage: "Boats moor there." },
    output,
    feedback,
  });
  const tooSoon = "On this very call:\nThe passage was not needed, and the answer was wrong.";
  const tooLate = "On this very call:\nIt was wrongly dropped, and nothing else has the answer.";

  it("teaches to be strict or lenient, as it complains", async () => {
    const soon = await learned(
      current,
      [1, 2].map((index) => judged("true", tooSoon, index)),
    );
    const late = await learned(
      current,
      [1, 2].map((index) => judged("false", tooLate, index)),
    );

    expect(soon.join(" ")).toMatch(/strict/i);
    expect(late.join(" ")).toMatch(/lenient/i);
  });

  it("teaches to be lenient when a passage that it calls missing was there", async () => {
    const passage = "Tarn Light burns fourteen oil lamps every winter night.";
    const cases = [1, 2].map((index) => ({
      inputs: { question: `How many lamps burn at quay ${index}?`, passage },
      output: "false",
      feedback: `Missing passages, found but not read:\n- Tarn Light: ${passage}`,
    }));

    expect((await learned(current, cases)).join(" ")).toMatch(/lenient/i);
    expect(
      await learned(
        current,
        cases.map((one) => ({ ...one, output: "true" })),
      ),
    ).toEqual([]);
  });

  it.each([
    ["true", "Wrongly judged complex: one search answers it.", /strict/i],
    ["false", "Wrongly judged not complex: it needs several searches.", /lenient/i],
  ])("is understood as %s that was wrong: %s", async (output, feedback, lesson) => {
    const cases = [1, 2].map((index) => judged(output, feedback, index));

    expect((await learned(current, cases)).join(" ")).toMatch(lesson);
  });

  it("teaches nothing when it complains of both, or of one case alone", async () => {
    const both = [judged("true", tooSoon, 1), judged("false", tooLate, 2)];

    expect(await learned(current, both)).toEqual([]);
    expect(await learned(current, [judged("true", tooSoon, 1)])).toEqual([]);
  });
});

describe("feedback on labels", () => {
  const current = "Sort the request.\nharbour: boats.\nquay: people.";

  it.each([
    "The request is harbour, but was taken for quay.",
    'Expected "harbour", got "quay".',
    "It should have been harbour, not quay.",
  ])("teaches which one to prefer: %s", async (remark) => {
    const cases = [1, 2].map((index) => ({
      inputs: { question: `Where does boat ${index} go?` },
      output: "quay",
      feedback: remark,
    }));

    expect(await learned(current, cases)).toEqual(['Prefer "harbour" rather than "quay".']);
  });
});

describe("feedback on an answering step", () => {
  const current = "Write an answer.";
  const passage = "The Norvik lighthouse burns 14 lamps. It was built in 1902 by Ada Brandt.";
  const answered = (output: string, feedback: string, index: number): Case => ({
    inputs: { question: `How many lamps burn in Norvik ${index}?`, passages: passage },
    output,
    feedback,
  });

  it.each([
    ["It burns 14 lamps.", "The answer is too long.", /brief/i],
    ["It burns 14 lamps.", "The answer is too short.", /detailed|thorough|full/i],
    ["It burns 14 lamps.", "It does not cite anything.", /cite/i],
    ["I do not know.", "Expected answer: 14 lamps", /answer from|use .*passages/i],
    ["It burns 14 lamps.", "Expected answer: That is not known.", /say so/i],
  ])("of %j, %j, teaches to mend it", async (output, feedback, lesson) => {
    const cases = [1, 2].map((index) => answered(output, feedback, index));

    expect((await learned(current, cases)).join(" ")).toMatch(lesson);
  });

  it("tells the answer given from the one expected, and remarks from both", async () => {
    const cases = [1, 2].map((index) =>
      answered(
        "It burns 14 lamps there every single night.",
        "Expected answer: 14\nAnswer: It burns 14 lamps there every single night.\nThe answer is too long: 8 words, where 1 was expected.",
        index,
      ),
    );

    expect((await learned(current, cases)).join(" ")).toMatch(/brief/i);
  });

  it("teaches no reading of texts where there were none", async () => {
    const cases = [1, 2].map((index) => ({
      inputs: { question: `What is ${index} times 12?` },
      name: "answer",
      output: "I do not know.",
      feedback: "Expected answer: 12",
    }));

    expect(await learned(current, cases)).toEqual([]);
  });

  it("uses only words that its prompt holds, and none of one answer alone", async () => {
    const cases = [1, 2].map((index) => answered("It burns.", "It is too long.", index));
    const held = new Set(
      reader.words(`${improve} ${promptOf(cases)} ${current}`).map(({ stem }) => stem),
    );
    const strange = (await learned(current, cases))
      .flatMap((line) => reader.words(line))
      .filter(({ lower, stem }) => !functionWords.has(lower) && !held.has(stem));

    expect(strange).toEqual([]);
  });
});

describe("feedback on a step that asks", () => {
  it("teaches to split a question that came back whole", async () => {
    const cases = ["Selby", "Orrin"].map((place) => {
      const question = `Who founded the ${place} ferry, and when did it open?`;
      return {
        inputs: { question },
        output: question,
        feedback: `Question: ${question}\nMissing: founded`,
      };
    });

    expect((await learned("Write sub-questions.", cases)).join(" ")).toMatch(/split the question/i);
  });

  it("teaches to use what the steps found when the same was asked again", async () => {
    const cases = ["Selby", "Orrin"].map((place) => ({
      inputs: {
        question: `Where was the designer of the ${place} lighthouse born?`,
        steps: `Question 1: Who is the designer of the ${place} lighthouse?\nAnswer 1: Tove Lindqvist`,
      },
      output: `Who is the designer of the ${place} lighthouse?`,
      feedback: "It had been asked before.",
    }));

    expect((await learned("Write the next question.", cases)).join(" ")).toMatch(
      /answers of the steps/i,
    );
  });
});

describe("what only a search can learn", () => {
  it.each([
    ["query", true],
    ["keyFindings", false],
    ["answer", false],
  ])("is taught by full sentences in %s: %s", async (name, isTaught) => {
    const cases = [1, 2].map((index) => ({
      inputs: { question: `How many lamps burn at quay ${index}?` },
      name,
      output: "And what is it that they do have over there?",
      feedback: "Missing passages:\n- Tarn Light burns oil. Write keywords.",
    }));

    expect(/keywords/i.test((await learned("Write.", cases)).join(" "))).toBe(isTaught);
  });
});

describe("a refused lesson", () => {
  it("gives way to another one, where the cases teach one", async () => {
    const cases = [1, 2].map((index) => ({
      inputs: {
        question: `How many lamps burn in Norvik ${index}?`,
        passages: "It burns 14 lamps.",
      },
      output: "It burns 14 lamps at night.",
      feedback: "It is too long. It does not cite anything.",
    }));
    const [first = ""] = await learned("Write an answer.", cases, { temperature: 1 });
    for (let seed = 1; seed <= 4; seed++) {
      const refused = `Write an answer.\n${first}`;
      const [second = ""] = await learned("Write an answer.", cases, {
        refused,
        temperature: 1,
        seed,
      });
      expect(/cite/i.test(second)).toBe(!/cite/i.test(first));
    }
  });
});

/** The lines that reflection adds. */
async function learned(
  current: string,
  cases: readonly Case[],
  {
    refused = "",
    temperature = 0,
    seed = 1,
  }: { readonly refused?: string; readonly temperature?: number; readonly seed?: number } = {},
): Promise<readonly string[]> {
  const request = taskRequest({
    instruction: improve,
    inputs: [
      ["Current", "The instruction to improve.", current],
      ["Cases", "Worked cases with inputs, outputs and feedback.", promptOf(cases)],
      ["Earlier", "A proposal that was rejected; empty when there is none.", refused || "(empty)"],
    ],
    properties: { better: { type: "string", description: "The new instruction." } },
    temperature,
    seed,
  });
  const { better } = JSON.parse((await lm.doGenerate(request)).content ?? "") as { better: string };
  return better.split("\n").filter((line) => !current.split("\n").includes(line));
}

function promptOf(cases: readonly Case[]): string {
  return cases
    .map(({ inputs, name = "result", output, feedback }, index) => {
      const shown = Object.entries(inputs).map(([name, text]) => `### ${name}\n${text}`);
      return `# Example ${index + 1}\n\n## Inputs\n${shown.join("\n")}\n\n## Generated Outputs\n### ${name}\n${output}\n\n## Feedback\n${feedback}`;
    })
    .join("\n\n");
}
