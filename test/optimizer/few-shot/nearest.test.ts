import { textOfContent } from "espalier";
import { describe, expect, it } from "vitest";
import type { Candidate, Component, Embedder, LanguageModel, Study } from "espalier";
import type { OptimizationResult, OptimizeOptions } from "espalier/optimizer";
import { bootstrapFewShot, optimize, planOptimization, readRun } from "espalier/optimizer";
import { rehearsalEmbedder } from "@espalier/rehearsal";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { kindsLm, kindsStudy } from "./support/kinds.ts";
import { cutAfter } from "../support/cut-after.ts";

/** An embedder that keeps the texts it was sent. */
function counting(asked: string[] = []): Embedder {
  const inner = rehearsalEmbedder();
  return {
    identity: inner.identity,
    doEmbed: (texts, options) => {
      asked.push(...texts);
      return inner.doEmbed(texts, options);
    },
  };
}

const embedded = (embedder: Embedder = counting()): typeof kindsStudy => ({
  ...kindsStudy,
  program: kindsStudy.program.withEmbedder(embedder),
});

const search = (
  by: "words" | "embedder",
  {
    study = by === "words" ? kindsStudy : embedded(),
    ...options
  }: Partial<OptimizeOptions> & { readonly study?: typeof kindsStudy } = {},
): Promise<OptimizationResult> =>
  optimize(study, {
    optimizer: bootstrapFewShot({ trials: 12, nearest: { by, k: [1, 2, 9] } }),
    lm: kindsLm,
    ...options,
  });

type Choosing = Extract<Component, { readonly kind: "demos" }>;

const choosingIn = (components: Candidate): readonly Choosing[] =>
  components.filter(
    (held): held is Choosing => held.kind === "demos" && held.nearest !== undefined,
  );

describe.each(["words", "embedder"] as const)("the nearest of all that was found, by %s,", (by) => {
  it("are raced against fixed sets, and kept where as good with fewer tokens", async () => {
    const { candidates, best } = await search(by);
    const nearest = candidates.filter(({ components }) => choosingIn(components).length > 0);
    // One of four demonstrations is of the question's kind, and it is the nearest.
    const perfect = nearest.find(({ selection }) => selection.value === 1);
    const [ofRead, ofAnswer] = choosingIn(perfect?.components ?? []);
    expect([ofRead, ofAnswer]).toMatchObject([
      { path: "read", nearest: { k: 1 } },
      { path: "answer", nearest: { k: 1 } },
    ]);
    expect(ofAnswer?.value.map(({ exampleId }) => exampleId)).toEqual(["q0", "q5", "q10", "q15"]);
    const tokensOf = (all: typeof candidates): number =>
      Math.min(...all.map(({ selection }) => selection.costs?.promptTokens ?? Infinity));
    const fixed = candidates.filter(
      ({ id, components, selection }) =>
        id > 0 && selection.value === 1 && choosingIn(components).length === 0,
    );
    expect(tokensOf(nearest)).toBeLessThan(tokensOf(fixed));
    expect(best.selection.value).toBe(1);
  });

  it("are told by their number and the examples of their pool", async () => {
    const { candidates, rejections } = await search(by);
    const told = [
      ...rejections.flatMap(({ texts = {} }) => texts["demos:answer"] ?? []),
      ...candidates.flatMap(({ components }) =>
        choosingIn(components).flatMap(({ path, nearest, value }) =>
          path === "answer"
            ? [`the ${nearest?.k} nearest of ${value.map(({ exampleId }) => exampleId).join(", ")}`]
            : [],
        ),
      ),
    ];
    expect(told).toContain("the 1 nearest of q0, q5, q10, q15");
    expect(told).toContain("the 2 nearest of q0, q5, q10, q15");
    // Nine of four would be all.
    expect(told.filter((each) => each.startsWith("the 9"))).toEqual([]);
  });

  it("never show an example its own answer, where train selects, too", async () => {
    const { train } = kindsStudy.trainset.splits;
    const declared = by === "words" ? kindsStudy : embedded();
    const study = {
      ...declared,
      trainset: { ...declared.trainset, splits: { ...declared.trainset.splits, val: train } },
    };
    const prompts: string[] = [];
    const lm: LanguageModel = {
      ...kindsLm,
      doGenerate: (request, options) => {
        prompts.push(request.messages.map(({ content }) => textOfContent(content)).join("\n"));
        return kindsLm.doGenerate(request, options);
      },
    };
    await search(by, { study, lm });
    const repeated = prompts.filter((prompt) => {
      const numbers = [...prompt.matchAll(/What of the \w+ number (\d+)\?/g)].map(([, n]) => n);
      return numbers.slice(0, -1).includes(numbers.at(-1));
    });
    expect(prompts.some((prompt) => prompt.includes("number 5?"))).toBe(true);
    expect(repeated).toEqual([]);
  });

  it("are the same after the search was cut off anywhere, and read from its folder", async () => {
    const budget = { metricCalls: 130 };
    const whole = await search(by, { budget });
    for (const after of [60, 90, 150]) {
      await using folder = await temporaryFolder();
      const { lm, signal } = cutAfter(after, kindsLm);
      const [runFolder, concurrency] = [folder.path, 1];
      const cut = await thrownBy(() => search(by, { lm, signal, runFolder, budget, concurrency }));
      expect(cut).toMatchObject({ code: "aborted" });
      const resumed = await search(by, { runFolder, resume: true, budget });
      expect(resumed.candidates).toEqual(whole.candidates);
      expect(resumed.components).toEqual(whole.components);
      expect(readRun(runFolder)).toMatchObject({ candidates: whole.candidates });
    }
  });

  it("win where a prompt may show only one", async () => {
    const optimizer = bootstrapFewShot({ maxBootstrapped: 1, nearest: { by, k: [1] } });
    const { candidates, best } = await search(by, { optimizer });
    expect(best.selection.value).toBe(1);
    expect(choosingIn(best.components)).toHaveLength(2);
    const fixed = candidates.filter(({ components }) => choosingIn(components).length === 0);
    expect(Math.max(...fixed.map(({ selection }) => selection.value))).toBeLessThan(0.5);
  });
});

