import { expect, it } from "vitest";
import { EspalierError } from "espalier";
import type { Optimizer, OptimizerEvent, OptimizerRun } from "espalier/optimizer";
import { optimizeTexts, sameParent } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import { gepaWith } from "../support/gepa-with.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";

const noise = (number: number): number => 0.3 * randomSource(number, "noise").random();

/** Candidates are compared on a sample of val, of 16 to 100. */
const sizes = { train: 12, val: 130 };

it.each([
  ["scores that do not vary", {}, {}],
  ["scores that vary", { noise }, {}],
])("no budget from 0 up is exceeded, with %s", async (_, options, strategies) => {
  const reasons = new Set<string>();
  for (let metricCalls = 0; metricCalls <= 600; metricCalls += metricCalls < 160 ? 13 : 37) {
    const { task, calls } = keywordTask({ ...options, ...sizes, seed: metricCalls % 5 });
    try {
      const { spent, reason } = await optimizeTexts(task, {
        optimizer: gepaWith({ proposer: directedProposer(), ...strategies }),
        budget: { metricCalls },
      });
      expect(spent.metricCalls).toBe(calls.length);
      reasons.add(reason);
    } catch (error) {
      // Less than the seed's evaluation takes is refused.
      reasons.add(EspalierError.isInstance(error) ? error.code : String(error));
    }
    expect(calls.length).toBeLessThanOrEqual(metricCalls);
  }
  expect([...reasons]).toContain("budget");
});

it.each([
  ["one proposal at a time", {}],
  ["four at a time", { proposals: sameParent({ count: 4 }) }],
])("no cap on texts is exceeded, from 1 up, in %s", async (_, strategies) => {
  for (let reflectionCalls = 1; reflectionCalls <= 40; reflectionCalls += 3) {
    const { task, calls } = keywordTask({ noise, train: 12, val: 20, seed: reflectionCalls % 5 });
    const { spent } = await optimizeTexts(task, {
      optimizer: gepaWith({ proposer: directedProposer(), ...strategies }),
      budget: { metricCalls: 400, reflectionCalls },
    });
    expect(spent.reflectionCalls).toBeLessThanOrEqual(reflectionCalls);
    expect(spent.metricCalls).toBe(calls.length);
    expect(calls.length).toBeLessThanOrEqual(400);
  }
});

it("a cap that no estimate foresaw ends the run with its result, wherever it comes", async () => {
  const events: OptimizerEvent[] = [];
  const search = async (evaluations: number) => {
    events.length = 0;
    const { task } = keywordTask({ noise, seed: 3, train: 6, val: 10 });
    return optimizeTexts(task, {
      optimizer: cappedAfter(
        evaluations,
        gepaWith({ maxIdleIterations: 2, proposer: directedProposer() }),
      ),
      budget: { metricCalls: 600 },
      onEvent: (event) => {
        if (event.kind !== "progress") events.push(event);
      },
    });
  };
  const whole = await search(Infinity);
  const kinds = events.map(({ kind }) => kind);
  const count = kinds.filter((kind) => kind === "candidate-evaluated").length;
  for (let evaluations = 1; evaluations < count; evaluations++) {
    const { reason, candidates } = await search(evaluations);
    expect(["budget", whole.reason]).toContain(reason);
    expect(candidates.map(({ components }) => components)).toEqual(
      whole.candidates.slice(0, candidates.length).map(({ components }) => components),
    );
  }
});

/** Hits a cap on something other than metric calls after so many evaluations. */
function cappedAfter(evaluations: number, optimizer: Optimizer): Optimizer {
  let left = evaluations;
  const capped = (run: OptimizerRun): OptimizerRun =>
    new Proxy(run, {
      get: (target, name) => {
        if (name !== "evaluate") return Reflect.get(target, name) as unknown;
        return async (requests: Parameters<OptimizerRun["evaluate"]>[0]) => {
          if (left-- > 0) return target.evaluate(requests);
          throw new EspalierError({
            code: "budget-exhausted",
            problem: "The next call does not fit the cap on tokens",
            expected: "at most 100 tokens",
            got: "101",
          });
        };
      },
    });
  return { ...optimizer, doOptimize: (space, run) => optimizer.doOptimize(space, capped(run)) };
}
