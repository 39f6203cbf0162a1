import { join } from "node:path";
import { expect } from "vitest";
import { askedAgainIn } from "../../optimizer/support/asked-again-in.ts";
import { runCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { killedAfter, servedExperiment } from "./served-experiment.ts";
import type { Costs } from "./support.ts";
import { tableIn } from "./support.ts";

const places = "test/cli/fixtures/place-experiment.ts";
const rows = ["as-declared", "optimized", "one-word"];
const few = ["--sample", "6", "--concurrency", "4"];
const enough = 1_000_000;

/** What each cap bounds. */
const spentBy = {
  "--max-lm-calls": ({ lmCalls }) => lmCalls,
  "--max-tokens": ({ promptTokens, completionTokens }) => promptTokens + completionTokens,
  "--max-usd": ({ usd }) => usd ?? NaN,
  "--budget": ({ metricCalls }) => metricCalls,
} as const satisfies Readonly<Record<string, (costs: Costs) => number>>;

export type CapOption = keyof typeof spentBy;

/** One process that works on the experiment. */
export interface Stage {
  readonly cap: number;
  /** Killed once the server has received so many more calls; absent: left to end. */
  readonly killAfter?: number;
}

/**
 * Runs an experiment in stages, each a process with a cap of its own, and the last with enough.
 * After each stage that ended by itself, the table has all that the server counted, no cap so far
 * is exceeded, and nothing was sent under a cap that was spent before. In the end every row has a
 * result, and no reply on file was requested again.
 */
export async function expectCapsToHold(option: CapOption, stages: readonly Stage[]): Promise<void> {
  const isKilled = stages.some(({ killAfter }) => killAfter !== undefined);
  await using served = await servedExperiment({ latencyMs: isKilled ? 3 : 0 });
  let before: Costs | undefined;
  let [largest, unsent] = [0, 0];
  for (const [index, { cap, killAfter }] of [...stages, { cap: enough }].entries()) {
    const caps = [option, String(cap)];
    const words =
      index === 0 ? served.begin(places, ...few, ...caps) : served.resume(places, ...caps);
    const sent = served.received();
    largest = Math.max(largest, cap);
    const when = `${option} of ${cap}, stage ${index + 1} of ${JSON.stringify(stages)}`;
    if (killAfter !== undefined) {
      // Calls in flight at a kill may or may not have arrived.
      if (await killedAfter(sent + killAfter, words, served.received)) unsent += 4;
      continue;
    }
    // A call that has room under a cap on money may be given up before it reaches the server.
    if (option === "--max-usd") unsent += 4;
    const ended = await (isKilled ? runCli(words) : runMain(words));
    expect(cap === enough ? [0] : [0, 4], `${when}: ${ended.stderr}`).toContain(ended.code);
    const { costs } = await tableIn(served.run);
    const wrong = problemsOf(costs, before, {
      option,
      cap,
      largest,
      sent,
      received: served.received(),
      unsent,
    });
    expect({ when, wrong }).toEqual({ when, wrong: [] });
    before = costs;
  }
  const again = rows.map((row) => askedAgainIn(join(served.run, "rows", row)));
  expect((await Promise.all(again)).flat()).toEqual([]);
}

/** What a stage did that it may not do, in words. */
function problemsOf(
  costs: Costs,
  before: Costs | undefined,
  {
    option,
    cap,
    largest,
    sent,
    received,
    unsent,
  }: {
    readonly option: CapOption;
    readonly cap: number;
    readonly largest: number;
    /** Calls that the server had received before the stage, and after it. */
    readonly sent: number;
    readonly received: number;
    /** Most calls that may count as billed and never arrived, or arrived and got no reply. */
    readonly unsent: number;
  },
): readonly string[] {
  const spent = spentBy[option](costs);
  const { billedCalls, usd } = costs;
  const had = before && spentBy[option](before);
  const problems: readonly (readonly [isWrong: boolean, what: string])[] = [
    [billedCalls < received, `${billedCalls} calls billed, ${received} received`],
    [billedCalls > received + unsent, `${billedCalls} calls billed, only ${received} received`],
    [spent > largest, `${spent} spent, over ${largest}`],
    [option === "--max-lm-calls" && received > largest + unsent, `${received} calls sent`],
    [had !== undefined && spent < had, `${spent} spent, where it was ${had}`],
    [billedCalls < (before?.billedCalls ?? 0), "billed calls forgotten"],
    [(usd ?? NaN) < (before?.usd ?? 0), "dollars forgotten"],
    [had !== undefined && cap < had && received > sent, "sent under a cap that was spent"],
  ];
  return problems.flatMap(([isWrong, what]) => (isWrong ? [what] : []));
}
