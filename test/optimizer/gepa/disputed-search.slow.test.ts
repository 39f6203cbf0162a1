import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptimizerEvent, TextOptimizationResult } from "espalier/optimizer";
import { optimizeTexts } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import type { KeywordTaskOptions } from "./support/keyword-task.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";
import { decisionsIn } from "../../support/journal.ts";

const leak = ({ second = "" }): number => 0.05 * second.split(" ").length;
const noise = (number: number): number => 0.01 * randomSource(number, "noise").random();
const seeds = [0, 1, 2, 3];

interface Searched {
  readonly result: Omit<TextOptimizationResult, "seconds">;
  readonly events: readonly OptimizerEvent[];
  /** Examples that were evaluated. */
  readonly calls: readonly string[];
}

/** A search that disputes what it reused, unless the task is told to have no reason to. */
async function searched(
  task: KeywordTaskOptions,
  options: {
    readonly metricCalls?: number;
    readonly concurrency?: number;
    readonly runFolder?: string;
    readonly resume?: boolean;
  } = {},
): Promise<Searched> {
  const { metricCalls = 500, ...others } = options;
  const events: OptimizerEvent[] = [];
  const keywords = keywordTask({ train: 20, val: 20, ...task });
  const { seconds: _, ...result } = await optimizeTexts(keywords.task, {
    optimizer: gepaWith({ proposer: directedProposer() }),
    budget: { metricCalls },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
    ...others,
  });
  return { result, events, calls: keywords.calls };
}

function disputesIn(searches: readonly Searched[]): readonly string[] {
  return searches.flatMap(({ result: { disputes = [] } }) => disputes.map(({ kind }) => kind));
}

describe("a search that disputes what it reused", () => {
  it.each<[string, KeywordTaskOptions]>([
    ["since scores vary", { noise }],
    ["since a text has a part unseen", { leak }],
    ["for both reasons", { leak, noise }],
  ])("never spends more than its cap, wherever that falls, %s", async (_, task) => {
    const all: Searched[] = [];
    for (let metricCalls = 21; metricCalls < 300; metricCalls += 3) {
      const one = await searched({ ...task, seed: metricCalls % 4 }, { metricCalls });
      expect(one.calls.length).toBeLessThanOrEqual(metricCalls);
      expect(one.result.spent.metricCalls).toBe(one.calls.length);
      all.push(one);
    }
    expect(disputesIn(all).length).toBeGreaterThan(20);
  });

  it("gives the same at any concurrency", async () => {
    const all: Searched[] = [];
    for (const seed of seeds) {
      const [one, ...others] = await Promise.all(
        [1, 8, 64].map(async (concurrency) =>
          searched({ seed, leak, isSlow: true }, { concurrency }),
        ),
      );
      for (const { events, result } of others) {
        expect(events).toEqual(one?.events);
        expect(result).toEqual(one?.result);
      }
      all.push(one as Searched);
    }
    expect(disputesIn(all)).toEqual(seeds.map(() => "score-reuse-ended"));
  });

  it("goes on to the same result from whatever is left of its journal, cut at any byte", async () => {
    for (const seed of seeds) {
      const cuts = Array.from({ length: 12 }, (_, number) =>
        randomSource(seed, "cuts", number).random(),
      );
      await expectCutsToChangeNothing({ seed, leak }, cuts);
    }
  });
});

/** Resumes copies of a run, of whose journal such shares are left. */
async function expectCutsToChangeNothing(
  task: KeywordTaskOptions,
  shares: readonly number[],
): Promise<void> {
  await using folder = await temporaryFolder();
  const whole = await searched(task, { runFolder: folder.path });
  expect(disputesIn([whole]).length).toBeGreaterThan(0);
  const journal = await readFile(join(folder.path, "journal.jsonl"), "utf8");
  for (const share of shares) {
    await using copy = await temporaryFolder();
    const left = journal.slice(0, Math.floor(journal.length * share));
    await writeFile(join(copy.path, "journal.jsonl"), left);
    const resumed = await searched(task, { runFolder: copy.path, resume: true });
    expect(resumed.result).toEqual(whole.result);
    expect(resumed.events).toEqual(whole.events);
    expect(decisionsIn(copy.path)).toBe(decisionsIn(folder.path));
    const recorded = left.match(/^\{"kind":"rollout".*\n/gm) ?? [];
    expect(resumed.calls.length).toBe(whole.calls.length - recorded.length);
  }
}
