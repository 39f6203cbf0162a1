import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  Candidate,
  Demonstration,
  Embedder,
  LmMessage,
  NearestDemonstrations,
} from "espalier";
import { embedDemonstrations, predict, program, signature, text, textOfContent } from "espalier";
import { componentSchema } from "../../src/program/files.ts";
import { scriptedLm } from "../support/scripted-lm.ts";
import { thrownBy } from "../support/thrown-by.ts";

const step = signature({
  name: "step",
  instruction: "Do it.",
  input: { question: text("question"), hint: text("hint").optional() },
  output: { answer: text("answer") },
});
const asker = program({
  name: "asker",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { step: predict(step) },
  forward: async ({ question }, { predictors }) => predictors.step({ question }),
});

const demo = (exampleId: string, question: string, more: Partial<Demonstration> = {}) => ({
  exampleId,
  inputs: { question },
  outputs: { answer: `Said of ${exampleId}.` },
  ...more,
});
const pool: readonly Demonstration[] = [
  demo("fox", "Where does the red fox sleep?"),
  demo("copper", "What does copper cost?"),
  demo("tin", "What does tin cost?"),
  demo("owl", "Where does the grey owl sleep?"),
];
const byWords = (k: number): NearestDemonstrations => ({ k, by: "words" });

const shownIn = (messages: readonly LmMessage[]): readonly string[] =>
  messages.flatMap(({ content }) =>
    [...textOfContent(content).matchAll(/Said of (\w+)\./g)].map(([, id]) => `${id}`),
  );

/** Puts texts on a circle by a number in them, so that what is near can be seen. */
function circleEmbedder(asked: string[] = [], model = "circle"): Embedder {
  return {
    identity: { provider: "test", model },
    doEmbed: async (texts) => {
      asked.push(...texts);
      const angles = texts.map((each) => (Number(/-?\d+/.exec(each)?.[0] ?? 0) * Math.PI) / 180);
      const vectors = angles.map((angle) => Float32Array.of(Math.cos(angle), Math.sin(angle)));
      return { vectors, usage: { promptTokens: texts.length } };
    },
  };
}
const hours = [80, 10, 350, 200].map((angle) => demo(`at${angle}`, `At ${angle}?`));

async function candidateOf(
  k: number,
  embedder: Embedder,
  value: readonly Demonstration[] = hours,
): Promise<Candidate> {
  const by = await embedDemonstrations(value, { embedder });
  return [{ kind: "demos", path: "step", value, nearest: { k, by } }];
}

describe("demonstrations chosen by words", () => {
  it("are the nearest to the inputs of the call, the nearest last", () => {
    const near = predict(step, { demos: pool, nearest: byWords(2) });
    expect(shownIn(near.render({ question: "What does the tin cost?" }))).toEqual([
      "copper",
      "tin",
    ]);
    expect(shownIn(near.render({ question: "Does a grey owl sleep?" }))).toEqual(["fox", "owl"]);
  });

  it("are the earlier of the pool where several are equally near", () => {
    const near = predict(step, { demos: pool, nearest: byWords(3) });
    expect(shownIn(near.render({ question: "Nothing alike!" }))).toEqual(["tin", "copper", "fox"]);
  });

  it("depend on texts inside of other values, whatever the order of fields", () => {
    const demos = [
      { ...demo("one", "Which?"), inputs: { question: "Which?", hint: "a harbour" } },
      { ...demo("two", "Which?"), inputs: { hint: "a summit", question: "Which?" } },
    ];
    const near = predict(step, { demos, nearest: byWords(1) });
    expect(shownIn(near.render({ question: "Which?", hint: "the summit" }))).toEqual(["two"]);
    expect(shownIn(near.render({ hint: "the harbour", question: "Which?" }))).toEqual(["one"]);
  });

  it("leave out those of the example at hand and of its cluster, and show the next ones", async () => {
    await using server = await scriptedLm(() => '{"answer":"a"}');
    const demos = [...pool, demo("zinc", "What does zinc cost?", { cluster: "metals" })];
    const near = asker.with([{ kind: "demos", path: "step", value: demos, nearest: byWords(2) }]);
    const asked = [
      { exampleId: "other" },
      { exampleId: "tin" },
      { exampleId: "brass", cluster: "metals" },
    ];
    const traces = [];
    for (const options of asked) {
      const question = { question: "What does tin cost, and zinc?" };
      traces.push((await near.attempt(question, { lm: server.lm, ...options })).trace);
    }
    const shown = server.received.map(({ messages }) => shownIn(messages as readonly LmMessage[]));
    expect(shown).toEqual([
      ["zinc", "tin"],
      ["copper", "zinc"],
      ["copper", "tin"],
    ]);
    // The trace says which they were.
    expect(traces.map(({ children }) => children)).toMatchObject(
      shown.map((demonstrations) => [{ path: "step", demonstrations }]),
    );
  });

  it("are in no trace of a predictor that shows all", async () => {
    await using server = await scriptedLm(() => '{"answer":"a"}');
    const all = asker.with([{ kind: "demos", path: "step", value: pool }]);
    const { trace } = await all.attempt({ question: "q" }, { lm: server.lm });
    expect(trace.children[0]).not.toHaveProperty("demonstrations");
  });

  it("stay a part of the program until a candidate shows all again", () => {
    const value = pool;
    const near = asker.with([{ kind: "demos", path: "step", value, nearest: byWords(1) }]);
    const held = near.components().find(({ kind }) => kind === "demos");
    expect(held).toEqual({ kind: "demos", path: "step", value, nearest: byWords(1) });
    const all = near.with([{ kind: "demos", path: "step", value }]);
    expect(all.components().find(({ kind }) => kind === "demos")).not.toHaveProperty("nearest");
    expect(shownIn(all.render("step", { question: "q" }))).toHaveLength(4);
  });
});

