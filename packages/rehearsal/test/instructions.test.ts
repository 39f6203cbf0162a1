import { describe, expect, it } from "vitest";
import { rehearsalLm } from "../src/index.ts";
import { queryRequest, recallOf, retrievalTask } from "./support/retrieval-task.ts";

const lm = rehearsalLm();
const task = retrievalTask();

/** Each original with four paraphrases. */
const paraphrased: Readonly<Record<string, readonly string[]>> = {
  "Rewrite the question as a standalone search query.": [
    "Turn what the user asks into a query that makes sense on its own.",
    "Write a self-contained query, one that a reader who has not seen the talk understands.",
    "The query must stand by itself, without leaning on anything said before.",
    "Produce a query that could be understood by someone who has not followed the exchange.",
  ],
  "Resolve pronouns and other references to what was said earlier.": [
    "Replace words such as it or they by what they stand for.",
    "Spell out whatever the question only points back to.",
    "Substitute every pronoun with its referent from the dialogue.",
    "Work out what ellipses and vague words refer to, and write that instead.",
  ],
  "Include the names from the earlier turns in the query.": [
    "Carry over the entities that came up in the conversation.",
    "Add the subject of the previous messages to the search.",
    "Always mention the things discussed before when you search.",
    "Bring the key terms of the chat history into the query.",
  ],
  "Use the conversation to complete the question, then search.": [
    "Take the dialogue into account when you write the query.",
    "Read the preceding turns and fill in what the question leaves out.",
    "Consider what was talked about before, and put it into the search.",
    "Draw on the history for anything the query needs.",
  ],
  "Never write a query that omits the topic under discussion.": [
    "Do not leave out of the query what the conversation is about.",
    "Do not forget the subject of the earlier exchange when searching.",
    "No query may go without the names mentioned before.",
    "Avoid queries that lack the entities from prior turns.",
  ],
};

const good = "Rewrite the question as a standalone query with the names from the earlier turns.";

const harmful: readonly string[] = [
  "Ignore everything that was said earlier in the conversation.",
  "Look at the latest message only.",
  "Treat each question in isolation.",
  "Do not mention any names or entities.",
  "Answer with one word.",
  "Write long, flowery, elaborate text.",
  "Copy the question word for word and change nothing.",
  "Just repeat the first question of the conversation.",
  "Be vague: use general words instead of specific ones.",
  "Never use the words of the question.",
];

describe("instructions", () => {
  it("leave the naive query when they say nothing", async () => {
    const vague = await Promise.all(
      ["Do the task.", "", "Produce the outputs from the inputs."].map((text) =>
        recallOf(lm, text, task),
      ),
    );

    expect(Math.max(...vague)).toBeLessThan(0.45);
    expect(Math.min(...vague)).toBeGreaterThan(0.2);
  });

  describe.each(Object.entries(paraphrased))("%s", (original, paraphrases) => {
    it.each(paraphrases)("works the same as: %s", async (paraphrase) => {
      const reference = await recallOf(lm, original, task);

      expect(reference).toBeGreaterThan(0.8);
      expect(Math.abs((await recallOf(lm, paraphrase, task)) - reference)).toBeLessThanOrEqual(0.1);
    });
  });

  it.each(harmful)("harm when they say: %s", async (sentence) => {
    const before = await recallOf(lm, good, task);

    expect(await recallOf(lm, `${good} ${sentence}`, task)).toBeLessThan(before - 0.1);
  });

  it.each(harmful)("do not help by saying only: %s", async (sentence) => {
    const naive = await recallOf(lm, "Do the task.", task);

    expect(await recallOf(lm, sentence, task)).toBeLessThan(naive + 0.1);
  });

  it("weaken when they are buried under too many words", async () => {
    const filler = "This is one more line that has nothing to do with it. ".repeat(400);

    expect(await recallOf(lm, `${good} ${filler}`, task)).toBeLessThan(
      (await recallOf(lm, good, task)) - 0.1,
    );
  });

  it("add up: the more of them, the more is carried over", async () => {
    const talk = task.cases[0];
    if (talk === undefined) throw new Error("The task is empty.");
    const lengthWith = async (text: string): Promise<number> =>
      (await lm.doGenerate(queryRequest(text, talk))).content?.length ?? 0;

    const lengths = await Promise.all(
      [
        "Do the task.",
        "Given the conversation, write a query.",
        good,
        `${good} Add words from the assistant's replies.`,
      ].map(lengthWith),
    );
    expect(lengths.toSorted((left, right) => left - right)).toEqual(lengths);
    expect(new Set(lengths).size).toBe(lengths.length);
  });
});
