import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LanguageModel } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import type { OptimizeOptions, Optimizer } from "espalier/optimizer";
import {
  bootstrapFewShot,
  gepa,
  autoSearch,
  inTurn,
  optimize,
  parameterSearch,
  planOptimization,
  readRun,
} from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { kindsLm, kindsStudy } from "../few-shot/support/kinds.ts";
import { dialStudy } from "../parameter-search/support/dials.ts";
import { placeStudy } from "../support/place-search.ts";
import { compiledPart, runPlaces } from "../support/run-places.ts";
import { cutAfter } from "../support/cut-after.ts";

const both: Optimizer = inTurn([
  gepa({ budget: { metricCalls: 80 } }),
  bootstrapFewShot({ trials: 6 }),
]);

const runBoth = (options: Partial<OptimizeOptions> = {}) =>
  runPlaces({ optimizer: both, budget: { metricCalls: 190 }, ...options });

describe("optimizers in turn", () => {
  it("start from the best candidate before, in one sequence of candidates and iterations", async () => {
    const { result, events } = await runBoth();
    const { candidates } = result;
    expect(candidates.map(({ id }) => id)).toEqual(candidates.map((_, index) => index));
    const later = candidates.filter(({ acceptance }) => acceptance.by === "few-shot");
    const before = candidates.filter(({ acceptance }) => acceptance.by !== "few-shot");
    const best = Math.max(...before.map(({ selection }) => selection.value));
    for (const { parents, components } of later) {
      const parent = candidates[parents[0] ?? -1];
      expect(parent?.selection.value).toBe(best);
      // The texts that the first found stay.
      expect(parent?.components).toEqual(
        expect.arrayContaining(components.filter(({ kind }) => kind === "instruction")),
      );
    }
    const starts = events.flatMap((event) =>
      event.kind === "iteration-start" ? [event.iteration] : [],
    );
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect(new Set(starts).size).toBe(starts.length);
    expect(events.filter(({ kind }) => kind === "run-end")).toHaveLength(1);
  });

  it("tell of iterations in an allowed order where a cap cuts one short and the next part goes on", async () => {
    const optimizer = inTurn([gepa({ budget: { metricCalls: 1e5 } }), gepa()]);
    // `runPlaces` checks the order of all events.
    const { events } = await runPlaces({ optimizer, budget: { tokens: 40_000 } });
    const isCut = events.some((event, index) => {
      const before = events.slice(0, index).findLast(({ kind }) => kind.startsWith("iteration-"));
      return event.kind === "iteration-start" && before?.kind === "iteration-start";
    });
    expect(isCut).toBe(true);
  });

  it("do not pay again for what was paid before", async () => {
    const one = bootstrapFewShot({ trials: 1 });
    const result = await optimize(kindsStudy, {
      optimizer: inTurn([one, bootstrapFewShot({ trials: 4 })]),
      lm: kindsLm,
    });
    const alone = await optimize(kindsStudy, { optimizer: one, lm: kindsLm });
    const found = await optimize(kindsStudy, {
      optimizer: bootstrapFewShot({ trials: 4 }),
      lm: kindsLm,
    });
    // The second part does not evaluate its start again, nor run what passed on train.
    const { val, train } = kindsStudy.trainset.splits;
    const passing = train.length / 5;
    expect(result.spent.metricCalls).toBeLessThanOrEqual(
      alone.spent.metricCalls + found.spent.metricCalls - val.length - passing,
    );
  });

  it("find what each finds alone: numbers, then demonstrations", async () => {
    const optimizer = inTurn([parameterSearch({ trials: 10 }), bootstrapFewShot({ trials: 2 })]);
    const alone = await optimize(dialStudy, {
      optimizer: parameterSearch({ trials: 10 }),
      lm: rehearsalLm(),
    });
    const { best, candidates } = await optimize(dialStudy, { optimizer, lm: rehearsalLm() });
    expect(best.selection.value).toBeGreaterThanOrEqual(alone.best.selection.value);
    expect(candidates.slice(0, alone.candidates.length)).toEqual(alone.candidates);
  });

  it("keep to each one's cap and to the run's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 16, max: 160 }), async (metricCalls) => {
        const { result, seen } = await runBoth({ budget: { metricCalls } });
        expect(seen.rollouts).toBe(result.spent.metricCalls);
        expect(result.spent.metricCalls).toBeLessThanOrEqual(metricCalls);
      }),
      { numRuns: 10 },
    );
    const { events } = await runBoth();
    // Up to the end of the first part's last iteration; the second part begins with runs of train.
    const end = events.findLastIndex(
      (event) => event.kind === "iteration-end" && event.iteration < firstOfSecond(events),
    );
    const spent = events
      .slice(0, end)
      .flatMap((event) => (event.kind === "budget-spent" ? [event.metricCalls] : []));
    expect(spent.length).toBeGreaterThan(1);
    expect(Math.max(...spent)).toBeLessThanOrEqual(80);
  });

  it("give the same at any concurrency", async () => {
    const [one, many] = await Promise.all([
      runBoth({ concurrency: 1 }),
      runBoth({ concurrency: 16 }),
    ]);
    expect(compiledPart(many)).toEqual(compiledPart(one));
    expect(many.events).toEqual(one.events);
  });

  it("give the same after they were cut off, in either part", async () => {
    const whole = await runBoth();
    for (const after of [20, 120, whole.seen.calls - 10]) {
      await using folder = await temporaryFolder();
      const { lm, signal } = cutAfter(after, rehearsalLm());
      const runFolder = folder.path;
      const cut = await thrownBy(() => runBoth({ lm, signal, runFolder, concurrency: 1 }));
      expect(cut).toMatchObject({ code: "aborted" });
      const resumed = await runBoth({ runFolder, resume: true });
      expect(compiledPart(resumed)).toEqual(compiledPart(whole));
      expect(readRun(runFolder)).toMatchObject({
        candidates: whole.result.candidates,
        rejections: whole.result.rejections,
      });
    }
  });

  it("plan the sum of their parts", () => {
    const budget = { metricCalls: 140, reflectionCalls: 20 };
    const plan = planOptimization(placeStudy, { optimizer: both, budget });
    const first = planOptimization(placeStudy, {
      optimizer: gepa(),
      budget: { metricCalls: 80, reflectionCalls: 20 },
    });
    const second = planOptimization(placeStudy, {
      optimizer: bootstrapFewShot({ trials: 6 }),
      budget: { metricCalls: 60 },
    });
    expect(plan.calls?.reflection).toBe(first.calls?.reflection);
    expect(plan.proposals).toBe((first.proposals ?? 0) + (second.proposals ?? 0));
  });

  it("plan the search that each chooses", () => {
    const [small, large] = [{ metricCalls: 30 }, { metricCalls: 130 }];
    const optimizer = inTurn([
      autoSearch({ budget: small }),
      gepa({ budget: small }),
      autoSearch(),
    ]);
    const plan = planOptimization(placeStudy, { optimizer, budget: { metricCalls: 190 } });
    const alone = [small, large].flatMap(
      (budget) => planOptimization(placeStudy, { optimizer: autoSearch(), budget }).searches ?? [],
    );
    expect(alone.map(({ name }) => name)).toEqual(["gepa", "mipro-v2"]);
    expect(plan.searches).toEqual(alone);
  });
});

function firstOfSecond(events: Awaited<ReturnType<typeof runBoth>>["events"]): number {
  const first = events.find(
    (event) => event.kind === "candidate-proposed" && "demos:broadQuery" in event.texts,
  );
  return first?.kind === "candidate-proposed" ? first.iteration : Infinity;
}

describe("inTurn() refuses", () => {
  const lmOf = (model: string): LanguageModel => ({
    ...kindsLm,
    identity: { provider: "test", model },
  });

  it.each<[string, () => Optimizer, string]>([
    ["no optimizer", () => inTurn([]), "optimizers"],
    [
      "a cap in a part that only a run can keep",
      () => inTurn([gepa({ budget: { tokens: 100 } })]),
      "tokens",
    ],
    [
      "two teachers",
      () => inTurn(["a", "b"].map((name) => bootstrapFewShot({ teacher: { lm: lmOf(name) } }))),
      "teacherLm",
    ],
  ])("%s", async (_, make, name) => {
    expect(await thrownBy(make)).toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining(`\`${name}\``) as string,
    });
  });
});