describe("demonstrations chosen by an embedder", () => {
  it("are those whose vectors have the largest cosine with that of the inputs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 0, max: 359 }),
        fc.integer({ min: 1, max: 9 }),
        async (angles, asked, k) => {
          const value = angles.map((angle) => demo(`at${angle}`, `At ${angle}?`));
          const embedder = circleEmbedder();
          const near = asker.withEmbedder(embedder).with(await candidateOf(k, embedder, value));
          const inputs = { question: `At ${asked}?` };
          const vector = await near.embedInputs("step", inputs);
          const shown = shownIn(near.render("step", inputs, { vector }));
          const distance = (angle: number) =>
            Math.min(Math.abs(angle - asked), 360 - Math.abs(angle - asked));
          const reference = angles.map(distance).toSorted((one, other) => one - other);
          expect(shown.map((id) => distance(Number(id.slice(2)))).toReversed()).toEqual(
            reference.slice(0, k),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it("need one embedding a text, whatever is tried, and none is sent for fixed ones", async () => {
    await using server = await scriptedLm(() => '{"answer":"a"}');
    const asked: string[] = [];
    const embedder = circleEmbedder(asked);
    const bound = asker.withEmbedder(embedder);
    await bound.run({ question: "At 0?" }, { lm: server.lm });
    expect(asked).toEqual([]);
    const candidates = [await candidateOf(1, embedder), await candidateOf(2, embedder)];
    asked.length = 0;
    for (const candidate of candidates) {
      for (const question of ["At 0?", "At 180?"]) {
        await bound.with(candidate).run({ question }, { lm: server.lm });
      }
    }
    expect(asked).toEqual(["At 0?", "At 180?"]);
    const shown = server.received
      .slice(1)
      .map(({ messages }) => shownIn(messages as readonly LmMessage[]));
    expect(shown).toEqual([["at10"], ["at200"], ["at350", "at10"], ["at80", "at200"]]);
  });

  it("are refused to a program with another embedder", async () => {
    const candidate = await candidateOf(1, circleEmbedder());
    const other = circleEmbedder([], "square");
    for (const apply of [
      () => asker.withEmbedder(other).with(candidate),
      () => asker.with(candidate).withEmbedder(other),
    ]) {
      expect(apply).toThrowErrorMatchingInlineSnapshot(
        `[EspalierError: \`nearest\` cannot choose among the demonstrations of signature "step". Expected: the embedder of its vectors, \`circle\` (test). Got: \`square\` (test).]`,
      );
    }
  });

  it("cannot be chosen without the embedder, and the call says so", async () => {
    await using server = await scriptedLm(() => '{"answer":"a"}');
    const near = asker.with(await candidateOf(1, circleEmbedder()));
    const failed = await near.attempt({ question: "At 0?" }, { lm: server.lm });
    expect(failed).toMatchObject({ state: "failed", failure: { code: "part-missing" } });
    expect(failed).toHaveProperty(
      "error.message",
      expect.stringContaining("program.withEmbedder(embedder)"),
    );
    expect(server.received).toEqual([]);
    expect(() => near.render("step", { question: "At 0?" })).toThrow(/`\{ vector \}`/);
  });

  it("are not chosen by vectors of another length", async () => {
    await using server = await scriptedLm(() => '{"answer":"a"}');
    const candidate = await candidateOf(1, circleEmbedder());
    const longer: Embedder = {
      ...circleEmbedder(),
      doEmbed: async (texts) => ({
        vectors: texts.map(() => Float32Array.of(1, 0, 0)),
        usage: { promptTokens: 0 },
      }),
    };
    const error = await thrownBy(() =>
      asker.withEmbedder(longer).with(candidate).run({ question: "q" }, { lm: server.lm }),
    );
    expect(error).toMatchObject({ code: "embedding-invalid" });
  });
});

describe("a choice among demonstrations is refused", () => {
  const vectors = (change: object): Candidate =>
    [
      {
        kind: "demos",
        path: "step",
        value: hours,
        nearest: {
          k: 1,
          by: {
            embedder: { provider: "test", model: "circle" },
            dimension: 2,
            textsHash: "0".repeat(64),
            vectors: hours.map(() => "AACAPwAAAAA="),
            ...change,
          },
        },
      },
    ] as const;

  it.each<[string, Candidate]>([
    ["of none", [{ kind: "demos", path: "step", value: pool, nearest: byWords(0) }]],
    ["of a part", [{ kind: "demos", path: "step", value: pool, nearest: byWords(1.5) }]],
    [
      "by something else",
      [{ kind: "demos", path: "step", value: pool, nearest: { k: 1, by: "luck" as "words" } }],
    ],
    ["with a vector too few", vectors({ vectors: ["AACAPwAAAAA="] })],
    ["with vectors of another length", vectors({ dimension: 3 })],
    ["with a vector of no numbers", vectors({ vectors: hours.map(() => "AADAfwAAwH8=") })],
    ["with vectors of other texts", vectors({})],
  ])("%s", (_, candidate) => {
    expect(() => asker.with(candidate)).toThrowErrorMatchingSnapshot();
  });

  it.each<[string, unknown]>([
    ["of none", { k: 0, by: "words" }],
    ["without a number", { by: "words" }],
    ["by something else", { k: 1, by: "luck" }],
    ["by an embedder without a name", { k: 1, by: { dimension: 2, textsHash: "", vectors: [] } }],
  ])("in a file %s", (_, nearest) => {
    const given = { kind: "demos", path: "step", value: [], nearest };
    const parsed = componentSchema({ isStrict: true }).safeParse(given);
    expect(
      parsed.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`),
    ).toMatchSnapshot();
  });
});
