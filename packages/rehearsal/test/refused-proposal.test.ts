import { describe, expect, it } from "vitest";
import { rehearsalLm } from "../src/index.ts";
import { taskRequest } from "./support/prompts.ts";
import { retrievalTask } from "./support/retrieval-task.ts";

const lm = rehearsalLm();
const task = retrievalTask();
const current = "Write a search query for the question.";

const cases = task.cases.slice(0, 4).map(({ question, history, gold }, index) => {
  const missing = task.passages.find(({ id }) => id === gold)?.text ?? "";
  return `# Example ${index + 1}

## Inputs
### question
${question}
### history
${history}

## Generated Outputs
### query
${question}

## Feedback
Question: ${question}
Missing gold passages:
- ${missing}`;
});

/** The lines that reflection adds, given what was refused before. */
async function addedLines({
  refused = "",
  shown = cases,
  temperature = 0,
  seed = 1,
}: {
  readonly refused?: string;
  readonly shown?: readonly string[];
  readonly temperature?: number;
  readonly seed?: number;
} = {}): Promise<readonly string[]> {
  const request = taskRequest({
    instruction:
      "Improve the instruction so that queries include the terms of earlier turns, keywords and details of the conversation.",
    inputs: [
      ["Current", "The instruction to improve.", current],
      ["Cases", "Worked cases with inputs, outputs and feedback.", shown.join("\n\n")],
      ["Earlier", "A proposal that was rejected; empty when there is none.", refused || "(empty)"],
    ],
    properties: { better: { type: "string", description: "The new instruction." } },
    temperature,
    seed,
  });
  const { better } = JSON.parse((await lm.doGenerate(request)).content ?? "") as { better: string };
  return better.split("\n").filter((line) => line !== current);
}

describe("a proposal that was refused", () => {
  it.each([0, 1])("is followed by other lines (temperature %d)", async (temperature) => {
    for (let seed = 1; seed <= 5; seed++) {
      const first = await addedLines({ temperature, seed });
      const refused = [current, ...first].join("\n");
      const second = await addedLines({ refused, temperature, seed });
      expect(first.length).toBeGreaterThan(0);
      expect(second.length).toBeGreaterThan(0);
      for (const line of second) expect(first).not.toContain(line);
    }
  });

  it("is no worked case, whatever it holds", async () => {
    expect(await addedLines()).not.toEqual([]);
    expect(await addedLines({ shown: [], refused: cases.join("\n\n") })).toEqual([]);
  });
});

it("does not take what later steps wrote for the step's own work", async () => {
  const withAfter = cases.map((one) => {
    const missing = one.slice(one.indexOf("\n- "));
    const after = `## What came after\n- the program gave ${missing}`;
    return one.replace("## Feedback", `${after}\n\n## Feedback`);
  });
  expect(await addedLines()).not.toEqual([]);
  expect(await addedLines({ shown: withAfter })).toEqual(await addedLines());
});
