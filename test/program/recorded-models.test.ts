import type { LanguageModel, PredictorTrace } from "espalier";
import { agent, predict, program, reason, signature, text, tool } from "espalier";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { recordedModels } from "../support/recorded-models/recorded-models.ts";
import { thrownBy } from "../support/thrown-by.ts";

const trained = recordedModels("exchanges");
const smol = trained("smollm2-135m");
const qwen = trained("qwen-coder-0.5b");

const answer = signature({
  name: "answer",
  instruction: "Answer the question.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});
const capital = { question: "What is the capital of France?" };

const mill = signature({
  name: "mill",
  instruction: "Read the passage and note what it says of the mill.",
  input: { passage: text("passage") },
  output: {
    built: z.int().describe("The year in which it was built."),
    builders: z.array(z.string()).describe("Who built it."),
    isWorking: z.boolean().describe("Whether it still works."),
  },
});
const passage =
  "The mill at Ostrel was built in 1871 by Anna Berg and her brother Karl. It stopped working in 1932, when the river was moved.";
const ofMill = { built: 1871, builders: ["Anna Berg", "Karl"], isWorking: false };

const countryCode = signature({
  name: "country-code",
  instruction: "Write the country's code.",
  input: { country: text("question") },
  output: {
    code: z.string().refine((code) => /^[A-Z]{2}$/.test(code), {
      message: "must be two capital letters",
      params: { id: "country-code/1" },
    }),
  },
});

const priceOf = signature({
  name: "price-of",
  instruction: "Say what the thing costs.",
  input: { question: text("question") },
  output: { cents: z.int().min(0).describe("The price in cents.") },
});

/** As on a server without structured outputs. */
const withoutGrammar = ({ identity, doGenerate }: LanguageModel): LanguageModel => ({
  identity,
  doGenerate: (request, options) => {
    const { responseSchema: _, ...unconstrained } = request;
    return doGenerate(unconstrained, options);
  },
});

describe("a trained model", () => {
  it("answers in types, held to them by a grammar", async () => {
    expect(await predict(answer).run(capital, { lm: smol })).toEqual({ answer: "Paris" });
    expect(await predict(mill).run({ passage }, { lm: qwen })).toEqual(ofMill);
  });

  it("writes JSON in a code fence without a grammar, which is read", async () => {
    const reply = await predict(mill).run({ passage }, { lm: withoutGrammar(qwen) });
    expect(reply).toEqual(ofMill);
  });

  it("writes the frame of the prompt without a grammar, and JSON once it is told", async () => {
    const said: (string | null)[] = [];
    const lm: LanguageModel = {
      identity: qwen.identity,
      doGenerate: async (request, options) => {
        const reply = await withoutGrammar(qwen).doGenerate(request, options);
        said.push(reply.content);
        return reply;
      },
    };
    expect(await predict(answer).run(capital, { lm })).toEqual({ answer: "Paris" });
    expect(said).toEqual([
      expect.stringMatching(/^<output_fields>/),
      expect.stringMatching(/^```json/),
    ]);
  });

  it("says a passage again instead of JSON: unparseable, with what it wrote", async () => {
    const error = await thrownBy(() =>
      predict(mill).run({ passage }, { lm: withoutGrammar(smol) }),
    );
    expect(error).toMatchObject({ code: "output-unparseable", rawText: passage });
  });

  it("thinks no longer than it may, and then answers", async () => {
    const { reasoning, answer: city } = await reason(answer).run(capital, { lm: qwen });
    expect(reasoning.length).toBeGreaterThan(1_900);
    expect(reasoning.length).toBeLessThanOrEqual(2_000);
    expect(city).toContain("Paris");
  });

  it("writes in a loop, which the error quotes; asked anew with a penalty, it ends", async () => {
    const sampling = { maxCompletionTokens: 250 };
    const question = "Name everything that floats on the sea.";
    const error = await thrownBy(() =>
      predict(answer, { sampling, corrections: 0 }).run({ question }, { lm: smol }),
    );
    expect(error).toMatchObject({
      code: "output-truncated",
      message: expect.stringMatching(
        /after 250 tokens, while the model repeated ".*\bsea\b.*`repetitionPenalty`, such as 1[.]1/,
      ),
    });
    const reply = await predict(answer, { sampling }).run({ question }, { lm: smol });
    expect(reply.answer).not.toMatch(/(.{20,})\1\1/);
  });

  it("is cut off without a loop where its cap is short", async () => {
    const short = predict(answer, { sampling: { maxCompletionTokens: 20 } });
    const question = "Why is the sea salty?";
    expect(await thrownBy(() => short.run({ question }, { lm: smol }))).toMatchObject({
      code: "output-truncated",
      message: expect.stringMatching(/cut off after 20 tokens[.] Expected/),
    });
  });

  it("breaks a rule that no grammar knows, and again when told: the error names the field", async () => {
    const country = { country: "France" };
    expect(await predict(countryCode).run(country, { lm: qwen })).toEqual({ code: "FR" });
    const error = await thrownBy(() => predict(countryCode).run(country, { lm: smol }));
    expect(error).toMatchObject({
      code: "output-invalid",
      message: expect.stringContaining("`code`: must be two capital letters"),
    });
  });

  it("has probabilities for its labels", async () => {
    const isHouse = signature({
      name: "classify",
      instruction: "Say what the question asks for.",
      input: { question: text("question") },
      output: { type: z.enum(["person", "place", "time"]) },
    });
    const classified = program({
      name: "classified",
      version: "1",
      input: isHouse.input,
      output: isHouse.output,
      predictors: { classify: predict(isHouse, { probabilities: { type: {} } }) },
      forward: (given, { predictors }) => predictors.classify(given),
    });
    const { trace } = await classified.attempt(
      { question: "Who invented the telephone?" },
      { lm: smol },
    );
    const [step] = trace.children as readonly PredictorTrace[];
    const { written, source, probabilities } = step?.decisions?.["type"] ?? {};
    expect({ written, source }).toEqual({ written: "person", source: "logprobs" });
    const { person = 0, place = 0, time = 0 } = probabilities ?? {};
    expect(person + place + time).toBeCloseTo(1, 6);
    expect(person).toBeGreaterThan(Math.max(place, time));
  });

  describe("as an agent", () => {
    const shop = (asked: string[]) => [
      tool({
        name: "price",
        description: "Looks up the price of one thing.",
        input: { thing: z.string().describe("Its name.") },
        output: z.object({ cents: z.int() }),
        run: ({ thing }) => {
          asked.push(thing);
          return { cents: 250 };
        },
      }),
    ];
    const options = { signature: priceOf, maxSteps: 3, sampling: { maxCompletionTokens: 200 } };
    const question = "What does a lamp cost?";

    it("calls a tool by JSON, and answers by its result", async () => {
      const asked: string[] = [];
      const clerk = agent({ ...options, tools: shop(asked), calls: "json" });
      expect(await clerk.run({ question }, { lm: qwen })).toEqual({ cents: 250 });
      expect(new Set(asked)).toEqual(new Set(["lamp"]));
    });

    it("makes a price up where it may answer without a call", async () => {
      const asked: string[] = [];
      const clerk = agent({ ...options, tools: shop(asked) });
      expect(await clerk.run({ question }, { lm: qwen })).toEqual({ cents: 100 });
      expect(asked).toEqual([]);
    });
  });
});
