import { describe, expect, it } from "vitest";
import type { OptimizerEvent, OptimizerRun, TextOptimizationResult } from "espalier/optimizer";
import { adaptiveWidth, commonAncestorMerge, optimizeTexts } from "espalier/optimizer";
import type { FlatGepaOptions } from "../../support/gepa-with.ts";
import { gepaWith } from "../../support/gepa-with.ts";
import { readRunHistory } from "../../../../src/report/reading/run-history.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import type { KeywordTaskOptions } from "../support/keyword-task.ts";
import { directedProposer, keywordTask } from "../support/keyword-task.ts";

const sizes = { train: 24, val: 40 };

describe("looking ahead", () => {
  it("decides as a search that does not, in fewer steps", async () => {
    const sum = { texts: 0, rollouts: 0, lostTexts: 0, lostRollouts: 0 };
    let [steps, stepsWithout] = [0, 0];
    for (const seed of [0, 1, 2, 3, 4, 5]) {
      const ahead = await search(
        { ...sizes, seed },
        { proposals: adaptiveWidth({ aheadFrom: 0.6 }) },
      );
      const without = await search({ ...sizes, seed }, { proposals: adaptiveWidth() });
      expect(decisionsOf(ahead.events)).toEqual(decisionsOf(without.events));
      expect(ahead.texts).toEqual(without.texts);
      const { texts, rollouts } = madeIn(ahead.events);
      expect(madeIn(without.events)).toEqual(nothing);
      sum.texts += texts.used;
      sum.rollouts += rollouts.used;
      sum.lostTexts += texts.made - texts.used;
      sum.lostRollouts += rollouts.made - rollouts.used;
      // What is not needed is all that it costs.
      const lost = {
        metricCalls: rollouts.made - rollouts.used,
        reflectionCalls: texts.made - texts.used,
      };
      expect(ahead.spent.metricCalls - without.spent.metricCalls).toBe(lost.metricCalls);
      expect(ahead.spent.reflectionCalls - without.spent.reflectionCalls).toBe(
        lost.reflectionCalls,
      );
      steps += ahead.steps;
      stepsWithout += without.steps;
    }
    expect(Math.min(...Object.values(sum))).toBeGreaterThan(0);
    expect(steps).toBeLessThan(0.95 * stepsWithout);
  });

  it("gives the same after any interruption, and makes nothing twice", async () => {
    const proposals = adaptiveWidth({ aheadFrom: 0.5 });
    const given = { ...sizes, seed: 3 };
    const whole = await search(given, { proposals });
    expect(madeIn(whole.events).texts.used).toBeGreaterThan(0);
    const { metricCalls } = whole.spent;
    for (const share of [0.2, 0.35, 0.5, 0.65, 0.8, 0.95]) {
      await using folder = await temporaryFolder();
      const { task, calls } = keywordTask({ ...given, isSlow: true });
      const controller = new AbortController();
      const options = {
        optimizer: optimizerOf({ proposals }),
        budget: { metricCalls: 100_000 },
        runFolder: folder.path,
        concurrency: 7,
      };
      const { evaluate } = task;
      const cut = {
        ...task,
        evaluate: ((...args) => {
          if (calls.length >= share * metricCalls) controller.abort();
          return evaluate(...args);
        }) satisfies typeof evaluate,
      };
      await expect(
        optimizeTexts(cut, { ...options, signal: controller.signal }),
      ).rejects.toMatchObject({ code: "aborted" });
      const resumed = await optimizeTexts(task, { ...options, resume: true });
      expect(resumed.candidates).toEqual(whole.candidates);
      expect(resumed.spent).toEqual(whole.spent);
      // Only what was in flight is made again.
      expect(calls.length).toBeLessThanOrEqual(metricCalls + 7);
    }
  });

  it("leaves files that tell what each evaluation ran, also of what was made before", async () => {
    let used = 0;
    for (const seed of [0, 1, 2, 3, 4, 5]) {
      await using folder = await temporaryFolder();
      await optimizeTexts(keywordTask({ ...sizes, seed }).task, {
        optimizer: optimizerOf({ proposals: adaptiveWidth({ aheadFrom: 0.6 }) }),
        budget: { metricCalls: 100_000 },
        runFolder: folder.path,
      });
      const { moments, recorded } = readRunHistory(folder.path);
      used += recorded.ahead?.rollouts.used ?? 0;
      const evaluated = moments.filter(({ kind }) => kind === "evaluated");
      expect(evaluated.length).toBeGreaterThan(20);
      expect(evaluated).toEqual(evaluated.map((moment) => ({ ...moment, ran: expect.any(Map) })));
    }
    expect(used).toBeGreaterThan(0);
  });

  it("keeps within its caps", async () => {
    for (const metricCalls of [60, 90, 130, 180, 240]) {
      for (const reflectionCalls of [4, 9, 1_000]) {
        const { spent } = await search(
          { ...sizes, seed: 1 },
          { proposals: adaptiveWidth({ aheadFrom: 0.5 }) },
          { metricCalls, reflectionCalls },
        );
        expect(spent.metricCalls).toBeLessThanOrEqual(metricCalls);
        expect(spent.reflectionCalls).toBeLessThanOrEqual(reflectionCalls);
      }
    }
  });

  it("makes nothing ahead in a search that merges", async () => {
    const { events } = await search(
      { ...sizes, seed: 1 },
      { proposals: adaptiveWidth({ aheadFrom: 0.5 }), merge: commonAncestorMerge() },
    );
    expect(madeIn(events)).toEqual(nothing);
  });
});

interface Searched extends TextOptimizationResult {
  readonly events: readonly OptimizerEvent[];
  /** Steps that made something. */
  readonly steps: number;
}

async function search(
  given: KeywordTaskOptions,
  options: FlatGepaOptions,
  budget: { readonly metricCalls: number; readonly reflectionCalls?: number } = {
    metricCalls: 100_000,
  },
): Promise<Searched> {
  const events: OptimizerEvent[] = [];
  let steps = 0;
  const inner = optimizerOf(options);
  const counted = (run: OptimizerRun): OptimizerRun =>
    new Proxy(run, {
      get: (target, name) => {
        if (name === "evaluate" || name === "consult") steps++;
        return Reflect.get(target, name) as unknown;
      },
    });
  const result = await optimizeTexts(keywordTask(given).task, {
    optimizer: { ...inner, doOptimize: (space, run) => inner.doOptimize(space, counted(run)) },
    budget,
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  return { ...result, events, steps };
}

function optimizerOf(options: FlatGepaOptions): ReturnType<typeof gepaWith> {
  return gepaWith({
    proposer: directedProposer(),
    stop: [{ name: "enough", stop: ({ iterations }) => (iterations === 30 ? "enough" : null) }],
    ...options,
  });
}

const nothing = { texts: { made: 0, used: 0 }, rollouts: { made: 0, used: 0 } };

function madeIn(events: readonly OptimizerEvent[]) {
  const last = events.findLast((event) => event.kind === "made-ahead");
  return last === undefined ? nothing : { texts: last.texts, rollouts: last.rollouts };
}

/** What was decided, without what it has cost by then. */
function decisionsOf(events: readonly OptimizerEvent[]): readonly unknown[] {
  return events.flatMap((event): readonly unknown[] => {
    switch (event.kind) {
      case "run-start":
      case "made-ahead":
      case "budget-spent":
        return [];
      case "candidate-accepted":
        return [{ ...event, record: { ...event.record, metricCallsBefore: 0 } }];
      default:
        return [event];
    }
  });
}
