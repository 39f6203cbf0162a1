import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/contract/index.ts";
import { rehearsalLm } from "../src/index.ts";
import type { ShownInput } from "./support/prompts.ts";
import { taskRequest } from "./support/prompts.ts";

const lm = rehearsalLm();

const question: ShownInput = [
  "Question",
  "What the user asks.",
  "How many lamps does the Norvik lighthouse burn?",
];
const found: ShownInput = [
  "Found",
  "Documents that were found.",
  "[3] Harbour\nBoats moor along the quay.\n\n[4] Norvik lighthouse\nThe Norvik lighthouse burns 14 lamps. It is red.",
];

describe("lists", () => {
  const useful: JsonSchema = {
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Numbers of the documents that are useful.",
  };

  it("of documents name those that bear on the question by the numbers shown with them", async () => {
    const nothing: ShownInput = [found[0], found[1], "[1] Bread\nRye bread needs sour dough."];

    expect((await filled("Pick.", [question, found], { useful }))["useful"]).toEqual([4]);
    expect((await filled("Pick.", [question, nothing], { useful }))["useful"]).toEqual([]);
  });

  it("of documents leave out what the notes have already", async () => {
    const notes: ShownInput = [
      "Notes",
      "Summaries of earlier rounds.",
      "The Norvik lighthouse burns 14 lamps. It is red.",
    ];

    expect((await filled("Pick.", [question, notes, found], { useful }))["useful"]).toEqual([]);
  });

  it("of quotations copy sentences word for word, with the id of their passage", async () => {
    const named: ShownInput = [
      found[0],
      found[1],
      "[quay-1] Harbour\nBoats moor along the quay.\n\n[tower-2] Norvik lighthouse\nThe Norvik lighthouse burns 14 lamps. It is red.",
    ];
    const quotes: JsonSchema = {
      type: "array",
      description: "Sentences that answer.",
      items: {
        type: "object",
        properties: {
          from: { type: "string", description: "Id of the passage." },
          said: { type: "string", description: "The sentence, word for word." },
        },
      },
    };

    expect((await filled("Quote.", [question, named], { quotes }))["quotes"]).toEqual([
      { from: "tower-2", said: "The Norvik lighthouse burns 14 lamps." },
    ]);
  });

  it("of queries are as long as an input says", async () => {
    const count: ShownInput = ["Count", "Most queries to write.", "4"];
    const queries: JsonSchema = {
      type: "array",
      items: { type: "string" },
      maxItems: 8,
      description: "Search queries, each different.",
    };
    const told = "Write diverse queries.";
    const several = (await filled(told, [question, count], { queries }))["queries"] as string[];

    expect(several.length).toBeGreaterThanOrEqual(3);
    expect(several.length).toBeLessThanOrEqual(4);
    expect(new Set(several).size).toBe(several.length);
  });

  it("of terms take names or other words, as described, and no more than they may", async () => {
    const history: ShownInput = ["History", "The conversation.", "user: Tell me of Ada Brandt."];
    const lists = await filled("List the terms.", [question, history], {
      anchors: {
        type: "array",
        items: { type: "string" },
        description: "What the question is about, at most 3 terms.",
      },
      keywords: {
        type: "array",
        items: { type: "string" },
        description: "What is asked of it, at most 2 terms.",
      },
    });

    expect(lists["anchors"]).toEqual(["Norvik"]);
    expect(lists["keywords"]).toEqual(["lamps", "lighthouse"]);
  });
});

describe("outputs that may stay empty", () => {
  const properties: Record<string, JsonSchema> = {
    picked: {
      type: "array",
      items: { type: "integer", minimum: 1 },
      description: "Numbers of the useful documents.",
    },
    gist: { type: "string", description: "Summary of what they tell; empty without any." },
    isEnough: { type: "boolean", description: "Whether the documents suffice for the answer." },
    next: { type: "string", description: "Search query for the rest; empty when they suffice." },
  };

  it("are left so as what was written before them says", async () => {
    const enough = await filled("Review.", [question, found], properties);
    const lacking = await filled(
      "Review.",
      [question, [found[0], found[1], "[1] Bread\nRye bread needs sour dough."]],
      properties,
    );

    expect([enough["isEnough"], enough["next"]]).toEqual([true, ""]);
    expect(enough["gist"]).toContain("14 lamps");
    expect([lacking["isEnough"], lacking["gist"]]).toEqual([false, ""]);
    expect(lacking["next"]).not.toBe("");
  });
});

describe("answers", () => {
  const answer: JsonSchema = { type: "string", description: "Answer to the question." };
  const short = "Answer from the documents in as few words as possible.";

  it("are the figure next to what is counted, or the name that is asked for", async () => {
    const mixed: ShownInput = [
      found[0],
      found[1],
      "[1] Norvik lighthouse\nBuilt in 1902 for 30 crowns, the Norvik lighthouse burns 14 lamps, and its keeper is Ada Brandt.",
    ];
    const who: ShownInput = [question[0], question[1], "Who is the keeper of the lighthouse?"];

    expect((await filled(short, [question, mixed], { answer }))["answer"]).toBe("14");
    expect((await filled(short, [who, mixed], { answer }))["answer"]).toBe("Ada Brandt");
  });

  it("admit that nothing is known where there is nothing to answer from", async () => {
    expect((await filled("Answer.", [question], { answer }))["answer"]).toBe("I do not know.");
  });

  it("decline in the words that the instruction gives, and never where it forbids it", async () => {
    const straying: ShownInput = [found[0], found[1], "[1] Bread\nRye bread needs sour dough."];
    const answered = async (told: string): Promise<unknown> =>
      (await filled(`Answer from the documents. ${told}`, [question, straying], { answer }))[
        "answer"
      ];

    expect(await answered("Otherwise say that you do not have enough information.")).toBe(
      "I do not have enough information.",
    );
    expect(await answered('If the evidence is missing, reply "That is not on our shelves."')).toBe(
      "That is not on our shelves.",
    );
    expect(await answered("A refusal is not accepted.")).toContain("dough");
  });

  it("are mended rather than written anew where the instruction says so", async () => {
    const given: readonly ShownInput[] = [
      ["Draft", "The answer as it is.", "It burns 14 lamps. It is lit at dusk."],
      ["Problem", "What is wrong with it.", "It is too long."],
      [
        "Facts",
        "Sentences from the documents.",
        JSON.stringify(["The lighthouse burns 14 lamps."]),
      ],
    ];
    const mended: JsonSchema = { type: "string", description: "The whole answer, mended." };

    expect((await filled("Mend the answer.", given, { mended }))["mended"]).toBe(
      "It burns 14 lamps.",
    );
  });
});

async function filled(
  instruction: string,
  inputs: readonly ShownInput[],
  properties: Readonly<Record<string, JsonSchema>>,
): Promise<Record<string, unknown>> {
  const { content } = await lm.doGenerate(taskRequest({ instruction, inputs, properties }));
  return JSON.parse(content ?? "") as Record<string, unknown>;
}
