import { describe, expect, it } from "vitest";
import { rehearsalLm } from "../src/index.ts";
import { functionWords, textReader } from "../src/text/index.ts";
import { plainRequest, taskRequest } from "./support/prompts.ts";
import type { TalkCase } from "./support/retrieval-task.ts";
import { queryRequest, recallOf, retrievalTask } from "./support/retrieval-task.ts";

const lm = rehearsalLm();
const task = retrievalTask();
const seedInstruction = "Write a search query for the question.";

describe("reflection", () => {
  it("learns from feedback to carry over what queries lacked", async () => {
    const improved = await reflectOn(seedInstruction, await worked(seedInstruction, cases(0, 4)));

    expect(improved).toContain(seedInstruction);
    expect(improved).not.toBe(seedInstruction);
    expect(await recallOf(lm, improved, task)).toBeGreaterThan(
      (await recallOf(lm, seedInstruction, task)) + 0.3,
    );
  });

  it("drops a sentence that asks for the opposite of what the feedback shows", async () => {
    const bad = `${seedInstruction} Ignore the earlier turns.`;
    const improved = await reflectOn(bad, await worked(bad, cases(0, 4)));

    expect(improved).not.toContain("Ignore");
    expect(await recallOf(lm, improved, task)).toBeGreaterThan(0.8);
  });

  it.each([0, 0.7, 1])(
    "uses only words that its prompt holds (temperature %d)",
    async (temperature) => {
      const reader = textReader();
      const prompt = reflectionPrompt(seedInstruction, await worked(seedInstruction, cases(4, 8)));
      const held = new Set(reader.words(prompt).map(({ stem }) => stem));
      const written = await reply(prompt, temperature);
      const strange = reader
        .words(written)
        .filter(({ lower, stem }) => !functionWords.has(lower) && !held.has(stem));

      expect(written).not.toBe(seedInstruction);
      expect(strange.map(({ surface }) => surface)).toEqual([]);
    },
  );

  it("learns nothing from empty feedback", async () => {
    const shown = (await worked(seedInstruction, cases(0, 6))).map((one) => ({
      ...one,
      feedback: "",
    }));

    expect(await reflectOn(seedInstruction, shown)).toBe(seedInstruction);
  });

  it.each([1, 2, 3, 5, 7, 11])(
    "learns nothing when feedback is moved to other cases (by %d)",
    async (shift) => {
      for (let from = 0; from + 3 <= task.cases.length; from += 3) {
        const shown = await worked(seedInstruction, cases(from, from + 3));
        const others = await worked(seedInstruction, cases(0, task.cases.length));
        const moved = shown.map((one, index) => ({
          ...one,
          feedback: others[(from + index + 3 * shift) % others.length]?.feedback ?? "",
        }));

        expect(await reflectOn(seedInstruction, moved)).toBe(seedInstruction);
      }
    },
  );

  it("passes on advice that the feedback gives in so many words", async () => {
    const shown = (await worked(seedInstruction, cases(0, 2))).map((one) => ({
      ...one,
      feedback: "Score 0. You should quote the harbour permit number.",
    }));

    expect(await reflectOn(seedInstruction, shown)).toContain(
      "You should quote the harbour permit number.",
    );
  });

  it("takes a remark on one step for no part of the missing text", async () => {
    const shown = await worked(seedInstruction, cases(0, 2));
    // Two steps of each run, told apart by the remark alone: still one want for each question.
    const steps = shown.flatMap((one) =>
      [0, 1].map((score) => ({
        ...one,
        feedback: `${one.feedback}\nOn this step (score ${score}): This round found ${score} of 2.`,
      })),
    );

    expect(await reflectOn(seedInstruction, steps)).toBe(await reflectOn(seedInstruction, shown));
    expect(await reflectOn(seedInstruction, steps)).not.toBe(seedInstruction);
  });

  it("proposes differently for different seeds when sampled", async () => {
    const prompt = reflectionPrompt(seedInstruction, await worked(seedInstruction, cases(0, 6)));
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, seed) => reply(prompt, 1, seed)),
    );

    expect(new Set(replies).size).toBeGreaterThan(1);
  });

  it("fills a field that is to hold the new instruction", async () => {
    const shown = await worked(seedInstruction, cases(0, 4));
    const request = taskRequest({
      instruction: "Improve the instruction so that queries find the missing passages.",
      inputs: [
        ["Current", "The instruction to improve.", seedInstruction],
        ["Cases", "Worked cases with inputs, outputs and feedback.", casesText(shown)],
      ],
      properties: { better: { type: "string", description: "The new instruction." } },
    });
    const { better } = JSON.parse((await lm.doGenerate(request)).content ?? "") as {
      better: string;
    };

    expect(better.startsWith(seedInstruction)).toBe(true);
    expect(await recallOf(lm, better, task)).toBeGreaterThan(0.8);
  });
});

interface Worked {
  readonly talk: TalkCase;
  readonly query: string;
  readonly feedback: string;
}

function cases(from: number, to: number): readonly TalkCase[] {
  return task.cases.slice(from, to);
}

async function worked(instruction: string, talks: readonly TalkCase[]): Promise<readonly Worked[]> {
  return Promise.all(
    talks.map(async (talk) => {
      const { content } = await lm.doGenerate(queryRequest(instruction, talk));
      const { query } = JSON.parse(content ?? "") as { query: string };
      const gold = task.passages.find(({ id }) => id === talk.gold)?.text ?? "";
      const feedback = `Question: ${talk.question}\nRecall: 0.0\nRetrieved passages:\n- something else\nMissing gold passages:\n- ${gold}`;
      return { talk, query, feedback };
    }),
  );
}

function casesText(shown: readonly Worked[]): string {
  return shown
    .map(
      ({ talk, query, feedback }, index) =>
        `# Example ${index + 1}\n## Inputs\n### question\n${talk.question}\n\n### history\n${talk.history}\n\n## Generated Outputs\n### query\n${query}\n\n## Feedback\n${feedback}\n`,
    )
    .join("\n");
}

function reflectionPrompt(instruction: string, shown: readonly Worked[]): string {
  return `An assistant was given this instruction:
\`\`\`
${instruction}
\`\`\`

These are inputs it received, what it wrote, and feedback on how its queries could include the missing terms:
\`\`\`
${casesText(shown)}
\`\`\`

Write a new instruction. Return it in a fenced block.`;
}

async function reply(prompt: string, temperature: number, seed = 1): Promise<string> {
  const request = { ...plainRequest([{ role: "user", content: prompt }], temperature), seed };
  const { content } = await lm.doGenerate(request);
  return /^```\n([\s\S]*)\n```$/.exec(content ?? "")?.[1] ?? "";
}

async function reflectOn(instruction: string, shown: readonly Worked[]): Promise<string> {
  return reply(reflectionPrompt(instruction, shown), 0);
}
