import { textOfContent } from "espalier";
import { describe, expect, it } from "vitest";
import type { CandidateRecord, OptimizerEvent } from "espalier/optimizer";
import { roundRobin } from "espalier/optimizer";
import { epochMinibatches } from "../../conformance/reference/index.ts";
import { rehearsalLm } from "@espalier/rehearsal";
import { evaluate } from "espalier/evaluate";
import { placeStudy } from "../support/place-search.ts";
import { compiledPart, runPlaces } from "../support/run-places.ts";
import { gepaWith } from "../support/gepa-with.ts";
import { thrownBy } from "../../support/thrown-by.ts";

describe("a run", () => {
  it("finds instructions that are better on the untouched test split", async () => {
    const { result } = await runPlaces();
    const { program, objective: metric, trainset } = placeStudy;
    const measure = async (measured: typeof program) => {
      const examples = trainset.splits.test;
      return (await evaluate({ program: measured, examples, metric, lm: rehearsalLm() })).value;
    };
    expect(await measure(result.program)).toBeGreaterThan(((await measure(program)) ?? 1) + 0.3);
    expect(result.best.selection.value).toBe(
      Math.max(...result.candidates.map(({ selection }) => selection.value)),
    );
  });

  it("learns nothing without feedback", async () => {
    const { objective } = placeStudy;
    const { result } = await runPlaces(
      {},
      {
        ...placeStudy,
        objective: {
          ...objective,
          doScore: async (given) => {
            const score = await objective.doScore(given);
            return score.kind === "scored" ? { ...score, feedback: "", blame: [] } : score;
          },
        },
      },
    );
    expect(result.candidates).toHaveLength(1);
    expect(result.rejections.length).toBeGreaterThan(5);
    expect(new Set(result.rejections.map(({ reason }) => reason))).toEqual(new Set(["unchanged"]));
  });

  it("is the same at any concurrency, and another with another seed", async () => {
    const [one, ...others] = await Promise.all(
      [1, 8, 64].map(async (concurrency) => compiledPart(await runPlaces({ concurrency }))),
    );
    for (const other of others) expect(other).toEqual(one);
    const { run: _run, ...first } = one as { run: unknown };
    const { run: _other, ...reseeded } = compiledPart(await runPlaces({ seed: 1 })) as {
      run: unknown;
    };
    expect(reseeded).not.toEqual(first);
  });

  it("does with defaults spelled out what it does without", async () => {
    const spelled = gepaWith({
      components: ["instruction:broadQuery", "instruction:narrowQuery"],
      perfectScore: 1,
    });
    const [implied, explicit] = await Promise.all([runPlaces(), runPlaces({ optimizer: spelled })]);
    expect(explicit.result.candidates).toEqual(implied.result.candidates);
  });

  it("names for each candidate its parent, what changed, why it was accepted and what it costs", async () => {
    const { result } = await runPlaces();
    const [seed, ...others] = result.candidates;
    expect(seed).toMatchObject({ id: 0, parents: [], iteration: 0, metricCallsBefore: 0 });
    expect(seed?.acceptance).toEqual({ by: "seed", detail: "What the search started from." });
    expect(others.length).toBeGreaterThan(0);
    for (const candidate of others) {
      const parent = result.candidates[candidate.parents[0] ?? -1];
      // A merged candidate names them in the order it took them over.
      expect(changedFrom(parent, candidate).toSorted()).toEqual(candidate.changed.toSorted());
      expect(candidate.changed.length).toBeGreaterThan(0);
      expect(candidate.acceptance.by).toBe("neutral-by-training");
      const gain = candidate.selection.value - (parent?.selection.value ?? Number.NaN);
      expect(candidate.acceptance.detail).toBe(
        `${Number(gain.toFixed(4))} better than its parent on val.`,
      );
      // Two predictors, one call each, and longer instructions than the seed's.
      expect(candidate.selection.costs?.lmCalls).toBe(2);
      expect(candidate.selection.costs?.promptTokens).toBeGreaterThan(
        seed?.selection.costs?.promptTokens ?? Number.NaN,
      );
      expect(Object.keys(candidate.selection.scores)).toEqual(
        placeStudy.trainset.splits.val.map(({ id }) => id),
      );
    }
  });

  it("gives the sums that decided, where a minibatch had to show first", async () => {
    const { result } = await runPlaces({ optimizer: gepaWith({ gateAbove: 0 }) });
    const gates = result.candidates.flatMap(({ gate }) => (gate === undefined ? [] : [gate]));
    expect(gates).toHaveLength(result.candidates.length - 1);
    for (const { childSum, parentSum, exampleIds } of gates) {
      expect(childSum).toBeGreaterThan(parentSum);
      expect(exampleIds.length).toBeGreaterThan(0);
    }
  });

  it("changes the components in turn along a lineage, with round robin", async () => {
    const { result } = await runPlaces({
      optimizer: gepaWith({ minibatch: epochMinibatches(), component: roundRobin() }),
    });
    const changed = result.candidates.map(({ changed }) => changed);
    expect(changed.slice(0, 3)).toEqual([
      [],
      ["instruction:broadQuery"],
      ["instruction:narrowQuery"],
    ]);
  });

  it("tells two predictors of one signature apart", async () => {
    const prompts: string[] = [];
    const lm = rehearsalLm();
    await runPlaces({
      optimizer: gepaWith({ minibatchSize: 3 }),
      reflectionLm: {
        identity: lm.identity,
        doGenerate: (request, options) => {
          prompts.push(textOfContent(request.messages.at(-1)?.content));
          return lm.doGenerate(request, options);
        },
      },
    });
    // Three examples, and two predictors that wrote a query each: a mix-up would show six.
    const shown = prompts.map((prompt) => prompt.match(/# Example \d/g)?.length ?? 0);
    expect(Math.max(...shown)).toBe(3);
  });

  it("never shows an example that selects, or its feedback, to the reflection LM", async () => {
    const lm = rehearsalLm();
    const prompts: string[] = [];
    await runPlaces({
      reflectionLm: {
        identity: lm.identity,
        doGenerate: (request, options) => {
          prompts.push(JSON.stringify(request.messages));
          return lm.doGenerate(request, options);
        },
      },
    });
    const histories = [...placeStudy.trainset.splits.val, ...placeStudy.trainset.splits.test].map(
      ({ input }) => (input as { history: string }).history.split("\n")[0] ?? "",
    );
    expect(prompts.length).toBeGreaterThan(3);
    expect(histories.filter((line) => prompts.some((prompt) => prompt.includes(line)))).toEqual([]);
  });
});

describe("a run ends", () => {
  it("after so many iterations without a new text, also when calls cost nothing", async () => {
    const { result, events } = await runPlaces({
      optimizer: gepaWith({ maxIdleIterations: 7 }),
      budget: { wallTimeMs: 60_000 },
    });
    expect(result.reason).toBe("nothing-new");
    const last = events.filter(({ kind }) => kind === "iteration-start").slice(-7);
    expect(last).toHaveLength(7);
  });

  it("after so many failures of the reflection LM, each told, with the student's calls unspent", async () => {
    const told: OptimizerEvent[] = [];
    const run = runPlaces({
      onEvent: (event) => event.kind !== "progress" && told.push(event),
      optimizer: gepaWith({ maxReflectionFailures: 3, components: ["instruction:broadQuery"] }),
      reflectionLm: {
        identity: { provider: "test", model: "mute" },
        doGenerate: async (request) => ({
          ...(await rehearsalLm().doGenerate(request)),
          content: "I would rather not.",
        }),
      },
    });
    expect((await thrownBy(() => run)).code).toBe("search-hopeless");
    const refused = told.flatMap((event) =>
      event.kind === "candidate-refused" ? [event.reason] : [],
    );
    expect(refused).toEqual(Array(3).fill("unreadable"));
    // Seed on 14 examples of val, and on the first 12 of train to learn from; nothing after that.
    expect(told.findLast(({ kind }) => kind === "budget-spent")).toMatchObject({
      metricCalls: 14 + 12,
    });
  });

  it("with an all-perfect train split, without paying for the same perfect minibatch twice", async () => {
    const { objective } = placeStudy;
    const perfectOnTrain = new Set(placeStudy.trainset.splits.train.map(({ id }) => id));
    let metricCalls = 0;
    const run = runPlaces(
      {
        budget: { metricCalls: 10_000 },
        onEvent: (event) => {
          if (event.kind === "budget-spent") ({ metricCalls } = event);
        },
      },
      {
        ...placeStudy,
        objective: {
          ...objective,
          doScore: async (given) =>
            perfectOnTrain.has(given.example.id)
              ? { kind: "scored", value: 1 }
              : objective.doScore(given),
        },
      },
    );
    expect((await thrownBy(() => run)).message).toContain("nothing to learn from in train");
    // Each train example once or, where an epoch is filled up, a few times more; never on and on.
    expect(metricCalls).toBeGreaterThan(14);
    expect(metricCalls).toBeLessThan(14 + 2 * 15);
  });
});

function changedFrom(
  parent: CandidateRecord | undefined,
  { components }: CandidateRecord,
): readonly string[] {
  return components
    .filter(({ value }, index) => value !== parent?.components[index]?.value)
    .map(({ kind, path }) => `${kind}:${path}`);
}
