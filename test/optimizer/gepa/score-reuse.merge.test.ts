import { describe, expect, it } from "vitest";
import type {
  ScoreReuse,
  OptimizerEvent,
  OptimizerProgress,
  TextOptimizationResult,
} from "espalier/optimizer";
import { predict, program, signature, text } from "espalier";
import { metric, scored, unscored } from "espalier/metric";
import { optimize, optimizeTexts } from "espalier/optimizer";
import { epochMinibatches } from "../../conformance/reference/index.ts";
import { rehearsalLm } from "@espalier/rehearsal";
import { trainset } from "espalier/trainset";
import type { Candidate } from "../../../src/contract/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { searchOnly } from "../support/search-only.ts";
import type { KeywordTask, KeywordTaskOptions } from "./support/keyword-task.ts";
import { directedProposer, keywordTask, textsOf } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

const modes: readonly ScoreReuse[] = ["none", "candidate", "trace"];
const seeds = [0, 1, 2, 3, 4, 5];

describe.each(modes)("a deterministic task that reuses scores by %s", (scoreReuse) => {
  it("has for every candidate the scores of a full evaluation from scratch", async () => {
    for (const seed of seeds) {
      const { task, result, judge } = await search({ seed, hasObjectives: true }, { scoreReuse });
      expect(result.candidates.length).toBeGreaterThan(1);
      for (const { components, selection } of result.candidates) {
        const texts = textsOf(components);
        const scratch = Object.keys(task.val).map((id) => [id, judge(texts, id)] as const);
        expect(selection.scores).toEqual(
          Object.fromEntries(scratch.map(([id, { score }]) => [id, score])),
        );
        expect(selection.objectiveScores).toEqual(
          Object.fromEntries(scratch.map(([id, { objectives }]) => [id, objectives])),
        );
      }
    }
  });

  it("never ends score reuse", async () => {
    for (const seed of seeds) {
      const { events } = await search({ seed }, { scoreReuse });
      expect(events.some(({ kind }) => kind === "score-reuse-ended")).toBe(false);
    }
  });

  it("behaviour 1: counts as metric calls what was run, and nothing that was reused", async () => {
    for (const seed of seeds) {
      const { events, calls, result } = await search({ seed }, { scoreReuse });
      let [judged, reused] = [0, 0];
      const told: (readonly [ledger: number, counted: number])[] = [];
      for (const event of events) {
        if (event.kind === "candidate-evaluated") {
          judged += Object.keys(event.scores).length;
          reused += event.reused;
        }
        if (event.kind === "budget-spent") told.push([event.metricCalls, judged - reused]);
      }
      expect(told.length).toBeGreaterThan(0);
      expect(told.map(([ledger]) => ledger)).toEqual(told.map(([, counted]) => counted));
      expect(result.spent.metricCalls).toBe(calls.length);
      expect(judged - reused).toBe(calls.length);
      expect(reused > 0).toBe(scoreReuse.startsWith("trace"));
    }
  });
});

describe("behaviour 18: score reuse by candidate, as the cache of gepa", () => {
  const options = {
    scoreReuse: "candidate",
    minibatch: epochMinibatches({ size: 3 }),
    gateAbove: 0,
  } as const;

  it("fills no score on val from train where the splits are not one", async () => {
    for (const seed of seeds) {
      const { events } = await search({ seed }, options);
      expect(reusedOn(events, "val")).toBe(0);
      expect(reusedOn(events, "train")).toBe(0);
    }
  });

  it("fills scores on val from minibatches where train selects, and none the other way", async () => {
    for (const seed of seeds) {
      const { events, result } = await search({ seed, sharesSplits: true }, options);
      expect(reusedOn(events, "train")).toBe(0);
      const children = result.candidates.length - 1;
      // Each child that came to val was run on a minibatch of three before.
      expect(children).toBeGreaterThan(0);
      expect(reusedOn(events, "val")).toBeGreaterThanOrEqual(3 * children);
    }
  });
});