describe("a choice by an embedder", () => {
  it("embeds the pool once, and asks nothing of it again when the run is resumed", async () => {
    await using folder = await temporaryFolder();
    const [runFolder, budget] = [folder.path, { metricCalls: 130 }];
    const asked: string[] = [];
    await search("embedder", { study: embedded(counting(asked)), runFolder, budget });
    const questions = asked.filter((each) => each.startsWith("What of the"));
    // The steps see different texts: a question, and a question with a note. Each is sent once.
    expect(new Set(asked).size).toBe(asked.length);
    expect(questions.length).toBeGreaterThan(0);
    const again: string[] = [];
    await search("embedder", { study: embedded(counting(again)), runFolder, resume: true, budget });
    expect(again).toEqual([]);
  });

  it("is refused, before anything is spent, where the program has none", () => {
    const optimizer = bootstrapFewShot({ nearest: { by: "embedder" } });
    expect(() =>
      planOptimization(kindsStudy as Study, { optimizer }),
    ).toThrowErrorMatchingInlineSnapshot(
      `[EspalierError: bootstrapFewShot() needs an embedder to choose demonstrations, but \`kinds\` has none. Expected: a study whose program has one: \`program.withEmbedder(parts.embedder())\`. Give it one, or choose by words: \`nearest: { by: "words" }\`.]`,
    );
    expect(() => planOptimization(embedded() as Study, { optimizer })).not.toThrow();
  });
});

describe("bootstrapFewShot() refuses", () => {
  it.each<[string, unknown, string]>([
    ["nearest ones by something else", { by: "luck" }, "nearest.by"],
    ["no number to try", { by: "words", k: [] }, "nearest.k"],
    ["none as the nearest", { by: "words", k: [2, 0] }, "nearest.k"],
  ])("%s", async (_, nearest, name) => {
    const error = await thrownBy(() => bootstrapFewShot({ nearest } as object));
    expect(error).toMatchObject({ code: "option-invalid" });
    expect(error.message).toContain(name);
  });
});
