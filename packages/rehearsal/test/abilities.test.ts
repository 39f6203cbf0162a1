import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema, LmReply } from "../../../src/contract/index.ts";
import { rehearsalLm } from "../src/index.ts";
import type { ShownInput } from "./support/prompts.ts";
import { greedy, plainRequest, taskRequest } from "./support/prompts.ts";

const lm = rehearsalLm();

const question: ShownInput = [
  "Question",
  "What the user asks.",
  "How many lamps does the Norvik lighthouse burn?",
];
const answering: ShownInput = [
  "Passages",
  "Passages that were retrieved.",
  "[1] Harbour\nThe harbour was dredged twice. Boats moor along the quay.\n\n[2] Norvik lighthouse\nThe Norvik lighthouse burns 14 lamps at night. Its keeper is Ada Brandt.",
];
const straying: ShownInput = [
  "Passages",
  "Passages that were retrieved.",
  "[1] Bread\nRye bread needs a sour dough. It keeps for a week.",
];
const answer: JsonSchema = { type: "string", description: "Answer to the question." };

describe("answers", () => {
  it("are taken from the first passage unless the instruction asks for the best evidence", async () => {
    const naive = await written("Do the task.", [question, answering], { answer });
    const grounded = await written("Answer from the passages only.", [question, answering], {
      answer,
    });

    expect(naive["answer"]).toContain("harbour");
    expect(grounded["answer"]).toContain("burns 14 lamps");
  });

  it("are short, cited or refused when the instruction says so", async () => {
    const from = "Answer from the passages.";
    const bare = await written(
      `${from} Give only the answer, no explanation.`,
      [question, answering],
      { answer },
    );
    const cited = await written(`${from} Cite the passage numbers.`, [question, answering], {
      answer,
    });
    const bareAndCited = await written(
      `${from} Give only the answer, no explanation. Cite the passage numbers.`,
      [question, answering],
      { answer },
    );
    const refused = await written(
      `${from} If the evidence is insufficient, say so.`,
      [question, straying],
      { answer },
    );

    expect(bare["answer"]).toBe("14");
    expect(bareAndCited["answer"]).toBe("14 [2]");
    expect(cited["answer"]).toContain("lamps at night. [2]");
    expect(refused["answer"]).toMatch(/do not answer/);
  });
});

describe("labels", () => {
  const label: JsonSchema = {
    type: "string",
    enum: ["ANSWERABLE", "PARTIAL", "UNANSWERABLE"],
    description: "Whether the passages answer the question.",
  };

  it("follow how far the evidence covers the question", async () => {
    const full = await written("Label it.", [question, answering], { label });
    const none = await written("Label it.", [question, straying], { label });

    expect([full["label"], none["label"]]).toEqual(["ANSWERABLE", "UNANSWERABLE"]);
  });

  it("follow the closest demonstration where they are no degrees", async () => {
    const kind: JsonSchema = { type: "string", enum: ["alpha", "beta"], description: "Kind." };
    const shown = (text: string, value: string): { inputs: ShownInput[]; outputs: object } => ({
      inputs: [["Question", "What the user asks.", text]],
      outputs: { kind: value },
    });
    const reply = await lm.doGenerate(
      taskRequest({
        instruction: "Say which kind it is.",
        inputs: [question],
        properties: { kind },
        demonstrations: [
          shown("How do I bake rye bread?", "alpha"),
          shown("How many lamps does the Selby lighthouse have?", "beta"),
        ],
      }),
    );

    expect(parsed(reply)["kind"]).toBe("beta");
  });

  it("lean towards the label that the instruction prefers", async () => {
    const half: ShownInput = [
      "Passages",
      "Passages that were retrieved.",
      "[1] Lighthouse\nThe Norvik lighthouse is red.",
    ];
    const usual = await chanceOf("UNANSWERABLE", "Label it.", half, label);
    const told = await chanceOf("UNANSWERABLE", 'Prefer "UNANSWERABLE" when unsure.', half, label);

    expect(told).toBeGreaterThan(usual);
  });

  it("come with the chance of yes when a plain prompt asks for yes or no", async () => {
    const chance = async (document: string): Promise<number> => {
      const reply = await lm.doGenerate({
        ...plainRequest([
          { role: "system", content: 'Is the passage relevant? Answer "yes" or "no".' },
          { role: "user", content: `How many lamps burn in Norvik?\n\n[1] ${document}` },
        ]),
        topLogprobs: 5,
      });
      const yes = reply.logprobs?.[0]?.top.find(({ token }) => token === "yes");
      return Math.exp(yes?.logprob ?? Number.NEGATIVE_INFINITY);
    };

    expect(["yes", "no"]).toContain(
      (await lm.doGenerate(plainRequest([{ role: "user", content: "Answer yes or no." }]))).content,
    );
    expect(await chance("Norvik burns 14 lamps.")).toBeGreaterThanOrEqual(
      await chance("Rye bread."),
    );
  });
});