const noise = (number: number): number => 0.01 * randomSource(number, "noise").random();

describe("a task where a text has a part in scores that no trace tells of", () => {
  const leak = ({ second = "" }): number => 0.05 * second.split(" ").length;
  const sizes = { train: 30, val: 30 };

  it("has score reuse by trace ended, once, as soon as a re-run meets it", async () => {
    let found = 0;
    for (const seed of seeds) {
      const { events } = await search({ seed, leak, ...sizes }, {}, 600);
      const disputes = events.filter(({ kind }) => kind.startsWith("score-reuse-"));
      const ended = events.find((event) => event.kind === "score-reuse-ended");
      expect(disputes).toEqual(ended === undefined ? [] : [ended]);
      if (ended === undefined) continue;
      found++;
      const { exampleId, reused, again, repeated } = ended;
      expect(exampleId).toMatch(/^[tv]\d+$/);
      expect(reused).not.toBe(again);
      expect(repeated).toEqual([
        { reused, again },
        { reused, again },
      ]);
      // From then on a child's scores are its own.
      const after = events.slice(events.findIndex(({ kind }) => kind === "score-reuse-ended"));
      const children = after.filter(
        (event) => event.kind === "candidate-evaluated" && event.candidate === "proposed",
      );
      expect(reusedOn(children, "val")).toBe(0);
      expect(children.length).toBeGreaterThan(0);
    }
    // Each search inherits some 200 scores, of which three are run again.
    expect(found).toBeGreaterThanOrEqual(seeds.length / 2);
  });
});

describe("a task whose scores vary from run to run", () => {
  it("goes on to inherit by trace, and tells all four scores of a dispute", async () => {
    for (const seed of seeds) {
      const { events } = await search({ seed, noise }, {});
      expect(events.some(({ kind }) => kind === "score-reuse-ended")).toBe(false);
      const kept = events.find((event) => event.kind === "score-reuse-kept");
      expect(kept?.exampleId).toMatch(/^[tv]\d+$/);
      const { reused, again, repeated } = kept ?? {};
      const told = [reused, again, repeated?.[0]?.reused, repeated?.[0]?.again];
      expect(repeated).toHaveLength(1);
      expect(new Set(told).size).toBe(4);
      const after = events.slice(events.findIndex(({ kind }) => kind === "score-reuse-kept"));
      expect(reusedOn(after, "val")).toBeGreaterThan(0);
    }
  });
});

describe("a re-run", () => {
  it.each([
    ["a fault", [null], 0.5, undefined],
    ["the same score", [0.5], 0.5, undefined],
    [
      "another score, which both repeat twice",
      [0.25, 0.25, 0.5, 0.25, 0.5],
      0.25,
      "score-reuse-ended",
    ],
    [
      "another score, which both repeat once",
      [0.25, 0.25, 0.5, 0.5, 0.5],
      0.25,
      "score-reuse-kept",
    ],
    ["another score, which it does not repeat", [0.25, 0.5, 0.5], 0.25, "score-reuse-kept"],
    ["another score, and the first does not repeat", [0.25, 0.25, 0.25], 0.25, "score-reuse-kept"],
    ["another score, and then in a fault", [0.25, null, 0.5], 0.25, "score-reuse-ended"],
  ] as const)("that ends in %s is judged by it", async (_, again, judged, kind) => {
    const { left, values, events, isReused } = await judgedTwice([0.5, ...again], 10);
    expect(left).toEqual([]);
    expect(values).toEqual([0.5, judged]);
    const disputes = events.filter((event) => event.kind.startsWith("score-reuse-"));
    expect(disputes.map((event) => event.kind)).toEqual(kind === undefined ? [] : [kind]);
    expect(isReused).toBe(kind !== "score-reuse-ended");
  });

  it("is not made where it could cost a proposal its evaluation", async () => {
    // One rollout more, and one on val: three in all.
    expect((await judgedTwice([0.5, 0.25], 3)).left).toEqual([]);
    const { left, values } = await judgedTwice([0.5, 0.25], 2);
    expect(left).toEqual([0.25]);
    expect(values).toEqual([0.5, 0.5]);
  });

  it("is not repeated where that could, either, and is then believed", async () => {
    // The seed, the re-run, two repetitions, and one on val: five in all.
    expect((await judgedTwice([0.5, 0.25, 0.5, 0.5], 5)).left).toEqual([]);
    const { left, isReused } = await judgedTwice([0.5, 0.25, 0.5, 0.5], 4);
    expect(left).toEqual([0.5, 0.5]);
    expect(isReused).toBe(false);
  });
});

