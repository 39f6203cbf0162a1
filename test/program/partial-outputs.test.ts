import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { DeepPartial, JsonObject, PartialOrigin, Text } from "espalier";
import { agent, predict, program, reason, signature, text, tool } from "espalier";
import { connect } from "espalier/lm";
import { rehearsalLm } from "@espalier/rehearsal";
import type { ScriptedReply } from "../support/scripted-lm.ts";
import { scriptedLm } from "../support/scripted-lm.ts";

const output = {
  vendor: text("vendor"),
  currency: z.enum(["EUR", "USD"]),
  items: z.array(z.object({ name: z.string(), count: z.int() })),
};
const extract = signature({
  name: "extract",
  instruction: "Extract the invoice.",
  input: { document: text("document") },
  output,
});
const invoices = program({
  name: "invoices",
  version: "1",
  input: { document: text("document") },
  output: { ...output, pages: z.int() },
  predictors: { extract: reason(extract) },
  forward: async (given, { predictors }) => {
    const { reasoning: _, ...found } = await predictors.extract(given, { stream: true });
    return { ...found, pages: 1 };
  },
});

type Heard = readonly [outputs: JsonObject, origin: PartialOrigin];

async function heardOf(
  run: (options: {
    lm: Awaited<ReturnType<typeof connect>>;
    onPartial: (...heard: Heard) => void;
  }) => Promise<unknown>,
  replies: (index: number) => ScriptedReply,
) {
  await using server = await scriptedLm((_, index) => replies(index));
  await using lm = connect({
    baseUrl: server.url,
    model: "scripted",
    retry: { attempts: 3, baseDelayMs: 1 },
  });
  const heard: Heard[] = [];
  const made = await run({ lm, onPartial: (...each) => heard.push(each) });
  return { heard, made, received: server.received };
}

const pieces = [
  '{"reasoning":"So',
  '.","vendor":"Mi',
  'll","currency":"E',
  'UR","items":[{"name":"flo',
  'ur","count":1',
  "2},{",
  '"name":"rye","count":3}]}',
];
const made = {
  vendor: "Mill",
  currency: "EUR",
  items: [
    { name: "flour", count: 12 },
    { name: "rye", count: 3 },
  ],
};

describe("a program whose function streams the outputs of a call", () => {
  it("gives its own outputs as they grow, and at last the whole", async () => {
    const { heard, made: whole } = await heardOf(
      (options) => invoices.run({ document: "Flour." }, options),
      () => ({ pieces }),
    );
    expect(
      heard.map(([outputs, { growing }]) => `${JSON.stringify(outputs)} ${growing?.join(".")}`),
    ).toMatchInlineSnapshot(`
      [
        "{} ",
        "{"vendor":"Mi"} vendor",
        "{"vendor":"Mill"} ",
        "{"vendor":"Mill","currency":"EUR","items":[{"name":"flo"}]} items.0.name",
        "{"vendor":"Mill","currency":"EUR","items":[{"name":"flour"}]} items.0",
        "{"vendor":"Mill","currency":"EUR","items":[{"name":"flour","count":12},{}]} items.1",
        "{"vendor":"Mill","currency":"EUR","items":[{"name":"flour","count":12},{"name":"rye","count":3}]} ",
        "{"vendor":"Mill","currency":"EUR","items":[{"name":"flour","count":12},{"name":"rye","count":3}]} ",
        "{"vendor":"Mill","currency":"EUR","items":[{"name":"flour","count":12},{"name":"rye","count":3}],"pages":1} undefined",
      ]
    `);
    expect(heard.at(-1)).toEqual([
      { ...made, pages: 1 },
      { path: "", growing: null },
    ]);
    expect(whole).toEqual({ ...made, pages: 1 });
  });

  it("types them as parts of its outputs", async () => {
    const { lm } = { lm: rehearsalLm() };
    await invoices
      .run(
        { document: "Flour." },
        {
          lm,
          onPartial: (partial, { growing }) => {
            expectTypeOf(partial.vendor).toEqualTypeOf<Text<"vendor"> | undefined>();
            expectTypeOf(partial.items).toEqualTypeOf<
              readonly { readonly name?: string; readonly count?: number }[] | undefined
            >();
            expectTypeOf(growing).toEqualTypeOf<readonly (string | number)[] | null>();
            // @ts-expect-error -- the program has no such output
            void partial.reasoning;
          },
        },
      )
      .catch(() => undefined);
    expectTypeOf<DeepPartial<{ a?: { b: 1 | null }[] }>>().toEqualTypeOf<{
      readonly a?: readonly { readonly b?: 1 | null }[];
    }>();
    expectTypeOf<DeepPartial<unknown>>().toEqualTypeOf<unknown>();
  });

  it("begins anew where the reply breaks off or needs a correction", async () => {
    const { heard } = await heardOf(
      (options) => invoices.run({ document: "Flour." }, options),
      (index) =>
        index === 0
          ? { pieces: pieces.slice(0, 3), breaksOff: true }
          : index === 1
            ? { pieces: ['{"reasoning":"","vendor":"Mold","currency":"GBP","items":[]}'] }
            : { pieces },
    );
    expect(heard.filter(([, origin]) => origin.restarted).map(([outputs]) => outputs)).toEqual([
      {},
      {},
    ]);
    expect(heard.at(-1)?.[0]).toEqual({ ...made, pages: 1 });
  });
});

describe("a predictor by itself", () => {
  it.each(["native", "json"] as const)(
    "gives the outputs of an agent (%s), not its steps",
    async (calls) => {
      const noted = signature({
        name: "noted",
        instruction: "Look it up.",
        input: { question: text("question") },
        output: { thought: text("thought") },
      });
      const look = tool({ name: "look", description: "Looks.", input: {}, run: () => "seen" });
      const step =
        calls === "native"
          ? { toolCalls: [["look", {}] as const] }
          : { content: '{"thought":"hm","calls":[{"tool":"look","input":{}}]}' };
      const { heard } = await heardOf(
        (options) =>
          agent({ signature: noted, tools: [look], calls, maxSteps: 1 }).run(
            { question: text("question").parse("What?") },
            options,
          ),
        (index) => (index === 0 ? step : { pieces: ['{"thought":"A ', 'mill."}'] }),
      );
      expect(heard.map(([outputs]) => outputs)).toEqual([
        { thought: "A " },
        { thought: "A mill." },
        { thought: "A mill." },
      ]);
    },
  );

  it("holds back a label that probabilities may still change", async () => {
    const { heard } = await heardOf(
      (options) =>
        predict(
          signature({
            name: "sure",
            instruction: "Judge.",
            input: { question: text("question") },
            output: { label: z.enum(["YES", "NO"]), why: text("why") },
          }),
          { probabilities: { label: {} } },
        ).run({ question: text("question").parse("Is it?") }, options),
      () => ({ pieces: ['{"label":"YES",', '"why":"So."}'] }),
    );
    expect(heard.map(([outputs]) => outputs)).toEqual([
      {},
      { why: "So." },
      { label: "YES", why: "So." },
    ]);
  });
});