describe("notes", () => {
  it("say what was found, what is missing and what to search for", async () => {
    const notes = await written(
      "Name the entities.",
      [
        [
          "Question",
          "What the user asks.",
          "Who keeps the Norvik lighthouse, and what salary is paid?",
        ],
        answering,
      ],
      {
        findings: { type: "string", description: "Key findings in the passages." },
        missing: { type: "string", description: "Information that is still missing." },
        suggestions: { type: "string", description: "Suggestions for the next search." },
      },
    );

    expect(notes["findings"]).toContain("Ada Brandt");
    expect(notes["missing"]).toBe("salary, paid");
    expect(notes["suggestions"]).toContain("salary");
  });

  it("steer the next query when the instruction says to use them", async () => {
    const notes: ShownInput = [
      "Notes",
      "Notes of the earlier steps.",
      "=== Step 1 ===\nKey findings: The keeper is Ada Brandt.\nMissing info: salary, paid\nSearch suggestions: lighthouse keeper wages",
    ];
    const query: JsonSchema = { type: "string", description: "Search query." };
    const naive = await written("Do the task.", [question, notes], { query });
    const told = await written("Use the notes in the query.", [question, notes], { query });

    expect(naive["query"]).toBe(question[2]);
    for (const word of ["Ada", "Brandt", "salary", "wages"]) expect(told["query"]).toContain(word);
  });

  it("hand on the names that lead from the question to the next fact", async () => {
    const asked: ShownInput = [
      "Question",
      "What the user asks.",
      "Where was the designer of the Norvik lighthouse born?",
    ];
    const notes: ShownInput = [
      "Notes",
      "Notes of the earlier steps.",
      "Key findings: The Norvik Lighthouse Tower is a Danish landmark, admired by Rosa Quill on 3 March 1901 and designed by Tove Lindqvist. Selby ferries sail with Captain Moss to Orrin Bay.",
    ];
    const query: JsonSchema = { type: "string", description: "Search query." };
    const told = await written("Use the names from the key findings.", [asked, notes], { query });
    const carried = told["query"]?.split(" ").filter((word) => !asked[2].includes(word));

    expect(carried).toEqual(["Tove", "Lindqvist", "Rosa", "Quill"]);
  });

  it("start from the sentences that tell the subject of the question from others", async () => {
    const asked: ShownInput = ["Question", "What the user asks.", "Which old port is Orrin in?"];
    const many: ShownInput = [
      "Passages",
      "Passages that were retrieved.",
      "[1] Selby\nSelby is an old port. The port is old.\n\n[2] Moss\nMoss has an old port.\n\n[3] Orrin\nOrrin belongs to Selby.",
    ];
    const findings: JsonSchema = { type: "string", description: "Key findings." };
    const notes = await written("Write notes.", [asked, many], { findings });

    expect(notes["findings"]).toMatch(/^Orrin belongs/);
  });
});

describe("demonstrations", () => {
  it("switch on what they show without a word of instruction", async () => {
    const history = (text: string): ShownInput => ["History", "The conversation so far.", text];
    const asked = (text: string): ShownInput => ["Question", "What the user asks.", text];
    const inputs = [asked("When does it open?"), history("user: Tell me of the Norvik museum.")];
    const query: JsonSchema = { type: "string", description: "Search query." };
    const request = taskRequest({
      instruction: "Do the task.",
      inputs,
      properties: { query },
      demonstrations: [
        {
          inputs: [asked("How much is it?"), history("user: Is there a Selby ferry?")],
          outputs: { query: "Selby ferry fares" },
        },
      ],
    });

    expect((await written("Do the task.", inputs, { query }))["query"]).toBe("When does it open?");
    expect(parsed(await lm.doGenerate(request))["query"]).toContain("Norvik museum");
  });
});

