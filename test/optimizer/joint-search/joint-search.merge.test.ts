import { describe, expect, it } from "vitest";
import { EspalierError, LmError } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import type { OptimizerEvent } from "espalier/optimizer";
import { gepa, jointSearch, optimize, optimizeTexts, planOptimization } from "espalier/optimizer";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { directedProposer, keywordTask } from "../gepa/support/keyword-task.ts";
import { dialStudy, valuesOf } from "../parameter-search/support/dials.ts";
import { placeStudy } from "../support/place-search.ts";
import { combinationStudy, worthOf } from "./support/combinations.ts";

const lm = rehearsalLm();

describe("a joint search", () => {
  it("finds numbers and choices", async () => {
    const { best, spent } = await optimize(dialStudy, {
      optimizer: jointSearch({ components: ["parameter"] }),
      budget: { metricCalls: 120 },
      lm,
    });
    const { level, mode } = valuesOf(best.components);
    expect(mode).toBe("loud");
    expect(level).toBeGreaterThanOrEqual(5);
    expect(level).toBeLessThanOrEqual(7);
    expect(spent.metricCalls).toBeLessThanOrEqual(120);
  });

  it("finds the best where only combinations matter, by own runs if the model is worse", async () => {
    const details: (string | null | undefined)[] = [];
    for (let seed = 0; seed < 6; seed++) {
      const { best, spent } = await optimize(combinationStudy, {
        optimizer: jointSearch({ components: ["parameter"] }),
        budget: { metricCalls: 600 },
        lm,
        seed,
      });
      expect(spent.metricCalls).toBeLessThanOrEqual(600);
      expect(worthOf(valuesOf(best.components))).toBe(0.8);
      details.push(best.acceptance.detail);
    }
    expect(details).toContainEqual(expect.stringContaining("by its own runs alone"));
  });

  it("changes texts and demonstrations, whose values stand in its candidates", async () => {
    const { candidates, best, spent } = await optimize(placeStudy, {
      optimizer: jointSearch(),
      budget: { metricCalls: 120, reflectionCalls: 12 },
      lm,
    });
    expect(spent.reflectionCalls).toBeGreaterThan(0);
    expect(spent.reflectionCalls).toBeLessThanOrEqual(12);
    const changed = new Set(candidates.flatMap((candidate) => candidate.changed));
    expect([...changed].some((id) => id.startsWith("demos:"))).toBe(true);
    expect(best.selection.value).toBeGreaterThan(candidates[0]?.selection.value ?? Infinity);
    // A demonstration is a run on train.
    const train = new Set(placeStudy.trainset.splits.train.map(({ id }) => id));
    for (const { components } of candidates) {
      for (const component of components) {
        if (component.kind !== "demos") continue;
        for (const { exampleId } of component.value) expect(train).toContain(exampleId);
      }
    }
  });

  it("says what each demonstration brings, and how well its model predicts", async () => {
    const { best, credits = [] } = await optimize(placeStudy, {
      optimizer: jointSearch(),
      budget: { metricCalls: 160, reflectionCalls: 12 },
      lm,
    });
    const shown = best.components.flatMap((component) =>
      component.kind === "demos"
        ? component.value.map(({ exampleId }) => [component.path, exampleId])
        : [],
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(credits.map(({ predictor, exampleId }) => [predictor, exampleId])).toEqual(shown);
    for (const { gain, low, high, runs } of credits) {
      expect(low).toBeLessThan(gain);
      expect(gain).toBeLessThan(high);
      expect(runs).toBeGreaterThan(0);
    }
    expect(best.acceptance.detail).toMatch(
      /^Expected to bring .* the model explains \d+ % of the gains of configurations held out from it\.$/,
    );
  });

  it("searches an objective that is no mean of scores, by all of val", async () => {
    const worst = {
      ...dialStudy.objective,
      aggregate: (rows: readonly { readonly value: number }[]) =>
        Math.min(...rows.map(({ value }) => value)),
    };
    const { best, candidates } = await optimize(
      { ...dialStudy, objective: worst },
      {
        optimizer: jointSearch({ components: ["parameter"] }),
        budget: { metricCalls: 120 },
        lm,
      },
    );
    expect(valuesOf(best.components)).toMatchObject({ mode: "loud" });
    for (const { selection } of candidates.slice(1)) {
      const scores = Object.values(selection.scores).flatMap((score) => score ?? []);
      expect(selection.value).toBe(Math.min(...scores));
    }
  });

  /** The mean of the lower half of scores, which is no mean of all. */
  const lowerHalf = {
    ...placeStudy.objective,
    aggregate: (rows: readonly { readonly value: number }[]) => {
      const sorted = rows.map(({ value }) => value).toSorted((one, other) => one - other);
      const low = sorted.slice(0, Math.ceil(sorted.length / 2));
      return low.reduce((sum, value) => sum + value, 0) / low.length;
    },
  };

  it.each([100, 160])(
    "measures finalists on all of val where the objective is no mean, and leaves little of %d calls",
    async (metricCalls) => {
      const { candidates, spent } = await optimize(
        { ...placeStudy, objective: lowerHalf },
        { optimizer: jointSearch(), budget: { metricCalls }, lm },
      );
      const val = placeStudy.trainset.splits.val.map(({ id }) => id);
      expect(candidates.length).toBeGreaterThan(1);
      for (const { selection } of candidates) {
        expect(Object.keys(selection.scores).toSorted()).toEqual(val.toSorted());
        expect(selection.seen).toBeUndefined();
      }
      // What is left pays for no further finalist.
      expect(metricCalls - spent.metricCalls).toBeLessThan(val.length + 20);
    },
  );

  it("compares finalists on the same part of val where all of it does not fit", async () => {
    const { candidates } = await optimize(
      { ...placeStudy, objective: lowerHalf },
      { optimizer: jointSearch(), budget: { metricCalls: 40 }, lm },
    );
    expect(candidates).toHaveLength(2);
    const [seed, other] = candidates.map(({ selection }) => Object.keys(selection.scores));
    expect(seed?.length).toBeLessThan(placeStudy.trainset.splits.val.length);
    expect(other).toEqual(expect.arrayContaining(seed ?? []));
    for (const { selection } of candidates) {
      expect(selection.seen).toBe(Object.keys(selection.scores).length);
    }
  });

  it("gives the same result at any concurrency", async () => {
    const search = async (concurrency: number) =>
      optimize(placeStudy, {
        optimizer: jointSearch(),
        budget: { metricCalls: 60 },
        lm,
        concurrency,
        seed: 3,
      });
    const [one, many] = [await search(1), await search(16)];
    expect(many.candidates).toEqual(one.candidates);
    expect(many.components).toEqual(one.components);
  });

  it("exceeds no budget from 0 up", async () => {
    for (let metricCalls = 1; metricCalls <= 70; metricCalls += 6) {
      let calls = 0;
      const objective = {
        ...dialStudy.objective,
        doScore: (...given: Parameters<typeof dialStudy.objective.doScore>) => {
          calls++;
          return dialStudy.objective.doScore(...given);
        },
      };
      const search = optimize(
        { ...dialStudy, objective },
        {
          optimizer: jointSearch(),
          budget: { metricCalls },
          lm,
        },
      );
      const [ended, spent] = await search.then(
        (found) => [found.reason, found.spent.metricCalls],
        (error: unknown) => [EspalierError.isInstance(error) ? error.code : error, calls],
      );
      // Less than the first look takes is refused.
      expect(["budget", "budget-exhausted"]).toContain(ended);
      expect(spent).toBe(calls);
      expect(calls).toBeLessThanOrEqual(metricCalls);
    }
  });

  it("resumed after an error anywhere, ends as if there had been none", async () => {
    const search = async (failsAt: number, how: object) => {
      let calls = 0;
      return optimize(placeStudy, {
        optimizer: jointSearch(),
        budget: { metricCalls: 50 },
        faultRetries: 0,
        coverageFloor: 1,
        concurrency: 1,
        lm: {
          identity: lm.identity,
          doGenerate: async (request, options) => {
            if (++calls === failsAt) throw new Error("The process is gone.");
            return lm.doGenerate(request, options);
          },
        },
        ...how,
      });
    };
    const whole = await search(Infinity, {});
    for (const failsAt of [3, 60]) {
      await using folder = await temporaryFolder();
      await expect(search(failsAt, { runFolder: folder.path })).rejects.toThrow(
        "The process is gone",
      );
      const resumed = await search(Infinity, { runFolder: folder.path, resume: true });
      expect(resumed.components).toEqual(whole.components);
      expect(resumed.candidates).toEqual(whole.candidates);
    }
  });

  it("goes on where some examples end in faults", async () => {
    const { reason, spent } = await optimize(placeStudy, {
      optimizer: jointSearch(),
      budget: { metricCalls: 90 },
      faultRetries: 0,
      coverageFloor: 0.5,
      lm: {
        identity: lm.identity,
        doGenerate: async (request, options) => {
          if (options?.exampleId === "place-3") {
            throw new LmError({ code: "lm-context-overflow", problem: "The prompt is too long" });
          }
          return lm.doGenerate(request, options);
        },
      },
    });
    expect(reason).toBe("budget");
    expect(spent.metricCalls).toBeLessThanOrEqual(90);
  });

  it("is gepa() where nothing but texts may change", async () => {
    const search = async (optimizer: ReturnType<typeof gepa>) =>
      optimizeTexts(keywordTask({ seed: 2 }).task, { optimizer, budget: { metricCalls: 200 } });
    const proposer = directedProposer();
    const reference = await search(gepa({ reflection: { proposer } }));
    const found = await search(jointSearch({ reflection: { proposer: directedProposer() } }));
    expect(found.texts).toEqual(reference.texts);
    expect(found.candidates).toEqual(reference.candidates);
  });

  it("tells in the journal what it tried and what came of it", async () => {
    const events: OptimizerEvent[] = [];
    await optimize(dialStudy, {
      optimizer: jointSearch({ components: ["parameter"] }),
      budget: { metricCalls: 60 },
      lm,
      onEvent: (event) => {
        if (event.kind !== "progress") events.push(event);
      },
    });
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.slice(0, 5)).toEqual([
      "run-start",
      "candidate-evaluated",
      "candidate-evaluated",
      "budget-spent",
      "candidate-accepted",
    ]);
    expect(kinds.at(-1)).toBe("run-end");
    const proposed = events.flatMap((event) =>
      event.kind === "candidate-proposed" ? [event.texts] : [],
    );
    expect(proposed.length).toBeGreaterThan(3);
    expect(
      proposed.every((texts) => Object.keys(texts).every((id) => id.startsWith("parameter:"))),
    ).toBe(true);
  });

  it("plans what it will spend", async () => {
    const plan = planOptimization(dialStudy, {
      optimizer: jointSearch(),
      budget: { metricCalls: 100 },
      roles: ["student", "reflection"],
    });
    expect(plan.warnings).toEqual([]);
    expect(plan.calls?.student).toBe(100);
    const poor = planOptimization(dialStudy, {
      optimizer: jointSearch(),
      budget: { metricCalls: 20 },
      roles: ["student", "reflection"],
    });
    expect(poor.warnings.join()).toContain("A budget of 20 rollouts allows");
  });

  it.each([
    [
      { components: ["instruction:nobody"] },
      "component-unknown",
      "cannot change `instruction:nobody`",
    ],
    [{ demonstrations: { most: 0 } }, "option-invalid", "demonstrations.most"],
  ])("refuses options %j", async (options, code, said) => {
    const search = async () =>
      optimize(dialStudy, { optimizer: jointSearch(options), budget: { metricCalls: 60 }, lm });
    await expect(search()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(said) as string,
    });
  });
});
