import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { OptimizerEvent, OptimizerProgress, TextOptimizationResult } from "espalier/optimizer";
import { optimizeTexts } from "espalier/optimizer";
import { describe, expect, it } from "vitest";
import { sharedData } from "../support/shared-data.ts";
import { mockReflection } from "../support/yardstick/mock-reflection.ts";
import type { YardstickTask } from "../support/yardstick/yardstick-task.ts";
import { readYardstick, yardstickTextTask } from "../support/yardstick/yardstick-task.ts";
import {
  configurations,
  oneGenerator,
  referenceGepa,
  summedInTurn,
} from "./support/reference-gepa.ts";

/** Two runs of each configuration; all 416 are kept beside the repository. */
const slice = fileURLToPath(new URL("fixtures/golden.json", import.meta.url));
const whole = sharedData("../bench/gepa/golden.json");

describe("behaviour 2: gepa 0.1.4, made again by seams that anyone can use", () => {
  const runs = recordedIn(slice);

  it("in two recorded runs of each of 13 configurations", () => {
    expect(countsOf(runs)).toEqual(Array.from({ length: 13 }, () => 2));
    expect(runs).toHaveLength(26);
  });

  it.each(runs)("$config, $variant task $task_seed, seed $rng_seed", async (recorded) => {
    expect(await madeAgain(recorded, slice)).toEqual(recorded);
  });
});

describe.skipIf(whole.isAbsent)(
  `behaviour 2: gepa 0.1.4, in every recorded run${whole.note}`,
  () => {
    const runs = whole.isAbsent ? [] : recordedIn(whole.file);

    it("has 32 recorded runs of each of 13 configurations, the two of the repository among them", () => {
      expect(countsOf(runs)).toEqual(Array.from({ length: 13 }, () => 32));
      expect(runs).toHaveLength(416);
      expect(runs).toEqual(expect.arrayContaining([...recordedIn(slice)]));
    });

    it.each(runs)(
      "$config, $variant task $task_seed, seed $rng_seed, $budget calls",
      async (recorded) => {
        expect(await madeAgain(recorded, whole.file)).toEqual(recorded);
      },
    );
  },
);

/** As gepa 0.1.4 left it; scores are rounded to nine decimals, fronts are in val's order. */
interface RecordedRun {
  readonly variant: YardstickTask["variant"];
  readonly task_seed: number;
  readonly rng_seed: number;
  readonly budget: number;
  readonly config: string;
  readonly total_metric_calls: number;
  readonly reflection_calls: number;
  readonly iterations: number;
  readonly best_idx: number;
  readonly best_val: number;
  readonly parents: readonly (readonly (number | null)[])[];
  readonly val_aggregate_scores: readonly number[];
  readonly discovery_eval_counts: readonly number[];
  readonly pareto_front: readonly (readonly number[])[];
  readonly candidates: readonly Readonly<Record<string, string>>[];
}

function recordedIn(file: string): readonly RecordedRun[] {
  return JSON.parse(readFileSync(file, "utf8")) as readonly RecordedRun[];
}

function countsOf(runs: readonly RecordedRun[]): readonly number[] {
  return Object.keys(configurations).map(
    (name) => runs.filter(({ config }) => config === name).length,
  );
}

/** The same run by espalier; its task stands beside the recorded runs. */
async function madeAgain(recorded: RecordedRun, file: string): Promise<RecordedRun> {
  const { variant, task_seed, rng_seed, budget, config } = recorded;
  const { tasks, seedTexts } = readYardstick(dirname(file));
  const task = tasks.find((one) => one.variant === variant && one.seed === task_seed);
  if (task === undefined) throw new Error(`no task ${variant} ${task_seed}`);
  const proposer = mockReflection(task.seed);
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const optimizer = referenceGepa(config, { metricCalls: budget, proposer });
  const textTask = yardstickTextTask(task, seedTexts);
  const result = await optimizeTexts(
    summedInTurn(config === "val=train,cache" ? { ...textTask, val: textTask.train } : textTask),
    {
      optimizer,
      randomSources: oneGenerator,
      seed: rng_seed,
      onEvent: (event) => events.push(event),
    },
  );
  const { candidates, best, spent } = result;
  return {
    variant,
    task_seed,
    rng_seed,
    budget,
    config,
    total_metric_calls: spent.metricCalls,
    reflection_calls: proposer.calls,
    iterations: events.filter(({ kind }) => kind === "iteration-start").length,
    best_idx: best.id,
    best_val: nineDecimals(best.selection.value),
    parents: candidates.map(({ parents }) => (parents.length === 0 ? [null] : parents)),
    val_aggregate_scores: candidates.map(({ selection }) => nineDecimals(selection.value)),
    discovery_eval_counts: candidates.map(({ metricCallsBefore }) => metricCallsBefore),
    pareto_front: frontsOf(candidates),
    candidates: candidates.map(({ components }) =>
      Object.fromEntries(components.map(({ path, value }) => [path, value as string])),
    ),
  };
}

/** Who is best on each example. */
function frontsOf(
  candidates: TextOptimizationResult["candidates"],
): readonly (readonly number[])[] {
  return Object.keys(candidates[0]?.selection.scores ?? {}).map((exampleId) => {
    const scores = candidates.map(({ selection }) => selection.scores[exampleId] ?? -Infinity);
    const best = Math.max(...scores);
    return [...scores.keys()].filter((id) => scores[id] === best);
  });
}

function nineDecimals(value: number): number {
  return Number(value.toFixed(9));
}
