import { describe, expect, it } from "vitest";
import type {
  OptimizeTextsOptions,
  RandomSources,
  TextOptimizationResult,
  TextTask,
} from "espalier/optimizer";
import { customProposer, optimizeTexts } from "espalier/optimizer";
import { epochMinibatches, metricCallsReached } from "./reference/index.ts";
import { directedProposer, keywordTask } from "../optimizer/gepa/support/keyword-task.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import {
  configurations,
  oneGenerator,
  referenceGepa,
  summedInTurn,
} from "./support/reference-gepa.ts";
import { gepaWith } from "../optimizer/support/gepa-with.ts";

describe("another random source", () => {
  it("is all that a run draws from, and is named in its description", async () => {
    const streams = new Set<string>();
    const noted: RandomSources = {
      name: "noted",
      start: (seed) => {
        const random = oneGenerator.start(seed);
        return (stream, index) => {
          streams.add(stream);
          return random(stream, index);
        };
      },
    };
    const { run } = await reference({ randomSources: noted });
    expect(run).toMatchObject({ randomSources: "noted" });
    expect(streams).toEqual(new Set(["gepa/parent/0", "gepa/epoch/0"]));
    expect((await reference({})).run).not.toHaveProperty("randomSources");
  });

  it("changes the run", async () => {
    const [python, own] = [await reference({ randomSources: oneGenerator }), await reference({})];
    expect(python.candidates).not.toEqual(own.candidates);
  });

  it.each(Object.keys(configurations))(
    "behaviour 19: begins anew in a resumed run, which repeats itself and goes on as if nothing was: %s",
    async (configuration) => {
      const options = { randomSources: oneGenerator };
      const whole = await reference(options, configuration);
      await using folder = await temporaryFolder();
      const runFolder = folder.path;
      const { signal, onEvent } = abortAfter(3);
      const cut = reference({ ...options, runFolder, signal, onEvent }, configuration);
      expect(await thrownBy(() => cut)).toMatchObject({ code: "aborted" });
      const resumed = await reference({ ...options, runFolder, resume: true }, configuration);
      expect({ ...resumed, seconds: 0 }).toEqual({ ...whole, seconds: 0 });
    },
  );
});

describe("a run without caps", () => {
  const proposer = customProposer("same", ({ component }) => component.value);
  const { task } = keywordTask();

  it("is refused unless its optimizer has a stopper", async () => {
    const refused = await thrownBy(() =>
      optimizeTexts(task, { optimizer: gepaWith({ proposer }) }),
    );
    expect(refused).toMatchObject({ code: "option-invalid" });
    expect(refused.message).toContain("needs a budget");
    const optimizer = gepaWith({ proposer, stop: [metricCallsReached(1)] });
    const { reason, plan } = await optimizeTexts(task, { optimizer });
    expect({ reason, proposals: plan.proposals }).toEqual({ reason: "stopper", proposals: null });
  });

  it("has its caps checked all the same where it has any", async () => {
    const optimizer = gepaWith({ proposer, stop: [metricCallsReached(1)] });
    const run = () => optimizeTexts(task, { optimizer, budget: { metricCalls: 0 } });
    expect(await thrownBy(run)).toMatchObject({ code: "option-invalid" });
  });
});

describe("a text task", () => {
  const { task } = keywordTask();
  const optimizer = gepaWith({ proposer: directedProposer() });
  const search = (changed: Partial<TextTask<never>>): Promise<TextOptimizationResult> =>
    optimizeTexts({ ...task, ...changed }, { optimizer, budget: { metricCalls: 60 } });

  it("has its own aggregate where it brings one", async () => {
    const highest: TextTask["aggregate"] = (_, scored) =>
      Math.max(...scored.map(({ value }) => value));
    const { candidates } = await search({ aggregate: highest });
    for (const { selection } of candidates) {
      const scores = Object.values(selection.scores).map((score) => score ?? NaN);
      expect(selection.value).toBe(Math.max(...scores));
    }
    expect(candidates.at(-1)?.selection.value).toBeGreaterThan(0);
  });

  it("is refused an aggregate that is no finite number", async () => {
    const refused = await thrownBy(() => search({ aggregate: () => NaN }));
    expect(refused).toMatchObject({ code: "metric-failed" });
    expect(refused.message).toContain("aggregate");
  });
});

it("defect D7: a perfect candidate ends no run", async () => {
  const { task } = keywordTask();
  const perfect = { ...task, evaluate: () => ({ score: 1 }) };
  const optimizer = gepaWith({
    maxIdleIterations: 1_000,
    minibatch: epochMinibatches(),
    proposer: directedProposer(),
    stop: [metricCallsReached(40)],
  });
  expect((await optimizeTexts(perfect, { optimizer })).reason).toBe("stopper");
});

function reference(
  options: Omit<OptimizeTextsOptions, "optimizer">,
  configuration = "default",
): Promise<TextOptimizationResult> {
  const optimizer = referenceGepa(configuration, {
    metricCalls: 150,
    proposer: directedProposer(),
  });
  const { task } = keywordTask({ seed: 1, sharesSplits: configuration === "val=train,cache" });
  return optimizeTexts(summedInTurn(task), { optimizer, ...options });
}

function abortAfter(iteration: number): Required<Pick<OptimizeTextsOptions, "signal" | "onEvent">> {
  const stop = new AbortController();
  return {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind === "iteration-end" && event.iteration === iteration) stop.abort();
    },
  };
}
