import { describe, expect, it } from "vitest";
import { rehearsalLm } from "@espalier/rehearsal";
import type { Metric } from "espalier";
import { notApplicable } from "espalier/metric";
import type { OptimizerEvent } from "espalier/optimizer";
import { gepa, optimize, planOptimization } from "espalier/optimizer";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { placeStudy } from "./support/place-search.ts";

const { objective, trainset } = placeStudy;
const isScorable = (id: string): boolean => Number(id.slice("place-".length)) % 3 !== 0;
const undeclared: Metric = {
  ...objective,
  doScore: (given) =>
    isScorable(given.example.id) ? objective.doScore(given) : notApplicable("It has no gold."),
};
const declared: Metric = { ...undeclared, appliesTo: ({ id }) => isScorable(id) };
const { train, val, test } = trainset.splits;
const without = {
  ...trainset,
  splits: {
    train: train.filter(({ id }) => isScorable(id)),
    val: val.filter(({ id }) => isScorable(id)),
    test,
  },
};

async function searched(task: object, metricCalls = 100, runFolder?: string) {
  const events: OptimizerEvent[] = [];
  const result = await optimize(
    { ...placeStudy, objective: declared, ...task },
    {
      optimizer: gepa(),
      budget: { metricCalls },
      lm: rehearsalLm(),
      ...(runFolder !== undefined && { runFolder }),
      onEvent: (event) => {
        if (event.kind !== "progress") events.push(event);
      },
    },
  );
  return { result, events };
}

describe("examples to which the objective does not apply", () => {
  it("change nothing of a search: it is the one on a trainset without them", async () => {
    const [whole, reduced] = await Promise.all([searched({}), searched({ trainset: without })]);
    // The first tells what the run depends on.
    expect(whole.events.slice(1)).toEqual(reduced.events.slice(1));
    expect(whole.result.candidates).toEqual(reduced.result.candidates);
    expect(whole.result.spent).toEqual(reduced.result.spent);
    expect(whole.result.candidates.length).toBeGreaterThan(1);
  });

  it("are counted in the plan, and need no budget", () => {
    const optimizer = gepa();
    const task = { ...placeStudy, objective: declared };
    const plan = planOptimization(task, { optimizer, budget: { metricCalls: 60 } });
    const { leftOut, ...rest } = plan;
    expect(leftOut).toEqual({
      train: train.length - without.splits.train.length,
      val: val.length - without.splits.val.length,
    });
    expect(rest.seedEvaluation).toBe(without.splits.val.length);
    const reduced = planOptimization(
      { ...task, trainset: without },
      { optimizer, budget: { metricCalls: 60 } },
    );
    expect(reduced.leftOut).toBeUndefined();
    expect({ ...rest, costs: null, perRollout: null }).toEqual({
      ...reduced,
      costs: null,
      perRollout: null,
    });
  });

  it("set a run apart from one that had them, which is not resumed", async () => {
    await using folder = await temporaryFolder();
    await searched({ objective: undeclared }, 60, folder.path);
    const error = await thrownBy(async () => searched({}, 60, folder.path));
    expect(error.code).toBe("journal-mismatch");
  });

  it("must not be all of a split", async () => {
    const none: Metric = { ...declared, appliesTo: () => false };
    const error = await thrownBy(async () => searched({ objective: none }));
    expect(error.code).toBe("dataset-invalid");
    expect(error.message).toContain("applies to no example in split `train`");
  });
});
