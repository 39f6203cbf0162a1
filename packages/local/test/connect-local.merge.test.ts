import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { LanguageModel, LmRequest, Sampling } from "../../../src/contract/index.ts";
import { defaultSampling } from "../../../src/contract/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { languageModelContract } from "../../../test/lm/language-model.contract.ts";
import { smallModel } from "../../../test/support/trained-model.ts";
import { connectLocal } from "../src/index.ts";

const path = await smallModel();

const ask = (
  text: string,
  {
    sampling,
    ...more
  }: Omit<Partial<LmRequest>, "sampling"> & {
    readonly sampling?: Partial<Sampling>;
  } = {},
): LmRequest => ({
  messages: [
    { role: "system", content: "Answer briefly." },
    { role: "user", content: text },
  ],
  sampling: { ...defaultSampling, maxCompletionTokens: 24, ...sampling },
  seed: 7,
  ...more,
});

describe.skipIf(path === null)("SmolLM2-135M inside the process", async () => {
  if (path === null) return;
  const lm = await connectLocal({ model: path, concurrency: 4, contextTokens: 1024 });
  afterAll(() => lm[Symbol.asyncDispose]());

  languageModelContract(
    "connectLocal()",
    async () => ({ lm: short(lm), [Symbol.asyncDispose]: async () => {} }),
    {
      script: "a trained model answers in words of its own",
      exhausted: "this model does not think before it answers",
    },
  );

  test("its identity names the weights by their hash", () => {
    expect(lm.identity).toEqual({
      provider: "local",
      model: "smollm2-135m-instruct-q4_1@b179c9523d0e",
    });
  });

  test("a prompt that begins as an earlier one is read from where they differ", async () => {
    const legs = (animal: string): LmRequest =>
      ask(`${"Here is one of many questions. ".repeat(20)}How many legs has a ${animal}?`);
    const first = await lm.doGenerate(legs("spider"));
    const second = await lm.doGenerate(legs("horse"));
    expect(second.usage.promptTokens).toBe(first.usage.promptTokens);
    expect(second.usage.cachedPromptTokens).toBeGreaterThan(100);
    const again = await lm.doGenerate(legs("horse"));
    expect(again.content).toBe(second.content);
  });

  test("with one call at a time, a reply depends on no call before it, to the last bit", async () => {
    const answers = async (animals: readonly string[]): Promise<ReadonlyMap<string, unknown>> => {
      await using alone = await connectLocal({ model: path, concurrency: 1, contextTokens: 1024 });
      const said = new Map<string, unknown>();
      for (const animal of animals) {
        const question = `${"Here is one of many questions. ".repeat(8)}How many legs has a ${animal}?`;
        const request = ask(question, { topLogprobs: 5, sampling: { maxCompletionTokens: 4 } });
        const { logprobs, usage } = await alone.doGenerate(request);
        said.set(animal, logprobs);
        held.push(usage.cachedPromptTokens ?? 0);
      }
      return said;
    };
    const held: number[] = [];
    const animals = ["spider", "horse", "bird with one leg", "millipede"];
    expect(await answers(animals.toReversed())).toEqual(await answers(animals));
    expect(held.map((tokens) => tokens > 32)).toEqual(
      Array.from({ length: 8 }, (_, index) => index % 4 !== 0),
    );
  });

  test("a seed decides what a warm reply is", async () => {
    const warm = (seed: number): LmRequest =>
      ask("Name any animal.", { seed, sampling: { temperature: 1.5 } });
    const seeds = [1, 2, 3, 4, 1];
    const said: (string | null)[] = [];
    for (const seed of seeds) said.push((await lm.doGenerate(warm(seed))).content);
    expect(said[4]).toBe(said[0]);
    expect(new Set(said).size).toBeGreaterThan(1);
  });

  test("penalties break a loop, and a loop without them is cut", async () => {
    const repeat = (penalties: object): LmRequest =>
      ask("Write: no no no no no no no no no no", {
        responseSchema: schemaOf(z.object({ text: z.string().min(600) })),
        sampling: { maxCompletionTokens: 500, ...penalties },
      });
    const looped = await lm.doGenerate(repeat({}));
    expect(looped.finishReason).toBe("repetition");
    expect(looped.usage.completionTokens).toBeLessThan(500);
    const most = (text: string | null): number => {
      const counts = Map.groupBy((text ?? "").match(/\w+/g) ?? [], (word) => word);
      return Math.max(...counts.values().map(({ length }) => length));
    };
    for (const penalty of [{ frequencyPenalty: 1 }, { repetitionPenalty: 1.3 }]) {
      const { content } = await lm.doGenerate(repeat(penalty));
      expect(most(content)).toBeLessThan(most(looped.content) / 3);
    }
  });

  test("a reply ends at its cap, and at a stop text, which is left out", async () => {
    const capped = await lm.doGenerate(
      ask("Tell me a story.", { sampling: { maxCompletionTokens: 5 } }),
    );
    expect(capped).toMatchObject({ finishReason: "length", usage: { completionTokens: 5 } });
    const whole = await lm.doGenerate(ask("Count from one to ten."));
    const stop = whole.content?.slice(4, 8) ?? "";
    const pieces: string[] = [];
    const stopped = await lm.doGenerate(
      ask("Count from one to ten.", { sampling: { stop: [stop] } }),
      {
        onDelta: ({ content = "" }) => pieces.push(content),
      },
    );
    expect(stopped).toMatchObject({
      content: whole.content?.slice(0, whole.content.indexOf(stop)),
      finishReason: "stop",
    });
    expect(pieces.join("")).toBe(stopped.content);
  });

  test("a prompt longer than the context is an overflow of its own", async () => {
    await expect(lm.doGenerate(ask("word ".repeat(2_000)))).rejects.toMatchObject({
      code: "lm-context-overflow",
      message: expect.stringContaining("at most 1023 tokens"),
    });
  });

  test("labels have log-probabilities that sum to one", async () => {
    const team = z.object({ team: z.enum(["A", "B"]) });
    const { logprobs = [] } = await lm.doGenerate(
      ask("Which team, A or B?", { topLogprobs: 5, responseSchema: schemaOf(team) }),
    );
    const label = logprobs.find(({ token }) => /^"?[AB]/.test(token) || token === " A");
    const mass = (label?.top ?? []).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
    expect(mass).toBeCloseTo(1, 3);
  });

  test("replies at a high temperature fit whatever schema was given", async () => {
    const random = randomSource(1, "schemas");
    const types = Array.from({ length: 40 }, () => z.object(fieldsOf(random, 2)));
    const replies = await Promise.all(
      types.map((type, seed) =>
        lm.doGenerate(
          ask("Make something up.", {
            seed,
            responseSchema: schemaOf(type),
            sampling: { temperature: 1.5, maxCompletionTokens: 400 },
          }),
        ),
      ),
    );
    const whole = replies.filter(({ finishReason }) => finishReason === "stop");
    expect(whole.length).toBeGreaterThan(20);
    for (const [index, { content, finishReason }] of replies.entries()) {
      if (finishReason !== "stop") continue;
      const { success, error } = types[index]!.safeParse(JSON.parse(content ?? ""));
      expect({ content, issues: error?.issues ?? [], success }).toEqual({
        content,
        issues: [],
        success: true,
      });
    }
  });
});

/** The contract's requests leave room for thousands of tokens. */
function short(lm: LanguageModel): LanguageModel {
  return {
    identity: lm.identity,
    doGenerate: ({ sampling, ...request }, options) =>
      lm.doGenerate({ ...request, sampling: { ...sampling, maxCompletionTokens: 8 } }, options),
  };
}

function schemaOf(type: z.ZodType): NonNullable<LmRequest["responseSchema"]> {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { target: "draft-2020-12" });
  return { name: "made-up", schema } as NonNullable<LmRequest["responseSchema"]>;
}

type Random = ReturnType<typeof randomSource>;

function fieldsOf(random: Random, depth: number): Record<string, z.ZodType> {
  const count = random.choice([1, 2, 3]);
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const type = typeOf(random, depth);
      return [`field "${index}"`, random.choice([true, false, false]) ? type.optional() : type];
    }),
  );
}

function typeOf(random: Random, depth: number): z.ZodType {
  const types: readonly (() => z.ZodType)[] = [
    () => z.string().min(2).max(12),
    () => z.string().max(30),
    () => z.boolean(),
    () => z.enum(["red", 'the "green"', "blue\\"]),
    () => z.literal(7),
    () => z.number(),
    () => z.int().nullable(),
    ...(depth === 0
      ? []
      : [
          () =>
            z
              .array(typeOf(random, depth - 1))
              .min(1)
              .max(3),
          () => z.tuple([z.boolean(), typeOf(random, depth - 1)]),
          () => z.object(fieldsOf(random, depth - 1)),
          () => z.record(z.string().max(5), typeOf(random, depth - 1)),
          () => z.union([z.boolean(), z.array(z.literal("x")).max(2)]),
        ]),
  ];
  return random.choice(types)();
}