describe("replies", () => {
  it("keep to the bounds of any schema", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          maxLength: fc.integer({ min: 1, max: 60 }),
          maxItems: fc.integer({ min: 1, max: 5 }),
          minimum: fc.integer({ min: -50, max: 50 }),
          width: fc.integer({ min: 0, max: 100 }),
          instruction: fc.constantFrom(
            "Do the task.",
            "Write five diverse queries.",
            "Be long and flowery.",
          ),
        }),
        async ({ maxLength, maxItems, minimum, width, instruction }) => {
          const maximum = minimum + width;
          const reply = await written(instruction, [question, answering], {
            query: { type: "string", description: "Search query.", maxLength },
            queries: {
              type: "array",
              description: "Search queries.",
              maxItems,
              items: { type: "string", maxLength },
            },
            grade: { type: "integer", description: "Grade.", minimum, maximum },
            confidence: { type: "number", description: "Confidence.", minimum, maximum },
            isFound: { type: "boolean", description: "Whether it was found." },
            note: { anyOf: [answer, { type: "null" }], description: "A note." },
          });
          const { query, queries, grade, confidence, isFound } = reply as unknown as {
            query: string;
            queries: string[];
            grade: number;
            confidence: number;
            isFound: boolean;
          };
          expect(query.length).toBeLessThanOrEqual(maxLength);
          expect(queries.length).toBeLessThanOrEqual(maxItems);
          expect(queries.every(({ length }) => length <= maxLength)).toBe(true);
          expect(Number.isInteger(grade)).toBe(true);
          for (const value of [grade, confidence]) {
            expect(value).toBeGreaterThanOrEqual(minimum);
            expect(value).toBeLessThanOrEqual(maximum);
          }
          expect(isFound).toBeTypeOf("boolean");
        },
      ),
      { numRuns: 60 },
    );
  });

  it("survive any text in any field", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.string(), async (text, instruction) => {
        const reply = await lm.doGenerate(
          taskRequest({ instruction, inputs: [["Question", "", text]], properties: { answer } }),
        );
        expect(parsed(reply)["answer"]).toBeTypeOf("string");
      }),
      { numRuns: 60 },
    );
  });

  it("are cut at the token limit and say so", async () => {
    const request = taskRequest({ instruction: "", inputs: [question], properties: { answer } });
    const reply = await lm.doGenerate({
      ...request,
      sampling: { ...greedy(), maxCompletionTokens: 3 },
    });

    expect(reply.finishReason).toBe("length");
    expect(reply.usage.completionTokens).toBe(3);
  });

  it("reject with the reason of a signal that has fired", async () => {
    const request = plainRequest([{ role: "user", content: "Anything." }]);

    await expect(
      lm.doGenerate(request, { signal: AbortSignal.abort(new Error("enough")) }),
    ).rejects.toThrow("enough");
  });
});

async function written(
  instruction: string,
  inputs: readonly ShownInput[],
  properties: Readonly<Record<string, JsonSchema>>,
): Promise<Record<string, string>> {
  return parsed(await lm.doGenerate(taskRequest({ instruction, inputs, properties })));
}

async function chanceOf(
  value: string,
  instruction: string,
  passages: ShownInput,
  label: JsonSchema,
): Promise<number> {
  const reply = await lm.doGenerate(
    taskRequest({
      instruction,
      inputs: [question, passages],
      properties: { label },
      topLogprobs: 5,
    }),
  );
  const top = reply.logprobs?.find((token) => token.top.length > 1)?.top ?? [];
  return Math.exp(
    top.find(({ token }) => value.startsWith(token))?.logprob ?? Number.NEGATIVE_INFINITY,
  );
}

function parsed({ content }: LmReply): Record<string, string> {
  return JSON.parse(content ?? "") as Record<string, string>;
}