const question = { input: { question: text("question") }, output: { answer: text("answer") } };
const step = (name: string) =>
  predict(signature({ name, instruction: `Text of ${name}.`, ...question }));

/** Has two steps and runs the first alone: what is known stands whatever the second says. */
const halfIdle = program({
  name: "half-idle",
  version: "1",
  ...question,
  predictors: { first: step("first"), second: step("second") },
  forward: (given, call) => call.predictors.first(given),
});

const faultAtEachTry: readonly null[] = Array.from({ length: 4 }, () => null);

/**
 * Judges the seed on the one example of val, and then the same with another text in the step that
 * does not run. The metric gives `scores`, one after the other; `null` is a fault.
 */
async function judgedTwice(scores: readonly (number | null)[], metricCalls: number) {
  const left = scores.flatMap((score) => (score === null ? faultAtEachTry : [score]));
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const values: (number | null | undefined)[] = [];
  let isReused: boolean | undefined;
  const failure = {
    kind: "infrastructure",
    code: "lm-server-error",
    message: "No server.",
  } as const;
  const examplesOf = (id: string) => [{ id, input: { question: `Which ${id}?` }, labels: {} }];
  const optimizer = searchOnly(async ({ space, evidence }) => {
    const seed = space.components;
    const textsWith = (value: string): Candidate =>
      seed.map((component) =>
        component.kind === "instruction" && component.path === "second"
          ? { ...component, value }
          : component,
      );
    const other = textsWith("Other.");
    expect(other).not.toEqual(seed);
    for (const components of [seed, other]) {
      const [evaluation] = await evidence.evaluate(0, [
        { candidate: "proposed", split: "val", exampleIds: ["v0"], components },
      ]);
      values.push(evaluation?.value);
    }
    isReused = evidence.missingOn("val", ["v0"], textsWith("Another.")) === 0;
  });
  await optimize(
    {
      program: halfIdle,
      trainset: trainset({
        name: "questions",
        version: "1",
        licence: "CC0-1.0",
        source: "written for this test",
        splits: { train: examplesOf("t0"), val: examplesOf("v0"), test: examplesOf("x0") },
      }),
      objective: metric({
        name: "scripted",
        version: "1",
        score: () => {
          const score = left.shift();
          return typeof score === "number" ? scored(score) : unscored(failure);
        },
      }),
    },
    {
      optimizer,
      budget: { metricCalls },
      lm: rehearsalLm(),
      onEvent: (event) => events.push(event),
    },
  );
  return { left, values, events, isReused };
}

async function search(
  task: KeywordTaskOptions,
  options: FlatGepaOptions,
  metricCalls: number = 220,
): Promise<
  KeywordTask & {
    readonly result: TextOptimizationResult;
    readonly events: readonly (OptimizerEvent | OptimizerProgress)[];
  }
> {
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const keywords = keywordTask(task);
  const result = await optimizeTexts(keywords.task, {
    optimizer: gepaWith({ proposer: directedProposer(), ...options }),
    budget: { metricCalls },
    onEvent: (event) => events.push(event),
  });
  return { ...keywords, result, events };
}

function reusedOn(
  events: readonly (OptimizerEvent | OptimizerProgress)[],
  split: "train" | "val",
): number {
  return events.reduce(
    (sum, event) =>
      event.kind === "candidate-evaluated" && event.split === split ? sum + event.reused : sum,
    0,
  );
}
