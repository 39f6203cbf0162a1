import { describe, expect, it } from "vitest";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CandidateRecord, OptimizerEvent, OptimizerProgress } from "espalier/optimizer";
import { optimizeTexts, readRun } from "espalier/optimizer";
import type { KeywordExample, KeywordTask } from "../support/keyword-task.ts";
import { directedProposer, keywordTask, textsOf } from "../support/keyword-task.ts";
import { candidateOf } from "../support/search-view.ts";
import type { FlatGepaOptions } from "../../support/gepa-with.ts";
import { gepaWith } from "../../support/gepa-with.ts";
import { searchOnly } from "../../support/search-only.ts";

/** Takes something from every score for each word of the second text, whether it ran or not. */
const leak = ({ second = "" }): number => -0.05 * second.split(" ").length;

async function searched(seed: number, metricCalls: number, options: FlatGepaOptions = {}) {
  const { task } = keywordTask({ seed, leak, train: 30, val: 30 });
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const folder = await mkdtemp(join(tmpdir(), "espalier-test-"));
  const runFolder = join(folder, "run");
  const result = await optimizeTexts(task, {
    optimizer: gepaWith({ ...options, proposer: directedProposer() }),
    budget: { metricCalls },
    runFolder,
    onEvent: (event) => events.push(event),
  });
  const recorded = readRun(runFolder);
  await rm(folder, { recursive: true });
  return { task, result, events, recorded };
}

/** Every child runs on all of val, on three lessons, without a gate. */
const wholeVal: FlatGepaOptions = {
  minibatchSize: 3,
  gateAbove: null,
  valSample: null,
};

/** Examples of val whose score is not the candidate's own. */
async function wrongScores(
  task: KeywordTask["task"],
  { components, selection }: CandidateRecord,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [exampleId, score] of Object.entries(selection.scores)) {
    const example = task.val[exampleId] as KeywordExample;
    const own = await task.evaluate(textsOf(components), example, { exampleId } as never);
    if (Math.abs((score ?? NaN) - own.score) > 1e-12) wrong.push(exampleId);
  }
  return wrong;
}

describe("once score reuse was found wrong", () => {
  it("the best candidate's scores are its own, and the run's folder tells the same", async () => {
    let confirmed = 0;
    for (let seed = 0; seed < 8; seed++) {
      const { task, result, events, recorded } = await searched(seed, 1000);
      if (!events.some(({ kind }) => kind === "score-reuse-ended")) continue;
      const told = events.filter((event) => event.kind === "candidate-confirmed");
      confirmed += told.length;
      expect(await wrongScores(task, result.best)).toEqual([]);
      for (const { candidate, selection } of told) {
        expect(result.candidates[candidate]?.selection).toEqual(selection);
      }
      expect(recorded.candidates).toEqual(result.candidates);
      expect(recorded.best?.id).toBe(result.best.id);
      expect(recorded.disputes).toEqual(result.disputes);
      expect(result.disputes?.at(-1)?.kind).toBe("score-reuse-ended");
    }
    expect(confirmed).toBeGreaterThan(0);
  });

  it("the best is one whose scores are its own where three confirmations come to no end", async () => {
    for (const metricCalls of [400, 450, 500, 550]) {
      const { task, result, events } = await searched(2, metricCalls, wholeVal);
      expect(events.filter(({ kind }) => kind === "candidate-confirmed")).toHaveLength(3);
      expect(await wrongScores(task, result.best)).toEqual([]);
    }
  });

  it("no more is spent than the budget has", async () => {
    for (let metricCalls = 60; metricCalls <= 400; metricCalls += 20) {
      const { result } = await searched(0, metricCalls);
      expect(result.spent.metricCalls).toBeLessThanOrEqual(metricCalls);
    }
  });
});

describe("a candidate that superseded its parent without being better on val", () => {
  it.each<[string, own: number, best: number]>([
    ["stays the best where its own scores are those it had", 0.5, 1],
    ["stays the best where they are higher", 0.75, 1],
    ["gives way to its parent where they are lower", 0.25, 0],
  ])("%s", async (_, own, expected) => {
    let best: number | undefined;
    const optimizer = searchOnly((search) => {
      for (const id of [0, 1]) {
        search.accept(candidateOf(id, { v0: 0.5 }), { supersedes: id === 1 });
      }
      expect(search.best.id).toBe(1);
      search.confirm(search.best, candidateOf(1, { v0: own }).selection);
      best = search.best.id;
    });
    await optimizeTexts(keywordTask({ val: 1 }).task, { optimizer, budget: { metricCalls: 100 } });
    expect(best).toBe(expected);
  });
});
